import { assert, describe, it } from "@effect/vitest"
import { readTimeout, Unread } from "#infrastructure/platform/readTimeout.ts"

const part = new Uint8Array(65_536)

/** A body without end, and what becomes of it. */
const endless = () => {
  const cancelled = Promise.withResolvers<unknown>()
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(part),
    cancel: (reason) => cancelled.resolve(reason),
  })
  return { body, cancelled: cancelled.promise }
}

describe("a body that has to be read", () => {
  it("ends when nobody reads on, and lets its source go", async () => {
    const { body, cancelled } = endless()
    const reader = readTimeout(body, 20).getReader()
    await reader.read()
    assert.instanceOf(await cancelled, Unread)
    const failure = await reader.read().then(() => undefined, (error) => error)
    assert.instanceOf(failure, Unread)
  })

  it("ends the connection of a client that takes nothing", async () => {
    const { body, cancelled } = endless()
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => undefined },
      () => new Response(readTimeout(body, 50)),
    )
    using client = await Deno.connect({ hostname: server.addr.hostname, port: server.addr.port })
    await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nhost: a\r\n\r\n"))
    assert.instanceOf(await cancelled, Unread)
  })

  it("takes as long as its source does", async () => {
    let turn = 0
    const slow = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 30))
        if (++turn < 3) controller.enqueue(part)
        else controller.close()
      },
    }, { highWaterMark: 0 })
    const whole = await new Response(readTimeout(slow, 5)).arrayBuffer()
    assert.strictEqual(whole.byteLength, 2 * part.length)
  })

  it("lets its source go when the reader does", async () => {
    const { body, cancelled } = endless()
    const reader = readTimeout(body, 10_000).getReader()
    await reader.read()
    await reader.cancel("gone")
    assert.strictEqual(await cancelled, "gone")
  })
})
