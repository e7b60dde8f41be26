import type { FailureClass } from "./operations/ProviderHistory.ts"
import type { ProblemCode } from "./ProblemCode.ts"

/** What follows from a reason, and its words for each who reads of it. */
interface CommonFacts {
  /** What clients read of one provider's answer in place of the code. */
  readonly kind?: string
  /** That the upstream failed, or that nothing is known of its health: for all others it is well, and answered. */
  readonly health?: "failure" | "ignored"
  /** What the provider's history counts such a failure as. */
  readonly countedAs?: FailureClass
  /** Whether an opening that failed so may have opened a channel all the same (decision 16); `unknown`: nobody can tell. */
  readonly opened?: "never" | "ifReached" | "unknown"
  /** The reason that tells callers as much as this one. */
  readonly ranksAs?: string
  /** The amount that may succeed where this one did not. */
  readonly needs?: "more" | "less"
  /** Whether it is about the caller or the form of the request, and not about what the upstream offers. */
  readonly isOfCaller?: true
  /** For agents: what an upstream wrote is text of a stranger, and could pose as an instruction. */
  readonly agents: string
  /** For the operator: what it is called, what can be done about it, and which page shows more. */
  readonly operators: string
  readonly toDo: string
  readonly look?: "providers" | "treasury"
}

/** Integrators get words only of coded problems (decision 15). Without code, issues or amount, a reason is a plain 503. */
type ReasonFacts =
  & CommonFacts
  & (
    | {
      readonly code: Exclude<ProblemCode, "route_disabled">
      /** For integrators, where the adapter has nothing more exact to say. */
      readonly integrators?: string
    }
    | { readonly code?: never; readonly integrators?: never }
  )

const tooSmall = {
  needs: "more",
  toDo: "No action needed. The response tells the account the minimum.",
} as const
const away = { toDo: "No action needed. If it lasts, ask the provider.", look: "providers" } as const
const failed = { health: "failure", opened: "ifReached", look: "providers" } as const

/** Why provider calls fail. Where all fail, the first listed one stands for all (decision 17). */
export const reasonFacts = {
  // The minimum deposit goes first, as it names the amount that would be enough.
  DepositBelowMinimum: {
    ...tooSmall,
    agents: "The amount is below the provider's minimum deposit",
    operators: "Amount below the minimum deposit",
  },
  AmountBelowMinimum: {
    ...tooSmall,
    code: "amount_below_minimum",
    integrators: "The amount is below the provider's minimum. Swap more",
    agents: "The amount does not cover the fee of the deposit",
    operators: "Amount below the deposit fee",
  },
  EgressFeeNotCovered: {
    ...tooSmall,
    code: "egress_fee_not_covered",
    agents: "The output would not cover the payout fee",
    operators: "Output below the payout fee",
  },
  EgressBelowMinimum: {
    ...tooSmall,
    code: "egress_below_minimum",
    agents: "The output would be below the minimum payout of the destination chain",
    operators: "Output below the minimum payout of its chain",
  },
  InsufficientLiquidity: {
    code: "insufficient_liquidity",
    needs: "less",
    integrators: "Not enough liquidity for this amount. Try a lower one",
    agents: "The provider does not have enough liquidity for this amount",
    operators: "No liquidity for the amount",
    toDo: "If many accounts request it, consider another provider.",
    look: "providers",
  },
  DepositAboveMaximum: {
    agents: "The amount is above the provider's maximum",
    operators: "Amount above the maximum",
    toDo: "No action needed. The response tells the account the maximum.",
  },
  RequestRefused: {
    isOfCaller: true,
    agents: "The provider rejected the parameters of the request",
    operators: "Invalid parameters",
    toDo: "Tell the account which parameters are invalid, and link the documentation.",
  },
  AssetDisabled: {
    ...away,
    code: "asset_disabled",
    agents: "The provider has switched off one of the assets",
    operators: "An asset is switched off",
  },
  SwappingMaintenance: {
    ...away,
    code: "swapping_maintenance",
    integrators: "Swaps are in maintenance. Try again later",
    agents: "The provider's swaps are in maintenance",
    operators: "Swaps in maintenance",
  },
  QuotingMaintenance: {
    ...away,
    code: "quoting_maintenance",
    integrators: "Quotes are in maintenance. Try again later",
    agents: "The provider's quotes are in maintenance",
    operators: "Quotes in maintenance",
  },
  DepositChannelFailed: {
    code: "deposit_channel_failed",
    countedAs: "upstreamFailed",
    isOfCaller: true,
    agents: "The provider could not open a deposit channel",
    operators: "Channel could not be opened",
    toDo: "Check whether your account at the provider has enough funds.",
    look: "treasury",
  },
  TooManyChannels: {
    code: "too_many_channels",
    isOfCaller: true,
    integrators: "The maximum of open deposit channels is reached. Try again later",
    agents: "The provider's maximum of open channels is reached",
    operators: "Maximum of open channels reached",
    toDo: "Wait until some expire, or fund more.",
    look: "treasury",
  },
  // The upstream failed in a way that it does not explain, or stopped before it answered.
  UpstreamFailed: {
    ...failed,
    code: "upstream_error",
    countedAs: "upstreamFailed",
    opened: "unknown",
    agents: "The provider failed",
    operators: "Provider error",
    toDo: "See the provider's responses. If it lasts, ask its support.",
  },
  RequestCancelled: {
    code: "request_cancelled",
    health: "ignored",
    opened: "unknown",
    agents: "The call was cancelled before the provider responded",
    operators: "Cancelled by the client",
    toDo: "Ask the account to wait longer. If many cancel, check which provider is slow.",
    look: "providers",
  },
  TimedOut: {
    ...failed,
    countedAs: "timedOut",
    agents: "The provider did not respond in time",
    operators: "Provider timed out",
    toDo: "Check since when the provider is slow. Switch it off if other providers cover its pairs.",
  },
  Unreachable: {
    ...failed,
    countedAs: "unreachable",
    agents: "The provider cannot be reached",
    operators: "Provider unreachable",
    toDo: "Check whether the provider is down. If not, check the network of this service.",
  },
  MalformedBody: {
    ...failed,
    countedAs: "malformed",
    agents: "The provider's response could not be read",
    operators: "Unreadable response",
    toDo: "See the rejected responses. The provider may have changed its API.",
  },
  ProviderDefect: {
    ...failed,
    countedAs: "broken",
    opened: "unknown",
    agents: "This service failed in its code for the provider",
    operators: "Defect in our code for a provider",
    toDo: "See the service's log for the cause. Switch the provider off until it is fixed.",
  },
  RateLimited: {
    ...failed,
    code: "provider_unavailable",
    countedAs: "rateLimited",
    opened: "never",
    agents: "The provider's rate limit is reached",
    operators: "Provider rate limit reached",
    toDo: "If it lasts, ask the provider for a higher limit.",
  },
  // Told to the caller like the one above, so the shorter wait decides between them.
  NotCalled: {
    code: "provider_unavailable",
    health: "ignored",
    ranksAs: "RateLimited",
    agents: "Calls to the provider are paused or switched off",
    operators: "Provider paused or switched off",
    toDo: "Check which providers are paused or switched off.",
    look: "providers",
  },
  // Neither is asked, or has its offers shown: what others say of the request counts.
  NoExactOutput: {
    kind: "amount_out",
    health: "ignored",
    agents: "The provider promises no exact output. Use the amount to send instead",
    operators: "No provider promises an exact output",
    toDo: "No action needed. The response says what to request.",
  },
  OtherStart: {
    kind: "start",
    health: "ignored",
    agents: "The provider starts this swap in another way; `start` selects its quotes",
    operators: "Swap starts in another way",
    toDo: "No action needed. The response says which way there is.",
  },
  // A provider that does not trade an asset does not count while another one does, and has switched nothing off.
  AssetNotListed: {
    code: "asset_disabled",
    kind: "asset_not_listed",
    agents: "The provider does not list one of the assets",
    operators: "No provider lists the pair",
    toDo: "Check whether a provider or one of its assets is switched off.",
    look: "providers",
  },
} as const satisfies Readonly<Record<string, ReasonFacts>>

type Tag = keyof typeof reasonFacts

/** What follows from a reason, and its words. */
export const reasonFactsOf = ({ _tag }: { readonly _tag: Tag }): ReasonFacts => reasonFacts[_tag]

const tags: ReadonlyArray<string> = Object.keys(reasonFacts)

/** The rank of a reason by what it tells the caller: the lowest tells most. */
export const rankOf = (reason: { readonly _tag: Tag }): number =>
  tags.indexOf(reasonFactsOf(reason).ranksAs ?? reason._tag)
