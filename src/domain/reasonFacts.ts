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

/**
 * Words for integrators are of a coded problem (decision 15): a reason without a code, without issues and without an
 * amount of its own is a plain 503 to them, whatever the adapter said.
 */
type ReasonFacts =
  & CommonFacts
  & (
    | {
      /** The code of the problem. */
      readonly code: Exclude<ProblemCode, "route_disabled">
      /** For integrators, where the adapter has nothing more exact to say. */
      readonly integrators?: string
    }
    | { readonly code?: never; readonly integrators?: never }
  )

const tooSmall = {
  needs: "more",
  toDo: "Nothing. The account should ask for more, as the answer says.",
} as const
const away = { toDo: "Nothing, unless it lasts. Then ask the provider.", look: "providers" } as const
const failed = { health: "failure", opened: "ifReached", look: "providers" } as const

/**
 * Every reason for which a call to a provider fails. Where no provider succeeded, the one that stands first here stands for
 * all, as it tells the caller most about the request (decision 17).
 */
export const reasonFacts = {
  // The minimum deposit goes first, as it names the amount that would be enough.
  DepositBelowMinimum: {
    ...tooSmall,
    agents: "The amount is below the provider's minimum deposit",
    operators: "An amount below the least one",
  },
  AmountBelowMinimum: {
    ...tooSmall,
    code: "amount_below_minimum",
    integrators: "The amount is too low for the provider: swap more",
    agents: "The amount does not cover the fee of the deposit",
    operators: "An amount below the fee of the deposit",
  },
  EgressFeeNotCovered: {
    ...tooSmall,
    code: "egress_fee_not_covered",
    agents: "The output would not cover the fee of the payment",
    operators: "An output below the fee of its payment",
  },
  EgressBelowMinimum: {
    ...tooSmall,
    code: "egress_below_minimum",
    agents: "The output would be below what the destination chain pays out",
    operators: "An output below the least one of its chain",
  },
  InsufficientLiquidity: {
    code: "insufficient_liquidity",
    needs: "less",
    integrators: "There is not enough liquidity for this amount: try a lower one",
    agents: "The provider has not enough liquidity for this amount",
    operators: "Nobody offers anything for the amount",
    toDo: "If it is asked for often, another provider may serve it.",
    look: "providers",
  },
  DepositAboveMaximum: {
    agents: "The amount is above what the provider swaps at once",
    operators: "An amount above the most at once",
    toDo: "Nothing. The account should ask for less, as the answer says.",
  },
  RequestRefused: {
    isOfCaller: true,
    agents: "The provider refuses the request as it is",
    operators: "Parameters that do not fit",
    toDo: "Tell the account which ones. The documentation says what they take.",
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
    integrators: "The swap service is in maintenance: try again later",
    agents: "The provider swaps nothing for now: maintenance",
    operators: "A provider swaps nothing for now",
  },
  QuotingMaintenance: {
    ...away,
    code: "quoting_maintenance",
    integrators: "Quoting is in maintenance: try again later",
    agents: "The provider gives no quotes for now: maintenance",
    operators: "A provider gives no quotes for now",
  },
  DepositChannelFailed: {
    code: "deposit_channel_failed",
    countedAs: "upstreamFailed",
    isOfCaller: true,
    agents: "The provider could not open a deposit channel, and opened none",
    operators: "No channel could be opened, and none was",
    toDo: "See whether the account at the provider has funds for it.",
    look: "treasury",
  },
  TooManyChannels: {
    code: "too_many_channels",
    isOfCaller: true,
    integrators: "The cap of open deposit channels is reached: try again later",
    agents: "The provider has as many open channels as it allows",
    operators: "As many channels are open as can be",
    toDo: "Wait until some expire, or pay for more.",
    look: "treasury",
  },
  // The upstream failed in a way that it does not explain, or stopped before it answered.
  UpstreamFailed: {
    ...failed,
    code: "upstream_error",
    countedAs: "upstreamFailed",
    opened: "unknown",
    agents: "The provider failed",
    operators: "A provider failed",
    toDo: "See what it says, and ask its support if it goes on.",
  },
  RequestCancelled: {
    code: "request_cancelled",
    health: "ignored",
    opened: "unknown",
    agents: "The provider was stopped before it answered",
    operators: "Nobody waited for the answer",
    toDo: "The account should wait longer. If many give up, see which provider is slow.",
    look: "providers",
  },
  TimedOut: {
    ...failed,
    countedAs: "timedOut",
    agents: "The provider did not answer in time",
    operators: "A provider did not answer in time",
    toDo: "See since when it is slow. Switch it off if others can do its work.",
  },
  Unreachable: {
    ...failed,
    countedAs: "unreachable",
    agents: "The provider cannot be reached",
    operators: "A provider could not be reached",
    toDo: "See whether it is down. Else look at the network of this service.",
  },
  MalformedBody: {
    ...failed,
    countedAs: "malformed",
    agents: "The provider's answer could not be read",
    operators: "A provider answered in a form that is not known",
    toDo: "Look at its refused answers. The provider may have changed its API.",
  },
  ProviderDefect: {
    ...failed,
    countedAs: "broken",
    opened: "unknown",
    agents: "The provider's part of this broker failed",
    operators: "The code of a provider failed",
    toDo:
      "Look into the service’s log at that time: it has the cause. Switch the provider off until it is mended.",
  },
  RateLimited: {
    ...failed,
    code: "provider_unavailable",
    countedAs: "rateLimited",
    opened: "never",
    agents: "The provider takes no more calls for now",
    operators: "A provider takes no more calls",
    toDo: "Ask the provider for a higher limit if it goes on.",
  },
  // Told to the caller like the one above, so the shorter wait decides between them.
  NotCalled: {
    code: "provider_unavailable",
    health: "ignored",
    ranksAs: "RateLimited",
    agents: "The provider is not called for now",
    operators: "No provider could be asked",
    toDo: "See whose circuit is open, and which switch is off.",
    look: "providers",
  },
  // Neither is asked, or has its offers shown: what others say of the request counts.
  NoExactOutput: {
    kind: "amount_out",
    health: "ignored",
    agents: "The provider promises no output: ask for what is sent in its place",
    operators: "An exact output, which nobody promises",
    toDo: "Nothing. The answer says what to ask.",
  },
  OtherStart: {
    kind: "start",
    health: "ignored",
    agents: "The provider begins such a swap otherwise: `start` says how its offers are shown",
    operators: "A swap that begins in another way",
    toDo: "Nothing. The answer says which way there is.",
  },
  // A provider that does not trade an asset does not count while another one does, and has switched nothing off.
  AssetNotListed: {
    code: "asset_disabled",
    kind: "asset_not_listed",
    agents: "The provider does not trade one of the assets",
    operators: "Nobody trades the pair just now",
    toDo: "See whether a provider or one of its assets is switched off.",
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
