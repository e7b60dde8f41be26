import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { askFor, readRequest, tell, unpooledClient } from "#test/support/passOn.ts"
import { type Trouble, troubles } from "./troubles.ts"

/** What stands where a provider's URL is: it passes calls on to the sandbox, or misbehaves on the wire. */
export interface Gate {
  readonly url: URL
  /** From now on every call whose path fits meets this trouble. */
  readonly misbehave: (trouble: Trouble, path?: RegExp) => void
  readonly behave: () => void
  /** Nobody listens any more: connections are refused. */
  readonly close: Effect.Effect<void>
  /** Listens again, at the same URL. */
  readonly reopen: Effect.Effect<void>
  /** How many calls of paths that fit have come in since the start. */
  readonly calls: (path: RegExp) => number
  /** How many calls have come in since the start. */
  readonly attempts: () => number
  /** Calls that came in and whose connection is open still, but which are not answered in full. */
  readonly unanswered: () => number
}

/** A gate before `target`, until the scope closes. */
export const gate = (target: URL) =>
  unpooledClient.pipe(
    Effect.flatMap((client) =>
      Effect.acquireRelease(Effect.sync(() => makeGate(client, target)), ({ close }) => close)
    ),
    Effect.tap(({ reopen }) => reopen),
  )

const makeGate = (client: Deno.HttpClient, target: URL): Gate => {
  let trouble: { readonly name: Trouble; readonly path: RegExp } | undefined
  let port = 0
  const called: Array<string> = []
  const open = new Set<Socket>()
  const waiting = new Set<ServerResponse>()

  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "/"
    called.push(path)
    waiting.add(outgoing)
    outgoing.once("finish", () => waiting.delete(outgoing))
    outgoing.once("close", () => waiting.delete(outgoing))
    outgoing.once("error", () => outgoing.destroy())
    if (trouble?.path.test(path) === true) return troubles[trouble.name](incoming, outgoing)
    readRequest(incoming)
      .then((body) => askFor(client, target, incoming, body))
      .then((said) => tell(outgoing, said))
      .catch(() => outgoing.destroy())
  })
  server.keepAliveTimeout = 0
  server.on("connection", (socket) => {
    open.add(socket)
    socket.once("close", () => open.delete(socket))
    socket.once("error", () => socket.destroy())
  })

  return {
    get url() {
      return new URL(`http://127.0.0.1:${port}`)
    },
    misbehave: (name, path = /./) => {
      trouble = { name, path }
    },
    behave: () => {
      trouble = undefined
    },
    close: Effect.callback((resume) => {
      server.close(() => resume(Effect.void))
      for (const socket of open) socket.destroy()
    }),
    reopen: Effect.callback((resume) => {
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        if (address !== null && typeof address !== "string") port = address.port
        resume(Effect.void)
      })
    }),
    calls: (path) => called.filter((one) => path.test(one)).length,
    attempts: () => called.length,
    unanswered: () => waiting.size,
  }
}
