import { Data } from "effect"

/** The codes of our own errors, used as the upstream's servers use them (chainflip/wire.md 1.7). */
export const rpcCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  batch: -32010,
  other: -32020,
} as const

/** The error of a reply. */
export class RpcError extends Data.TaggedError("RpcError")<{
  readonly code: typeof rpcCodes[keyof typeof rpcCodes]
  readonly message: string
  /** Further data about the error, as JSON. */
  readonly data?: unknown
}> {}

export const parseError = new RpcError({ code: rpcCodes.parse, message: "Parse error" })
export const invalidRequest = new RpcError({ code: rpcCodes.request, message: "Invalid request" })

/** The error of members that stand twice: readers of JSON differ in which of the two they take. */
export const repeated = (paths: ReadonlyArray<string>): RpcError =>
  new RpcError({
    code: rpcCodes.request,
    message: `Invalid request: ${paths.join(", ")} may be given only once`,
  })

export const methodNotFound = new RpcError({ code: rpcCodes.method, message: "Method not found" })

/** The error of a known method that cannot be used now. */
export const methodNotAvailable = (why: string): RpcError =>
  new RpcError({ code: rpcCodes.method, message: `Method not available: ${why}` })

/** The error of a batch with too many calls. */
export const batchTooLarge = (most: number): RpcError =>
  new RpcError({
    code: rpcCodes.batch,
    message: "The batch request was too large",
    data: `Exceeded max limit of ${most}`,
  })
