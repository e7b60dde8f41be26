import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { ask } from "#test/interfaces/http/asking.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { begins, ends, service } from "./support/service.ts"

/** The simulated upstreams, whose time stands still. */
const sandbox = Sandbox.layer({ hostname: "127.0.0.1", port: 0, speed: 0, seed: "alerts", dataDir: "memory" })

const serviceOfSandbox = Layer.unwrap(
  Effect.map(
    Sandbox,
    ({ url }) =>
      service({ PROVIDERS: "chainflip", SANDBOX_URL: url.origin, TREASURY_INTERVAL: "200 millis" }),
  ),
).pipe(Layer.provideMerge(sandbox))

/** Changes the simulated network. */
const change = Effect.fnUntraced(function* (body: Readonly<Record<string, unknown>>) {
  const { status, text } = yield* ask("PATCH", "/sandbox/network", body)
  assert.strictEqual(status, 200, text)
})

/** Asks the simulated broker itself, as its operator does. */
const askBroker = Effect.fnUntraced(function* (method: string) {
  const { url } = yield* Sandbox
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] })
  const text = yield* Effect.promise(async (signal) => {
    const headers = { "content-type": "application/json" }
    const response = await fetch(new URL("/chainflip/broker", url), { method: "POST", headers, body, signal })
    return await response.text()
  })
  assert.include(text, '"result"')
})

const plenty = `${10n ** 24n}`

layer(serviceOfSandbox, { excludeTestServices: true })(
  "The operator's account in the sandbox",
  (it) => {
    it.effect("begins flip_low when its FLIP runs out, and ends it when there is enough", function* () {
      yield* change({ change: "setFlip", free: "0" })
      const alert = yield* begins("flip_low", "chainflip")
      assert.deepStrictEqual([alert.freeNative, alert.channelsLeft], ["0", 0])
      yield* change({ change: "setFlip", free: plenty })
      yield* ends("flip_low", "chainflip")
    })

    it.effect("begins withdrawals_disabled in safe mode, and ends it after", function* () {
      yield* change({ change: "setWithdrawals", enabled: false })
      yield* begins("withdrawals_disabled", "chainflip")
      yield* change({ change: "setWithdrawals", enabled: true })
      yield* ends("withdrawals_disabled", "chainflip")
    })

    it.effect("begins node_out_of_sync while the node is behind, and ends it when it has caught up", function* () {
      yield* change({ change: "setNode", inSync: false })
      yield* begins("node_out_of_sync", "chainflip")
      yield* change({ change: "setNode", inSync: true })
      yield* ends("node_out_of_sync", "chainflip")
    })

    it.effect("begins ledger_mismatch for a single unit too many, and ends it when they agree", function* () {
      // The ledger begins with a look; the end of an alert shows that there was one.
      yield* change({ change: "setWithdrawals", enabled: false })
      yield* begins("withdrawals_disabled", "chainflip")
      yield* change({ change: "setWithdrawals", enabled: true })
      yield* ends("withdrawals_disabled", "chainflip")
      yield* change({ change: "shiftEarned", asset: "usdc.eth", difference: "1" })
      const alert = yield* begins("ledger_mismatch", "chainflip")
      assert.deepStrictEqual([alert.asset, alert.differenceNative], ["usdc.eth", "1"])
      yield* change({ change: "shiftEarned", asset: "usdc.eth", difference: "-1" })
      yield* ends("ledger_mismatch", "chainflip")
    })

    it.effect("begins bond_missing_for_btc_vault_swaps without a private channel, and ends it with one", function* () {
      yield* change({ change: "setFlip", free: plenty })
      yield* askBroker("broker_close_private_btc_channel")
      yield* begins("bond_missing_for_btc_vault_swaps", "chainflip")
      yield* askBroker("broker_open_private_btc_channel")
      yield* ends("bond_missing_for_btc_vault_swaps", "chainflip")
    })
  },
)
