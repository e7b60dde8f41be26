import { Effect, Option, Result } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import {
  isListText,
  itemsOf,
  type JsonText,
  membersOf,
  parseJsonText,
  readExactly,
} from "../../../domain/JsonText.ts"
import { type NodeCall, NodeReply } from "../../../domain/NodeCall.ts"
import { MalformedBody, type ProviderErrorReason } from "../../../domain/ProviderError.ts"
import { decode } from "../../upstream/decode.ts"
import { hideSecrets } from "../../upstream/hideSecrets.ts"
import { type Answer, isOk, parseJson, send } from "../../upstream/transport.ts"
import { answerReason, type Asked } from "../errors/httpAnswer.ts"
import { WireError } from "./JsonRpc.ts"

const asked: Asked = { endpoint: "node", opening: false, pair: {} }

const malformed = (detail: string) => Result.fail(new MalformedBody({ detail, reached: true }))

type Reply = Result.Result<NodeReply, MalformedBody>

/** A reply that is not of this form is none that a client could read either. */
const toReply = (members: ReadonlyMap<string, JsonText>): Reply => {
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

/** The reply with our id; a call that could not even be read is answered without one (chainflip/wire.md 6.3). */
const findReply = (body: JsonText, id: string): Reply => {
  const replies = (isListText(body) ? itemsOf(body) : [body]).map(membersOf)
  const ours = replies.find((members) => members.get("id") === JSON.stringify(id)) ??
    replies.find((members) => members.get("id") === "null")
  return ours === undefined ? malformed("The node did not reply to the call") : toReply(ours)
}

const readReply = (answer: Answer, id: string): Result.Result<NodeReply, ProviderErrorReason> => {
  const reply: Reply = Option.match(parseJsonText(answer.body), {
    onNone: () => Result.andThen(parseJson(asked.endpoint, answer), malformed("body: expected less nesting")),
    onSome: (body) => findReply(body, id),
  })
  if (isOk(answer)) return reply
  // Of a failure status only an error of the node itself says more than the status.
  return Result.isSuccess(reply) && reply.success._tag === "Error"
    ? reply
    : Result.fail(answerReason(answer, asked))
}

/** Passes calls on to the node at `url`: its replies letter for letter, so that no number loses a digit. */
export const make = (client: HttpClient.HttpClient, url: URL) => {
  const hide = hideSecrets(url)
  return Effect.fnUntraced(function* ({ method, params }: NodeCall) {
    const id = crypto.randomUUID()
    const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}","params":${
      params ?? "[]"
    }}`
    const request = HttpClientRequest.post(url).pipe(HttpClientRequest.bodyText(body, "application/json"))
    return yield* Effect.fromResult(readReply(yield* send(client, asked.endpoint, request, hide), id))
  })
}
