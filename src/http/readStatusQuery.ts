import { Effect, Result, Schema, Struct } from "effect"
import {
  StatusByChannelParameters,
  StatusByIdParameters,
  StatusByTransactionParameters,
} from "../api/Status.ts"
import { accept } from "./accept.ts"
import { queryParameters } from "./rawParameters.ts"
import { parameterReader, type RawParameters, type Read } from "./readParameters.ts"

const faultsIn = (read: (raw: RawParameters) => Read<unknown>) =>
  Effect.flatMap(queryParameters, (raw) => {
    const { values, faults } = read(raw)
    return accept([faults], Result.succeed(values))
  })

/** What is wrong with the query of `/status-by-id`. */
export const readStatusById = faultsIn(
  parameterReader(
    StatusByIdParameters.mapFields(Struct.map(Schema.optionalKey)),
    Struct.keys(StatusByIdParameters.fields),
  ),
)

/** What is wrong with the query of `/status-by-deposit-channel`. */
export const readStatusByChannel = faultsIn(
  parameterReader(
    StatusByChannelParameters.mapFields(Struct.map(Schema.optionalKey)),
    Struct.keys(StatusByChannelParameters.fields),
  ),
)

/** What is wrong with the query of `/status-by-transaction-hash`. */
export const readStatusByTransaction = faultsIn(
  parameterReader(
    StatusByTransactionParameters.mapFields(Struct.map(Schema.optionalKey)),
    Struct.keys(StatusByTransactionParameters.fields),
  ),
)
