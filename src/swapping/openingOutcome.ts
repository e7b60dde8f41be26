import { Match } from "effect"
import type { ProviderErrorReason } from "../domain/ProviderError.ts"

const refused = () => false
const unknown = () => true
const ifReached = (reason: { readonly reached: boolean }) => reason.reached

/**
 * Whether an opening that failed for this reason may have opened a channel all the same. Only where it
 * provably did not may another provider be asked (decision 16).
 */
export const mayHaveOpened: (reason: ProviderErrorReason) => boolean = Match.type<ProviderErrorReason>().pipe(
  Match.tagsExhaustive({
    AmountBelowMinimum: refused,
    EgressBelowMinimum: refused,
    EgressFeeNotCovered: refused,
    InsufficientLiquidity: refused,
    DepositBelowMinimum: refused,
    DepositAboveMaximum: refused,
    RequestRefused: refused,
    QuotingMaintenance: refused,
    SwappingMaintenance: refused,
    AssetDisabled: refused,
    AssetNotListed: refused,
    DepositChannelFailed: refused,
    TooManyChannels: refused,
    RateLimited: refused,
    NotCalled: refused,
    // The upstream went wrong in a way that it does not explain, or stopped before it answered.
    UpstreamFailed: unknown,
    RequestCancelled: unknown,
    TimedOut: ifReached,
    Unreachable: ifReached,
    MalformedBody: ifReached,
  }),
)
