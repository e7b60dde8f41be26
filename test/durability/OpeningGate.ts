import { Effect, Schema, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { askFor, readRequest, tell, unpooledClient } from "#test/support/passOn.ts"

/**
 * How an opening is treated on its way to the broker: never passed on, passed on without an answer, or held back until
 * it is released.
 */
export type Treatment = "swallow" | "withhold" | "delay"

/** What stands before a sandbox, passes everything on, and cuts openings while it is told how. */
export interface OpeningGate {
  readonly url: URL
  /** How openings are treated from now on, by their destination; without it they are passed on. */
  readonly treat: (treatment: ((destination: string) => Treatment) | undefined) => void
  /** How many openings were cut so far, with everything done that will be done before those held back are released. */
  readonly cut: () => number
  /** Passes on what was held back; done when the broker has answered. */
  readonly release: Effect.Effect<void>
}

const Opening = Schema.fromJsonString(Schema.Struct({
  method: Schema.Literal("broker_request_swap_deposit_address"),
  params: Schema.TupleWithRest(
    Schema.Tuple([Schema.Unknown, Schema.Unknown, Schema.String]),
    [Schema.Unknown],
  ),
}))
const decodeOpening = Schema.decodeUnknownOption(Opening)

/** A gate before a sandbox, until the scope closes. */
export const startOpeningGate = Effect.fnUntraced(
  function* (sandbox: URL): Effect.fn.Return<OpeningGate, never, Scope.Scope> {
    const client = yield* unpooledClient
    const sockets = new Set<Socket>()
    const held: Array<() => Promise<unknown>> = []
    let treatmentOf: ((destination: string) => Treatment) | undefined
    let cut = 0

    const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
      const body = await readRequest(incoming)
      const pass = () => askFor(client, sandbox, incoming, body)
      const opening = decodeOpening(new TextDecoder().decode(body))
      if (opening._tag === "None" || treatmentOf === undefined) return tell(outgoing, await pass())
      const treatment = treatmentOf(opening.value.params[2])
      if (treatment === "withhold") await pass()
      if (treatment === "delay") held.push(pass)
      cut += 1
    }

    const server = createServer((incoming, outgoing) => {
      outgoing.once("error", () => outgoing.destroy())
      serve(incoming, outgoing).catch(() => outgoing.destroy())
    })
    server.on("connection", (socket) => {
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket))
      socket.once("error", () => socket.destroy())
    })
    const port = yield* Effect.acquireRelease(
      Effect.callback<number>((resume) => {
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          resume(Effect.succeed(address === null || typeof address === "string" ? 0 : address.port))
        })
      }),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          for (const socket of sockets) socket.destroy()
        }),
    )

    return {
      url: new URL(`http://127.0.0.1:${port}`),
      treat: (treatment) => void (treatmentOf = treatment),
      cut: () => cut,
      release: Effect.promise(() => Promise.all(held.splice(0).map((pass) => pass()))),
    }
  },
)
