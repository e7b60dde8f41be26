import { Effect, Option, Result } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import type { ProviderErrorReason } from "../../../domain/ProviderError.ts"
import { messageOf } from "../../upstream/failureAnswer.ts"
import { answerReason, type Asked } from "../errors/httpAnswer.ts"
import type { Pair } from "../errors/knownMessages.ts"
import { hideSecrets } from "../../upstream/hideSecrets.ts"
import { type Answer, hear, type Heard, isOk, send } from "../../upstream/transport.ts"

/** The swap backend's REST API (chainflip/wire.md 3): parsed bodies, not decoded yet. */
export interface Backend {
  /** `GET /v2/quote`. */
  readonly quotes: (
    query: Readonly<Record<string, string>>,
    pair: Pair,
  ) => Effect.Effect<unknown, ProviderErrorReason>
  /** `GET /v2/swaps/:id`; nothing when the backend does not know the id. */
  readonly swap: (id: string) => Effect.Effect<Option.Option<Heard>, ProviderErrorReason>
  /** `GET /api/networkInfo`. */
  readonly networkInfo: Effect.Effect<unknown, ProviderErrorReason>
}

const endpoint = "swap backend"

const asked = (pair: Pair): Asked => ({ endpoint, opening: false, pair })

const heard = (answer: Answer, pair: Pair): Effect.Effect<Heard, ProviderErrorReason> =>
  Effect.fromResult<Heard, ProviderErrorReason>(
    isOk(answer) ? hear(endpoint, answer) : Result.fail(answerReason(answer, asked(pair))),
  )

const bodyOf = (answer: Answer, pair: Pair): Effect.Effect<unknown, ProviderErrorReason> =>
  Effect.map(heard(answer, pair), ({ body }) => body)

/**
 * The backend knows no such swap, or not even the chain of the id (chainflip/wire.md 3.5). A 404 without a message
 * is not its own: something else answers at this URL.
 */
const isUnknownSwap = ({ status, body }: Answer): boolean => {
  const message = messageOf(body)
  if (Option.isNone(message)) return false
  return status === 404 || (status === 400 && /invalid chain/i.test(message.value))
}

const written = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")

/** Paths under the base, with parameters after the base's own: as text, which is parsed when it is sent. */
const urlsUnder = (baseUrl: URL) => {
  const own = baseUrl.search.slice(1)
  const bare = new URL(baseUrl)
  bare.search = ""
  const base = bare.href.replace(/\/+$/, "")
  return (path: string, query: Readonly<Record<string, string>>): string => {
    const search = [own, written(query)].filter((part) => part !== "").join("&")
    return search === "" ? `${base}${path}` : `${base}${path}?${search}`
  }
}

/** The REST API under `baseUrl`; nothing is ever repeated. */
export const make = (client: HttpClient.HttpClient, baseUrl: URL): Backend => {
  const urlOf = urlsUnder(baseUrl)
  const hide = hideSecrets(baseUrl)
  const get = (path: string, query: Readonly<Record<string, string>> = {}) =>
    send(client, endpoint, HttpClientRequest.get(urlOf(path, query), { acceptJson: true }), hide)
  return {
    quotes: (query, pair) => Effect.flatMap(get("/v2/quote", query), (answer) => bodyOf(answer, pair)),
    swap: (id) =>
      Effect.flatMap(
        get(`/v2/swaps/${id}`),
        (answer) => isUnknownSwap(answer) ? Effect.succeedNone : Effect.asSome(heard(answer, {})),
      ),
    networkInfo: Effect.flatMap(get("/api/networkInfo"), (answer) => bodyOf(answer, {})),
  }
}
