import { assert, describe, it } from "#test/support/it.ts"
import { type AssetId, chainOf } from "#exports/domain.ts"
import { referenceOn } from "#domain/chains/TransactionReference.ts"
import { firstStateOf } from "#sandbox/engine/figures.ts"
import { wholeUnit } from "#sandbox/engine/pools.ts"
import { currencies, type Currency } from "#sandbox/relay/engine/currencies.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import { eachInSandbox } from "../inSandbox.ts"
import { advance, at, textAt } from "../support.ts"

const newer = currencies.slice(currencies.findIndex(({ asset }) => asset === "eth.base"))
const sources = newer.filter(({ isSolverCurrency }) => isSolverCurrency)

/** Native units of the value of a thousand dollars. */
const typicalAmount = (asset: AssetId): bigint =>
  1_000_000_000n * wholeUnit(asset) / firstStateOf(asset).price

/** The account whose balance is known to be enough. */
const fullWallet = "0x000000000000000000000000000000000000dEaD"

const opening = (origin: Currency, destination: Currency) => ({
  user: fullWallet,
  recipient: addressFor(destination.asset),
  refundTo: addressFor(origin.asset),
  originChainId: origin.chain.id,
  destinationChainId: destination.chain.id,
  originCurrency: origin.address,
  destinationCurrency: destination.address,
  amount: `${typicalAmount(origin.asset)}`,
  tradeType: "EXACT_INPUT",
  slippageTolerance: "100",
  useDepositAddress: true,
  strict: true,
})

const rows = sources.map((origin, index) => {
  const destination = newer[(index + 4) % newer.length] ?? origin
  return [origin.asset, destination.asset, origin, destination] as const
})

describe("Relay's requests on the newer chains", () => {
  it("are of twelve currencies on four chains, whose coins are the zero address", () => {
    assert.lengthOf(newer, 12)
    const coins = newer.filter(({ address }) => address === `0x${"0".repeat(40)}`)
    assert.deepStrictEqual<unknown>(coins.map(({ asset, chain: { id } }) => [asset, id]), [
      ["eth.base", 8_453],
      ["pol.pol", 137],
      ["avax.avax", 43_114],
      ["eth.op", 10],
    ])
  })

  eachInSandbox(rows)("from %s to %s are filled", function* (client, [, , origin, destination]) {
    const opened = yield* client.send("POST", "/relay/quote/v2", opening(origin, destination))
    assert.strictEqual(opened.status, 200, opened.text)
    const id = textAt(opened.json, "steps", 0, "requestId")
    const sent = yield* client.send("POST", "/sandbox/deposits", {
      address: textAt(opened.json, "steps", 0, "depositAddress"),
      amountNative: `${typicalAmount(origin.asset)}`,
    })
    assert.strictEqual(sent.status, 202, sent.text)
    yield* advance(client, 3_600)
    const { json } = yield* client.get(`/relay/intents/status/v3?requestId=${id}`)
    assert.strictEqual(at(json, "status"), "success")
    const paid = textAt(json, "txHashes", 0)
    assert.strictEqual(referenceOn(chainOf(destination.asset), paid), paid)
  })
})
