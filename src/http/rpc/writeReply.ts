import type { JsonText } from "../../domain/JsonText.ts"
import { NodeReply } from "../../domain/NodeCall.ts"
import type { RpcError } from "./RpcError.ts"

const write = (id: JsonText | undefined, member: "result" | "error", json: string): string =>
  `{"jsonrpc":"2.0","id":${id ?? "null"},"${member}":${json}}`

/** A reply whose contents stay as they are, to the letter. */
export const writeReply = (id: JsonText, reply: NodeReply): string =>
  NodeReply.$match(reply, {
    Result: ({ json }) => write(id, "result", json),
    Error: ({ json }) => write(id, "error", json),
  })

/** A reply of ours that says what is the matter; the id is null where there is none to be read. */
export const writeError = (id: JsonText | undefined, { code, data, message }: RpcError): string =>
  write(id, "error", JSON.stringify({ code, message, data }))
