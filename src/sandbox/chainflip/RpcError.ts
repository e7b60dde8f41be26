import { Schema } from "effect"

/** An error reply of a JSON-RPC server; codes of chainflip/wire.md 1.7. */
export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", {
  code: Schema.Int,
  message: Schema.String,
}) {}

/** The parameters do not fit the method. */
export const invalidParams = (message: string): RpcError => new RpcError({ code: -32602, message })
