import { Context, Struct } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "#api/Api.ts"
import type { FailureCause } from "#domain/RequestError.ts"
import { reasonFacts, reasonFactsOf } from "#domain/reasonFacts.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
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

const pages = {
  providers: { label: "Providers", to: path`/dashboard/providers` },
  treasury: { label: "Treasury", to: path`/dashboard/money` },
}
const unknown = { label: "Decide", to: withQuery(path`/dashboard/swaps`, { view: "unknown" }) }

const outcome: CauseWords = {
  title: "Nobody can tell whether a channel was opened",
  toDo: "Look at the opening, and decide what came of it.",
  look: unknown,
}
const goneQuote: CauseWords = {
  title: "A quote that is over",
  toDo: "Nothing. The account should ask for a quote shortly before it opens a swap.",
}

/** The words of a provider's reason. */
const ofReason = (_tag: keyof typeof reasonFacts): CauseWords => {
  const { look, operators: title, toDo } = reasonFactsOf({ _tag })
  return { title, toDo, ...optionalMembers(look, (look) => ({ look: pages[look] })) }
}

/** The words of failures of other kinds. Any other kind is told by its own name. */
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
  NoProviderAvailable: ofReason("NotCalled"),
  PairNotServed: ofReason("AssetNotListed"),
  TooManyOpenChannels: ofReason("TooManyChannels"),
  LookupNotMade: {
    title: "A transaction could not be looked up",
    toDo: "Nothing, unless it lasts. Then see which provider does not answer.",
    look: pages.providers,
  },
  LimitReached: {
    title: "Too many requests",
    toDo: "Ask the account to call less often, or raise the limits in the settings.",
  },
  TooManyStreams: {
    title: "Too many streams of events",
    toDo: "Ask the account to end streams that it does not read.",
  },
  InvalidRequest: ofReason("RequestRefused"),
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
} as const satisfies Partial<Readonly<Record<keyof Failures, CauseWords>>>

const known: ReadonlyMap<string, CauseWords> = new Map([
  ...Struct.keys(reasonFacts).map((reason) => [reason, ofReason(reason)] as const),
  ...Object.entries(table),
])

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
