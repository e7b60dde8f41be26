import type { PGlite } from "@electric-sql/pglite"
import { Buffer } from "node:buffer"
import { Duplex } from "node:stream"

/** The field of an error in the wire protocol that holds its severity, PANIC, in the form that is never translated. */
const severity = Buffer.from("\0VPANIC\0")
const field = "M"

/**
 * The message with which the engine gives up, which it does when it cannot write its log or a checkpoint: that of an
 * error of severity PANIC in an answer of the wire protocol. No stored value can be mistaken for it, because callers
 * can write only text into the database, and text has no zero byte.
 */
export const panicIn = (answer: Buffer): string | undefined => {
  const at = answer.indexOf(severity)
  if (at < 0) return undefined
  const fields = answer.toString("utf8", at + severity.length).split("\0")
  return fields.find((text) => text.startsWith(field))?.slice(field.length) ?? "it does not say why"
}

/** The request code of a packet that asks to cancel another connection's statement. */
const cancelRequestCode = 80877102

/** The request code of a packet before the session has begun: it has no type byte, but a length and then the code. */
const requestCodeOf = (packet: Uint8Array): number =>
  new DataView(packet.buffer, packet.byteOffset, packet.byteLength).getInt32(4)

/** The part of the embedded database that a connection uses. */
export type Engine = Pick<PGlite, "exec" | "execProtocolRawStream" | "isInTransaction">

/**
 * A client's connection to the embedded database, as if it were a socket to a server: the client writes whole messages
 * of the Postgres wire protocol and reads the answers.
 *
 * The embedded database has a single session. Two connections at the same time would mix their transactions, so the
 * pool over this class must hold only one connection, and no client may keep it, as LISTEN does. A new connection
 * begins with a fresh session, because the one before may have died inside a transaction or with statements prepared.
 *
 * A Postgres server that panics is restarted by its supervisor and recovers. This engine would never return from the
 * next call. `givenUp` is called with the reason and must not return, so that no call follows.
 */
export class EmbeddedConnection extends Duplex {
  #begun = false
  readonly #database: Engine
  readonly #givenUp: (why: string) => void

  constructor(database: Engine, givenUp: (why: string) => void) {
    super()
    this.#database = database
    this.#givenUp = givenUp
  }

  /** Reads need no request: answers are pushed when they arrive. */
  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#handle(chunk).then(() => done(), done)
  }

  async #handle(bytes: Uint8Array): Promise<void> {
    if (this.#begun) return await this.#execute(bytes)
    // Nothing is left to cancel: a statement runs to its end before the next packet is read.
    if (requestCodeOf(bytes) === cancelRequestCode) return void this.destroy()
    this.#begun = true
    if (this.#database.isInTransaction()) await this.#database.exec("ROLLBACK")
    await this.#database.exec("DISCARD ALL")
    await this.#execute(bytes)
  }

  async #execute(bytes: Uint8Array): Promise<void> {
    try {
      await this.#database.execProtocolRawStream(bytes, { onRawData: (answer) => this.#hear(answer) })
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) this.#givenUp(error.message)
      throw error
    }
  }

  /** The bytes are a view of the database's own memory, which the next message overwrites. */
  #hear(bytes: Uint8Array): void {
    const answer = Buffer.from(bytes)
    const panic = panicIn(answer)
    if (panic !== undefined) this.#givenUp(panic)
    this.push(answer)
  }
}
