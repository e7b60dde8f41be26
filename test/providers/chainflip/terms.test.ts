import { assert, channelsOf, describe, it } from "../support.ts"
import { BigDecimal, Effect, Option } from "effect"
import { Address, Bps, NativeAmount, Price, type SwapRequest, toX128 } from "#exports/domain.ts"
import { onTermsOf, otherTermIn } from "#application/swapping/following/compareTerms.ts"
import { providerOver, result } from "./fakeChainflip.ts"
import { affiliate, base, ourAccount } from "./fixtures/swaps.ts"
import { swapRequest } from "./requests.ts"

const depositAddress = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"

const openedChannel = {
  address: depositAddress,
  issued_block: 14138313,
  channel_id: 77,
  source_chain_expiry_block: 918273,
  channel_opening_fee: "0x0",
}

/** A request with everything that can be asked for of a channel. */
const request: SwapRequest = {
  ...swapRequest,
  destinationAddress: Address.make("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
  minimumPrice: Price.make(BigDecimal.fromStringUnsafe("32.1234567890123456789012345")),
  maximumBoostFeeBps: Bps.make(30),
  dca: { numberOfChunks: 4, chunkIntervalBlocks: 2 },
  ccm: { gasBudget: NativeAmount.make(125_000n), message: "0xdeadbeef" },
}

/** The price as the backend makes it of what the chain has: cut off at 20 places of the price between units. */
const writtenPrice = (() => {
  const x128 = toX128(request.minimumPrice, "btc.btc", "eth.eth")
  const scaled = x128 * 10n ** 20n / 2n ** 128n
  return BigDecimal.format(BigDecimal.make(scaled, 20 + 18 - 8))
})()

const fillOrKillParams = {
  retryDurationBlocks: 150,
  refundAddress: "bc1qrefund",
  minPrice: writtenPrice,
  maxOraclePriceSlippage: 100,
}
const dcaParams = { numberOfChunks: 4, chunkIntervalBlocks: 2 }
const brokers = [{ account: ourAccount, commissionBps: 25 }, { account: affiliate, commissionBps: "10" }]
const depositChannel = { ...base.depositChannel, depositAddress }
const ccmParams = { gasBudget: "125000", message: "0xDEADBEEF" }

/** What the backend says of the channel that was opened for it. */
const waiting = {
  ...base,
  state: "WAITING",
  destAddress: request.destinationAddress.toLowerCase(),
  brokers,
  depositChannel,
  fillOrKillParams,
  dcaParams,
  ccmParams,
  boost: { maxBoostFeeBps: 30 },
}

/** What is known of the channel after its opening, and what the backend says of it. */
const opened = (body: unknown) =>
  Effect.gen(function* () {
    const [provider] = yield* providerOver({
      broker_request_swap_deposit_address: result(openedChannel),
      "/chainflip/backend/v2/swaps/14138313-Bitcoin-77": { body },
    })
    const { channel, status: known } = yield* channelsOf(provider).open(request)
    const { status: found } = Option.getOrThrow(yield* channelsOf(provider).status(channel.id, known))
    return { known, found }
  })

const { brokers: _, fillOrKillParams: __, dcaParams: ___, ...untold } = waiting

const honest: ReadonlyArray<readonly [what: string, body: unknown]> = [
  ["in its own spelling", waiting],
  ["without the brokers", { ...waiting, brokers: null }],
  ["without anything that it need not tell", {
    ...untold,
    boost: null,
    ccmParams: null,
    depositChannel: null,
  }],
  ["as before 2.2, as members of the channel", {
    ...untold,
    depositChannel: {
      ...depositChannel,
      brokerCommissionBps: 25,
      affiliateBrokers: [{ account: affiliate, commissionBps: 10 }],
      dcaParams,
      fillOrKillParams,
      expectedDepositAmount: "100000000",
    },
  }],
]

const hostile = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
const elsewhere = "0x2222222222222222222222222222222222222222"

const lies: ReadonlyArray<readonly [term: string, body: unknown]> = [
  ["source asset", { ...waiting, srcAsset: "ETH", srcChain: "Ethereum" }],
  ["destination asset", { ...waiting, destAsset: "FLIP" }],
  ["destination address", { ...waiting, destAddress: elsewhere }],
  ["deposit channel", { ...waiting, depositChannel: { ...depositChannel, id: "14138313-Bitcoin-78" } }],
  ["deposit address", { ...waiting, depositChannel: { ...depositChannel, depositAddress: hostile } }],
  ["deposit address", {
    ...waiting,
    depositChannel: { ...depositChannel, depositAddress: "Ask <b>support</b> for the address" },
  }],
  ["refund address", { ...waiting, fillOrKillParams: { ...fillOrKillParams, refundAddress: hostile } }],
  ["minimum price", { ...waiting, fillOrKillParams: { ...fillOrKillParams, minPrice: "0" } }],
  ["minimum price", { ...waiting, fillOrKillParams: { ...fillOrKillParams, minPrice: "32.123" } }],
  ["retry duration", { ...waiting, fillOrKillParams: { ...fillOrKillParams, retryDurationBlocks: 600 } }],
  ["number or interval of chunks", { ...waiting, dcaParams: { ...dcaParams, numberOfChunks: 400 } }],
  ["maximum boost fee", { ...waiting, boost: { maxBoostFeeBps: 100 } }],
  ["message for the receiving contract", { ...waiting, ccmParams: { ...ccmParams, message: "0x00" } }],
  ["commission", { ...waiting, brokers: [...brokers, { account: "cFThief", commissionBps: 500 }] }],
]

describe("What Chainflip's backend says of a channel", () => {
  it.effect.each(honest)("is true of it, %s", function* ([, body]) {
    const { known, found } = yield* opened(body)
    assert.isUndefined(otherTermIn(known, found))
    const shown = onTermsOf(known, found)
    assert.deepStrictEqual(shown.fillOrKill?.minimumPrice, request.minimumPrice)
    assert.deepStrictEqual(
      [shown.destinationAddress, shown.depositChannel?.depositAddress, shown.brokers, shown.ccm, shown.dca],
      [request.destinationAddress, known.depositChannel?.depositAddress, known.brokers, known.ccm, known.dca],
    )
  })

  it.effect.each(lies)("contradicts the opening with another %s", function* ([term, body]) {
    const { known, found } = yield* opened(body)
    assert.strictEqual(
      otherTermIn(known, found),
      `The upstream now reports a different ${term} than our record`,
    )
  })
})
