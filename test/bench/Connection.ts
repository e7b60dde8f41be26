const endOfHead = "\r\n\r\n"
const mostHeadBytes = 4_096
/** One character for each byte. */
const latin1 = new TextDecoder("latin1")

/** A request in the form in which it goes over the wire, made once and sent often. */
export const wireForm = (url: URL, apiKey?: string): Uint8Array => {
  const key = apiKey === undefined ? "" : `x-api-key: ${apiKey}\r\n`
  return new TextEncoder().encode(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n${key}\r\n`,
  )
}

/**
 * One keep-alive connection that does as little as a client can: fetch costs more than the servers that are
 * measured. Answers must have a content-length, and 200.
 */
export class Connection {
  readonly #socket: Deno.TcpConn
  #buffer = new Uint8Array(65_536)

  private constructor(socket: Deno.TcpConn) {
    this.#socket = socket
  }

  static async open(url: URL): Promise<Connection> {
    const socket = await Deno.connect({ hostname: url.hostname, port: Number(url.port) })
    socket.setNoDelay(true)
    return new Connection(socket)
  }

  /** Sends a request and reads its whole answer. */
  async ask(request: Uint8Array): Promise<void> {
    for (let sent = 0; sent < request.length;) sent += await this.#socket.write(request.subarray(sent))
    let length = 0
    let whole = Infinity
    while (length < whole) {
      if (length === this.#buffer.length) this.#grow()
      const count = await this.#socket.read(this.#buffer.subarray(length))
      if (count === null) throw new Error("The server closed the connection")
      length += count
      if (whole === Infinity) whole = this.#wholeLength(length)
    }
  }

  close(): void {
    this.#socket.close()
  }

  #grow(): void {
    const larger = new Uint8Array(this.#buffer.length * 2)
    larger.set(this.#buffer)
    this.#buffer = larger
  }

  /** Of head and body; infinite while the head is not all there. */
  #wholeLength(length: number): number {
    const text = latin1.decode(this.#buffer.subarray(0, Math.min(length, mostHeadBytes)))
    const end = text.indexOf(endOfHead)
    if (end < 0) return Infinity
    const body = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
    if (!text.startsWith("HTTP/1.1 200 ") || body === undefined) {
      throw new Error(`Not an answer to measure: ${text}`)
    }
    return end + endOfHead.length + Number(body)
  }
}
