import { Effect } from "effect"
import { createServer, type Socket } from "node:net"

/** A server on a free port of 127.0.0.1. */
export interface SocketServer {
  readonly port: number
  /** Cuts every connection. */
  readonly cut: () => void
  /** Nobody listens any more, and every connection is cut. */
  readonly close: Effect.Effect<void>
  /** Listens again, on the same port. */
  readonly reopen: Effect.Effect<void>
}

/** Serves each connection as told, until the scope closes. */
export const socketServer = (serve: (socket: Socket) => void) =>
  Effect.acquireRelease(Effect.sync(() => makeServer(serve)), ({ close }) => close).pipe(
    Effect.tap(({ reopen }) => reopen),
  )

const makeServer = (serve: (socket: Socket) => void): SocketServer => {
  let port = 0
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.once("close", () => open.delete(socket))
    socket.on("error", () => socket.destroy())
    serve(socket)
  })
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    get port() {
      return port
    },
    cut,
    close: Effect.callback((resume) => {
      server.close(() => resume(Effect.void))
      cut()
    }),
    reopen: Effect.callback((resume) => {
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        if (address !== null && typeof address !== "string") port = address.port
        resume(Effect.void)
      })
    }),
  }
}
