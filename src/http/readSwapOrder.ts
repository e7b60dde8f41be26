import { Effect, Schema, Struct } from "effect"
import { CcmPayloadBody, requiredSwapParameters, swapParameterNames, SwapParameters } from "../api/Swap.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { combineIssues, type Issues, noIssues } from "../domain/Issues.ts"
import { swapTerms } from "../swapping/AddressPolicy.ts"
import { swapOrder } from "../swapping/SwapRules.ts"
import { accept } from "./accept.ts"
import { queryAndBodyParameters, queryParameters } from "./rawParameters.ts"
import { parameterReader, type RawParameters } from "./readParameters.ts"
import { nearMissIssues } from "./unknownParameters.ts"

const readQuery = parameterReader(SwapParameters, requiredSwapParameters)

/** A message for the receiving contract can only be in a body (decision 4). */
const readBody = parameterReader(
  SwapParameters.mapFields((fields) => ({ ...fields, ccmPayload: Schema.optionalKey(CcmPayloadBody) })),
  requiredSwapParameters,
)

const orderFrom = (read: typeof readQuery | typeof readBody, raw: RawParameters, issues: Issues) =>
  Effect.gen(function* () {
    const wish = read(raw)
    const order = swapOrder(
      { ...wish.values, unreadable: Object.keys(wish.issues) },
      yield* swapTerms(yield* CurrentAccount),
    )
    return yield* accept([issues, wish.issues], order)
  })

const namesInQuery = Struct.keys(SwapParameters.fields)

/** What a `GET /swap` asks for. */
export const readSwapOrder = Effect.flatMap(
  queryParameters,
  (raw) => orderFrom(readQuery, raw, nearMissIssues(raw, namesInQuery)),
)

/** What a `POST /swap` asks for, in its query, its body, or both. */
export const readPostedSwapOrder = Effect.flatMap(
  queryAndBodyParameters,
  ({ raw, issues }) =>
    orderFrom(readBody, raw, combineIssues([issues, nearMissIssues(raw, swapParameterNames)])),
)

/** What the parameters ask for, as if they were the body of a `POST /swap`. */
export const readSwapParameters = (raw: RawParameters) => orderFrom(readBody, raw, noIssues)
