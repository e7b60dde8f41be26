import { Effect, Layer, Match, Redacted, type Schema } from "effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { Api } from "../api/Api.ts"
import type {
  BadRequest,
  Conflict,
  ContentTooLarge,
  Forbidden,
  InternalServerError,
  NotFound,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
  UnsupportedMediaType,
} from "../api/Problems.ts"
import type { AccountName } from "../domain/Account.ts"
import type { JournalEntryId } from "../domain/Journal.ts"
import type { KeyId } from "../domain/Key.ts"
import type { PageQuery } from "../domain/Page.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { Operator } from "./Operator.ts"
import { wholeList } from "./wholeList.ts"
import { webhooksOverHttp } from "./webhooksOverHttp.ts"

/** Which service, and with which key of the scope `operate`. */
export interface ServiceOptions {
  readonly url: URL
  readonly apiKey: Redacted.Redacted<string>
}

/** Everything that a service can answer with, or fail to. */
export type Failure =
  | BadRequest
  | Conflict
  | ContentTooLarge
  | Forbidden
  | InternalServerError
  | NotFound
  | ServiceUnavailable
  | TooManyRequests
  | Unauthorized
  | UnsupportedMediaType
  | HttpClientError
  | Schema.SchemaError

type Said = { readonly detail: string }

const as = (kind: CommandFailed["kind"]) => ({ detail }: Said) => new CommandFailed({ kind, detail })

const otherwise = (origin: string, reason: string) =>
  new CommandFailed({
    kind: "failed",
    detail: `${origin} answered otherwise than this version expects: ${reason}. ` +
      "Check BROKER_URL, and that the service and the command line are of the same version",
  })

const toCommandFailed = ({ origin }: URL): (failure: Failure) => CommandFailed =>
  Match.type<Failure>().pipe(
    Match.tagsExhaustive({
      BadRequest: ({ detail, errors = {} }) =>
        new CommandFailed({
          kind: "usage",
          detail: [detail, ...Object.values(errors).flat()].join("\n"),
        }),
      Conflict: as("refused"),
      NotFound: as("refused"),
      Forbidden: as("forbidden"),
      Unauthorized: ({ detail }) =>
        new CommandFailed({ kind: "forbidden", detail: `${detail}. Check BROKER_API_KEY` }),
      ContentTooLarge: as("failed"),
      UnsupportedMediaType: as("failed"),
      InternalServerError: as("failed"),
      ServiceUnavailable: as("unreachable"),
      TooManyRequests: as("unreachable"),
      HttpClientError: ({ reason }) =>
        reason._tag === "TransportError"
          ? new CommandFailed({
            kind: "unreachable",
            detail: `${origin} cannot be reached: ${reason.cause ?? "no answer"}. ` +
              "Check BROKER_URL and that the service runs",
          })
          : otherwise(origin, reason._tag),
      SchemaError: ({ message }) => otherwise(origin, message),
    }),
  )

/** The operator's work by a running service, through its HTTP API; the actor is the API key's account. */
export const overHttp = (
  { url, apiKey }: ServiceOptions,
): Layer.Layer<Operator, never, HttpClient.HttpClient> =>
  Layer.effect(
    Operator,
    Effect.gen(function* () {
      const httpClient = HttpClient.mapRequest(
        yield* HttpClient.HttpClient,
        HttpClientRequest.setHeader("x-api-key", Redacted.value(apiKey)),
      )
      const client = yield* HttpApiClient.group(Api, { group: "operator", httpClient, baseUrl: url })
      const providers = yield* HttpApiClient.group(Api, { group: "providers", httpClient, baseUrl: url })
      const webhooks = yield* HttpApiClient.group(Api, {
        group: "operatorWebhooks",
        httpClient,
        baseUrl: url,
      })
      const failed = toCommandFailed(url)
      const orFailed = <A>(effect: Effect.Effect<A, Failure>): Effect.Effect<A, CommandFailed> =>
        Effect.mapError(effect, failed)

      return Operator.of({
        accounts: wholeList(
          (query: PageQuery<AccountName>) => orFailed(client.accounts({ query })),
          ({ name }) => name,
        ),
        createAccount: (name, terms) => orFailed(client.createAccount({ payload: { name, ...terms } })),
        changeAccount: (name, terms) => orFailed(client.changeAccount({ params: { name }, payload: terms })),
        keys: (name) =>
          wholeList(
            (query: PageQuery<KeyId>) => orFailed(client.keys({ params: { name }, query })),
            ({ id }) => id,
          ),
        issueKey: (name, payload) => orFailed(client.issueKey({ params: { name }, payload })),
        revokeKey: (id) => orFailed(client.revokeKey({ params: { id } })),
        routes: (name) => orFailed(client.routes({ params: { name } })),
        setRoute: (name, rule) => orFailed(client.setRoute({ params: { name }, payload: rule })),
        removeRoute: (name, pair) => orFailed(client.removeRoute({ params: { name }, query: pair })),
        providers: orFailed(providers.providers()),
        switchProvider: ({ platform, ...payload }) =>
          orFailed(providers.switch({ params: { name: platform }, payload })),
        journal: (swap) =>
          wholeList(
            (query: PageQuery<JournalEntryId>) =>
              orFailed(client.swapJournal({ params: { id: `${swap}` }, query })),
            ({ id }) => id,
          ),
        moveSwap: (swap, account) =>
          orFailed(client.moveSwap({ params: { id: `${swap}` }, payload: { account } })),
        webhooks: webhooksOverHttp(webhooks, orFailed),
        audit: (part) => orFailed(client.audit({ query: part })),
      })
    }),
  )
