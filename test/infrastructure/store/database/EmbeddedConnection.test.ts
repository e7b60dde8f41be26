import { assert, describe, it } from "@effect/vitest"
import { Buffer } from "node:buffer"
import { EmbeddedConnection, type Engine } from "#infrastructure/store/database/EmbeddedConnection.ts"

/** An error of the wire protocol with these fields. */
const errorOf = (fields: ReadonlyArray<string>): Buffer => {
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join("")}\0`)
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** An engine that answers everything in the same way. */
const engine = (answer: Engine["execProtocolRawStream"]): Engine => ({
  exec: () => Promise.resolve([]),
  execProtocolRawStream: answer,
  isInTransaction: () => false,
})

const answering = (bytes: Uint8Array) =>
  engine((_message, options) => {
    options.onRawData(bytes)
    return Promise.resolve()
  })

/** What a connection says and gives when it is written to. */
const ask = async (database: Engine) => {
  const told: Array<string> = []
  const connection = new EmbeddedConnection(database, (why) => told.push(why))
  const failure = await new Promise<Error | null | undefined>((resolve) => {
    connection.on("error", () => undefined)
    connection.write(Buffer.alloc(8), resolve)
  })
  return { told, failure, given: connection.read() }
}

describe("a connection to the embedded database", () => {
  it("tells of an engine that gives itself up, in its words, wherever in the answer they are", async () => {
    const panic = errorOf([
      "SPANIK",
      "VPANIC",
      "C53100",
      'Mcould not write to file "x": No space left',
      "Forigin.c",
    ])
    const before = Buffer.from("1\0\0\0\u0004", "latin1")
    const { given, told } = await ask(answering(Buffer.concat([before, panic])))
    assert.deepStrictEqual(told, ['could not write to file "x": No space left'])
    assert.deepStrictEqual(given, Buffer.concat([before, panic]))
  })

  it("tells nothing of other errors, nor of a text that looks like one", async () => {
    const error = errorOf(["SERROR", "VERROR", "C53100", "MVPANIC"])
    assert.deepStrictEqual((await ask(answering(error))).told, [])
  })

  it("tells of an engine that breaks down", async () => {
    const { failure, told } = await ask(
      engine(() => Promise.reject(new WebAssembly.RuntimeError("unreachable"))),
    )
    assert.deepStrictEqual(told, ["unreachable"])
    assert.instanceOf(failure, WebAssembly.RuntimeError)
  })

  it("passes on any other failure of a call", async () => {
    const { failure, told } = await ask(engine(() => Promise.reject(new Error("closed"))))
    assert.deepStrictEqual(told, [])
    assert.strictEqual(failure?.message, "closed")
  })
})
