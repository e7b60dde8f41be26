import { Effect, Option, Redacted, Result, type Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { messageOf } from "./failures.ts"
import { type Answer, hear, type Heard, hideSecrets, isOk, type Query, send, urlsUnder } from "./transport.ts"

type Request = HttpClientRequest.HttpClientRequest

interface Parts<Asked> {
  readonly client: HttpClient.HttpClient
  readonly url: URL
  readonly endpoint: string
  readonly reasonOf: (answer: Answer, asked: Asked) => ProviderErrorReason
  readonly credential?: {
    readonly key: Option.Option<Redacted.Redacted<string>>
    readonly authorise: (request: Request, key: string) => Request
    /** How an answer shows that the key is not accepted (any longer), and what the operator is told then. */
    readonly refusal?: { readonly isIn: (answer: Answer) => boolean; readonly warning: string }
  }
  /** Whether the upstream does not know the thing; default: a 404 with a message (without, something else answers). */
  readonly isUnknown?: (answer: Answer) => boolean
  /** Whether the runtime may not repeat a question over a cut connection, either: payloads are made of its answer. */
  readonly asksOnce?: boolean
}

const is404 = ({ body, status }: Answer): boolean => status === 404 && Option.isSome(messageOf(body))

/** Makes the client of the REST API at `url`. It repeats no request; bodies are parsed, not decoded yet. */
export const makeRest = <Asked>(
  { asksOnce = false, client, credential, endpoint, isUnknown = is404, reasonOf, url }: Parts<Asked>,
) => {
  const urlOf = urlsUnder(url)
  const key = Option.map(credential?.key ?? Option.none(), Redacted.value)
  const hide = hideSecrets(url, ...Option.toArray(key))
  const signed = (request: Request): Request =>
    credential === undefined || Option.isNone(key) ? request : credential.authorise(request, key.value)
  const refusal = Option.isSome(key) ? credential?.refusal : undefined
  const warn = (answer: Answer): Effect.Effect<void> =>
    refusal?.isIn(answer) === true ? warnSparsely(`key of the ${endpoint}`, 1, refusal.warning) : Effect.void
  const ask = (request: Request) =>
    Effect.tap(send(client, endpoint, signed(HttpClientRequest.acceptJson(request)), hide), warn)

  const read = (answer: Answer, asked: Asked): Result.Result<Heard, ProviderErrorReason> =>
    isOk(answer) ? hear(endpoint, answer) : Result.fail(reasonOf(answer, asked))
  const asking = {
    get: (path: string, query?: Query) =>
      ask(
        // Parameters that are given apart get a connection of their own (`infrastructure/platform/fetchOnce.ts`).
        asksOnce && query !== undefined
          ? HttpClientRequest.get(urlOf(path), { urlParams: query })
          : HttpClientRequest.get(urlOf(path, query)),
      ),
    post: (path: string, body: Schema.Json) =>
      ask(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(urlOf(path)), body)),
  }
  const readBy = (asked: Asked) => (answer: Answer): Effect.Effect<Heard, ProviderErrorReason> =>
    Effect.fromResult(read(answer, asked))
  return {
    asking,
    read,
    get: (path: string, asked: Asked, query?: Query) =>
      Effect.flatMap(asking.get(path, query), readBy(asked)),
    post: (path: string, body: Schema.Json, asked: Asked) =>
      Effect.flatMap(asking.post(path, body), readBy(asked)),
    /** Looks a thing up; nothing where the upstream does not know it (yet). */
    find: (path: string, asked: Asked, query?: Query) =>
      Effect.flatMap(
        asking.get(path, query),
        (answer) => isUnknown(answer) ? Effect.succeedNone : Effect.asSome(readBy(asked)(answer)),
      ),
    isUnknown,
  }
}
