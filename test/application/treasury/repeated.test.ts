import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { cliWith } from "#test/cli/running.ts"
import { deposit, openSwap, passUntil } from "#test/contract/support/swaps.ts"
import { request, send as sendForm, signIn } from "#test/interfaces/dashboard/support/signIn.ts"
import { ask, list, members } from "#test/interfaces/http/asking.ts"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"

const asset = "usdc.eth"
const withdrawals = "/operator/treasury/withdrawals"

const six = <A, E, R>(one: Effect.Effect<A, E, R>) =>
  Effect.all(Array.from({ length: 6 }, () => one), { concurrency: 6 })

/** A swap by which the operator, and an affiliate where it has a name, have earned something. */
const earn = Effect.fnUntraced(function* (affiliate?: string) {
  const share = affiliate === undefined ? {} : { affiliate1: affiliate, affiliate1CommissionBps: "20" }
  const opened = yield* openSwap({
    sourceAsset: "eth.arb",
    commissionBps: "30",
    platform: "chainflip",
    ...share,
  })
  yield* deposit(opened, "2000000000000000001")
  yield* passUntil(opened, "completed")
})

const ordered = Effect.map(
  ask("GET", `${withdrawals}?limit=100`),
  ({ body }) => list(body).map(({ id }) => id),
)

const postUnderKey = Effect.fnUntraced(function* (path: string, body: string | null) {
  const url = new URL(path, yield* brokerUrl)
  const headers = {
    "x-api-key": testKey,
    "idempotency-key": path,
    ...(body === null ? {} : { "content-type": "application/json" }),
  }
  return yield* Effect.promise(async () => {
    const response = await reach(url, { method: "POST", headers, body })
    return { status: response.status, text: await response.text() }
  })
})

/** The ids of what was ordered meanwhile, which has to be one withdrawal. */
const oneOrderedBy = <A, E, R>(orders: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* ordered
    const answers = yield* orders
    const [id, ...more] = (yield* ordered).filter((id) => !before.includes(id))
    assert.isEmpty(more)
    return { answers, id: `${id}` }
  })

layer(broker({ SANDBOX_SPEED: "600", PROVIDERS: "chainflip" }), { excludeTestServices: true })(
  "Six orders of a withdrawal at once under one key",
  (it) => {
    it.effect("are answered with one withdrawal by the API, which never says that nothing was ordered", function* () {
      yield* earn()
      const order = JSON.stringify({ provider: "chainflip", asset })
      const { answers, id } = yield* oneOrderedBy(six(postUnderKey(withdrawals, order)))
      for (const { status, text } of answers) {
        assert.strictEqual(status, 202, text)
        assert.strictEqual(`${members(JSON.parse(text)).id}`, id)
      }
    })

    it.effect("of an affiliate's share, too", function* () {
      const registered = yield* ask("POST", "/operator/treasury/affiliates", {
        provider: "chainflip",
        name: "wallet-one",
        withdrawalAddress: `0x${"9".repeat(40)}`,
      })
      assert.strictEqual(registered.status, 201, registered.text)
      yield* earn("wallet-one")
      const share = "/operator/treasury/affiliates/wallet-one/withdrawals"
      const { answers, id } = yield* oneOrderedBy(six(postUnderKey(share, null)))
      for (const { status, text } of answers) {
        assert.strictEqual(status, 202, text)
        assert.strictEqual(`${members(JSON.parse(text)).id}`, id)
      }
    })

    it.effect("lead to one withdrawal from a form of the dashboard", function* () {
      yield* earn()
      const cookie = yield* signIn()
      const path = `/dashboard/money/withdraw?provider=chainflip&asset=${asset}`
      const { text } = yield* request(path, { headers: { cookie } })
      const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ""
      const fields = Object.fromEntries(
        ["provider", "asset", "affiliate", "destination", "order"].map((name) => [name, value(name)]),
      )
      const form = sendForm("/dashboard/money/withdrawals", { ...fields, key: testKey }, {
        cookie,
        "sec-fetch-site": "same-origin",
        origin: "null",
      })
      const { answers, id } = yield* oneOrderedBy(six(form))
      for (const { headers, status } of answers) {
        assert.strictEqual(status, 303)
        assert.match(headers.get("location") ?? "", new RegExp(`/dashboard/money/withdrawals/${id}\\b`))
      }
    })

    it.effect("end well as commands, and tell of one withdrawal", function* () {
      yield* earn()
      const env = { BROKER_URL: `${yield* brokerUrl}`, BROKER_API_KEY: testKey }
      const command = cliWith(env, "withdraw", "chainflip", asset, "--key", "by hand", "--json")
      const { answers, id } = yield* oneOrderedBy(six(command))
      for (const { code, errors, output } of answers) {
        assert.strictEqual(code, 0, errors)
        assert.strictEqual(`${members(JSON.parse(output)).id}`, id)
      }
    })
  },
)
