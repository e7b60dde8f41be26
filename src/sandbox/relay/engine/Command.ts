import { Schema } from "effect"
import { optional } from "#domain/optional.ts"
import { RequestTrap } from "#api/SandboxCommands.ts"
import { Chain } from "#domain/chains/Chain.ts"

/** The most that all application fees together may take. */
export const maximumAppFeeBps = 1_000

const Bps = Schema.String.check(Schema.isPattern(/^[0-9]{1,5}$/, { expected: "an integer string" }))

/** Whose balance the fees are added to, which only an EVM wallet can claim. */
const Claimer = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/, { expected: "an EVM address" }))

/** Smallest units as digits: of the destination currency where the output is exact, else of the origin currency. */
const Amount = Schema.String.check(Schema.isPattern(/^[1-9][0-9]{0,38}$/, { expected: "an integer string" }))

/** `POST /quote/v2` and `/quote/v3` (relay/wire.md 1, quote). Members for other products are refused or ignored. */
export const QuoteRequest = Schema.Struct({
  user: Schema.NonEmptyString,
  recipient: optional(Schema.String),
  originChainId: Schema.Int,
  destinationChainId: Schema.Int,
  originCurrency: Schema.String,
  destinationCurrency: Schema.String,
  amount: Amount,
  tradeType: Schema.Literals(["EXACT_INPUT", "EXACT_OUTPUT"]),
  refundTo: optional(Schema.String),
  slippageTolerance: optional(Bps),
  appFees: optional(Schema.Array(Schema.Struct({ recipient: Claimer, fee: Bps }))),
  referrer: optional(Schema.String),
  useDepositAddress: optional(Schema.Boolean),
  strict: optional(Schema.Boolean),
  /** Seconds. */
  ttl: optional(Schema.Int.check(Schema.isGreaterThan(0))),
})
export type QuoteRequest = typeof QuoteRequest.Type

/** A quote with a strict deposit address: it makes a request that waits for one deposit. */
export const OpenRequest = Schema.TaggedStruct("OpenRequest", { request: QuoteRequest })
export type OpenRequest = typeof OpenRequest.Type

export const PlanRequest = Schema.TaggedStruct("PlanRequest", { outcome: RequestTrap })

export const SetChain = Schema.TaggedStruct("SetChain", { chain: Chain, disabled: Schema.Boolean })
export type SetChain = typeof SetChain.Type

/** Somebody has the service look for deposits to an address again. */
export const Reindex = Schema.TaggedStruct("Reindex", { chainId: Schema.Int, address: Schema.String })
export type Reindex = typeof Reindex.Type

/** The commands that change requests, apart from deposits; the log keeps them with those of the other networks. */
export const RelayCommand = Schema.Union([OpenRequest, PlanRequest, SetChain, Reindex])
