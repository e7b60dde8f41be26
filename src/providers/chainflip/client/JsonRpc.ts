import { Data, Effect, Predicate, Result, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { MalformedBody, type ProviderErrorReason } from "../../../domain/ProviderError.ts"
import { answerReason, type Asked } from "../errors/httpAnswer.ts"
import { decode } from "../../upstream/decode.ts"
import { maybe, Text } from "../../upstream/values.ts"
import { hideSecrets } from "../../upstream/hideSecrets.ts"
import { type Answer, isOk, parseJson, send } from "../../upstream/transport.ts"

/** The error of a JSON-RPC reply (chainflip/wire.md 1.7). What it means depends on the call. */
export class RpcError extends Data.TaggedError("RpcError")<{
  readonly code: number
  readonly message: string
}> {}

/** The `error` of a reply. */
export const WireError = Schema.Struct({ code: Schema.Int, message: Schema.String })

const WireReply = Schema.Struct({
  id: maybe(Text),
  result: Schema.optionalKey(Schema.Unknown),
  error: maybe(WireError),
})
type WireReply = typeof WireReply.Type

/** One JSON-RPC endpoint of the upstream. */
export interface JsonRpc {
  /** The `result` of one call; `asked` says what a failure of it would mean. */
  readonly call: (
    method: string,
    params: ReadonlyArray<Schema.Json>,
    asked: Asked,
  ) => Effect.Effect<unknown, RpcError | ProviderErrorReason>
}

/** The reply to our call: the only one, or the one with our id in a batch (chainflip/wire.md 6.3). */
const findReply = (body: unknown, id: string, { endpoint }: Asked): Result.Result<WireReply, MalformedBody> =>
  Result.gen(function* () {
    const replies: ReadonlyArray<unknown> = Array.isArray(body) ? body : [body]
    for (const [index, reply] of replies.entries()) {
      const decoded = yield* decode(WireReply, reply, Array.isArray(body) ? [index] : [])
      // A call that could not even be read is answered without an id.
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

/** What the reply of a failure status says; where that is not a JSON-RPC error, the status has to do. */
const failureOf = (answer: Answer, id: string, asked: Asked): RpcError | ProviderErrorReason =>
  parseJson(asked.endpoint, answer).pipe(
    Result.flatMap((body) => findReply(body, id, asked)),
    Result.match({
      onFailure: () => answerReason(answer, asked),
      onSuccess: ({ error }) => error === undefined ? answerReason(answer, asked) : new RpcError(error),
    }),
  )

/** Calls methods at `url`, one POST for each; nothing is ever repeated. */
export const make = (client: HttpClient.HttpClient, url: URL): JsonRpc => {
  const hide = hideSecrets(url)
  return {
    call: Effect.fnUntraced(function* (method, params, asked) {
      const id = crypto.randomUUID()
      const request = HttpClientRequest.post(url).pipe(
        HttpClientRequest.bodyJsonUnsafe({ jsonrpc: "2.0", id, method, params }),
      )
      const answer = yield* send(client, asked.endpoint, request, hide)
      if (!isOk(answer)) return yield* Effect.fail(failureOf(answer, id, asked))
      return yield* parseJson(asked.endpoint, answer).pipe(
        Result.flatMap((body) => findReply(body, id, asked)),
        Result.flatMap(resultOf),
        Effect.fromResult,
      )
    }),
  }
}
