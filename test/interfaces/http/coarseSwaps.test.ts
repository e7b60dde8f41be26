import { assert, layer } from "#test/support/it.ts"
import { Effect, Random, Schedule } from "effect"
import { brokerInProcess } from "#test/support/broker.ts"
import { ask, list, members } from "./asking.ts"

/** Small swaps of networks that count fewer digits than their assets have. */

const swaps = 25

const evm = "0x1111111111111111111111111111111111111111"
const bitcoin = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"

const routes = [
  { platform: "thorchain", kind: "evm", sourceAsset: "eth.eth", destinationAsset: "btc.btc", digits: 18 },
  { platform: "thorchain", kind: "evm", sourceAsset: "usdc.eth", destinationAsset: "eth.eth", digits: 6 },
  { platform: "thorchain", kind: "bitcoin", sourceAsset: "btc.btc", destinationAsset: "usdc.eth", digits: 8 },
  { platform: "maya", kind: "evm", sourceAsset: "eth.arb", destinationAsset: "usdc.arb", digits: 18 },
  { platform: "maya", kind: "bitcoin", sourceAsset: "btc.btc", destinationAsset: "eth.arb", digits: 8 },
] as const

/** About a hundred dollars, by the asset that is swapped. */
const whole = { "eth.eth": 0.05, "usdc.eth": 100, "btc.btc": 0.0015, "eth.arb": 0.05 } as const

const addressOn = (asset: string) => asset.endsWith(".btc") ? bitcoin : evm

layer(brokerInProcess({ SANDBOX_SPEED: "300" }), { excludeTestServices: true })(
  "a small swap of a coarse network, through the whole service",
  (it) => {
    it.effect(
      `is found by whoever asked for its payload, ${swaps} of ${swaps}`,
      function* () {
        const random = yield* Random.Random.pipe(Random.withSeed("coarse swaps"))
        const transactions: Array<string> = []
        for (let index = 0; index < swaps; index++) {
          const route = routes[index % routes.length] ?? routes[0]
          const { destinationAsset, digits, kind, platform, sourceAsset } = route
          const amount = (whole[sourceAsset] * (1 + random.nextDoubleUnsafe())).toFixed(Math.min(digits, 15))
          const query = new URLSearchParams({
            platform,
            sourceAsset,
            destinationAsset,
            destinationAddress: addressOn(destinationAsset),
            refundAddress: addressOn(sourceAsset),
            amount,
            minimumPrice: (random.nextDoubleUnsafe() / 1_000_000).toFixed(18),
          })
          const payload = yield* ask("GET", `/tx-payload/${kind}?${query}`)
          assert.strictEqual(payload.status, 200, payload.text)
          assert.strictEqual(members(payload.body).platform, platform)
          const sent = yield* ask("POST", "/sandbox/vault-swaps", { payload: payload.body })
          assert.strictEqual(sent.status, 202, sent.text)
          transactions.push(`${members(sent.body).transactionHash}`)
        }
        yield* ask("POST", "/sandbox/time", { advanceSeconds: 7_200 })
        let found = 0
        for (const transaction of transactions) {
          // What one network does not know costs an account one of its few look-ups of unknown transactions there.
          const status = yield* ask("GET", `/status-by-transaction-hash?transactionHash=${transaction}`)
            .pipe(
              Effect.repeat({
                until: ({ status }) => status === 200,
                schedule: Schedule.spaced("50 millis"),
                times: 200,
              }),
            )
          assert.strictEqual(status.status, 200, status.text)
          if (members(status.body, "status").state === "completed") found++
        }
        assert.strictEqual(found, swaps)
      },
    )

    it.effect("is offered by both networks beside the others, with the way in which it begins", function* () {
      const { body } = yield* ask(
        "GET",
        "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.2&start=any",
      )
      const starts = new Map(list(body).map(({ platform, startPaths }) => [platform, startPaths]))
      assert.deepStrictEqual(starts.get("chainflip"), ["/swap", "/tx-payload/bitcoin"])
      assert.deepStrictEqual(starts.get("thorchain"), ["/tx-payload/bitcoin"])
      assert.deepStrictEqual(starts.get("maya"), ["/tx-payload/bitcoin"])
    })
  },
)
