import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { serve } from "#infrastructure/platform/serve.ts"
import { cliWith } from "./running.ts"

/** A service whose `/readyz` answers with a status, on the loopback address. */
const answering = (status: number) =>
  serve({
    hostname: "127.0.0.1",
    port: 0,
    handler: (request) =>
      new Response(null, { status: new URL(request.url).pathname === "/readyz" ? status : 404 }),
  })

describe("ready", () => {
  it.live("ends 0 where the service can serve, by BROKER_URL or by HOST and PORT", () =>
    Effect.gen(function* () {
      const { href, port } = yield* answering(200)
      for (const env of [{ BROKER_URL: href }, { PORT: port }, { PORT: port, HOST: "0.0.0.0" }]) {
        const { code, output } = yield* cliWith(env, "ready")
        assert.strictEqual(code, 0)
        assert.strictEqual(output, `http://127.0.0.1:${port} is ready`)
      }
    }).pipe(Effect.scoped))

  it.live("ends 5 where it is stopping, or where nobody listens", () =>
    Effect.gen(function* () {
      const { port } = yield* answering(503)
      const stopping = yield* cliWith({ PORT: port }, "ready")
      assert.strictEqual(stopping.code, 5)
      assert.include(stopping.errors, "is not ready: /readyz answers with 503")
      const nobody = yield* cliWith({ BROKER_URL: "http://127.0.0.1:9/?key=hidden" }, "ready")
      assert.strictEqual(nobody.code, 5)
      assert.notInclude(nobody.errors, "hidden")
    }).pipe(Effect.scoped))
})
