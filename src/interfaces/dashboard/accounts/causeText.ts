import { Context, Struct } from "effect"
import { OpenApi } from "effect/http-api"
import { Api } from "#api/Api.ts"
import type { FailureCause } from "#domain/RequestError.ts"
import { reasonFacts, reasonFactsOf } from "#domain/reasonFacts.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { path, type Url, withQuery } from "../../pages/jsx-runtime.ts"
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

type Row = readonly [title: string, toDo: string, look?: CauseWords["look"]]

const outcome: Row = [
  "Opening with an unknown outcome",
  "Check whether the provider opened a channel.",
  { label: "Unknown outcomes", to: withQuery(path`/dashboard/swaps`, { view: "unknown" }) },
]
const goneQuote: Row = [
  "Expired or unknown quote",
  "No action needed. The account should request a quote shortly before it opens a swap.",
]

/** The words of a provider's reason. */
const ofReason = (_tag: keyof typeof reasonFacts): Row => {
  const { look, operators, toDo } = reasonFactsOf({ _tag })
  return look === undefined ? [operators, toDo] : [operators, toDo, pages[look]]
}

/** The words of failures of other kinds. A kind without words is shown by its own name. */
const rows = {
  Unexpected: ["Internal error", "Search the service’s log for the trace ID: it has the reason."],
  StoreUnavailable: [
    "Database unavailable",
    "Check that the database runs and has free space and connections.",
  ],
  NotReady: ["Service starting or stopping", "No action needed unless it lasts."],
  OpeningNotRecorded: outcome,
  OutcomeUnknown: outcome,
  NoProviderAvailable: ofReason("NotCalled"),
  PairNotServed: ofReason("AssetNotListed"),
  TooManyOpenChannels: ofReason("TooManyChannels"),
  LookupNotMade: [
    "Transaction lookup failed",
    "No action needed unless it lasts. Then check which provider is down.",
    pages.providers,
  ],
  LimitReached: [
    "Too many requests",
    "Ask the account to call less often, or raise the limits in the settings.",
  ],
  TooManyStreams: ["Too many event streams", "Ask the account to close streams that it does not read."],
  InvalidRequest: ofReason("RequestRefused"),
  SwapNotFound: ["Unknown swap", "No action needed. The ID is wrong, or the swap is another account’s."],
  QuoteUnknown: goneQuote,
  QuoteExpired: goneQuote,
  QuoteReplaced: goneQuote,
  KeyInUse: ["Idempotency-Key in use", "No action needed. The account should wait for the first response."],
  KeyReused: [
    "Idempotency-Key used for two requests",
    "Tell the account to use a new key for each new request.",
  ],
  ScopeMissing: ["API key without the scope", "Issue a key with the scope, if the account may have it."],
  AccountSuspended: ["Account suspended", "Resume the account, if it may swap again."],
  McpDenied: ["Agents not allowed", "Allow agents in the terms of the account, if they may call."],
  OriginDenied: ["Origin not allowed", "Add the origin to the terms of the account, if it is theirs."],
  OriginMissing: [
    "Server call with an API key for web pages",
    "Servers need a key of an account that is not limited to origins.",
  ],
  RouteDenied: ["Pair denied by a route rule", "Change the account’s routes, if it may swap the pair."],
} as const satisfies Partial<Readonly<Record<keyof Failures, Row>>>

const known: ReadonlyMap<string, Row> = new Map<string, Row>([
  ...Struct.keys(reasonFacts).map((reason) => [reason, ofReason(reason)] as const),
  ...Object.entries(rows),
])

/** `WebhookUnknown` as words: "Webhook unknown". */
const spoken = (kind: string): string =>
  kind.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

export const wordsOf = ({ kind, status }: Pick<FailureCause, "kind" | "status">): CauseWords => {
  const [title, toDo, look] = known.get(kind) ?? [
    spoken(kind),
    status >= 500
      ? "Search the service’s log at that time."
      : "No action needed. The account has to change its request.",
  ]
  return { title, toDo, ...optionalMembers(look, (look) => ({ look })) }
}
