import type { Answer } from "#test/contract/support/call.ts"
import { parseJson } from "#test/contract/support/Json.ts"

const encoder = new TextEncoder()
/** One character for each byte. */
const latin1 = new TextDecoder("latin1")
const utf8 = new TextDecoder()
const bodiless = [204, 304]
/** Of answers that have no end of their own. */
const endless = "text/event-stream"

/** What came back for bytes that were sent: an answer, or that the connection was closed without one. */
export type Reply = Answer | "closed"

interface Head {
  readonly status: number
  readonly headers: Headers
  readonly end: number
}

const headOf = (bytes: Uint8Array): Head | undefined => {
  const text = latin1.decode(bytes)
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [first = "", ...lines] = text.slice(0, end).split("\r\n")
  const status = Number(/^HTTP\/1\.[01] (\d{3})\b/.exec(first)?.[1])
  const headers = new Headers(lines.map((line): [string, string] => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  }))
  return { status, headers, end: end + 4 }
}

/**
 * A keep-alive connection over which any bytes can go, also what no client of HTTP would send. The answers of
 * this service say how long they are.
 */
export class Wire {
  readonly #address: Deno.ConnectOptions
  #socket: Deno.TcpConn | undefined
  #rest = new Uint8Array(0)

  constructor({ hostname, port }: URL) {
    this.#address = { hostname, port: Number(port) }
  }

  /** Sends bytes and reads one answer, over a new connection where the last one was closed. */
  async ask(bytes: Uint8Array, method = "GET"): Promise<Reply> {
    const socket = this.#socket ??= await Deno.connect(this.#address)
    // A server that has read enough answers and closes while the rest is still being sent.
    const sent = this.#send(socket, bytes)
    const reply = await this.#read(socket, method)
    if (reply === "closed" || reply.headers.get("connection") === "close") this.close()
    await sent
    return reply
  }

  /** Sends bytes and then says that nothing more will come. */
  async askAndEnd(bytes: Uint8Array): Promise<Reply> {
    const socket = this.#socket ??= await Deno.connect(this.#address)
    await this.#send(socket, bytes)
    await socket.closeWrite().catch(() => undefined)
    const reply = await this.#read(socket, "GET")
    this.close()
    return reply
  }

  close(): void {
    try {
      this.#socket?.close()
    } catch {
      // The server was faster.
    }
    this.#socket = undefined
    this.#rest = new Uint8Array(0)
  }

  async #send(socket: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
    try {
      for (let sent = 0; sent < bytes.length;) sent += await socket.write(bytes.subarray(sent))
    } catch {
      // What the server does not want to read, it does not have to.
    }
  }

  async #read(socket: Deno.TcpConn, method: string): Promise<Reply> {
    let bytes = this.#rest
    const chunk = new Uint8Array(65_536)
    for (let head = headOf(bytes);; head ??= headOf(bytes)) {
      if (head !== undefined) {
        const { end, headers, status } = head
        const hasBody = method !== "HEAD" && !bodiless.includes(status)
        if (headers.get("content-type") === endless) {
          this.close()
          return answerOf(head, "")
        }
        const whole = end + (hasBody ? Number(headers.get("content-length") ?? 0) : 0)
        if (bytes.length >= whole) {
          this.#rest = bytes.slice(whole)
          return answerOf(head, utf8.decode(bytes.subarray(end, whole)))
        }
      }
      const count = await socket.read(chunk).catch(() => null)
      if (count === null) return "closed"
      const longer = new Uint8Array(bytes.length + count)
      longer.set(bytes)
      longer.set(chunk.subarray(0, count), bytes.length)
      bytes = longer
    }
  }
}

const answerOf = ({ headers, status }: Head, text: string): Answer => {
  const isJson = text !== "" && /^application\/(?:[a-z]+\+)?json\b/.test(headers.get("content-type") ?? "")
  return { status, headers, text, body: isJson ? parseJson(text) : null }
}

/** A request in bytes; neither the target nor the headers are made any better than they are. */
export const requestBytes = (
  { method, target, headers, body }: {
    readonly method: string
    readonly target: string
    readonly headers: ReadonlyArray<readonly [name: string, value: string]>
    readonly body?: string
  },
): Uint8Array => {
  const payload = body === undefined ? new Uint8Array(0) : encoder.encode(body)
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  const length = body === undefined ? "" : `content-length: ${payload.length}\r\n`
  const head = encoder.encode(`${method} ${target} HTTP/1.1\r\nhost: broker.test\r\n${lines}${length}\r\n`)
  const whole = new Uint8Array(head.length + payload.length)
  whole.set(head)
  whole.set(payload, head.length)
  return whole
}
