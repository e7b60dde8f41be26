const latin1 = new TextDecoder("latin1")

/** An event as it came in. */
export interface Arrival {
  readonly id: number
  /** From when it happened until it was here. */
  readonly millis: number
}

const block = /id: (\d+)\nevent: [^\n]*\ndata: \{"type":"[^"]*","timestamp":"([^"]*)"/g

/** Longer than the beginning of an event that may have come in two pieces. */
const keptLength = 256

/** One connection that follows all events of an account, at as little cost as can be. */
export class Listener {
  readonly arrivals: Array<Arrival> = []
  readonly #socket: Deno.TcpConn
  readonly #ended: Promise<void>
  #tail = ""

  private constructor(socket: Deno.TcpConn, opened: () => void) {
    this.#socket = socket
    this.#ended = this.#read(opened).catch(() => undefined)
  }

  /** Resolves when the service has begun to answer. */
  static async open(url: URL, apiKey: string): Promise<Listener> {
    const socket = await Deno.connect({ hostname: url.hostname, port: Number(url.port) })
    const head = `GET /swaps/events HTTP/1.1\r\nhost: ${url.host}\r\nx-api-key: ${apiKey}\r\n\r\n`
    const opened = Promise.withResolvers<void>()
    const listener = new Listener(socket, opened.resolve)
    await socket.write(new TextEncoder().encode(head))
    await Promise.race([
      opened.promise,
      listener.#ended.then(() => Promise.reject(new Error(`No stream: ${listener.#tail}`))),
    ])
    return listener
  }

  async close(): Promise<void> {
    this.#socket.close()
    await this.#ended
  }

  async #read(opened: () => void): Promise<void> {
    const buffer = new Uint8Array(65_536)
    for (;;) {
      const count = await this.#socket.read(buffer)
      if (count === null) return
      this.#take(latin1.decode(buffer.subarray(0, count)))
      if (this.#tail.includes("retry: ")) opened()
    }
  }

  #take(piece: string): void {
    const now = Date.now()
    const text = this.#tail + piece
    let end = 0
    for (const found of text.matchAll(block)) {
      const [whole, id, timestamp = ""] = found
      this.arrivals.push({ id: Number(id), millis: now - Date.parse(timestamp) })
      end = found.index + whole.length
    }
    this.#tail = text.slice(Math.max(end, text.length - keptLength))
  }
}
