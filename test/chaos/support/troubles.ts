import type { IncomingMessage, ServerResponse } from "node:http"

type Misbehaviour = (incoming: IncomingMessage, outgoing: ServerResponse) => void

const asJson = { "content-type": "application/json" }

const chunk = Buffer.alloc(64 * 1024, " ")
const hugeBytes = 50 * 1024 * 1024

/** Sends as fast as the client takes it, up to `bytes`; stops when the client hangs up. */
const flood = (bytes: number): Misbehaviour => (_, outgoing) => {
  outgoing.writeHead(200, asJson)
  let left = bytes
  const send = (): void => {
    while (left > 0 && !outgoing.destroyed) {
      left -= chunk.byteLength
      if (!outgoing.write(chunk)) {
        outgoing.once("drain", send)
        return
      }
    }
    outgoing.end()
  }
  send()
}

const answer =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Misbehaviour =>
  (_, outgoing) => {
    outgoing.writeHead(status, { ...asJson, ...headers, "content-length": `${Buffer.byteLength(body)}` })
    outgoing.end(body)
  }

/** A number of every kind of wrong type where an object or a list was due. */
const wrongTypes = JSON.stringify([{ egressAmount: {}, quote: 7, result: "text", amountOut: [null] }])

/** How an upstream misbehaves on the wire. */
export const troubles = {
  hang: () => {},
  reset: (incoming) => incoming.socket.resetAndDestroy(),
  halfBody: (_, outgoing) => {
    outgoing.writeHead(200, { ...asJson, "content-length": "4000" })
    outgoing.write('{"quote": {"amountIn"', () => outgoing.destroy())
  },
  halfChunkedBody: (_, outgoing) => {
    outgoing.writeHead(200, asJson)
    outgoing.write('[{"egressAmount"', () => outgoing.destroy())
  },
  notHttp: (incoming) => {
    incoming.socket.end("\u0000\u0001 this is not HTTP\r\n\r\n")
  },
  notJson: answer(200, "<html><body>Welcome</body></html>", { "content-type": "text/html" }),
  emptyBody: answer(200, ""),
  wrongTypes: answer(200, wrongTypes),
  deeplyNested: answer(200, "[".repeat(200_000)),
  error500: answer(500, "Internal Server Error"),
  error502: answer(502, "<html>Bad Gateway</html>"),
  overloaded: answer(429, JSON.stringify({ message: "Too many requests" }), { "retry-after": "1" }),
  hugeBody: flood(hugeBytes),
  endlessBody: flood(Infinity),
  slowDrip: (_, outgoing) => {
    outgoing.writeHead(200, asJson)
    const timer = setInterval(() => outgoing.write(" "), 20)
    outgoing.once("close", () => clearInterval(timer))
  },
} satisfies Readonly<Record<string, Misbehaviour>>

/** A way to misbehave. */
export type Trouble = keyof typeof troubles
