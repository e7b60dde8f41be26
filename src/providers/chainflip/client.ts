import { Effect, Option, Predicate, Result, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import {
  isListText,
  itemsOf,
  type JsonText,
  membersOf,
  parseJsonText,
  readExactly,
} from "../../domain/JsonText.ts"
import { type NodeCall, NodeReply } from "../../domain/NodeCall.ts"
import { MalformedBody, type ProviderErrorReason } from "../../domain/ProviderError.ts"
import { storableJson } from "../../domain/storable.ts"
import { maybe, Text } from "../upstream/values.ts"
import { answerReason, type Asked, type Pair, RpcError } from "./errors.ts"
import { decode } from "../upstream/decode.ts"
import { messageOf } from "../upstream/failures.ts"
import { type Answer, hear, type Heard, hideSecrets, isOk, parseJson, send } from "../upstream/transport.ts"

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

/** Seconds for which the backend refuses an address that has asked too often, without saying so (chainflip/wire.md 3.5). */
const shutSeconds = { quotes: 300, swaps: 600 }

/** What is asked of the backend. */
type Question = Pick<Asked, "pair" | "shutSeconds">

const heard = (answer: Answer, question: Question): Effect.Effect<Heard, ProviderErrorReason> =>
  Effect.fromResult<Heard, ProviderErrorReason>(
    isOk(answer)
      ? hear(endpoint, answer)
      : Result.fail(answerReason(answer, { endpoint, opening: false, ...question })),
  )

const bodyOf = (answer: Answer, question: Question): Effect.Effect<unknown, ProviderErrorReason> =>
  Effect.map(heard(answer, question), ({ body }) => body)

/**
 * Whether the backend does not know the swap, or not even the chain of its id (chainflip/wire.md 3.5). A 404 without
 * a message is not the backend's: something else answers at this URL.
 */
const isUnknownSwap = ({ status, body }: Answer): boolean => {
  if (status !== 404 && status !== 400) return false
  const message = messageOf(body)
  if (Option.isNone(message)) return false
  return status === 404 || (status === 400 && /invalid chain/i.test(message.value))
}

const written = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")

/**
 * Makes URLs of paths under the base, with parameters after the base's own. They are text, as sending parses them
 * anyway.
 */
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

/** Makes the client of the REST API under `baseUrl`. It never repeats a request. */
export const makeBackend = (client: HttpClient.HttpClient, baseUrl: URL): Backend => {
  const urlOf = urlsUnder(baseUrl)
  const hide = hideSecrets(baseUrl)
  const get = (path: string, query: Readonly<Record<string, string>> = {}) =>
    send(client, endpoint, HttpClientRequest.get(urlOf(path, query), { acceptJson: true }), hide)
  return {
    quotes: (query, pair) =>
      Effect.flatMap(
        get("/v2/quote", query),
        (answer) => bodyOf(answer, { pair, shutSeconds: shutSeconds.quotes }),
      ),
    swap: (id) =>
      Effect.flatMap(
        get(`/v2/swaps/${id}`),
        (answer) =>
          isUnknownSwap(answer)
            ? Effect.succeedNone
            : Effect.asSome(heard(answer, { pair: {}, shutSeconds: shutSeconds.swaps })),
      ),
    networkInfo: Effect.flatMap(get("/api/networkInfo"), (answer) => bodyOf(answer, { pair: {} })),
  }
}

/** The `error` of a reply. */
const WireError = Schema.Struct({ code: Schema.Int, message: Schema.String })

const WireReply = Schema.Struct({
  id: maybe(Text),
  result: Schema.optionalKey(Schema.Unknown),
  error: maybe(WireError),
})
type WireReply = typeof WireReply.Type

/** A JSON-RPC endpoint of the upstream. */
export interface JsonRpc {
  /** Calls a method and returns its `result`. `asked` tells how its failures are read. */
  readonly call: (
    method: string,
    params: ReadonlyArray<Schema.Json>,
    asked: Asked,
  ) => Effect.Effect<unknown, RpcError | ProviderErrorReason>
  /** The same, with the time of the answer by the clock of the endpoint. */
  readonly callAt: (
    method: string,
    params: ReadonlyArray<Schema.Json>,
    asked: Asked,
  ) => Effect.Effect<RpcResult, RpcError | ProviderErrorReason>
}

/** What a method returned, and when. */
export interface RpcResult extends Pick<Answer, "answeredAt"> {
  readonly result: unknown
}

/** The reply to our call: the only one of the body, or the one with our id in a batch (chainflip/wire.md 6.3). */
const findReply = (body: unknown, id: string, { endpoint }: Asked): Result.Result<WireReply, MalformedBody> =>
  Result.gen(function* () {
    const replies: ReadonlyArray<unknown> = Array.isArray(body) ? body : [body]
    for (const [index, reply] of replies.entries()) {
      const decoded = yield* decode(WireReply, reply, Array.isArray(body) ? [index] : [])
      // A call that the upstream could not read is answered without an id.
      const ours = decoded.id === id || (decoded.id === undefined && decoded.error !== undefined)
      if (ours) return decoded
    }
    return yield* Result.fail(
      new MalformedBody({ detail: `The ${endpoint} did not reply to the call`, reached: true }),
    )
  })

const resultOf = (reply: WireReply): Result.Result<unknown, RpcError | MalformedBody> => {
  if (reply.error !== undefined) return Result.fail(new RpcError(reply.error))
  return Predicate.hasProperty(reply, "result")
    ? Result.succeed(reply.result)
    : Result.fail(new MalformedBody({ detail: "result: expected a value, got nothing", reached: true }))
}

/** The failure that a reply with a failure status means: its JSON-RPC error if it has one, else its status. */
const failureOf = (answer: Answer, id: string, asked: Asked): RpcError | ProviderErrorReason =>
  parseJson(asked.endpoint, answer).pipe(
    Result.flatMap((body) => findReply(body, id, asked)),
    Result.match({
      onFailure: () => answerReason(answer, asked),
      onSuccess: ({ error }) => error === undefined ? answerReason(answer, asked) : new RpcError(error),
    }),
  )

/** A number of more digits than a double holds, where a value stands. */
const longNumber = /[[:,]\s*[0-9]{16}/

/** The body with every digit: older brokers write amounts of any size as JSON numbers (chainflip/wire.md 2.7). */
const parseExactly = (endpoint: string, answer: Answer): Result.Result<unknown, MalformedBody> =>
  Result.map(
    parseJson(endpoint, answer),
    (body) =>
      longNumber.test(answer.body) && storableJson(answer.body) === answer.body
        ? Option.match(parseJsonText(answer.body), { onNone: () => body, onSome: readExactly })
        : body,
  )

/** Makes a client that calls methods at `url`, one POST for each. It never repeats a call. */
export const makeJsonRpc = (client: HttpClient.HttpClient, url: URL): JsonRpc => {
  const hide = hideSecrets(url)
  const callAt: JsonRpc["callAt"] = Effect.fnUntraced(function* (method, params, asked) {
    const id = crypto.randomUUID()
    const request = HttpClientRequest.post(url).pipe(
      HttpClientRequest.bodyJsonUnsafe({ jsonrpc: "2.0", id, method, params }),
    )
    const answer = yield* send(client, asked.endpoint, request, hide)
    if (!isOk(answer)) return yield* Effect.fail(failureOf(answer, id, asked))
    return yield* parseExactly(asked.endpoint, answer).pipe(
      Result.flatMap((body) => findReply(body, id, asked)),
      Result.flatMap(resultOf),
      Result.map((result) => ({ result, answeredAt: answer.answeredAt })),
      Effect.fromResult,
    )
  })
  return { callAt, call: (...asked) => Effect.map(callAt(...asked), ({ result }) => result) }
}

/** The context of calls that are not about a swap. */
export const nodeAsked: Asked = { endpoint: "node", opening: false, pair: {} }

const malformedReply = (detail: string) => Result.fail(new MalformedBody({ detail, reached: true }))

type Forwarded = Result.Result<NodeReply, MalformedBody>

/** Reads a reply. One that is not of JSON-RPC's form is refused, as no client could read it either. */
const toReply = (members: ReadonlyMap<string, JsonText>): Forwarded => {
  const error = members.get("error")
  if (error !== undefined && error !== "null") {
    return Result.map(
      decode(WireError, readExactly(error), ["error"]),
      () => NodeReply.Error({ json: error }),
    )
  }
  const result = members.get("result")
  return result === undefined
    ? malformedReply("result: expected a value, got nothing")
    : Result.succeed(NodeReply.Result({ json: result }))
}

/** The reply with our id. A call that the node could not read is answered without one (chainflip/wire.md 6.3). */
const findForwarded = (body: JsonText, id: string): Forwarded => {
  const replies = (isListText(body) ? itemsOf(body) : [body]).map(membersOf)
  const ours = replies.find((members) => members.get("id") === JSON.stringify(id)) ??
    replies.find((members) => members.get("id") === "null")
  return ours === undefined ? malformedReply("The node did not reply to the call") : toReply(ours)
}

const readReply = (answer: Answer, id: string): Result.Result<NodeReply, ProviderErrorReason> => {
  const reply: Forwarded = Option.match(parseJsonText(answer.body), {
    onNone: () =>
      Result.andThen(parseJson(nodeAsked.endpoint, answer), malformedReply("body: expected less nesting")),
    onSome: (body) => findForwarded(body, id),
  })
  if (isOk(answer)) return reply
  // A failure status stands for itself, unless the node's own error says more.
  return Result.isSuccess(reply) && reply.success._tag === "Error"
    ? reply
    : Result.fail(answerReason(answer, nodeAsked))
}

/**
 * Makes a function that passes calls on to the node at `url`, and its replies back letter by letter, so that no
 * number loses a digit.
 */
export const makeForward = (client: HttpClient.HttpClient, url: URL) => {
  const hide = hideSecrets(url)
  return Effect.fnUntraced(function* ({ method, params }: NodeCall) {
    const id = crypto.randomUUID()
    const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}","params":${
      params ?? "[]"
    }}`
    const request = HttpClientRequest.post(url).pipe(HttpClientRequest.bodyText(body, "application/json"))
    return yield* Effect.fromResult(readReply(yield* send(client, nodeAsked.endpoint, request, hide), id))
  })
}
