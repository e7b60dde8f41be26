import { Effect, Match, type Scope } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { ListenFailed } from "#infrastructure/platform/serve.ts"

export interface WireRequest {
  readonly method: string
  /** The path without the query, as it was sent. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
  readonly authorization?: string
  readonly apiKey?: string
}

export interface Reply {
  readonly _tag: "Reply"
  readonly status: number
  /** Several texts are a line each. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body: string
}

/** The connection is cut before the first byte of an answer. */
interface Reset {
  readonly _tag: "Reset"
}

/** No answer is ever sent; the client gives up. */
interface Silence {
  readonly _tag: "Silence"
}

export type WireAnswer = Reply | Reset | Silence

/** A JSON answer; bigints must already be encoded. */
export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({
  _tag: "Reply",
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(body),
})

export const text = (status: number, body: string): Reply => ({
  _tag: "Reply",
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body,
})

/** The longest body that is read; no request of any wire comes near it. */
const maximumBodyBytes = 1_048_576

type WireHandler = (request: WireRequest) => Promise<WireAnswer>

/** Serves until the scope closes. Unlike `Deno.serve` it can cut a connection before the first byte. */
export const serveWire = (
  options: { readonly hostname: string; readonly port: number; readonly handler: WireHandler },
): Effect.Effect<URL, ListenFailed, Scope.Scope> =>
  Effect.acquireRelease(listen(options), stop).pipe(Effect.flatMap((server) => urlOf(server, options)))

const listen = (options: {
  readonly hostname: string
  readonly port: number
  readonly handler: WireHandler
}): Effect.Effect<Server, ListenFailed> =>
  Effect.callback((resume) => {
    const server = createServer((incoming, outgoing) => respond(incoming, outgoing, options.handler))
    // Idle connections stay open: one that is cut just as its client uses it would be a fault that no rule ordered.
    server.keepAliveTimeout = 0
    server.once("error", (cause) => resume(Effect.fail(listenFailed(options, cause))))
    server.listen(options.port, options.hostname, () => resume(Effect.succeed(server)))
  })

const listenFailed = (address: { readonly hostname: string; readonly port: number }, cause: unknown) =>
  new ListenFailed({ hostname: address.hostname, port: address.port, cause })

const urlOf = (server: Server, options: { readonly hostname: string; readonly port: number }) => {
  const address = server.address()
  if (address === null || typeof address === "string") {
    return Effect.fail(listenFailed(options, "the server has no port"))
  }
  const host = address.address.includes(":") ? `[${address.address}]` : address.address
  return Effect.succeed(new URL(`http://${host}:${address.port}`))
}

/** Stops at once and cuts requests in flight, as clients of a simulated network have to expect. */
const stop = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

const respond = (incoming: IncomingMessage, outgoing: ServerResponse, handler: WireHandler): void => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  // A client that goes away is no fault of the sandbox, and cannot be told of one.
  incoming.on("error", () => outgoing.destroy())
  outgoing.on("error", () => incoming.destroy())
  incoming.on("data", (chunk: Uint8Array) => {
    size += chunk.byteLength
    if (size <= maximumBodyBytes) chunks.push(chunk)
  })
  incoming.on("end", async () => {
    const request = toWireRequest(incoming, chunks)
    if (size > maximumBodyBytes) return send(incoming, outgoing, bodyTooLarge)
    send(incoming, outgoing, request === undefined ? notAPath : await handler(request))
  })
}

const bodyTooLarge = json(413, { message: "request entity too large" })
const notAPath = json(400, { message: "the request target is not a path" })

const toWireRequest = (incoming: IncomingMessage, chunks: ReadonlyArray<Uint8Array>) => {
  const url = URL.parse(incoming.url ?? "/", "http://sandbox")
  const apiKey = incoming.headers["x-api-key"]
  return url === null ? undefined : {
    method: incoming.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    body: Buffer.concat(chunks).toString("utf8"),
    ...defined({ authorization: incoming.headers.authorization }),
    ...(typeof apiKey === "string" ? { apiKey } : {}),
  }
}

const send = (incoming: IncomingMessage, outgoing: ServerResponse, answer: WireAnswer): void =>
  Match.valueTags(answer, {
    Reply: ({ body, headers, status }) => {
      outgoing.writeHead(status, { ...headers, "content-length": `${Buffer.byteLength(body)}` })
      outgoing.end(incoming.method === "HEAD" ? undefined : body)
    },
    Reset: () => {
      incoming.socket.resetAndDestroy()
    },
    // The socket stays open until the client closes it or the server stops.
    Silence: () => undefined,
  })
