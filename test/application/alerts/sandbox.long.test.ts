import { assert, layer } from "#test/support/it.ts"
import { Context, Effect, Layer } from "effect"
import { eventually } from "#test/durability/eventually.ts"
import { type Answer, ask, list, members } from "#test/interfaces/http/asking.ts"
import { serverUrl } from "#test/support/broker.ts"
import { startRelay } from "#test/support/relay.ts"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"
import { receiver } from "#test/application/webhooks/support/receiver.ts"
import { begins, ends, gauge, service } from "./support/service.ts"

const quotes = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1&platform=chainflip"

layer(
  service({
    PROVIDERS: "chainflip",
    SANDBOX_SPEED: "600",
    CIRCUIT_MINIMUM_CALLS: "2",
    CIRCUIT_WINDOW: "4",
    CIRCUIT_OPEN_TIME: "600 millis",
    CIRCUIT_OPEN_TIME_MOST: "600 millis",
    QUOTE_CACHE_TTL: "1 millis",
    QUOTE_RETRIES: "0",
    WEBHOOK_INTERVAL: "100 millis",
  }),
  { excludeTestServices: true },
)("In the sandbox", (it) => {
  const fault = (body: unknown) => ask("PUT", "/sandbox/faults", body)
  const well = ask("DELETE", "/sandbox/faults")

  it.effect("provider_down begins while the provider fails, and ends when it quotes again", function* () {
    yield* fault({ provider: "chainflip", operation: "quote", kind: "http_500" })
    yield* Effect.forkChild(Effect.forever(Effect.andThen(ask("GET", quotes), Effect.sleep("50 millis"))))
    assert.deepStrictEqual(yield* begins("provider_down", "chainflip"), {
      type: "provider_down",
      provider: "chainflip",
      operations: ["quote"],
    })
    yield* well
    yield* ends("provider_down", "chainflip")
  })

  it.effect(
    "swaps_stalled begins when a swap stays in its state, and ends when it goes on",
    function* () {
      const path = "/swap?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1" +
        "&destinationAddress=0x2222222222222222222222222222222222222222"
      const opened = yield* ask("GET", path)
      assert.strictEqual(opened.status, 200, opened.text)
      const { address, id } = members(opened.body)
      yield* ask("POST", "/sandbox/deposits", { address, amount: "0.1" })
      const state = Effect.map(
        ask("GET", `/status-by-id?swapId=${id}`),
        ({ body }) => members(body, "status").state,
      )
      yield* eventually(state, (seen) => seen !== "waiting")
      yield* fault({ provider: "chainflip", operation: "status", kind: "http_500" })
      const alert = yield* begins("swaps_stalled", "chainflip")
      assert.strictEqual(alert.swaps, 1)
      yield* well
      yield* eventually(state, (seen) => seen === "completed")
      yield* ends("swaps_stalled", "chainflip")
    },
  )

  it.effect("webhook_failing begins when an account's webhook takes no message, and ends when it does", function* () {
    const endpoint = yield* receiver([500])
    const created = yield* ask("POST", "/webhooks", { url: endpoint.url })
    const { id } = members(created.body)
    yield* ask("POST", `/webhooks/${id}/test`)
    const alert = yield* begins("webhook_failing", "")
    assert.strictEqual(alert.account, "default")
    yield* ends("webhook_failing", "")
  })

  it.effect("alerts are listed page by page for the operator, and for nobody else", function* () {
    assert.strictEqual((yield* ask("GET", "/operator/alerts", undefined, null)).status, 401)
    const issued = yield* ask("POST", "/operator/accounts/default/keys", { scopes: ["quote"] })
    const { key } = members(issued.body)
    assert.strictEqual((yield* ask("GET", "/operator/alerts", undefined, `${key}`)).status, 403)
    const wrong = yield* ask("GET", "/operator/alerts?offset=12")
    assert.strictEqual(wrong.status, 400)
    assert.deepStrictEqual(members(wrong.body, "errors"), {
      offset: ["offset must be the state and the id of an alert, such as ended-12"],
    })
    const whole = list((yield* ask("GET", "/operator/alerts")).body)
    let path: string | undefined = "/operator/alerts?limit=1"
    const listed: Array<unknown> = []
    while (path !== undefined) {
      const page: Answer = yield* ask("GET", path)
      listed.push(...list(page.body))
      path = /^<(.*)>/.exec(page.headers.get("link") ?? "")?.[1]
    }
    assert.deepStrictEqual(listed, [...whole])
  })
})

/** A service whose way to Postgres the test can hold up. */
class Way extends Context.Service<Way, Effect.Success<ReturnType<typeof startRelay>>>()(
  "swap-broker/test/alerts/Way",
) {}

const postgres = Deno.env.get("TEST_DATABASE_URL") ?? serverUrl

const behindRelay = (server: string) =>
  Layer.unwrap(Effect.gen(function* () {
    const database = new URL(yield* temporaryDatabase(server))
    const target = { hostname: database.hostname, port: Number(database.port || 5432) }
    const relay = yield* startRelay(() => [target])
    database.hostname = "127.0.0.1"
    database.port = `${relay.port}`
    return service({ DATABASE_URL: database.href, DATABASE_TIMEOUT: "500 millis" }).pipe(
      Layer.merge(Layer.succeed(Way, relay)),
    )
  }))

for (const server of postgres === undefined ? [] : [postgres]) {
  layer(behindRelay(server), { excludeTestServices: true })("On Postgres", (it) => {
    it.effect(
      "database_slow begins after statements were not answered, and ends when they are fast again",
      function* () {
        const way = yield* Way
        yield* eventually(gauge("database_slow", ""), (value) => value === 0)
        yield* way.hang
        yield* Effect.sleep("10 seconds")
        yield* way.heal
        yield* begins("database_slow", "")
        yield* ends("database_slow", "")
      },
    )
  })
}
