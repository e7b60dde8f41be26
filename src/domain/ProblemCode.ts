import { Schema, Struct } from "effect"

/** A code that is told of quotes alone, or where nothing is asked of a provider. */
const ofQuotes = <const S extends number>(status: S, when: string) => ({ status, when, isOfOpenings: false })
/** A code that openings and payloads answer with, too. */
const ofAll = <const S extends number>(status: S, when: string) => ({ status, when, isOfOpenings: true })

/** Problem codes (decision 33), each with its HTTP status and guide line. A published code never changes. */
export const codes = {
  amount_below_minimum: ofQuotes(400, "the amount does not cover the ingress fee"),
  egress_below_minimum: ofQuotes(400, "the output would be under the chain's minimum"),
  egress_fee_not_covered: ofQuotes(400, "the output would not cover the egress fee"),
  insufficient_liquidity: ofQuotes(400, "no quote for this amount: try less"),
  quoting_maintenance: ofAll(503, "temporary: there are no quotes for now"),
  swapping_maintenance: ofAll(503, "temporary: nothing is swapped for now"),
  deposit_channel_failed: ofAll(503, "temporary: no channel was opened"),
  too_many_channels: ofAll(503, "temporary: the provider or your account can open no more channels for now"),
  asset_disabled: ofAll(503, "temporary: an asset is switched off"),
  upstream_error: ofAll(500, "the upstream failed"),
  provider_unavailable: ofQuotes(503, "temporary: no provider can be asked"),
  request_cancelled: ofQuotes(500, "the client cancelled"),
  route_disabled: ofQuotes(403, "the pair is not enabled for the account"),
}

export const ProblemCode = Schema.Literals(Struct.keys(codes))
export type ProblemCode = typeof ProblemCode.Type

type CodeOf<S extends number> = {
  [Code in ProblemCode]: (typeof codes)[Code]["status"] extends S ? Code : never
}[ProblemCode]

/** The codes of a status, in the order of the table. */
export const codesOf = <const S extends number>(status: S): ReadonlyArray<CodeOf<S>> =>
  ProblemCode.literals.filter((code): code is CodeOf<S> => codes[code].status === status)
