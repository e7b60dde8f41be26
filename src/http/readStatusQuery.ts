import { Effect, Result, Schema, Struct } from "effect"
import {
  StatusByChannelParameters,
  StatusByIdParameters,
  StatusByTransactionParameters,
} from "../api/Status.ts"
import { accept } from "./accept.ts"
import { queryParameters } from "./rawParameters.ts"
import { parameterReader, type RawParameters, type Read } from "./readParameters.ts"

const issuesIn = (read: (raw: RawParameters) => Read<unknown>) =>
  Effect.flatMap(queryParameters, (raw) => {
    const { values, issues } = read(raw)
    return accept([issues], Result.succeed(values))
  })

/** What is wrong with the query of `/status-by-id`. */
export const readStatusById = issuesIn(
  parameterReader(
    StatusByIdParameters.mapFields(Struct.map(Schema.optionalKey)),
    Struct.keys(StatusByIdParameters.fields),
  ),
)

/** What is wrong with the query of `/status-by-deposit-channel`. */
export const readStatusByChannel = issuesIn(
  parameterReader(
    StatusByChannelParameters.mapFields(Struct.map(Schema.optionalKey)),
    Struct.keys(StatusByChannelParameters.fields),
  ),
)

/** What is wrong with the query of `/status-by-transaction-hash`. */
export const readStatusByTransaction = issuesIn(
  parameterReader(
    StatusByTransactionParameters.mapFields(Struct.map(Schema.optionalKey)),
    Struct.keys(StatusByTransactionParameters.fields),
  ),
)
