const endOfHead = "\r\n\r\n"
const mostHeadBytes = 4_096
/** One character for each byte. */
const latin1 = new TextDecoder("latin1")

/** A request in the form in which it goes over the wire, made once and sent often. */
export const wireForm = (url: URL, apiKey?: string, headers: ReadonlyArray<string> = []): Uint8Array => {
  const key = apiKey === undefined ? "" : `x-api-key: ${apiKey}\r\n`
  const others = headers.map((header) => `${header}\r\n`).join("")
  return new TextEncoder().encode(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n${key}${others}\r\n`,
  )
}

/** A whole answer as text. */
export interface Answer {
  readonly status: number
  /** Status line and headers. */
  readonly head: string
  readonly body: string
}

interface Head {
  readonly status: number
  readonly text: string
  /** Of head and body, in bytes. */
  readonly wholeLength: number
}

/**
 * One keep-alive connection that does as little as a client can: fetch costs more than the servers that are
 * measured. Answers must have a content-length.
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

  /** Sends a request and reads its whole answer, which must be a 200. */
  async ask(request: Uint8Array): Promise<void> {
    const { status, text, wholeLength } = await this.#exchange(request)
    if (status === 200) return
    const body = latin1.decode(this.#buffer.subarray(text.length + endOfHead.length, wholeLength))
    throw new Error(`Not an answer to measure: ${text}\n\n${body}`)
  }

  /** Sends a request and gives whatever is answered. */
  async answerTo(request: Uint8Array): Promise<Answer> {
    const { status, text, wholeLength } = await this.#exchange(request)
    const body = latin1.decode(this.#buffer.subarray(text.length + endOfHead.length, wholeLength))
    return { status, head: text, body }
  }

  close(): void {
    this.#socket.close()
  }

  /** The answer is in the buffer then. */
  async #exchange(request: Uint8Array): Promise<Head> {
    for (let sent = 0; sent < request.length;) sent += await this.#socket.write(request.subarray(sent))
    let length = 0
    let head: Head | undefined
    while (head === undefined || length < head.wholeLength) {
      if (length === this.#buffer.length) this.#grow()
      const count = await this.#socket.read(this.#buffer.subarray(length))
      if (count === null) throw new Error("The server closed the connection")
      length += count
      head ??= this.#head(length)
    }
    return head
  }

  #grow(): void {
    const larger = new Uint8Array(this.#buffer.length * 2)
    larger.set(this.#buffer)
    this.#buffer = larger
  }

  /** Nothing while it is not all there. */
  #head(length: number): Head | undefined {
    const begin = latin1.decode(this.#buffer.subarray(0, Math.min(length, mostHeadBytes)))
    const end = begin.indexOf(endOfHead)
    if (end < 0) return undefined
    const text = begin.slice(0, end)
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]
    const body = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
    if (status === undefined || body === undefined) throw new Error(`Not an answer to measure: ${text}`)
    return { status: Number(status), text, wholeLength: end + endOfHead.length + Number(body) }
  }
}
