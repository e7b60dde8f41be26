import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import { EncodeParams, OpenChannelParams } from "#api/RpcParameters.ts"
import { parseJsonText } from "#domain/JsonText.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { paramsReader, toPayloadParameters, toSwapParameters } from "#interfaces/http/rpc/perform.ts"

const name = ProviderName.make("chainflip")
const readOpen = paramsReader(OpenChannelParams)
const readEncode = paramsReader(EncodeParams)

const evm = "0x2222222222222222222222222222222222222222"
const bitcoin = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
const affiliate = "cFMVQrUbuTuXmeRinPQovRkCgoyrrRd3N4Q5ZdHfqv4VJi5Hh"

const json = (value: unknown) =>
  Option.getOrThrow(parseJsonText(typeof value === "string" ? value : JSON.stringify(value)))

/** What a `POST /swap` would say, or the issues of the form. */
const wanted = (params: unknown): unknown =>
  Result.match(readOpen(params === undefined ? undefined : json(params)), {
    onFailure: (issues) => issues,
    onSuccess: (read) => toSwapParameters(read, name),
  })

const refund = { retry_duration: 150, refund_address: bitcoin, min_price: "0x0" }
const least = {
  source_asset: { chain: "Bitcoin", asset: "BTC" },
  destination_asset: { chain: "Ethereum", asset: "ETH" },
  destination_address: evm,
  broker_commission: 25,
  refund_parameters: refund,
}
const leastOfSwap = {
  platform: "chainflip",
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: evm,
  commissionBps: "25",
  refundAddress: bitcoin,
  minimumPrice: "0",
  retryDurationInBlocks: "150",
}

/** As a list, with null for what is not given. */
const listed = (
  { channel_metadata = null, boost_fee = null, affiliate_fees = null, dca_parameters = null, ...more }: {
    readonly channel_metadata?: unknown
    readonly boost_fee?: unknown
    readonly affiliate_fees?: unknown
    readonly refund_parameters?: unknown
    readonly dca_parameters?: unknown
  },
) => [
  least.source_asset,
  least.destination_asset,
  evm,
  25,
  channel_metadata,
  boost_fee,
  affiliate_fees,
  more.refund_parameters ?? refund,
  dca_parameters,
]

const options = {
  channel_metadata: { message: "0xdeadbeef", gas_budget: "0x7a120", ccm_additional_data: "0x" },
  boost_fee: 10,
  affiliate_fees: [{ account: affiliate, bps: 10 }, { account: "cFother", bps: "0x14" }],
  dca_parameters: { number_of_chunks: 4, chunk_interval: 2 },
}
const optionsOfSwap = {
  ccmPayload: { gasBudget: "500000", message: "0xdeadbeef" },
  boostFee: "10",
  affiliate1: affiliate,
  affiliate1CommissionBps: "10",
  affiliate2: "cFother",
  affiliate2CommissionBps: "20",
  numberOfChunks: "4",
  chunkIntervalBlocks: "2",
}

/** 32.5 ETH for a BTC, as smallest units for smallest units, times 2^128 (chainflip/wire.md 1.1). */
const priceX128 = 325n * 10n ** 9n * 2n ** 128n

const accepted: ReadonlyArray<readonly [what: string, params: unknown, expected: unknown]> = [
  ["the least by name", least, leastOfSwap],
  ["the least as a list", listed({}), leastOfSwap],
  ["a list that ends early", listed({}).slice(0, 8), leastOfSwap],
  ["a list with more nulls than there are parameters", [...listed({}), null, null], leastOfSwap],
  ["everything by name", { ...least, ...options }, { ...leastOfSwap, ...optionsOfSwap }],
  ["everything as a list", listed(options), { ...leastOfSwap, ...optionsOfSwap }],
  ["null for whatever is not given, also where it is not known", {
    ...least,
    channel_metadata: null,
    boost_fee: null,
    affiliate_fees: null,
    dca_parameters: null,
    one_of_tomorrow: null,
    refund_parameters: {
      ...refund,
      refund_ccm_metadata: null,
      max_oracle_price_slippage: null,
      tomorrow: null,
    },
  }, leastOfSwap],
  ["no affiliates, and a boost of 0 from any asset", {
    ...least,
    source_asset: "ETH",
    destination_asset: "BTC",
    destination_address: bitcoin,
    refund_parameters: { ...refund, refund_address: evm.slice(2) },
    affiliate_fees: [],
    boost_fee: 0,
  }, {
    ...leastOfSwap,
    sourceAsset: "eth.eth",
    destinationAsset: "btc.btc",
    destinationAddress: bitcoin,
    refundAddress: evm,
    boostFee: "0",
  }],
  ["numbers as hex, digits and JSON numbers", {
    ...least,
    broker_commission: "25",
    boost_fee: "0xA",
    refund_parameters: { ...refund, retry_duration: "0x96" },
  }, { ...leastOfSwap, boostFee: "10" }],
  [
    "a price to the last digit",
    // 32.5 ETH for a BTC, as smallest units for smallest units, times 2^128.
    {
      ...least,
      refund_parameters: { ...refund, min_price: `0x${(325n * 10n ** 9n * 2n ** 128n).toString(16)}` },
    },
    { ...leastOfSwap, minimumPrice: "32.5" },
  ],
  [
    "a price that no double holds, as a JSON number",
    JSON.stringify(least).replace('"0x0"', `${priceX128}`),
    { ...leastOfSwap, minimumPrice: "32.5" },
  ],
]

const fault = (parameter: string, predicate: string) => ({ [parameter]: [`${parameter} ${predicate}`] })
const aWholeNumber = "must be a whole number, as a JSON number, 0x-hex or digits"
const unknown = "is not a parameter that this broker can do anything with"
const impossible = "cannot be had through this broker: it has to be null"
const anAsset =
  'must be a known asset, such as {"chain":"Bitcoin","asset":"BTC"}; a ticker alone only where one chain is meant'

const refused: ReadonlyArray<readonly [what: string, params: unknown, expected: unknown]> = [
  ["nothing", undefined, {
    ...fault("source_asset", "is required"),
    ...fault("destination_asset", "is required"),
    ...fault("destination_address", "is required"),
    ...fault("broker_commission", "is required"),
    ...fault("refund_parameters", "is required"),
  }],
  ["more parameters than there are", [...listed({}), 1], fault("params[9]", unknown)],
  [
    "what is to arrive, which the protocol has no word for",
    { ...least, amount_out: "1" },
    fault("amount_out", unknown),
  ],
  ["a name that is misspelled", { ...least, boostFee: 10 }, fault("boostFee", unknown)],
  [
    "a member of tomorrow",
    { ...least, refund_parameters: { ...refund, tomorrow: 1 } },
    fault("refund_parameters.tomorrow", unknown),
  ],
  [
    "a price protection beyond all of the price",
    { ...least, refund_parameters: { ...refund, max_oracle_price_slippage: 10_001 } },
    fault(
      "refund_parameters.max_oracle_price_slippage",
      "must be a whole number of basis points from 0 to 10000",
    ),
  ],
  [
    "a message with a refund",
    { ...least, refund_parameters: { ...refund, refund_ccm_metadata: { message: "0x", gas_budget: 0 } } },
    fault("refund_parameters.refund_ccm_metadata", impossible),
  ],
  [
    "additional data of a message",
    { ...least, channel_metadata: { ...options.channel_metadata, ccm_additional_data: "0x00" } },
    fault("channel_metadata.ccm_additional_data", "cannot be had through this broker: it has to be empty"),
  ],
  [
    "a fifth affiliate",
    { ...least, affiliate_fees: Array(5).fill({ account: affiliate, bps: 1 }) },
    fault("affiliate_fees", "must be a list of at most 4 of {account, bps}"),
  ],
  [
    "an affiliate without a share",
    { ...least, affiliate_fees: [{ account: affiliate }] },
    fault("affiliate_fees[0].bps", "is required"),
  ],
  [
    "a fraction",
    { ...least, broker_commission: 0.5, boost_fee: "1e1" },
    { ...fault("broker_commission", aWholeNumber), ...fault("boost_fee", aWholeNumber) },
  ],
  ["less than nothing", { ...least, broker_commission: -1 }, fault("broker_commission", aWholeNumber)],
  [
    "a number of more than 256 bits",
    { ...least, refund_parameters: { ...refund, min_price: `0x1${"0".repeat(64)}` } },
    fault("refund_parameters.min_price", aWholeNumber),
  ],
  [
    "an asset that nobody knows",
    { ...least, source_asset: { chain: "Bitcoin", asset: "ETH" } },
    fault("source_asset", anAsset),
  ],
  ["a ticker of several chains", { ...least, source_asset: "DOT" }, fault("source_asset", anAsset)],
  [
    "half an asset",
    { ...least, source_asset: { chain: "Bitcoin" } },
    fault("source_asset.asset", "is required"),
  ],
  [
    "half of the chunks",
    { ...least, dca_parameters: { number_of_chunks: 4 } },
    fault("dca_parameters.chunk_interval", "is required"),
  ],
  [
    "text for chunks",
    { ...least, dca_parameters: "4" },
    fault("dca_parameters", "must be {number_of_chunks, chunk_interval}, or null"),
  ],
]

describe("The parameters of broker_request_swap_deposit_address", () => {
  for (const [what, params, expected] of accepted) {
    it(`can be ${what}`, () => assert.deepStrictEqual(wanted(params), expected))
  }
  for (const [what, params, expected] of refused) {
    it(`cannot be ${what}`, () => assert.deepStrictEqual(wanted(params), expected))
  }
})

const payload = (extra: object): unknown => {
  const read = readEncode(json({ ...least, refund_parameters: null, extra_parameters: extra }))
  if (Result.isFailure(read)) return read.failure
  const { extra_parameters } = read.success
  return extra_parameters.chain === "Bitcoin"
    ? "Bitcoin"
    : toPayloadParameters(read.success, extra_parameters, name)
}

const payment = { input_amount: "0x5f5e100", refund_parameters: refund }
const ofPayload = { ...leastOfSwap, amountNative: "100000000" }

describe("The parameters of broker_request_swap_parameter_encoding", () => {
  it.each(["Ethereum", "Arbitrum", "Tron"])("have an amount and a refund on %s", (chain) => {
    assert.deepStrictEqual(payload({ chain, ...payment }), ofPayload)
  })

  it("have the sender's accounts on Solana", () => {
    const solana = { chain: "Solana", from: "sender", seed: "0x00", ...payment }
    assert.deepStrictEqual(payload(solana), { ...ofPayload, sourceAddress: "sender", seed: "0x00" })
    assert.deepStrictEqual(payload({ ...solana, from_token_account: "account" }), {
      ...ofPayload,
      sourceAddress: "sender",
      seed: "0x00",
      sourceTokenAccount: "account",
    })
  })

  it("are those of one chain", () => {
    assert.deepStrictEqual(
      payload({ chain: "Ethereum", from: "sender", ...payment }),
      fault("extra_parameters.from", unknown),
    )
    assert.deepInclude(payload({ chain: "Bsc", ...payment }), {
      "extra_parameters.chain": ["extra_parameters.chain must be Ethereum, Arbitrum, Solana or Tron"],
    })
  })

  it.each(["0x0", `0x1${"0".repeat(32)}`])("have no amount of %s", (input_amount) => {
    assert.deepStrictEqual(
      payload({ chain: "Tron", ...payment, input_amount }),
      fault("extra_parameters.input_amount", "must be above zero and below 2^128"),
    )
  })

  it("can be read from Bitcoin", () => {
    assert.strictEqual(payload({ chain: "Bitcoin", min_output_amount: "0x1", retry_duration: 5 }), "Bitcoin")
  })
})
