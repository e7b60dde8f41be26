import { Effect, Option, Schema, Struct } from "effect"
import { effectiveCommission } from "../accounts/CommissionPolicy.ts"
import { CcmPayloadBody, requiredSwapParameters, swapParameterNames, SwapParameters } from "../api/Swap.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { Bps } from "../domain/Bps.ts"
import { combineIssues, type Issues, noIssues } from "../domain/Issues.ts"
import { Registry } from "../providers/Registry.ts"
import { swapOrder } from "../swapping/SwapRules.ts"
import { SwapSettings } from "../swapping/SwapSettings.ts"
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

/** What the rules depend on besides a request: the operator's settings, the account and the providers. */
export const swapTerms = Effect.gen(function* () {
  const settings = yield* SwapSettings
  const account = yield* CurrentAccount
  const providers = yield* (yield* Registry).enabled
  return {
    ...settings,
    affiliatesAllowed: account.affiliates,
    platforms: providers.map((provider) => provider.name),
    effectiveCommission: (override: number | undefined) =>
      effectiveCommission(account, Option.map(Option.fromUndefinedOr(override), (bps) => Bps.make(bps))),
  }
})

const orderFrom = (read: typeof readQuery | typeof readBody, raw: RawParameters, issues: Issues) =>
  Effect.gen(function* () {
    const wish = read(raw)
    const order = swapOrder({ ...wish.values, unreadable: Object.keys(wish.issues) }, yield* swapTerms)
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
