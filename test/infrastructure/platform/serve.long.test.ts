import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { eventually } from "#test/durability/eventually.ts"
import { startWithFewFiles } from "#test/support/process.ts"

/** More than the runtime needs for itself, and less than the connections that are made. */
const files = 64
const connections = 100

const ask = (url: URL) =>
  Effect.tryPromise(async () => {
    const answer = await fetch(url)
    return await answer.text()
  })

describe("A server", () => {
  it.live("goes on when it has as many files open as it may, and finishes what is in flight", () =>
    Effect.gen(function* () {
      const process = yield* startWithFewFiles(files, "test/support/serveSlowly.ts")
      const asked = Effect.sync(() => process.output().split("Asked").length - 1)
      const inFlight = yield* Effect.forkChild(ask(process.url))
      yield* eventually(asked, (count) => count === 1)
      const address = { hostname: process.url.hostname, port: Number(process.url.port) }
      const idle = yield* Effect.promise(() =>
        Promise.allSettled(Array.from({ length: connections }, () => Deno.connect(address)))
      )
      assert.strictEqual(yield* Fiber.join(inFlight), "done")
      assert.include(process.output(), "No connection could be taken")
      // Though nobody has closed one.
      assert.strictEqual(yield* Effect.retry(ask(process.url), Schedule.spaced("100 millis")), "done")
      for (const one of idle) if (one.status === "fulfilled") one.value.close()
      const before = yield* asked
      const last = yield* Effect.forkChild(ask(process.url))
      yield* eventually(asked, (count) => count > before)
      yield* process.kill("SIGTERM")
      assert.strictEqual(yield* Fiber.join(last), "done")
      assert.strictEqual((yield* process.ended).code, 0)
    }).pipe(Effect.scoped))
})
