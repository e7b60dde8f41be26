import { assert, layer } from "#test/support/it.ts"
import { Effect, Schedule } from "effect"
import { brokerInProcess, brokerUrl, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"
import { ask, list, members } from "#test/interfaces/http/asking.ts"

const path = "/operator/treasury/withdrawals"
const usdcOf = { provider: "chainflip", asset: "usdc.eth" }

/** Addresses that are in no setting. */
const foreign = (number: number) => `0x${`${number}`.padStart(40, "7")}`

const change = (body: Readonly<Record<string, unknown>>) =>
  Effect.map(
    ask("PATCH", "/sandbox/network", body),
    ({ status, text }) => assert.strictEqual(status, 200, text),
  )

const earn = (difference = "5000000") => change({ change: "shiftEarned", asset: "usdc.eth", difference })

const sandboxBroker = Effect.map(ask("GET", "/sandbox"), ({ body }) => members(body, "broker"))

const paidTo = Effect.map(
  sandboxBroker,
  ({ withdrawals }) => list(withdrawals).map(({ destination }) => destination),
)

const send = Effect.fnUntraced(function* (
  sent: {
    readonly query?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  },
) {
  const url = new URL(`${path}${sent.query ?? ""}`, yield* brokerUrl)
  const headers = { "x-api-key": testKey, "content-type": "application/json", ...sent.headers }
  const body = JSON.stringify(sent.body ?? usdcOf)
  return yield* Effect.promise(async () => {
    const response = await reach(url, { method: "POST", headers, body })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
})

const names = [
  "destination",
  "destinationAddress",
  "destination_address",
  "address",
  "withdrawalAddress",
  "recipient",
  "to",
  "WITHDRAWAL_ADDRESS_ETHEREUM",
  "Destination",
  "boundAddress",
]

/** A hundred ways to name another destination: each name, each in five places, each twice. */
const attempts = [0, 1].flatMap((round) =>
  names.flatMap((name, index) => {
    const address = foreign(round * 100 + index)
    return [
      { body: { ...usdcOf, [name]: address } },
      { query: `?${name}=${address}` },
      { body: { ...usdcOf, [name]: { Ethereum: address } } },
      { body: { ...usdcOf, [name]: [address] }, query: `?${name}=${address}` },
      { query: `?asset=usdc.eth&${name}=${address}`, headers: { "idempotency-key": `${round}-${index}` } },
    ]
  })
)

/** Waits until a withdrawal is on its way, which is the last that the network tells. */
const ended = (id: unknown) =>
  Effect.repeat(
    Effect.map(ask("GET", `${path}/${id}`), ({ body }) => members(body)),
    {
      until: ({ state }) => state === "sent" || state === "failed",
      schedule: Schedule.spaced("100 millis"),
      times: 300,
    },
  )

layer(brokerInProcess({ SANDBOX_SPEED: "600" }), { excludeTestServices: true })(
  "Orders from the operator's account",
  (it) => {
    it.effect("name no destination: of a hundred that are in no setting, none is taken", function* () {
      yield* earn()
      assert.strictEqual(attempts.length, 100)
      for (const attempt of attempts) {
        const { status } = yield* send(attempt)
        assert.strictEqual(status, 400, JSON.stringify(attempt))
      }
      assert.deepStrictEqual(yield* paidTo, [])
      assert.deepStrictEqual((yield* ask("GET", path)).body, [])
    })

    it.effect("go to the address of the settings, once, and are followed to the payment", function* () {
      yield* earn()
      // A header is none of the request's words: the payment goes where it always does.
      const headers = { "x-destination": foreign(1), destination: foreign(2), "idempotency-key": "once" }
      const first = yield* send({ headers })
      assert.strictEqual(first.status, 202, first.text)
      const { destination, id } = members(JSON.parse(first.text))
      const again = yield* send({ headers })
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(members(JSON.parse(again.text)).id, id)
      const { state, steps } = yield* ended(id)
      assert.strictEqual(state, "sent")
      assert.deepStrictEqual(list(steps).slice(0, 2).map(({ state }) => state), ["requested", "taken"])
      assert.deepStrictEqual(yield* paidTo, [destination])
    })

    it.effect("need the scope withdraw, of a key of the operator's, and no page", function* () {
      const keyWith = Effect.fnUntraced(function* (account: string, scopes: ReadonlyArray<string>) {
        yield* ask("POST", "/operator/accounts", { name: account })
        const { body, status, text } = yield* ask("POST", `/operator/accounts/${account}/keys`, { scopes })
        assert.strictEqual(status, 201, text)
        return `${members(body).key}`
      })
      yield* earn()
      const before = (yield* paidTo).length
      const looking = yield* keyWith("looking", ["operate"])
      const withdrawing = yield* keyWith("withdrawing", ["withdraw"])
      const stranger = yield* keyWith("stranger", ["quote", "swap", "status", "history"])
      const orders = [
        path,
        "/operator/treasury/affiliates",
        "/operator/treasury/entries",
        `${path}/1/decision`,
      ]
      for (const order of orders) {
        for (const key of [looking, withdrawing, stranger]) {
          assert.strictEqual((yield* ask("POST", order, usdcOf, key)).status, 403, order)
        }
        assert.strictEqual((yield* ask("POST", order, usdcOf, null)).status, 401, order)
      }
      assert.strictEqual((yield* ask("GET", "/operator/treasury", undefined, looking)).status, 200)
      assert.strictEqual((yield* ask("GET", "/operator/treasury", undefined, stranger)).status, 403)
      // A page gets no leave to ask, and has no key by itself.
      const base = yield* brokerUrl
      for (const spelled of [path, `${path}/`]) {
        const asked = yield* Effect.promise(() =>
          reach(new URL(spelled, base), {
            method: "OPTIONS",
            headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
          })
        )
        yield* Effect.promise(() => asked.text())
        assert.isNull(asked.headers.get("access-control-allow-origin"), spelled)
      }
      assert.strictEqual((yield* paidTo).length, before)
    })

    it.effect("are refused where payouts are off, and where there is nothing", function* () {
      yield* change({ change: "setWithdrawals", enabled: false })
      const off = yield* send({ headers: { "idempotency-key": "while off" } })
      assert.strictEqual(off.status, 409)
      assert.match(off.text, /pays no withdrawals out for now/)
      yield* change({ change: "setWithdrawals", enabled: true })
      const nothing = yield* send({ body: { ...usdcOf, asset: "btc.btc" } })
      assert.match(nothing.text, /There is no btc.btc to withdraw/)
      assert.strictEqual((yield* send({ body: { ...usdcOf, provider: "nowhere" } })).status, 404)
    })

    it.effect("are not made for openings that nobody can pay: with 0 FLIP the broker is not asked", function* () {
      yield* change({ change: "setFlip", free: "0" })
      yield* Effect.sleep("1100 millis")
      const swap = "/swap?sourceAsset=eth.eth&destinationAsset=btc.btc&platform=chainflip" +
        "&destinationAddress=bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
      yield* ask("PUT", "/sandbox/faults", {
        provider: "chainflip",
        operation: "open",
        kind: "latency",
        latencyMs: 60_000,
      })
      const refused = yield* ask("GET", swap)
      assert.strictEqual(refused.status, 503, refused.text)
      assert.strictEqual(members(refused.body).code, "deposit_channel_failed")
      assert.notMatch(refused.text, /flip.eth|fund|account/i)
      const metrics = yield* ask("GET", "/metrics")
      assert.match(metrics.text, /swap_broker_openings_unfunded_total\{[^}]*chainflip[^}]*\} [1-9]/)
      const calls = /swap_broker_provider_calls_total\{[^}]*operation="open"[^}]*provider="chainflip"/
      assert.notMatch(metrics.text, calls)
      const other = yield* ask("GET", swap.replace("&platform=chainflip", "&amount=0.5"))
      assert.deepStrictEqual([other.status, members(other.body).platform], [200, "near-intents"])
      yield* ask("DELETE", "/sandbox/faults")
    })
  },
)
