import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { NodeMethod } from "#domain/operations/NodeCall.ts"
import { about } from "./endpoint.ts"
import { Authorization } from "./Authorization.ts"
import {
  BadRequest,
  ContentTooLarge,
  Forbidden,
  InternalServerError,
  ServiceUnavailable,
  UnsupportedMediaType,
} from "./Problems.ts"
import { EncodeParams, OpenChannelParams } from "./RpcParameters.ts"
import { maybe, member } from "./shape.ts"

/** The method that opens a deposit channel, like `/swap`. */
export const openMethod = "broker_request_swap_deposit_address"

/** The method that encodes the transaction of a vault swap, like `/tx-payload/*`. */
export const encodeMethod = "broker_request_swap_parameter_encoding"

const anObject = Schema.Record(Schema.String, Schema.Unknown)
const aList = Schema.Array(Schema.Unknown)

/** The id of a call; a call without an id is a notification. */
const Id = Schema.NullOr(Schema.Union([Schema.String, Schema.Finite]))

const jsonrpc = member.of(Schema.Literal("2.0"), "Always `2.0`.")

const RpcCall = Schema.Struct({
  jsonrpc,
  id: Schema.optionalKey(Id.annotate({
    description: "Id that the reply repeats. A call without an id is a notification, which does nothing.",
  })),
  method: member.of(
    Schema.Literals([openMethod, encodeMethod, ...NodeMethod.literals]),
    "Name of the method.",
  ),
  params: Schema.optionalKey(
    Schema.Union([OpenChannelParams, EncodeParams, anObject, aList]).annotate({
      description: "By name, or as a list in the order of the names.",
    }),
  ),
}).annotate({ identifier: "RpcCall" })

/** The result of `broker_request_swap_deposit_address` (chainflip/wire.md 2.2). */
const OpenedChannelBody = Schema.Struct({
  address: member.text("Deposit address on the source chain."),
  issued_block: member.count("State-chain block of the opening."),
  channel_id: member.count("Number of the channel: with `issued_block` it names the channel on its network."),
  source_chain_expiry_block: member.count("Block on the source chain at which the channel expires."),
  channel_opening_fee: member.text("0x-hex, native units of flip.eth."),
  refund_parameters: anObject.annotate({ description: "As in the request." }),
}).annotate({ identifier: "RpcOpenedChannel" })

const RpcErrorBody = Schema.Struct({
  code: Schema.Int.annotate({
    description: "-32700 no JSON, -32600 no call, -32601 no such method, or not available here, -32602 the " +
      "parameters do not fit, -32603 our own failure, -32010 more calls than a batch may have, -32020 " +
      "anything else. Of the node's methods, whatever the node says.",
  }),
  message: Schema.String,
  data: Schema.optionalKey(
    Schema.Union([anObject, aList, Schema.String]).annotate({
      description:
        "Of our own errors: `errors` by parameter, or `status`, `code` and `traceId` as in a problem.",
    }),
  ),
}).annotate({ identifier: "RpcError" })

/** One reply: either `result` or `error`. */
const RpcReply = Schema.Struct({
  jsonrpc,
  id: Id,
  result: Schema.optionalKey(
    Schema.Union([OpenedChannelBody, anObject, aList]).annotate({
      description: "Result in the upstream's form; the node's results are passed on unchanged.",
    }),
  ),
  error: maybe.of(RpcErrorBody, "Why the call failed; absent with a `result`."),
}).annotate({ identifier: "RpcReply" })

/** The operation without credentials: its key is in the path, where OpenAPI has none. */
const withoutSecurity = ({ security: _, ...operation }: Readonly<Record<string, unknown>>) => ({
  ...operation,
  security: [],
})

/** JSON-RPC 2.0 for clients of the upstream that take the URL of a broker (chainflip/wire.md 2, 6). */
export class RpcGroup extends HttpApiGroup.make("rpc").add(
  HttpApiEndpoint.post("rpc", "/rpc/:apiKey", {
    params: { apiKey: Schema.String.annotate({ description: "The API key.", examples: ["YOUR_API_KEY"] }) },
    payload: Schema.Union([RpcCall, Schema.NonEmptyArray(RpcCall)]),
    success: [Schema.Union([RpcReply, Schema.Array(RpcReply)]), HttpApiSchema.NoContent],
    error: [
      BadRequest,
      Forbidden,
      ContentTooLarge,
      UnsupportedMediaType,
      InternalServerError,
      ServiceUnavailable,
    ],
  }).annotateMerge(about(
    "callRpc",
    "Call JSON-RPC 2.0",
    "A drop-in for clients of the upstream that take the URL of a broker. An opening is a swap of the account like any " +
      "other: with its commission, in its history, with a status. 204 where there are only notifications. Opening needs " +
      "the scope `swap`, the node's methods need `quote`; a batch needs both where it has both.",
  )).annotate(OpenApi.Transform, withoutSecurity),
).middleware(Authorization).annotateMerge(OpenApi.annotations({
  title: "JSON-RPC",
  description: "JSON-RPC, for clients of a broker's node. Needs an API key in the path.",
})) {}
