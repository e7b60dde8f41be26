import type { Array, Duration, Effect } from "effect"
import type { Address, BrokerAccount } from "../../src/domain/Address.ts"
import type { NativeAmount } from "../../src/domain/Amount.ts"
import type { AssetId } from "../../src/domain/Asset.ts"
import type { Network } from "../../src/domain/Chain.ts"
import type { ProviderErrorReason } from "../../src/domain/ProviderError.ts"
import type { ProviderName } from "../../src/domain/ProviderName.ts"
import type { QuoteRequest } from "../../src/domain/Quote.ts"
import type { SwapRequest } from "../../src/domain/SwapRequest.ts"
import type { VaultSwapPayload, VaultSwapRequest } from "../../src/domain/VaultSwap.ts"
import type { OpenedChannel } from "../../src/providers/Provider.ts"

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
  /** Best with digits in every place, so that a rounded one shows. */
  readonly amount: NativeAmount
  /** What the provider refuses as not enough. */
  readonly tooLittle: NativeAmount
}

/** What a request can ask for besides a plain swap; which are honoured is what `Capabilities` says. */
export type Feature = "affiliates" | "boost" | "dca" | "ccm" | "anyAmount"

/** How a swap can end (decision 23). */
export type EndingName = "completed" | "refunded" | "failed"

/** Figures that an upstream can leave out of its records; the kit does not ask for those that are named. */
export type Untold = "refundTransaction" | "unconfirmedDepositAmount"

/** A swap that ends in a certain way. `R` is what the upstream of the fixtures is. */
export interface Ending<R> {
  readonly request: SwapRequest
  readonly deposit: NativeAmount
  /** What has to be the case before the deposit is made. */
  readonly conditions?: (opened: OpenedChannel) => Effect.Effect<void, never, R>
}

/** Transactions that say themselves what is to be swapped. `R` is what the upstream of the fixtures is. */
export interface Payloads<R> {
  /** At least one for each chain that payloads are made for, with a commission and a price limit that is met. */
  readonly requests: Array.NonEmptyReadonlyArray<VaultSwapRequest>
  /** Makes the transaction of the payload for a request, now; gives it as its chain writes it. */
  readonly send: (payload: VaultSwapPayload, request: VaultSwapRequest) => Effect.Effect<string, never, R>
  /** A transaction on the chain of the first request that nobody made. */
  readonly strangersTransaction: string
}

/** An operation of the port with what it is asked; the status is that of a channel that was just opened. */
export type Ask =
  | { readonly operation: "assets" }
  | { readonly operation: "quote"; readonly request: QuoteRequest }
  | { readonly operation: "open"; readonly request: SwapRequest }
  | { readonly operation: "encode"; readonly request: VaultSwapRequest }
  | { readonly operation: "status" }

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

/** Every reason, with the operations that fail for it: a new reason has to be thought about by each provider. */
export type Failures<R> = {
  readonly [Tag in ProviderErrorReason["_tag"]]:
    | NotPossible
    | Array.NonEmptyReadonlyArray<FailureOf<Extract<ProviderErrorReason, { readonly _tag: Tag }>, R>>
}

/** What the kit has to know of a provider. Time is that of the test clock; the upstream has to live in it. */
export interface Fixtures<R> {
  readonly platform: ProviderName
  /** The networks that the deposit addresses may be of. */
  readonly networks: ReadonlyArray<Network>
  /** The first is that of the pair of `request`. */
  readonly offers: Array.NonEmptyReadonlyArray<Offer>
  readonly unserved: NotPossible | Offer
  /**
   * A plain request with an amount, a commission and a price limit that is met. From btc.btc where boost, and
   * to an EVM asset where messages are honoured.
   */
  readonly request: SwapRequest
  /** An account that can share in the commission, where affiliates are honoured. */
  readonly affiliate: BrokerAccount
  readonly features: Readonly<Record<Feature, "honoured" | NotPossible>>
  /** An address on the chain of the request's source asset that the upstream never gave out. */
  readonly strangersAddress: Address
  readonly endings: Readonly<Record<EndingName, NotPossible | Ending<R>>>
  /** What the port's `vaultSwaps` are asked; without one, why there are none. */
  readonly payloads: NotPossible | Payloads<R>
  /** Whether a deposit to a channel is found by its transaction (`findTransaction`). */
  readonly deposits: "found" | NotPossible
  readonly untold: Readonly<Partial<Record<Untold, NotPossible>>>
  /** How often a swap is looked at: short enough that no state is missed. */
  readonly lookEvery: Duration.Input
  readonly failures: Failures<R>
}
