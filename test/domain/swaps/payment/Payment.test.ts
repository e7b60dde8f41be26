import { assert, describe, it } from "@effect/vitest"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts, type Network } from "#domain/chains/Chain.ts"
import type { Payable } from "#domain/swaps/payment/Payable.ts"
import { type Payment, paymentOf } from "#domain/swaps/payment/Payment.ts"
import { qrSvg } from "#domain/swaps/payment/qrCode.ts"
import { EpochMillis } from "#domain/Time.ts"
import { Dice, now, type RandomDeposit, randomDeposit } from "./support/deposits.ts"
import { type Order, readLink } from "./support/parsers.ts"
import { readCode } from "./support/readCode.ts"

/** `deno task payments` makes all deposits, the suite some of them. */
const isWhole = Deno.env.get("PAYMENTS") === "all"
const count = isWhole ? 10_000 : 400

/** The chains by the names of the standards, written from EIP-155's list. */
const chainsOfOrders: ReadonlyMap<Chain, Order["chain"]> = new Map<Chain, Order["chain"]>([
  ["Bitcoin", "bitcoin"],
  ["Ethereum", "evm:1"],
  ["Arbitrum", "evm:42161"],
  ["Bsc", "evm:56"],
  ["Base", "evm:8453"],
  ["Polygon", "evm:137"],
  ["Avalanche", "evm:43114"],
  ["Optimism", "evm:10"],
  ["Solana", "solana"],
  ["Tron", "tron"],
  ["Litecoin", "litecoin"],
  ["Dogecoin", "dogecoin"],
  ["BitcoinCash", "bitcoincash"],
  ["Zcash", "zcash"],
  ["Dash", "dash"],
])

const expectedOrder = ({ channel, terms }: RandomDeposit): unknown => {
  const { chain, contractAddress } = factsOf(terms.sourceAsset)
  const amount = channel.exactAmount ?? channel.expectedDepositAmount
  return {
    chain: chainsOfOrders.get(chain),
    payee: channel.depositAddress,
    ...(contractAddress === undefined ? {} : { token: contractAddress }),
    ...(amount === undefined ? {} : { amount }),
  }
}

/** Whether a link is due: written down once more, case by case. */
const hasLink = ({ channel, terms: { network, sourceAsset } }: RandomDeposit): boolean => {
  const { chain, contractAddress } = factsOf(sourceAsset)
  const isToken = contractAddress !== undefined
  const isAmountKnown = channel.exactAmount !== undefined || channel.expectedDepositAmount !== undefined
  switch (chainFacts(chain).family._tag) {
    case "bitcoin":
      return true
    case "evm":
      return network !== "testnet" && (!isToken || isAmountKnown)
    case "solana":
    case "tron":
      return network !== "testnet" && !isToken
    case "substrate":
    case "xrpl":
      return false
  }
}

const payable = (address: string, members: Partial<Payable> = {}): Payable => ({
  depositAddress: Address.make(address),
  estimatedExpiryTime: EpochMillis.make(now + 3_600_000),
  ...members,
})

const pay = (sourceAsset: AssetId, channel: Payable, network: Network = "mainnet"): Payment =>
  paymentOf(channel, { sourceAsset, network }, now)

const segwit = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
const account = "0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb"
const solAccount = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"
const tronAccount = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"
const native = (amount: bigint) => NativeAmount.make(amount)

/** One address of each chain. */
const ownAddressOn: ReadonlyMap<Chain, string> = new Map<Chain, string>([
  ["Bitcoin", segwit],
  ["Ethereum", account],
  ["Arbitrum", account],
  ["Bsc", account],
  ["Solana", solAccount],
  ["Tron", tronAccount],
  ["Polkadot", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"],
  ["Assethub", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"],
])

const addressOn = (chain: Chain): string => ownAddressOn.get(chain) ?? chainFacts(chain).nobody

const assets: ReadonlyArray<AssetId> = [
  "btc.btc",
  "eth.eth",
  "usdc.arb",
  "bnb.bsc",
  "sol.sol",
  "trx.tron",
  "dot.hub",
]

const warns = (payment: Payment, words: RegExp) =>
  assert.isTrue(payment.warnings.some((text) => words.test(text)), payment.warnings.join("\n"))

describe("paymentOf", () => {
  it(`makes links that a reader of each standard reads as what is due (${count} deposits)`, () => {
    const dice = new Dice(20_261_123)
    let links = 0
    for (let index = 0; index < count; index++) {
      const deposit = randomDeposit(dice)
      const { uri } = paymentOf(deposit.channel, deposit.terms, now)
      assert.strictEqual(
        uri !== undefined,
        hasLink(deposit),
        JSON.stringify(deposit, (_, value) => `${value}`),
      )
      if (uri === undefined) continue
      links++
      assert.deepStrictEqual<unknown>(readLink(uri), expectedOrder(deposit))
    }
    assert.isAbove(links, count / 4)
  })

  it(`draws codes that a decoder reads as the same payment (${isWhole ? count : count / 4} deposits)`, () => {
    const dice = new Dice(7)
    for (let index = 0; index < (isWhole ? count : count / 4); index++) {
      const deposit = randomDeposit(dice)
      const { codeText, scheme, uri } = paymentOf(deposit.channel, deposit.terms, now)
      const read = readCode(qrSvg(codeText ?? ""))
      assert.strictEqual(read, codeText)
      if (uri === undefined || scheme === "tron") assert.strictEqual(read, deposit.channel.depositAddress)
      else assert.deepStrictEqual(readLink(read), readLink(uri))
    }
  })

  it("writes the examples of the standards", () => {
    const uriOf = (asset: AssetId, members: Partial<Payable> = {}) =>
      pay(asset, payable(addressOn(chainOf(asset)), members)).uri
    const amount = (value: bigint) => ({ expectedDepositAmount: native(value) })
    assert.strictEqual(uriOf("btc.btc", amount(25_000_000n)), `bitcoin:${segwit}?amount=0.25`)
    assert.strictEqual(uriOf("btc.btc", amount(1n)), `bitcoin:${segwit}?amount=0.00000001`)
    assert.strictEqual(uriOf("eth.eth"), `ethereum:${account}@1`)
    assert.strictEqual(
      uriOf("eth.arb", amount(10n ** 24n)),
      `ethereum:${account}@42161?value=1000000000000000000000000`,
    )
    assert.strictEqual(
      uriOf("usdt.bsc", amount(5n)),
      `ethereum:0x55d398326f99059fF775485246999027B3197955@56/transfer?address=${account}&uint256=5`,
    )
    assert.strictEqual(uriOf("sol.sol", amount(1_500_000_000n)), `solana:${solAccount}?amount=1.5`)
    assert.strictEqual(uriOf("trx.tron", amount(1n)), `tron:${tronAccount}?amount=0.000001`)
  })

  it("fixes the amount that alone counts", () => {
    const payment = pay(
      "btc.btc",
      payable(segwit, { exactAmount: native(7n), expectedDepositAmount: native(5n) }),
    )
    assert.strictEqual(payment.uri, `bitcoin:${segwit}?amount=0.00000007`)
    assert.strictEqual(payment.amount, native(7n))
    warns(payment, /exactly 0\.00000007 BTC/)
  })

  it("offers neither a link nor a code where the transaction has to carry a memo", () => {
    for (const asset of assets) {
      const payment = pay(asset, payable(addressOn(chainOf(asset)), { memo: "=:ETH.ETH:0x" }))
      assert.deepInclude(payment, { scheme: "address" })
      assert.notProperty(payment, "uri")
      assert.notProperty(payment, "codeText")
      warns(payment, /memo.*lost/)
    }
  })

  it("offers neither once the channel has expired, by the clock or by its provider", () => {
    for (const asset of assets) {
      for (const over of [{ estimatedExpiryTime: now }, { isExpired: true }]) {
        const payment = pay(asset, payable(addressOn(chainOf(asset)), over))
        assert.notProperty(payment, "uri")
        assert.notProperty(payment, "codeText")
        assert.strictEqual(payment.warnings.length, 1)
        warns(payment, /takes no more deposits/)
      }
    }
  })

  it("offers neither while nobody should pay, and says nothing else", () => {
    for (const sourceAsset of assets) {
      const stopped = { sourceAsset, network: "mainnet" as const, isStopped: true }
      const payment = paymentOf(payable(addressOn(chainOf(sourceAsset))), stopped, now)
      assert.notProperty(payment, "uri")
      assert.notProperty(payment, "codeText")
      assert.strictEqual(payment.warnings.length, 1)
      warns(payment, /^Do not pay for now/)
    }
  })

  it("never leaves out the chain of an EVM link, and has none where it does not know the chain", () => {
    const dice = new Dice(99)
    for (let index = 0; index < 300; index++) {
      const { channel, terms } = randomDeposit(dice)
      const { uri } = paymentOf(channel, terms, now)
      if (uri?.startsWith("ethereum:") === true) {
        assert.match(uri, /^ethereum:0x[0-9a-fA-F]{40}@(?:1|42161|56|8453|137|43114|10)\b/)
      }
    }
    const onTest = pay("eth.eth", payable(account), "testnet")
    assert.notProperty(onTest, "uri")
    warns(onTest, /test network/)
  })

  it("has no link for a token where none can say all of the payment", () => {
    for (
      const [asset, words] of [
        ["usdc.eth", /amount/],
        ["usdc.sol", /account for the token/],
        ["usdt.tron", /TRX in place/],
        ["usdc.hub", /no common link/],
      ] as const
    ) {
      const payment = pay(asset, payable(addressOn(chainOf(asset))))
      assert.notProperty(payment, "uri")
      warns(payment, words)
    }
  })

  it("writes no link and no code of an address that could add to them", () => {
    for (const address of [`${segwit}?amount=9`, `${account}@10`, "1A/../x", "<script>", "a&b=c", "ä"]) {
      for (const asset of assets) {
        const payment = pay(asset, payable(address))
        assert.notProperty(payment, "uri")
        assert.notProperty(payment, "codeText")
      }
    }
  })

  it("writes bech32 in capitals in a code that gets smaller, and base58 never", () => {
    const legacy = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
    assert.strictEqual(pay("btc.btc", payable(segwit)).codeText, `BITCOIN:${segwit.toUpperCase()}`)
    assert.strictEqual(pay("btc.btc", payable(legacy)).codeText, `bitcoin:${legacy}`)
  })

  it("warns of the minimum and the most, of simulations, and of contracts", () => {
    const limits = { minimumDeposit: native(40_000n), maximumDeposit: native(10n ** 9n) }
    warns(pay("btc.btc", payable(segwit, limits)), /at least 0\.0004 BTC/)
    warns(pay("btc.btc", payable(segwit, limits)), /No more than 10 BTC/)
    warns(pay("btc.btc", payable(segwit), "sandbox"), /simulation/)
    warns(pay("eth.eth", payable(account)), /smart-contract wallet/)
    warns(pay("usdc.eth", payable(account, { expectedDepositAmount: native(1n) })), /token's contract/)
  })
})
