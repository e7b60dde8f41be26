import { Effect, Option, Predicate, Result, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import {
  isListText,
  itemsOf,
  type JsonText,
  membersOf,
  parseJsonText,
  readExactly,
} from "#domain/JsonText.ts"
import { type NodeCall, NodeReply } from "#domain/operations/NodeCall.ts"
import type { MalformedBody, ProviderErrorReason } from "#domain/ProviderError.ts"
import { storableJson } from "#domain/storable.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { maybe, Text } from "../upstream/values.ts"
import { answerReason, type Pair, RpcError, unclassified, type UpstreamCall } from "./errors.ts"
import { decode, malformed } from "../upstream/decode.ts"
import { longestMessage, messageOf } from "../upstream/failures.ts"
import { makeRest } from "../upstream/restClient.ts"
import {
  type Answer,
  type Heard,
  hideSecrets,
  isOk,
  parseJson,
  type Query,
  send,
} from "../upstream/transport.ts"

/** The swap backend's REST API (chainflip/wire.md 3): parsed bodies, not decoded yet. */
export type Backend = ReturnType<typeof makeBackend>

const endpoint = "swap backend"

/** Seconds for which the backend refuses an address that has asked too often, without saying so (chainflip/wire.md 3.5). */
const shutSeconds = { quotes: 300, swaps: 600 }

/** Whether the backend does not know the swap or its chain (chainflip/wire.md 3.5). It always sends a message. */
const isUnknownSwap = ({ status, body }: Answer): boolean =>
  (status === 404 || status === 400) &&
  Option.exists(messageOf(body), (message) => status === 404 || /invalid chain/i.test(message))

export const makeBackend = (client: HttpClient.HttpClient, baseUrl: URL) => {
  const { find, get } = makeRest({
    client,
    url: baseUrl,
    endpoint,
    reasonOf: (answer, asked: Pick<UpstreamCall, "general" | "pair" | "shutSeconds">) =>
      answerReason(answer, { endpoint, opening: false, ...asked }),
    isUnknown: isUnknownSwap,
  })
  const bodyOf = <E>(heard: Effect.Effect<Heard, E>) => Effect.map(heard, ({ body }) => body)
  return {
    quotes: (query: Query, pair: Pair) =>
      bodyOf(get("/v2/quote", { pair, shutSeconds: shutSeconds.quotes }, query)),
    /** Nothing when the backend does not know the id. */
    swap: (id: string) => find(`/v2/swaps/${id}`, { pair: {}, shutSeconds: shutSeconds.swaps }),
    networkInfo: bodyOf(get("/api/networkInfo", { pair: {}, general: true })),
  }
}

const WireError = Schema.Struct({ code: Schema.Int, message: Schema.String })

const WireReply = Schema.Struct({
  id: maybe(Text),
  result: Schema.optionalKey(Schema.Unknown),
  error: maybe(WireError),
})
type WireReply = typeof WireReply.Type

export interface JsonRpc {
  /** Calls a method and returns its `result`. `asked` tells how its failures are read. */
  readonly call: (
    method: string,
    params: ReadonlyArray<Schema.Json>,
    asked: UpstreamCall,
  ) => Effect.Effect<unknown, RpcError | ProviderErrorReason>
  /** The same, with the time of the answer by the clock of the endpoint. */
  readonly callAt: (
    method: string,
    params: ReadonlyArray<Schema.Json>,
    asked: UpstreamCall,
  ) => Effect.Effect<RpcResult, RpcError | ProviderErrorReason>
  /** Reads the `result` of a method of a node, which is about no swap. */
  readonly read: <A, I>(
    schema: Schema.Codec<A, I>,
    method: string,
    ...params: ReadonlyArray<Schema.Json>
  ) => Asking<A>
}

/** A call of the node, which can answer an error. */
export type Asking<A> = Effect.Effect<A, RpcError | ProviderErrorReason>

export interface RpcResult extends Pick<Answer, "answeredAt"> {
  readonly result: unknown
}

/** The reply to our call: the only one of the body, or the one with our id in a batch (chainflip/wire.md 6.3). */
const findReply = (body: unknown, id: string, { endpoint }: UpstreamCall) =>
  Result.gen(function* () {
    const replies: ReadonlyArray<unknown> = Array.isArray(body) ? body : [body]
    for (const [index, reply] of replies.entries()) {
      const decoded = yield* decode(WireReply, reply, Array.isArray(body) ? [index] : [])
      // A call that the upstream could not read is answered without an id.
      const ours = decoded.id === id || (decoded.id === undefined && decoded.error !== undefined)
      if (ours) return decoded
    }
    return yield* malformed(`The ${endpoint} did not reply to the call`)
  })

const rpcError = ({ code, message }: NonNullable<WireReply["error"]>, status?: number): RpcError =>
  new RpcError({
    code,
    message: message.slice(0, longestMessage),
    ...optionalMembers(status, (status) => ({ status })),
  })

/** The failure that a reply with a failure status means: its JSON-RPC error if it has one, else its status. */
const failureOf = (answer: Answer, id: string, asked: UpstreamCall): RpcError | ProviderErrorReason =>
  parseJson(asked.endpoint, answer).pipe(
    Result.flatMap((body) => findReply(body, id, asked)),
    Result.match({
      onFailure: () => answerReason(answer, asked),
      onSuccess: ({ error }) =>
        error === undefined ? answerReason(answer, asked) : rpcError(error, answer.status),
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
      Result.flatMap((reply: WireReply): Result.Result<unknown, RpcError | MalformedBody> => {
        if (reply.error !== undefined) return Result.fail(rpcError(reply.error))
        return Predicate.hasProperty(reply, "result")
          ? Result.succeed(reply.result)
          : malformed("result: expected a value, got nothing")
      }),
      Result.map((result) => ({ result, answeredAt: answer.answeredAt })),
      Effect.fromResult,
    )
  })
  const call: JsonRpc["call"] = (...asked) => Effect.map(callAt(...asked), ({ result }) => result)
  return {
    callAt,
    call,
    read: (schema, method, ...params) =>
      Effect.flatMap(
        call(method, params, nodeAsked),
        (result) => Effect.fromResult(decode(schema, result, ["result"])),
      ),
  }
}

/** The context of calls that are not about a swap. */
const nodeAsked: UpstreamCall = { endpoint: "node", opening: false, pair: {}, general: true }

/** An error that the node answers to a call which is about no swap means that it failed. */
export const ofNode = <A>(asking: Asking<A>): Effect.Effect<A, ProviderErrorReason> =>
  Effect.catchTag(asking, "RpcError", (error) => Effect.fail(unclassified("node", error)))

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
    ? malformed("result: expected a value, got nothing")
    : Result.succeed(NodeReply.Result({ json: result }))
}

/** The reply with our id. A call that the node could not read is answered without one (chainflip/wire.md 6.3). */
const findForwarded = (body: JsonText, id: string): Forwarded => {
  const replies = (isListText(body) ? itemsOf(body) : [body]).map(membersOf)
  const ours = replies.find((members) => members.get("id") === JSON.stringify(id)) ??
    replies.find((members) => members.get("id") === "null")
  return ours === undefined ? malformed("The node did not reply to the call") : toReply(ours)
}

const readReply = (answer: Answer, id: string): Result.Result<NodeReply, ProviderErrorReason> => {
  const reply: Forwarded = Option.match(parseJsonText(answer.body), {
    onNone: () =>
      Result.andThen(parseJson(nodeAsked.endpoint, answer), malformed("body: expected less nesting")),
    onSome: (body) => findForwarded(body, id),
  })
  if (isOk(answer)) return reply
  // A failure status stands for itself, unless the node's own error says more.
  return Result.isSuccess(reply) && reply.success._tag === "Error"
    ? reply
    : Result.fail(answerReason(answer, { ...nodeAsked, general: false }))
}

/** Passes calls on to the node at `url`, and its replies back letter by letter, so that no number loses a digit. */
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
