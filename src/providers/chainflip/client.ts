import { Data, Effect, Option, Predicate, Result, Schema } from "effect"
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
import * as Reason from "#domain/ProviderError.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import { storableJson } from "#domain/storable.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { decode, malformed, maybe, Text } from "../upstream/values.ts"
import * as Failures from "../upstream/failures.ts"
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
import { NativeAmount, toHuman } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { findAssetByInternalId } from "#domain/chains/payload/contractNumbers.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { AssetAmount } from "#domain/quotes/Quote.ts"

/** The swap backend's REST API (chainflip/wire.md 3): parsed bodies, not decoded yet. */
export type Backend = ReturnType<typeof makeBackend>

const endpoint = "swap backend"

/** Seconds for which the backend refuses an address that has asked too often, without saying so (chainflip/wire.md 3.5). */
const shutSeconds = { quotes: 300, swaps: 600 }

/** Whether the backend does not know the swap or its chain (chainflip/wire.md 3.5). It always sends a message. */
const isUnknownSwap = ({ status, body }: Answer): boolean =>
  (status === 404 || status === 400) &&
  Option.exists(Failures.messageOf(body), (message) => status === 404 || /invalid chain/i.test(message))

export const name = ProviderName.make("chainflip")

export const failAs = Failures.failAs(name)

/** The error of a JSON-RPC reply (chainflip/wire.md 1.7). Its meaning depends on the call. */
export class RpcError extends Data.TaggedError("RpcError")<{
  readonly code: number
  readonly message: string
  /** The status that it came with, where that is one of failures. */
  readonly status?: number
}> {}

/** Codes of a reply that says what is wrong with the call: its parameters, or what the chain makes of them. */
const refusing: ReadonlySet<number> = new Set([-32602, -32021])
/** Codes of a reply that is about the endpoint: not this method, not this JSON, or an error inside. */
const ofEndpoint: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32603])

/** The assets of the request that a message answers; absent where the call was not about a pair. */
interface Pair {
  readonly sourceAsset?: AssetId
  readonly destinationAsset?: AssetId
}

/** The amount in a message, by its asset and digits; nothing where either is missing. */
const assetAmount = (asset: AssetId | undefined, digits: string | undefined): Option.Option<AssetAmount> =>
  asset === undefined || digits === undefined
    ? Option.none()
    : Option.map(NativeAmount.makeOption(BigInt(digits)), (amount) => ({ asset, amount }))

/** An amount in words, ` of 0.0004 btc.btc`; empty where the message has no readable figure. */
const ofAmount = (asset: AssetId | undefined, digits: string | undefined): string =>
  Option.match(assetAmount(asset, digits), {
    onNone: () => "",
    onSome: ({ asset, amount }) => ` of ${formatDecimal(toHuman(asset, amount))} ${asset}`,
  })

const ingressFeeNotCovered = ([, fee]: RegExpExecArray, { sourceAsset }: Pair) =>
  new Reason.AmountBelowMinimum({
    detail: `The amount does not cover the ingress fee${ofAmount(sourceAsset, fee)}: swap more`,
  })

/** The reason that no channel was opened, and none is on its way. */
export const notOpened = (why: string): Reason.DepositChannelFailed =>
  new Reason.DepositChannelFailed({ detail: `The deposit channel could not be opened: ${why}` })

/** The texts with a meaning of their own (chainflip/wire.md 1.7, 2.6, 3.5), wherever they turn up. */
const knownMessages: Failures.Meanings<Pair> = [
  [
    /below minimum swap amount(?: \(([0-9]+)\))?/i,
    ([, minimum], { sourceAsset }) =>
      new Reason.AmountBelowMinimum({
        detail: `The amount is below the minimum swap amount${ofAmount(sourceAsset, minimum)}: swap more`,
      }),
  ],
  [
    /above maximum swap amount \(([0-9]+)\)/i,
    ([, digits], { sourceAsset }) =>
      Option.getOrUndefined(Option.map(
        assetAmount(sourceAsset, digits),
        ({ asset, amount }) => new Reason.DepositAboveMaximum({ asset, maximum: amount }),
      )),
  ],
  [/lower than estimated ingress fee(?: \(([0-9]+)\))?/i, ingressFeeNotCovered],
  [/swap amount is lower than ingress fee/i, ingressFeeNotCovered],
  [
    /lower than minimum egress amount(?: \(([0-9]+)\))?/i,
    ([, minimum], { destinationAsset }) =>
      new Reason.EgressBelowMinimum({
        detail: `The output is below the minimum egress amount${
          ofAmount(destinationAsset, minimum)
        }: swap more`,
      }),
  ],
  [
    /lower than the egress fee(?: \(([0-9]+)\))?/i,
    ([, fee], { destinationAsset }) =>
      new Reason.EgressFeeNotCovered({
        detail: `The output does not cover the egress fee${ofAmount(destinationAsset, fee)}: swap more`,
      }),
  ],
  [/insufficient ?liquidity|not have enough liquidity/i, new Reason.InsufficientLiquidity()],
  [/swap leg failed|failed to calculate network fee/i, new Reason.InsufficientLiquidity()],
  [
    /requested assets cannot be swapped/i,
    new Reason.InsufficientLiquidity({ detail: "There is no pool for this pair of assets" }),
  ],
  [/quoting is currently unavailable due to maintenance/i, new Reason.QuotingMaintenance()],
  [/swap service is currently unavailable due to maintenance/i, new Reason.SwappingMaintenance()],
  [
    /asset (\w+) is disabled/i,
    ([, internalId = ""]) =>
      new Reason.AssetDisabled({
        detail: `${findAssetByInternalId(internalId) ?? internalId} is switched off`,
      }),
  ],
  [
    // Module errors after which no channel was opened, but one can be later (chainflip/wire.md 2.6).
    /\b(DepositChannelCreationDisabled|ChannelIdsExhausted|ChainDeprecated|MissingBitcoinVault|SolanaAddressDerivationError)\b/,
    ([name]) => notOpened(`the network reports ${name}`),
  ],
  [/too many channels/i, new Reason.TooManyChannels()],
]

export const knownReason = (message: string, pair: Pair): Option.Option<ProviderErrorReason> =>
  Failures.meaningIn(knownMessages, message, pair)

type Endpoint = "swap backend" | "node" | "broker"

/** The call that was answered, and the assets that messages about it mean. */
export interface UpstreamCall extends Failures.WireCall {
  readonly endpoint: Endpoint
  readonly pair: Pair
  /** Seconds for which such calls are refused once one was for their number; absent where that is not known. */
  readonly shutSeconds?: number
}

/** The reason, with how long the calls are shut where the answer does not say so itself. */
const withShut = (reason: ProviderErrorReason, { shutSeconds }: UpstreamCall): ProviderErrorReason =>
  reason._tag !== "RateLimited" || reason.retryAfterSeconds !== undefined || shutSeconds === undefined
    ? reason
    : new Reason.RateLimited({ detail: reason.detail, retryAfterSeconds: shutSeconds, isShut: true })

/** The reason that a failure status means; a known `{"message":"…"}` (chainflip/wire.md 3.5) counts more. */
const answerReason = (answer: Answer, asked: UpstreamCall): ProviderErrorReason =>
  Failures.refusalText(answer).pipe(
    Option.flatMap((text) => knownReason(text, asked.pair)),
    Option.getOrElse(() => withShut(Failures.statusReason(answer, asked), asked)),
  )

/** An unknown error reply. A broker's is about the request only by code, status or module error (decision 61). */
export const unclassified = (
  endpoint: Endpoint,
  { code, message, status }: RpcError,
): Reason.UpstreamFailed => {
  const detail = `The ${endpoint} answered error ${code}: ${Failures.upstreamText(message)}`
  const reason = new Reason.UpstreamFailed({ detail })
  if (endpoint !== "broker" || ofEndpoint.has(code)) return reason
  const isOfRequest = refusing.has(code) || Failures.refusalStatuses.has(status ?? 0) ||
    /module ?error/i.test(message)
  return isOfRequest ? new Reason.UpstreamFailed({ detail, isOfRequest }) : reason
}

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
    message: message.slice(0, Failures.longestMessage),
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
const parseExactly = (endpoint: string, answer: Answer): Result.Result<unknown, Reason.MalformedBody> =>
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
      Result.flatMap((reply: WireReply): Result.Result<unknown, RpcError | Reason.MalformedBody> => {
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

type Forwarded = Result.Result<NodeReply, Reason.MalformedBody>

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
