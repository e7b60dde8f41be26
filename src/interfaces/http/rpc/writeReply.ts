import type { JsonText } from "#domain/JsonText.ts"
import { NodeReply } from "#domain/operations/NodeCall.ts"
import type { RpcError } from "./RpcError.ts"

const write = (id: JsonText | undefined, member: "result" | "error", json: string): string =>
  `{"jsonrpc":"2.0","id":${id ?? "null"},"${member}":${json}}`

/** The upstream's reply with our caller's id. Its result or error is passed on letter by letter. */
export const writeReply = (id: JsonText, reply: NodeReply): string =>
  NodeReply.$match(reply, {
    Result: ({ json }) => write(id, "result", json),
    Error: ({ json }) => write(id, "error", json),
  })

/** Our own error as a reply. The id is null where none could be read. */
export const writeError = (id: JsonText | undefined, { code, data, message }: RpcError): string =>
  write(id, "error", JSON.stringify({ code, message, data }))
