import { BigDecimal } from "effect"
import type { AssetId } from "../domain/Asset.ts"
import { Bps } from "../domain/Bps.ts"
import { formatDecimal } from "../domain/Decimal.ts"
import { minimumPrice, Price } from "../domain/Price.ts"
import { SwapState } from "../domain/Swap.ts"
import type { QuoteSeen } from "./Client.ts"

/** A swap that the demo makes, and its expected course. */
export interface Scenario {
  readonly title: string
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amount: string
  /** Parameters of `/swap` beyond the pair, chosen from the quotes as an integrator would. */
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

/** The scenarios of the demo: a plain swap, a boosted one, one in chunks, and one that is sent back. */
export const scenarios: ReadonlyArray<Scenario> = [
  {
    title: "A regular swap with a slippage limit of 1 %",
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    amount: "0.1",
    parameters: (quotes) => ({
      destinationAddress: ethereumAddress,
      refundAddress: bitcoinAddress,
      minimumPrice: formatDecimal(minimumPrice(regularPrice(quotes), Bps.make(100))),
    }),
    states: everyState,
    ending: "paid out",
  },
  {
    title: "A boosted swap: the deposit is credited before its confirmations",
    sourceAsset: "btc.btc",
    destinationAsset: "usdc.eth",
    amount: "0.05",
    parameters: () => ({ destinationAddress: ethereumAddress, boostFee: "30" }),
    states: ["waiting", "swapping", "sending", "sent", "completed"],
    ending: "paid out",
  },
  {
    title: "A DCA swap: spread over time for a better price",
    sourceAsset: "eth.eth",
    destinationAsset: "btc.btc",
    amount: "20",
    parameters: (quotes) => ({
      destinationAddress: bitcoinAddress,
      numberOfChunks: `${quotes.find((quote) => quote.type === "dca")?.numberOfChunks ?? 4}`,
      chunkIntervalBlocks: "2",
    }),
    states: everyState,
    ending: "paid out",
  },
  {
    title: "A swap whose price limit cannot be met: the deposit goes back",
    sourceAsset: "eth.eth",
    destinationAsset: "usdc.eth",
    amount: "1",
    parameters: (quotes) => ({
      destinationAddress: ethereumAddress,
      refundAddress: ethereumAddress,
      minimumPrice: formatDecimal(unreachable(regularPrice(quotes))),
      retryDurationInBlocks: "10",
    }),
    states: everyState,
    ending: "refunded",
  },
]
