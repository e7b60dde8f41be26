import type { Array, Duration, Effect } from "effect"
import type { Address, BrokerAccount } from "#domain/chains/Address.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Chain, Network } from "#domain/chains/Chain.ts"
import type { ProviderErrorReason, ProviderOperation } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { WithdrawalOrder } from "#domain/operations/Treasury.ts"
import type { VaultSwapPayload, VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import type { OpenedChannel } from "#providers/Provider.ts"

/** A provider has no notion of this, and why; the reason stands in the name of a test. */
export interface NotPossible {
  readonly _tag: "NotPossible"
  readonly reason: string
}

/** Says why the kit cannot ask a provider for something. */
export const notPossible = (reason: string): NotPossible => ({ _tag: "NotPossible", reason })

/** A pair that the provider swaps; amounts in native units of the source asset. */
export interface Offer {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  /** Best with digits in every place, so that a rounded amount shows. */
  readonly amount: NativeAmount
  /** An amount that the provider refuses as not enough. */
  readonly tooLittle: NativeAmount
  /** The addresses of the swap, where the upstream quotes for known addresses only. */
  readonly sender?: Address
  readonly recipient?: Address
}

/** What a request can ask for besides a plain swap; which are honoured is what `Capabilities` says. */
export type Feature = "affiliates" | "boost" | "dca" | "ccm" | "anyAmount"

/** How a swap can end (decision 23). */
export type EndingName = "completed" | "refunded" | "failed"

/** Amounts of the upstream that are coarser than the chain's own. */
export interface CoarseDigits extends NotPossible {
  /** The native units that one unit of the upstream is worth; 1 for an asset that is not named. */
  readonly nativeUnits: { readonly [Asset in AssetId]?: bigint }
}

/** Says why the upstream's amounts have fewer digits, and how coarse the amounts of each asset are. */
export const coarseDigits = (reason: string, nativeUnits: CoarseDigits["nativeUnits"]): CoarseDigits => ({
  _tag: "NotPossible",
  reason,
  nativeUnits,
})

/** What an upstream can leave out of its records, and why; the kit does not ask for what is named. */
export interface Untold {
  /** The transaction that carried a refund. */
  readonly refundTransaction?: NotPossible
  /** The amount of a deposit before it is confirmed. */
  readonly unconfirmedDepositAmount?: NotPossible
  /** The price limit, the retry window and the refund address of a vault swap. */
  readonly fillOrKill?: NotPossible
  /** The commission of a vault swap, and those who get it. */
  readonly commission?: NotPossible
  /** The chunks of a vault swap. */
  readonly dca?: NotPossible
  /** The message of a vault swap. */
  readonly ccm?: NotPossible
  /** The last digits of amounts and price limits: these are then compared down to the upstream's unit. */
  readonly digits?: CoarseDigits
}

/** A swap with a channel that ends in a certain way. `R` is what the upstream of the fixtures is. */
export interface Ending<R> {
  readonly request: SwapRequest
  /** The amount that comes in; where it is that of the request, the channel's `exactAmount` comes in instead. */
  readonly deposit: NativeAmount
  /** What has to be the case before the deposit is made. */
  readonly conditions?: (opened: OpenedChannel) => Effect.Effect<void, never, R>
}

/** Deposit channels. `R` is what the upstream of the fixtures is. */
export interface Channels<R> {
  /** Makes a deposit of native units of the source asset, now. */
  readonly deposit: (opened: OpenedChannel, amount: NativeAmount) => Effect.Effect<void, never, R>
  /** From now on openings happen, but their answers are lost on the way. */
  readonly loseAnswers: Effect.Effect<void, never, R>
  /** An address on the chain of the request's source asset that the upstream never gave out. */
  readonly strangersAddress: Address
  /** A reference that the upstream never gave out, where channels have one. */
  readonly strangersReference?: string
  readonly endings: Readonly<Record<EndingName, NotPossible | Ending<R>>>
  /** Whether a deposit to a channel is found by its transaction (`findTransaction`). */
  readonly deposits: "found" | NotPossible
}

/** Makes the transaction of the payload for a request, now; gives it as its chain writes it. */
export type Send<R> = (
  payload: VaultSwapPayload,
  request: VaultSwapRequest,
) => Effect.Effect<string, never, R>

/** A vault swap that ends in a certain way. `R` is what the upstream of the fixtures is. */
export interface PayloadEnding<R> {
  readonly request: VaultSwapRequest
  /** What has to be the case before the transaction is made. */
  readonly conditions?: (payload: VaultSwapPayload) => Effect.Effect<void, never, R>
  /** How the transaction is made, where that is not as usual. */
  readonly send?: Send<R>
  /** The amount that comes in, where that is not the amount of the request. */
  readonly deposit?: NativeAmount
}

/** Transactions that say themselves what is to be swapped. `R` is what the upstream of the fixtures is. */
export interface Payloads<R> {
  /** At least one for each chain that payloads are made for, with a commission and a price limit that is met. */
  readonly requests: Array.NonEmptyReadonlyArray<VaultSwapRequest>
  readonly send: Send<R>
  /** A transaction on the chain of the first request that nobody made. */
  readonly strangersTransaction: string
  /** The chains whose transactions the upstream lists (`list`). */
  readonly listed: ReadonlyArray<Chain> | NotPossible
  readonly endings: Readonly<Record<EndingName, NotPossible | PayloadEnding<R>>>
  /** Why a transaction moves more of the chain's own coin than is swapped. The excess is one of the payload's fees. */
  readonly feeInValue?: string
}

/**
 * An operation of the port with what it is asked. A status is that of a channel that was just opened or of a
 * transaction that was just made; of a channel where it is not said and the provider has both.
 */
export type Ask =
  | { readonly operation: "assets" }
  | { readonly operation: "quote"; readonly request: QuoteRequest }
  | { readonly operation: "open"; readonly request: SwapRequest }
  | { readonly operation: "encode"; readonly request: VaultSwapRequest }
  | { readonly operation: "status"; readonly of?: "channel" | "payload" }

/** An operation that fails. `R` is what the upstream of the fixtures is. */
export interface Failure<R> {
  /** Completes the name of the test: "when …". */
  readonly when: string
  readonly ask: Ask
  /** What makes it fail, where that is not the request itself. */
  readonly conditions?: Effect.Effect<void, never, R>
}

/** One whose reason says whether the upstream was reached. */
export interface ConnectionFailure<R> extends Failure<R> {
  readonly reached: boolean
}

type FailureOf<Reason, R> = Reason extends { readonly reached: boolean } ? ConnectionFailure<R> : Failure<R>

/**
 * Every reason, with the operations that fail for it: a new reason has to be thought about by each provider. Each
 * operation that the provider has fails for one reason at least. `OtherStart`, `NoExactOutput` and `ProviderDefect` are the
 * service's own.
 */
export type Failures<R> = {
  readonly [Tag in Exclude<ProviderErrorReason["_tag"], "OtherStart" | "NoExactOutput" | "ProviderDefect">]:
    | NotPossible
    | Array.NonEmptyReadonlyArray<FailureOf<Extract<ProviderErrorReason, { readonly _tag: Tag }>, R>>
}

/** Withdrawals of what the operator has earned. `R` is what the upstream of the fixtures is. */
export interface TreasuryFixtures<R> {
  /** The account has earned `earned` of the order's asset, of which it had nothing. */
  readonly earn: Effect.Effect<void, never, R>
  readonly earned: NativeAmount
  readonly order: WithdrawalOrder
  /** From now on orders happen, but their answers are lost on the way. */
  readonly loseAnswers: Effect.Effect<void, never, R>
  /** From now on the upstream orders nothing, and says so. */
  readonly refuse: Effect.Effect<void, never, R>
}

/** An answer as the real upstream gave it, and what the provider's own reader has to make of it. */
export interface RecordedAnswer {
  /** The file that it is in. */
  readonly name: string
  /** Where it stands in public: test data, documents, a thread. What was built says of which types. */
  readonly source: string
  /** Since when it stands there. */
  readonly date: string
  /** The operation that gets such answers. */
  readonly operation: ProviderOperation
  /** What the reader makes of it, or a promise of that: what matters of an answer, the reasons of a refusal. */
  readonly read: () => unknown
  readonly expected: unknown
}

/** What a quote is asked for. */
export type QuoteTerm = "sourceAsset" | "destinationAsset" | "amount" | "commissionBps"

/** What a channel is asked for. */
export type Term = QuoteTerm | "destinationAddress" | "refundAddress" | "minimumPrice"

/** What the upstream alone says of a channel. */
export type Fact = "depositAddress" | "expiry" | "reference"

/**
 * Why an answer that says it otherwise is taken: the upstream does not say it, or another answer vouches for it. What a
 * payer relies on has to be compared in one answer at least.
 */
type NotCompared<Member extends string> = { readonly [Name in Member]?: NotPossible }

/**
 * What the kit lies with, standing between the provider and its upstream: an answer says each of these otherwise, once,
 * and has to be refused. Where it is said is found by asking the upstream for another of each.
 */
export interface LieFixtures {
  /** Another of what the kit cannot make up, with what the upstream needs beside it: an amount, addresses, a price limit. */
  readonly others: {
    readonly sourceAsset: Partial<SwapRequest>
    readonly destinationAsset: Partial<SwapRequest>
    readonly destinationAddress: Address
    readonly refundAddress: Address
  }
  readonly notCompared: {
    readonly quote: NotCompared<QuoteTerm>
    readonly open: NotCompared<Term | "depositAddress" | "expiry">
    readonly status: NotCompared<Term | "depositAddress" | "reference">
  }
}

/**
 * The lies that are put to a provider: those of other fixtures of the same provider where these answer as they do, or
 * none, where it has no wire; the kit looks whether that is so.
 */
export type Lies = NotPossible | LieFixtures | {
  readonly sameAs: { readonly platform: ProviderName; readonly lies: Lies }
  readonly why: string
}

/** What the kit has to know of a provider. Time is that of the test clock; the upstream has to live in it. */
export interface Fixtures<R> {
  readonly platform: ProviderName
  /** The networks that the upstream's addresses may be of. */
  readonly networks: ReadonlyArray<Network>
  /** The first is that of the pair of `request`. */
  readonly offers: Array.NonEmptyReadonlyArray<Offer>
  readonly unserved: NotPossible | Offer
  /**
   * A plain request with an amount, a commission and a price limit that is met. With channels it is from btc.btc where
   * boost, and to an EVM asset where messages are honoured.
   */
  readonly request: SwapRequest
  /** An account that can share in the commission, where affiliates are honoured. */
  readonly affiliate: BrokerAccount
  readonly features: Readonly<Record<Feature, "honoured" | NotPossible>>
  /** What the port's `channels` are asked; without one, why there are none. */
  readonly channels: NotPossible | Channels<R>
  /** What the port's `vaultSwaps` are asked; without one, why there are none. */
  readonly payloads: NotPossible | Payloads<R>
  /** What the port's `treasury` is asked; absent where nothing can be withdrawn by it. */
  readonly treasury?: TreasuryFixtures<R>
  readonly untold: Untold
  readonly lies: Lies
  /**
   * Whole answers of the real upstream: test data of its own and of its clients, its documents, threads. A simulated
   * network only agrees with its adapter.
   */
  readonly recorded: NotPossible | ReadonlyArray<RecordedAnswer>
  /** How often a swap is looked at: short enough that no state is missed. */
  readonly lookEvery: Duration.Input
  readonly failures: Failures<R>
}
