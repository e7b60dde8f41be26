import { Effect, Schema, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { askFor, readRequest, type Said, tell, unpooledClient } from "#test/support/passOn.ts"

/**
 * How an order is treated on its way to the broker: passed on, never passed on, held back until it is released, passed
 * on without an answer, or answered with half of the answer before the connection is cut.
 */
export const Treatment = ["pass", "swallow", "delay", "withhold", "halve"] as const
export type Treatment = typeof Treatment[number]

/** An order on its way. */
export interface TreatedOrder {
  /** It has arrived at the gate. */
  readonly arrived: Effect.Effect<void>
  /** Everything has been done with it that will be done before it is released. */
  readonly treated: Effect.Effect<void>
  /** Passes it on if it was held back; done when the broker has answered. */
  readonly release: Effect.Effect<void>
}

/** What stands before a sandbox, passes everything on, and can keep withdrawals, or their answers, back. */
export interface OrderGate {
  readonly url: URL
  /** How the first order of this is treated, an asset or an affiliate's account; all others are passed on. */
  readonly treat: (subject: string, treatment: Treatment) => TreatedOrder
  /** From now on every order is passed on. */
  readonly behave: () => void
  /** What each order that has arrived was of, in turn. */
  readonly orders: () => ReadonlyArray<string>
  /** How often the node was asked what became of orders. */
  readonly lookUps: () => number
}

const Asset = Schema.Struct({ chain: Schema.String, asset: Schema.String })

/** A call of the broker that orders a withdrawal. */
const Order = Schema.Union([
  Schema.Struct({
    method: Schema.Literal("broker_withdraw_fees"),
    params: Schema.TupleWithRest(Schema.Tuple([Asset]), [Schema.Unknown]),
  }),
  Schema.Struct({
    method: Schema.Literal("broker_affiliate_withdrawal_request"),
    params: Schema.Tuple([Schema.String]),
  }),
])

const decodeOrder = Schema.decodeUnknownOption(Schema.fromJsonString(Order))

/** The name of an asset of the wire among subjects. */
export const assetSubject = (chain: string, ticker: string): string => `${chain} ${ticker}`

const subjectOf = (body: string): string | undefined => {
  const decoded = decodeOrder(body)
  if (decoded._tag === "None") return undefined
  const order = decoded.value
  return order.method === "broker_withdraw_fees"
    ? assetSubject(order.params[0].chain, order.params[0].asset)
    : order.params[0]
}

/** A node is asked for the time of the chain, once, by everyone who looks for an order. */
const isLookUp = (body: string): boolean =>
  body.includes('"state_getStorage"') && body.includes("f0c365c3cf59d671eb72da0e7a4113c4")

/** An order that is to be treated. */
class Waited implements TreatedOrder {
  readonly #arrived = Promise.withResolvers<void>()
  readonly #treated = Promise.withResolvers<void>()
  #held: () => Promise<unknown> = () => Promise.resolve()
  readonly treatment: Treatment
  readonly arrived = Effect.promise(() => this.#arrived.promise)
  readonly treated = Effect.promise(() => this.#treated.promise)
  readonly release = Effect.promise(() => this.#held())

  constructor(treatment: Treatment) {
    this.treatment = treatment
  }

  /** Treats it; `pass` asks the broker. */
  async meet(outgoing: ServerResponse, pass: () => Promise<Said>): Promise<void> {
    this.#arrived.resolve()
    await this.#meet(outgoing, pass)
    this.#treated.resolve()
  }

  async #meet(outgoing: ServerResponse, pass: () => Promise<Said>): Promise<void> {
    if (this.treatment === "swallow") return
    if (this.treatment === "delay") {
      this.#held = pass
      return
    }
    const said = await pass()
    if (this.treatment === "pass") tell(outgoing, said)
    if (this.treatment === "halve") {
      outgoing.writeHead(said.status, said.headers)
      const half = said.body.subarray(0, Math.floor(said.body.byteLength / 2))
      await new Promise<void>((resolve) => outgoing.write(half, () => resolve()))
      outgoing.destroy()
    }
  }
}

/** A gate before a sandbox, until the scope closes. */
export const startOrderGate = Effect.fnUntraced(
  function* (sandbox: URL): Effect.fn.Return<OrderGate, never, Scope.Scope> {
    const client = yield* unpooledClient
    const orders: Array<string> = []
    const waited = new Map<string, Waited>()
    const sockets = new Set<Socket>()
    let lookUps = 0

    const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
      const body = await readRequest(incoming)
      const pass = () => askFor(client, sandbox, incoming, body)
      const text = new TextDecoder().decode(body)
      if (isLookUp(text)) lookUps += 1
      const subject = subjectOf(text)
      if (subject === undefined) return tell(outgoing, await pass())
      orders.push(subject)
      const order = waited.get(subject) ?? new Waited("pass")
      waited.delete(subject)
      await order.meet(outgoing, pass)
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
      treat: (subject, treatment) => {
        const order = new Waited(treatment)
        waited.set(subject, order)
        return order
      },
      behave: () => waited.clear(),
      orders: () => [...orders],
      lookUps: () => lookUps,
    }
  },
)
