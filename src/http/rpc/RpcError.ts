import { Data } from "effect"

/** The codes of our own errors, as the upstream's servers use them (chainflip/wire.md 1.7). */
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
  /** More about it, as JSON. */
  readonly data?: unknown
}> {}

export const parseError = new RpcError({ code: rpcCodes.parse, message: "Parse error" })
export const invalidRequest = new RpcError({ code: rpcCodes.request, message: "Invalid request" })

/** Members that stand twice: readers of JSON differ in which of the two they take. */
export const repeated = (paths: ReadonlyArray<string>): RpcError =>
  new RpcError({
    code: rpcCodes.request,
    message: `Invalid request: ${paths.join(", ")} may be given only once`,
  })

export const methodNotFound = new RpcError({ code: rpcCodes.method, message: "Method not found" })

/** The method is known, but not to be had for now. */
export const methodNotAvailable = (why: string): RpcError =>
  new RpcError({ code: rpcCodes.method, message: `Method not available: ${why}` })

/** More calls than a batch may have. */
export const batchTooLarge = (most: number): RpcError =>
  new RpcError({
    code: rpcCodes.batch,
    message: "The batch request was too large",
    data: `Exceeded max limit of ${most}`,
  })
