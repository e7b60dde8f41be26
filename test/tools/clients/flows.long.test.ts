import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { addressFor } from "#test/contract/support/addresses.ts"
import { call } from "#test/contract/support/call.ts"
import { find, textAt } from "#test/contract/support/Json.ts"
import { operate } from "#test/contract/support/operator.ts"
import { sendPayload } from "#test/contract/support/payloads.ts"
import { pass } from "#test/contract/support/swaps.ts"
import { eventually } from "#test/durability/eventually.ts"
import { broker, testKey } from "#test/support/broker.ts"
import { type Ask, asking, type Opened, type Order, type PublicClient, query } from "./client.ts"
import { fullStatus } from "./readings.ts"
import { restClients } from "./restClients.ts"
import { rpcClients, toTransaction, vaultWallet } from "./rpcClients.ts"

/** What the clients' users swap, of each source asset: small enough for every pool of the sandbox. */
const amounts: Readonly<Record<string, readonly [amount: string, amountNative: string]>> = {
  "btc.btc": ["0.05", "5000000"],
  "eth.eth": ["1.5", "1500000000000000000"],
  "usdc.eth": ["1000", "1000000000"],
  "usdc.arb": ["1000", "1000000000"],
  "flip.eth": ["500", "500000000000000000000"],
  "sol.sol": ["10", "10000000000"],
  "trx.tron": ["5000", "5000000000"],
}

const orderOf = ([sourceAsset, destinationAsset]: readonly [string, string]): Order => {
  const [amount = "", amountNative = ""] = amounts[sourceAsset] ?? []
  return {
    sourceAsset,
    destinationAsset,
    destinationAddress: addressFor(destinationAsset),
    refundAddress: addressFor(sourceAsset),
    amount,
    amountNative,
  }
}

const deposit = ({ depositAddress }: Opened, { amountNative }: Order) =>
  Effect.map(
    call("POST", "/sandbox/deposits", { body: { address: depositAddress, amountNative } }),
    ({ status, text }) => assert.strictEqual(status, 202, text),
  )

/** Follows a swap as its client does, while the simulated time passes. */
const follow = (look: ReturnType<PublicClient["status"]>) =>
  Effect.gen(function* () {
    for (let polls = 0; polls < 300; polls++) {
      const seen = yield* look
      if (seen.state === "completed" || seen.state === "failed") return seen
      yield* pass(30)
    }
    return yield* Effect.die(new Error("The swap did not end"))
  })

const trade = Effect.fnUntraced(function* (client: PublicClient, ask: Ask, order: Order) {
  if (client.findAssets !== undefined) yield* client.findAssets(ask, order, testKey)
  const offer = yield* client.quote(ask, order, testKey)
  const opened = yield* client.open(ask, order, offer, testKey)
  const first = yield* client.status(ask, opened)
  assert.strictEqual(first.state, "waiting")
  yield* deposit(opened, order)
  const seen = yield* follow(client.status(ask, opened))
  assert.strictEqual(seen.state, "completed")
  assert.strictEqual(seen.destinationAddress, order.destinationAddress)
  assert.isString(seen.outputTransaction, "the money arrived, it was not given back")
})

layer(broker(), { excludeTestServices: true })("Public clients", (it) => {
  for (const client of [...restClients, ...rpcClients]) {
    for (const pair of client.pairs) {
      it.effect(`${client.name} swaps ${pair.join(" to ")} (${client.source})`, () =>
        Effect.gen(function* () {
          if (client.terms !== undefined) yield* operate("PATCH", "/accounts/default", client.terms)
          yield* trade(client, yield* asking(client.stumblesOver), orderOf(pair))
        }))
    }
  }

  it.effect("have no price of a boost quote without the term", function* () {
    for (
      const [boostEstimatedPrice, is, amount] of [[true, true, "5000001"], [
        "default",
        false,
        "5000002",
      ]] as const
    ) {
      yield* operate("PATCH", "/accounts/default", { boostEstimatedPrice })
      const path = `/quotes-native?${query({ sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount })}`
      const { body } = yield* call("GET", path)
      assert.isDefined(find(body, 0, "boostQuote"))
      assert.strictEqual(find(body, 0, "boostQuote", "estimatedPrice") !== undefined, is)
    }
  })

  for (const pair of vaultWallet.pairs) {
    it.effect(`${vaultWallet.name} swaps ${pair.join(" to ")} (${vaultWallet.source})`, function* () {
      const ask = yield* asking()
      const order = orderOf(pair)
      yield* vaultWallet.findAssets(ask)
      const offer = yield* vaultWallet.quote(ask, order, testKey)
      const encoded = yield* vaultWallet.encode(ask, order, offer, testKey)
      const hash = yield* sendPayload(JSON.parse(JSON.stringify(toTransaction(encoded))))
      const status = Effect.suspend(() =>
        call("GET", `/status-by-transaction-hash?${query({ transactionHash: hash })}`)
      )
      yield* pass(60)
      yield* eventually(status, (answer) => answer.status === 200)
      const look = Effect.map(
        ask(
          { path: `/status-by-transaction-hash?${query({ apiKey: testKey, transactionHash: hash })}` },
          fullStatus,
        ),
        (record) => ({
          state: record.status.state,
          outputTransaction: record.status.swapEgress?.transactionReference,
        }),
      )
      const seen = yield* follow(look)
      assert.strictEqual(seen.state, "completed")
      assert.isString(seen.outputTransaction)
      assert.strictEqual(textAt((yield* status).body, "platform"), "chainflip")
    })
  }
})
