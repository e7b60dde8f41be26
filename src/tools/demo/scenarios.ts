import { BigDecimal } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { minimumPrice, Price } from "#domain/money/Price.ts"
import type { StartPath } from "#domain/swaps/Start.ts"
import { SwapState } from "#domain/swaps/Swap.ts"
import type { QuoteSeen } from "./Client.ts"

/** A swap that the demo makes, and its expected course. */
export interface Scenario {
  readonly title: string
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amount: string
  /** The endpoint that begins it. */
  readonly path: StartPath
  readonly platform: string
  /** Parameters of that endpoint beyond the pair and the provider, from the provider's quotes. */
  readonly parameters: (quotes: ReadonlyArray<QuoteSeen>) => Readonly<Record<string, string>>
  /** The states that have to be seen, in this order. Other states may come between. */
  readonly states: ReadonlyArray<SwapState>
  readonly ending: "paid out" | "refunded"
}

const ethereumAddress = "0x2222222222222222222222222222222222222222"
const bitcoinAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"

const regularPrice = (quotes: ReadonlyArray<QuoteSeen>): Price => {
  const regular = quotes.find((quote) => quote.type === "regular")
  return Price.make(BigDecimal.fromNumberUnsafe(regular?.estimatedPrice ?? 0))
}

/** The states of a swap that ends well, paid out or refunded: all but `failed` (decision 23). */
const everyState: ReadonlyArray<SwapState> = SwapState.literals.filter((state) => state !== "failed")

/** A limit that cannot be met: twice the market's price. */
const unreachable = (price: Price): Price => Price.make(BigDecimal.multiply(price, BigDecimal.fromBigInt(2n)))

/** The price limit that the regular quote meets with one percent to spare. */
const limitOf = (quotes: ReadonlyArray<QuoteSeen>): string =>
  formatDecimal(minimumPrice(regularPrice(quotes), Bps.make(100)))

/** The main job in six ways. */
export const scenarios: ReadonlyArray<Scenario> = [
  {
    title: "A regular swap with a slippage limit of 1 %",
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    amount: "0.1",
    path: "/swap",
    platform: "chainflip",
    parameters: (quotes) => ({
      destinationAddress: ethereumAddress,
      refundAddress: bitcoinAddress,
      minimumPrice: limitOf(quotes),
    }),
    states: everyState,
    ending: "paid out",
  },
  {
    title: "A boosted swap: the deposit is credited before its confirmations",
    sourceAsset: "btc.btc",
    destinationAsset: "usdc.eth",
    amount: "0.05",
    path: "/swap",
    platform: "chainflip",
    parameters: () => ({ destinationAddress: ethereumAddress, boostFee: "30" }),
    states: ["waiting", "swapping", "sending", "sent", "completed"],
    ending: "paid out",
  },
  {
    title: "A DCA swap: spread over time for a better price",
    sourceAsset: "eth.eth",
    destinationAsset: "btc.btc",
    amount: "20",
    path: "/swap",
    platform: "chainflip",
    parameters: (quotes) => ({
      destinationAddress: bitcoinAddress,
      numberOfChunks: `${quotes.find((quote) => quote.type === "dca")?.numberOfChunks ?? 4}`,
      chunkIntervalBlocks: "2",
    }),
    states: everyState,
    ending: "paid out",
  },
  {
    title: "A swap whose minimum price cannot be met: the deposit is refunded",
    sourceAsset: "eth.eth",
    destinationAsset: "usdc.eth",
    amount: "1",
    path: "/swap",
    platform: "chainflip",
    parameters: (quotes) => ({
      destinationAddress: ethereumAddress,
      refundAddress: ethereumAddress,
      minimumPrice: formatDecimal(unreachable(regularPrice(quotes))),
      retryDurationInBlocks: "10",
    }),
    states: everyState,
    ending: "refunded",
  },
  {
    title: "An address that Relay opens for one amount",
    sourceAsset: "eth.arb",
    destinationAsset: "usdc.eth",
    amount: "1.5",
    path: "/swap",
    platform: "relay",
    parameters: (quotes) => ({
      destinationAddress: ethereumAddress,
      refundAddress: ethereumAddress,
      minimumPrice: limitOf(quotes),
      amount: "1.5",
    }),
    states: ["waiting", "completed"],
    ending: "paid out",
  },
  {
    title: "A transaction that says itself what to swap: a memo to THORChain",
    sourceAsset: "eth.eth",
    destinationAsset: "btc.btc",
    amount: "2",
    path: "/tx-payload/evm",
    platform: "thorchain",
    parameters: (quotes) => ({
      destinationAddress: bitcoinAddress,
      refundAddress: ethereumAddress,
      minimumPrice: limitOf(quotes),
      amount: "2",
    }),
    states: ["sending", "sent", "completed"],
    ending: "paid out",
  },
]
