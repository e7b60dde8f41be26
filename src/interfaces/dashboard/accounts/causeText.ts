import { Context } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "#api/Api.ts"
import type { FailureCause } from "#domain/RequestError.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { path, type Url, withQuery } from "../../pages/Url.ts"
import type { Failures } from "../../requests/problems.ts"

/** What is requested of each endpoint, by its `operationId`: `POST /swap` for `openSwap`. */
const requestLines: ReadonlyMap<string, string> = new Map(
  Object.values(Api.groups).flatMap(({ endpoints }) =>
    Object.values(endpoints).map(({ annotations, method, name, path }) =>
      [
        Context.getOrElse(annotations, OpenApi.Identifier, () => name),
        `${method} ${path.replaceAll(/:([A-Za-z]+)/g, "{$1}")}`,
      ] as const
    )
  ),
)

/** What is requested of an endpoint; its own name where the contract does not have it. */
export const requestLine = (operationId: string): string => requestLines.get(operationId) ?? operationId

/** What a cause is called, what the operator can do about it, and where. */
export interface CauseWords {
  readonly title: string
  readonly toDo: string
  readonly look?: { readonly label: string; readonly to: Url }
}

type Kind = keyof Failures | ProviderErrorReason["_tag"]

const providers = { label: "Providers", to: path`/dashboard/providers` }
const treasury = { label: "Treasury", to: path`/dashboard/money` }
const unknown = { label: "Decide", to: withQuery(path`/dashboard/swaps`, { view: "unknown" }) }

const waits = "Nothing, unless it lasts. Then ask the provider."
const tooSmall = "Nothing. The account should ask for more, as the answer says."
const outcome: CauseWords = {
  title: "Nobody can tell whether a channel was opened",
  toDo: "Look at the opening, and decide what came of it.",
  look: unknown,
}
const noProvider: CauseWords = {
  title: "No provider could be asked",
  toDo: "See whose circuit is open, and which switch is off.",
  look: providers,
}
const notServed: CauseWords = {
  title: "Nobody trades the pair just now",
  toDo: "See whether a provider or one of its assets is switched off.",
  look: providers,
}
const wrong: CauseWords = {
  title: "Parameters that do not fit",
  toDo: "Tell the account which ones. The documentation says what they take.",
}
const goneQuote: CauseWords = {
  title: "A quote that is over",
  toDo: "Nothing. The account should ask for a quote shortly before it opens a swap.",
}
const channels: CauseWords = {
  title: "As many channels are open as can be",
  toDo: "Wait until some expire, or pay for more.",
  look: treasury,
}

/** The words of causes by their kind. Any other kind is told by its own name. */
const table = {
  Unexpected: {
    title: "Something of ours went wrong",
    toDo: "Look into the service’s log at that time: it has the reason beside the trace id.",
  },
  StoreUnavailable: {
    title: "The database did not answer",
    toDo: "See whether the database runs, and has room and connections left.",
  },
  NotReady: {
    title: "The service was not ready",
    toDo: "Nothing, unless it lasts: it starts or stops then.",
  },
  OpeningNotRecorded: outcome,
  OutcomeUnknown: outcome,
  NoProviderAvailable: noProvider,
  NotCalled: noProvider,
  RateLimited: {
    title: "A provider takes no more calls",
    toDo: "Ask the provider for a higher limit if it goes on.",
    look: providers,
  },
  TimedOut: {
    title: "A provider did not answer in time",
    toDo: "See since when it is slow. Switch it off if others can do its work.",
    look: providers,
  },
  Unreachable: {
    title: "A provider could not be reached",
    toDo: "See whether it is down. Else look at the network of this service.",
    look: providers,
  },
  MalformedBody: {
    title: "A provider answered in a form that is not known",
    toDo: "Look at its refused answers. The provider may have changed its API.",
    look: providers,
  },
  ProviderDefect: {
    title: "The code of a provider failed",
    toDo:
      "Look into the service’s log at that time: it has the cause. Switch the provider off until it is mended.",
    look: providers,
  },
  UpstreamFailed: {
    title: "A provider failed",
    toDo: "See what it says, and ask its support if it goes on.",
    look: providers,
  },
  RequestCancelled: {
    title: "Nobody waited for the answer",
    toDo: "The account should wait longer. If many give up, see which provider is slow.",
    look: providers,
  },
  QuotingMaintenance: { title: "A provider gives no quotes for now", toDo: waits, look: providers },
  SwappingMaintenance: { title: "A provider swaps nothing for now", toDo: waits, look: providers },
  AssetDisabled: { title: "An asset is switched off", toDo: waits, look: providers },
  AssetNotListed: notServed,
  PairNotServed: notServed,
  DepositChannelFailed: {
    title: "No channel could be opened, and none was",
    toDo: "See whether the account at the provider has funds for it.",
    look: treasury,
  },
  TooManyChannels: channels,
  TooManyOpenChannels: channels,
  LookupNotMade: {
    title: "A transaction could not be looked up",
    toDo: "Nothing, unless it lasts. Then see which provider does not answer.",
    look: providers,
  },
  LimitReached: {
    title: "Too many requests",
    toDo: "Ask the account to call less often, or raise the limits in the settings.",
  },
  TooManyStreams: {
    title: "Too many streams of events",
    toDo: "Ask the account to end streams that it does not read.",
  },
  InvalidRequest: wrong,
  RequestRefused: wrong,
  OtherStart: {
    title: "A swap that begins in another way",
    toDo: "Nothing. The answer says which way there is.",
  },
  NoExactOutput: {
    title: "An exact output, which nobody promises",
    toDo: "Nothing. The answer says what to ask.",
  },
  DepositBelowMinimum: { title: "An amount below the least one", toDo: tooSmall },
  AmountBelowMinimum: { title: "An amount below the fee of the deposit", toDo: tooSmall },
  EgressBelowMinimum: { title: "An output below the least one of its chain", toDo: tooSmall },
  EgressFeeNotCovered: { title: "An output below the fee of its payment", toDo: tooSmall },
  DepositAboveMaximum: {
    title: "An amount above the most at once",
    toDo: "Nothing. The account should ask for less, as the answer says.",
  },
  InsufficientLiquidity: {
    title: "Nobody offers anything for the amount",
    toDo: "If it is asked for often, another provider may serve it.",
    look: providers,
  },
  SwapNotFound: {
    title: "A swap that the account does not have",
    toDo: "Nothing. It asks with a wrong id, or for a swap of somebody else.",
  },
  QuoteUnknown: goneQuote,
  QuoteExpired: goneQuote,
  QuoteReplaced: goneQuote,
  KeyInUse: {
    title: "Sent again before the first answer",
    toDo: "Nothing. The account should wait for the answer to the first.",
  },
  KeyReused: {
    title: "One Idempotency-Key for two requests",
    toDo: "Tell the account to take a new key for each new request.",
  },
  ScopeMissing: {
    title: "A key without the scope",
    toDo: "Issue a key with the scope, if the account may have it.",
  },
  AccountSuspended: { title: "The account is suspended", toDo: "Resume the account, if it may swap again." },
  McpDenied: { title: "Agents may not call", toDo: "Allow agents in the terms of the account, if they may." },
  OriginDenied: {
    title: "A page that may not call",
    toDo: "Add its origin to the terms of the account, if it is theirs.",
  },
  OriginMissing: {
    title: "A key for pages, without a page",
    toDo: "Servers should call with a key of an account that is not for pages alone.",
  },
  RouteDenied: {
    title: "A pair that the account may not swap",
    toDo: "Change the account’s routes, if it may.",
  },
} as const satisfies Partial<Readonly<Record<Kind, CauseWords>>>

const known: ReadonlyMap<string, CauseWords> = new Map(Object.entries(table))

/** `WebhookUnknown` as words: "Webhook unknown". */
const spoken = (kind: string): string =>
  kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** The words of a cause. */
export const wordsOf = ({ kind, status }: Pick<FailureCause, "kind" | "status">): CauseWords =>
  known.get(kind) ?? {
    title: spoken(kind),
    toDo: status >= 500
      ? "Look into the service’s log at that time."
      : "Nothing. The account has to change its request, as the answer says.",
  }
