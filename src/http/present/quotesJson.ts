import { formatUnits } from "../../domain/Amount.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { Bps } from "../../domain/Bps.ts"
import type { DcaParameters } from "../../domain/Dca.ts"
import { formatDecimal } from "../../domain/Decimal.ts"
import type { AssetAmount, BoostQuote, PoolInfo, Quote, QuoteFigures } from "../../domain/Quote.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import { seconds } from "../../api/present/figures.ts"

/*
 * Quotes are what is asked for most, and long. Written straight as text they take a small part of the time
 * that the contract's schema takes to encode them; a test holds the two against each other to the letter. No
 * text in a quote needs escaping: all of it is one of a closed set, or a provider's name.
 */

const listOf = <A>(values: ReadonlyArray<A>, write: (value: A) => string): string =>
  `[${values.map(write).join(",")}]`

/** An amount in both forms (decision 19). */
const amountOf = (asset: AssetId, amount: bigint): string =>
  `"asset":"${asset}","amount":${formatUnits(asset, amount)},"amountNative":"${amount}"`

const side = (name: string, { asset, amount }: AssetAmount): string =>
  `"${name}Asset":"${asset}","${name}Amount":${formatUnits(asset, amount)},"${name}AmountNative":"${amount}"`

const amounts = ({ ingress, intermediate, egress, fees }: QuoteFigures): string =>
  `${side("ingress", ingress)},${intermediate === undefined ? "" : `${side("intermediate", intermediate)},`}${
    side("egress", egress)
  },"includedFees":${
    listOf(fees, ({ type, asset, amount }) => `{"type":"${type}",${amountOf(asset, amount)}}`)
  }`

const poolOf = ({ baseAsset, quoteAsset, fee }: PoolInfo): string =>
  `{"baseAsset":"${baseAsset}","quoteAsset":"${quoteAsset}","fee":{${amountOf(fee.asset, fee.amount)}}}`

const time = (millis: number): string => formatDecimal(seconds(millis))

const outlook = ({ lowLiquidityWarning, pools, durations, totalDuration }: QuoteFigures): string =>
  `"lowLiquidityWarning":${lowLiquidityWarning},"poolInfo":${
    listOf(pools, poolOf)
  },"estimatedDurationSeconds":${time(totalDuration)},"estimatedDurationsSeconds":{"deposit":${
    time(durations.deposit)
  },"swap":${time(durations.swap)},"egress":${time(durations.egress)}}`

const chunks = (dca: DcaParameters | undefined): string =>
  dca === undefined
    ? ""
    : `,"chunkIntervalBlocks":${dca.chunkIntervalBlocks},"numberOfChunks":${dca.numberOfChunks}`

/** What an opening depends on besides the quote. */
export interface OpeningTerms {
  /** The providers that price each deposit, and so have to know the amount. */
  readonly needsAmount: ReadonlyArray<ProviderName>
  /** The commission that the caller asked for, raised to the account's; absent where the account's own is meant. */
  readonly commissionBps: Bps | undefined
}

/** The parameters of `/swap` that open this very offer. */
const swapParameters = (quote: Quote, terms: OpeningTerms, boostFee?: Bps): string => {
  const { egress, ingress, platform } = quote
  const amount = terms.needsAmount.includes(platform)
    ? `,"amount":${formatUnits(ingress.asset, ingress.amount)}`
    : ""
  const commission = terms.commissionBps === undefined ? "" : `,"commissionBps":${terms.commissionBps}`
  return `"swapParameters":{"sourceAsset":"${ingress.asset}","destinationAsset":"${egress.asset}"${amount}${
    chunks(quote.dca)
  }${boostFee === undefined ? "" : `,"boostFee":${boostFee}`}${commission},"platform":"${platform}"}`
}

const boostOf = (boost: BoostQuote, quote: Quote, terms: OpeningTerms): string =>
  `{${amounts(boost)},${outlook(boost)},"estimatedBoostFeeBps":${boost.estimatedBoostFeeBps}${
    chunks(quote.dca)
  },${swapParameters(quote, terms, boost.estimatedBoostFeeBps)}}`

/** A quote as the contract shows it (decisions 18 to 22). */
const quoteOf = (quote: Quote, terms: OpeningTerms): string =>
  `{"type":"${quote.dca === undefined ? "regular" : "dca"}",${
    amounts(quote)
  },"recommendedSlippageTolerancePercent":${formatDecimal(quote.recommendedSlippageTolerancePercent)},${
    outlook(quote)
  },"estimatedPrice":${formatDecimal(quote.estimatedPrice)}${
    quote.boostQuote === undefined ? "" : `,"boostQuote":${boostOf(quote.boostQuote, quote, terms)}`
  }${chunks(quote.dca)},${swapParameters(quote, terms)},"platform":"${quote.platform}"}`

/** The JSON text of quotes. */
export const quotesJson = (quotes: ReadonlyArray<Quote>, terms: OpeningTerms): string =>
  listOf(quotes, (quote) => quoteOf(quote, terms))
