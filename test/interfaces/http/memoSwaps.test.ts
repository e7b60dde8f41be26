import { assert, layer } from "#test/support/it.ts"
import { Effect, Schedule } from "effect"
import { addresses, addressFor } from "#test/contract/support/addresses.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { ask, members } from "./asking.ts"

/** Swaps by a memo from each chain that THORChain and Maya take such from, and to each that they pay out on. */

interface Route {
  readonly platform: string
  readonly kind: string
  readonly sourceAsset: string
  readonly destinationAsset: string
  readonly amount: string
}

const route = (
  platform: string,
  kind: string,
  sourceAsset: string,
  destinationAsset: string,
  amount: string,
): Route => ({ platform, kind, sourceAsset, destinationAsset, amount })

const routes = [
  route("thorchain", "bitcoin", "ltc.ltc", "bch.bch", "12.34567891"),
  route("thorchain", "bitcoin", "doge.doge", "xrp.xrp", "5000.00000001"),
  route("thorchain", "bitcoin", "bch.bch", "doge.doge", "3.00000001"),
  route("thorchain", "xrpl", "xrp.xrp", "ltc.ltc", "500.000001"),
  route("thorchain", "evm", "eth.base", "avax.avax", "0.512345678901234567"),
  route("thorchain", "evm", "usdc.base", "cbbtc.base", "1000.000001"),
  route("thorchain", "evm", "cbbtc.base", "usdc.avax", "0.02000001"),
  route("thorchain", "evm", "avax.avax", "usdt.avax", "50.512345678901234567"),
  route("thorchain", "evm", "usdc.avax", "eth.base", "1000.000001"),
  route("thorchain", "evm", "usdt.avax", "usdc.base", "1000.000001"),
  route("maya", "bitcoin", "dash.dash", "eth.arb", "20.00000001"),
  route("maya", "evm", "eth.arb", "dash.dash", "0.512345678901234567"),
]

/** From and to the chains that Maya has announced. */
const announced = [
  route("maya", "evm", "bnb.bsc", "trx.tron", "5.512345678901234567"),
  route("maya", "evm", "usdt.bsc", "bch.bch", "1000.000000000000000001"),
  route("maya", "bitcoin", "bch.bch", "sol.sol", "3.00000001"),
  route("maya", "tron", "trx.tron", "bnb.bsc", "5000.000001"),
  route("maya", "tron", "usdt.tron", "usdt.bsc", "1000.000001"),
]

const payloadOf = ({ amount, destinationAsset, kind, platform, sourceAsset }: Route) =>
  ask(
    "GET",
    `/tx-payload/${kind}?${new URLSearchParams({
      platform,
      sourceAsset,
      destinationAsset,
      destinationAddress: addressFor(destinationAsset),
      refundAddress: addressFor(sourceAsset),
      amount,
      minimumPrice: "0.0000000001",
    })}`,
  )

/** What the provider knows of halts is some seconds old. */
const payloadOnce = (route: Route) =>
  Effect.repeat(payloadOf(route), {
    until: ({ status }) => status === 200,
    schedule: Schedule.spaced("500 millis"),
    times: 60,
  })

const open = (chain: string) =>
  ask("PATCH", "/sandbox/network", { change: "setTrading", provider: "maya", chain, isChainHalted: false })

const openAnnounced = Effect.forEach(["Bsc", "BitcoinCash", "Tron", "Solana"], open)

const sent = Effect.fnUntraced(function* (body: Readonly<Record<string, unknown>>) {
  const { body: answer, status, text } = yield* ask("POST", "/sandbox/vault-swaps", body)
  assert.strictEqual(status, 202, text)
  return `${members(answer).transactionHash}`
})

const pass = (advanceSeconds: number) => ask("POST", "/sandbox/time", { advanceSeconds })

const found = Effect.fnUntraced(function* (transaction: string) {
  const { body, status, text } = yield* ask(
    "GET",
    `/status-by-transaction-hash?transactionHash=${transaction}`,
  ).pipe(Effect.repeat({
    until: ({ status }) => status === 200,
    schedule: Schedule.spaced("50 millis"),
    times: 200,
  }))
  assert.strictEqual(status, 200, text)
  return members(body, "status")
})

const payloadIn = ({ body, status, text }: Effect.Success<ReturnType<typeof payloadOf>>) => {
  assert.strictEqual(status, 200, text)
  return members(body)
}

/** The change of a transaction of Bitcoin's family goes back to its sender. */
const changeOf = ({ kind, sourceAsset }: Route) =>
  kind === "bitcoin" ? { changeAddress: addressFor(sourceAsset) } : {}

layer(brokerInProcess({ SANDBOX_SPEED: "0" }), { excludeTestServices: true })(
  "a swap by a memo, through the whole service",
  (it) => {
    it.effect.each([...routes, ...announced])(
      "from $sourceAsset to $destinationAsset at $platform is paid out, and found by its transaction",
      function* (route) {
        if (announced.includes(route)) yield* openAnnounced
        const payload = payloadIn(yield* payloadOnce(route))
        assert.strictEqual(payload.platform, route.platform)
        const transaction = yield* sent({ payload, ...changeOf(route) })
        yield* pass(7_200)
        const status = yield* found(transaction)
        assert.strictEqual(status.state, "completed")
        assert.strictEqual(status.destinationAsset, route.destinationAsset)
        assert.strictEqual(status.destinationAddress, addressFor(route.destinationAsset))
        assert.isTrue(BigInt(`${members(status, "swapEgress").amountNative}`) > 0n)
        assert.isUndefined(status.refundEgress)
        // Hashes are found however they are written.
        const again = yield* found(transaction.replace(/^0x/, "").toLowerCase())
        assert.strictEqual(again.id, status.id)
      },
    )

    it.effect.each(announced)(
      "from $sourceAsset at $platform is refunded where the network does not swap it",
      function* (route) {
        yield* openAnnounced
        const payload = payloadIn(yield* payloadOnce(route))
        yield* ask("PATCH", "/sandbox/network", {
          change: "nextPayment",
          provider: "maya",
          outcome: "refund",
        })
        const transaction = yield* sent({ payload, ...changeOf(route) })
        yield* pass(7_200)
        const status = yield* found(transaction)
        assert.strictEqual(status.state, "completed")
        assert.isUndefined(status.swapEgress)
        assert.isTrue(BigInt(`${members(status, "refundEgress").amountNative}`) > 0n)
        assert.strictEqual(members(status, "fillOrKillParams").refundAddress, addressFor(route.sourceAsset))
      },
    )

    it.effect("to Zcash waits until Maya has woken it", function* () {
      const toZcash = route("maya", "bitcoin", "dash.dash", "zec.zec", "20")
      const refused = yield* payloadOf(toZcash)
      assert.strictEqual(refused.status, 503, refused.text)
      assert.strictEqual(members(refused.body).code, "asset_disabled")
      yield* open("Zcash")
      const payload = payloadIn(yield* payloadOnce(toZcash))
      const transaction = yield* sent({ payload, changeAddress: addresses.dash })
      yield* pass(7_200)
      const status = yield* found(transaction)
      assert.strictEqual(status.state, "completed")
      assert.strictEqual(status.destinationAddress, addresses.zec)
    })

    it.effect("from Zcash has no payload", function* () {
      const { status, text } = yield* payloadOf(route("maya", "bitcoin", "zec.zec", "dash.dash", "20"))
      assert.strictEqual(status, 400, text)
      assert.include(text, "makes no payloads for transactions on Zcash")
    })

    it.effect("names the least amount where it is asked for exactly the dust", function* () {
      for (
        const [kind, sourceAsset, amount, least] of [
          ["xrpl", "xrp.xrp", "1", "1.000001"],
          ["bitcoin", "doge.doge", "1", "1.00000001"],
        ] as const
      ) {
        const { status, text } = yield* payloadOf(
          route("thorchain", kind, sourceAsset, "eth.eth", amount),
        )
        assert.strictEqual(status, 400, text)
        assert.include(text, least)
      }
    })

    it.effect("from the XRP Ledger is refunded where the wallet puts a memo of its own before it", function* () {
      const payload = payloadIn(yield* payloadOf(route("thorchain", "xrpl", "xrp.xrp", "ltc.ltc", "501")))
      const transaction = yield* sent({ payload, walletMemo: "rent" })
      yield* pass(7_200)
      // Nobody's memo: the network sends it back to the sender, and no payload is recognised in it.
      const look = yield* ask("GET", `/status-by-transaction-hash?transactionHash=${transaction}`)
      assert.strictEqual(look.status, 404, look.text)
    })

    it.effect("is lost without a refund where its transaction moves exactly the dust", function* () {
      const payload = payloadIn(yield* payloadOf(route("thorchain", "xrpl", "xrp.xrp", "ltc.ltc", "502")))
      const transaction = yield* sent({ payload, amountNative: "1000000" })
      yield* pass(7_200)
      const look = yield* ask("GET", `/status-by-transaction-hash?transactionHash=${transaction}`)
      assert.strictEqual(look.status, 404, look.text)
    })
  },
)
