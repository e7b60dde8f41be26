import { BigDecimal, Duration, Option } from "effect"
import { NativeAmount, toHuman } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { type Commission, commissionsOf } from "#domain/money/Commission.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { ofProgram, warningText } from "#domain/swaps/payment/warnings.ts"
import { mostFor, type Price } from "#domain/money/Price.ts"
import type { Quote } from "#domain/quotes/Quote.ts"
import type { QuoteOffer } from "#domain/quotes/QuoteOffer.ts"
import { type SwapRequest, totalCommission } from "#domain/swaps/SwapRequest.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { shownAddress } from "../addresses.ts"
import { isOutOfReach, leastOf } from "./minimumPriceArgument.ts"

/** What the account is offered for a swap, as a quote says it; an id of a quote says nothing of its fees. */
export interface Offered extends
  Pick<
    QuoteOffer,
    "platform" | "amount" | "egress" | "isOutputExact" | "estimatedPrice" | "dca" | "boost"
  > {
  readonly commission?: ReadonlyArray<Commission>
}

export const offeredBy = (quote: Quote): Offered => ({
  platform: quote.platform,
  amount: quote.ingress.amount,
  egress: quote.egress.amount,
  ...(quote.exactOutput === undefined ? {} : { isOutputExact: true }),
  estimatedPrice: quote.estimatedPrice,
  commission: commissionsOf(quote),
  ...defined({ dca: quote.dca }),
  ...optionalMembers(quote.boostQuote, ({ egress, estimatedBoostFeeBps: feeBps, maximumBoostFeeBps }) => ({
    boost: { feeBps, maximumFeeBps: maximumBoostFeeBps, egress: egress.amount },
  })),
})

/** A swap that was checked, as its provider honours it, and what is offered for it. */
interface Prepared {
  readonly request: SwapRequest
  /** What is sent at present; of an output that was asked for, the price limit says how much more that may become. */
  readonly amount: NativeAmount
  readonly offered: Offered
  /** The least that was asked for to arrive, which the least price was made of. */
  readonly received?: NativeAmount
}

const named = (asset: AssetId, amount: BigDecimal.BigDecimal): string => {
  const { chain, ticker } = factsOf(asset)
  return `${formatDecimal(amount)} ${ticker} on ${chain}`
}

/** How long so many blocks take. */
const blocks = (count: number): string => Duration.format(Duration.millis(count * stateChainBlockMillis))

/** How far below the offer a least price is given without a warning, in bps. */
const farBelowBps = 500n
const wholeBps = 10_000n

const percent = (bps: bigint): string => `${formatDecimal(BigDecimal.make(bps, 2))} %`

/** How far a price is below another one that is not less, in whole bps, rounded up. */
const belowBps = (price: Price, other: Price): bigint => {
  const share = BigDecimal.divideUnsafe(BigDecimal.multiply(price, BigDecimal.fromBigInt(wholeBps)), other)
  return wholeBps - BigDecimal.scale(BigDecimal.floor(share), 0).value
}

const priceWarnings = (prepared: Prepared): ReadonlyArray<string> => {
  const { offered: { estimatedPrice }, request: { minimumPrice } } = prepared
  if (isOutOfReach(prepared)) {
    return [
      `The minimum price is above the best current price of ${
        formatDecimal(estimatedPrice)
      }. Unless the price rises in time, the deposit is refunded, less fees.`,
    ]
  }
  const below = belowBps(minimumPrice, estimatedPrice)
  return below > farBelowBps
    ? [
      `The minimum price is ${
        percent(below)
      } below the current price. The swap may bring that much less than quoted.`,
    ]
    : []
}

const share = (bps: number): string => `${bps} bps (${percent(BigInt(bps))})`

/** What the provider keeps for itself of what is charged with the commission, also where there is none. */
const keptLines = ({ offered: { commission = [], platform } }: Prepared): ReadonlyArray<string> =>
  commission.filter(({ kept }) => kept > 0n).map(({ asset, kept }) =>
    `${platform} keeps ${
      named(asset, BigDecimal.make(kept, factsOf(asset).decimals))
    } for itself. The amount above already includes it.`
  )

/** Who takes which share of the swap, affiliates by their accounts; nothing where nobody does. */
const commissionLines = (request: SwapRequest): ReadonlyArray<string> => {
  const total = totalCommission(request)
  return total === 0 && request.affiliates.length === 0 ? [] : [
    `Total commission: ${share(total)}. The amount above already includes it.`,
    ...request.affiliates.map(({ account, commissionBps }) =>
      `Of it, ${share(commissionBps)} goes to the affiliate ${account}.`
    ),
  ]
}

/** What is offered for a boosted deposit, where a boost was asked for up to its highest fee at least. */
const boostedOf = ({ offered: { boost }, request: { maximumBoostFeeBps } }: Prepared): Offered["boost"] =>
  boost !== undefined && maximumBoostFeeBps > 0 && boost.maximumFeeBps <= maximumBoostFeeBps
    ? boost
    : undefined

const boostLines = (prepared: Prepared): ReadonlyArray<string> => {
  const { offered: { boost, egress }, request: { destinationAsset, maximumBoostFeeBps } } = prepared
  if (maximumBoostFeeBps === 0) return []
  const boosted = boostedOf(prepared)
  const most = `For a faster start, a boost fee of up to ${
    share(maximumBoostFeeBps)
  } may come off the deposit.`
  if (boosted !== undefined && isOutOfReach(prepared)) {
    return [`${most} It is ${share(boosted.feeBps)} now.`]
  }
  if (boosted !== undefined) {
    return [
      `${most} It is ${share(boosted.feeBps)} now, and you then get about ${
        named(destinationAsset, toHuman(destinationAsset, boosted.egress))
      }. Without a boost you get about ${named(destinationAsset, toHuman(destinationAsset, egress))}.`,
    ]
  }
  return [
    boost === undefined
      ? `${most} No boost is offered for this amount now.`
      : `${most} A boost needs ${
        share(boost.maximumFeeBps)
      } to be accepted now, so the deposit is not boosted.`,
  ]
}

/** How a swap in chunks goes, and what becomes of the chunks that cannot have the least price. */
const chunkLines = ({ request: { dca } }: Prepared): ReadonlyArray<string> =>
  dca === undefined ? [] : [
    `It is swapped in ${dca.numberOfChunks} chunks, ${dca.chunkIntervalBlocks} blocks (${
      blocks(dca.chunkIntervalBlocks)
    }) from one to the next. If a chunk misses the minimum price, the output so far is paid out and ` +
    "the rest of the deposit is refunded.",
  ]

/** The figures are of a quote in one piece where no quote has the wanted chunks. */
const chunkWarnings = ({ offered, request: { dca } }: Prepared): ReadonlyArray<string> =>
  dca === undefined || offered.dca !== undefined ? [] : [
    "No provider quotes these chunks. The amount is that of a swap in one piece.",
  ]

/** How long the least price is waited for before the deposit goes back. */
const retryLine = ({ retryDurationBlocks }: SwapRequest): string =>
  retryDurationBlocks === 0
    ? "The minimum price is tried once, without waiting."
    : `The minimum price is tried for up to ${retryDurationBlocks} blocks (${blocks(retryDurationBlocks)}).`

/** What arrives by the quote. Where the least price is out of reach that amount never does. */
const outputLine = (prepared: Prepared): string => {
  const { offered: { egress, platform }, request: { destinationAsset } } = prepared
  const about = named(destinationAsset, toHuman(destinationAsset, egress))
  if (prepared.offered.isOutputExact === true) {
    return `Exactly ${about} arrives, through ${platform}, or the deposit is refunded.`
  }
  return isOutOfReach(prepared)
    ? `At the current price about ${about} would arrive, through ${platform}. That is below the minimum price, so ` +
      "nothing is swapped now."
    : `You get about ${about}, through ${platform}.`
}

const receivedLines = ({ received, request: { destinationAsset } }: Prepared): ReadonlyArray<string> =>
  received === undefined ? [] : [
    `You get no less than ${
      named(destinationAsset, toHuman(destinationAsset, received))
    }, or the deposit is refunded. The minimum price allows for twice today's fees.`,
  ]

/** What is sent. Of an output that was asked for it is told once more when the address is there. */
const sendLine = (
  { amount, offered, request: { destinationAsset, minimumPrice, sourceAsset } }: Prepared,
): string => {
  const sent = named(sourceAsset, toHuman(sourceAsset, amount))
  if (offered.isOutputExact !== true) return `You send ${sent}.`
  const most = NativeAmount.makeOption(
    mostFor(offered.egress, minimumPrice, sourceAsset, destinationAsset) ?? -1n,
  )
  return `You send about ${sent}${
    Option.match(most, {
      onNone: () => "",
      onSome: (most) => `, and no more than ${named(sourceAsset, toHuman(sourceAsset, most))}`,
    })
  }. The response with the address says how much. Any excess is refunded, less the provider's fee.`
}

/** What a swap comes to in plain words, for the human who confirms it. */
export const summarise = (prepared: Prepared) => {
  const { offered, request } = prepared
  const { dca, destinationAddress, destinationAsset, minimumPrice, refundAddress, sourceAsset } = request
  const least = leastOf(prepared)
  const warnings = [
    ...priceWarnings(prepared),
    ...chunkWarnings(prepared),
    ...[ofProgram(destinationAsset, destinationAddress), ofProgram(sourceAsset, refundAddress)].flatMap((
      warning,
    ) => warning === undefined ? [] : [warningText(warning)]),
  ]
  const { ticker } = factsOf(sourceAsset)
  return {
    least,
    boosted: boostedOf(prepared),
    warnings,
    summary: [
      sendLine(prepared),
      outputLine(prepared),
      ...receivedLines(prepared),
      `The minimum price is ${formatDecimal(minimumPrice)} ${
        factsOf(destinationAsset).ticker
      } for 1 ${ticker}` +
      (offered.isOutputExact === true
        ? ". If more would have to be sent, nothing is opened."
        : `, at which about ${
          named(destinationAsset, toHuman(destinationAsset, least))
        } arrives after today's fees. ${
          dca === undefined
            ? "Below it nothing is swapped, and the deposit is refunded."
            : "Below it no chunk is swapped."
        }`),
      retryLine(request),
      ...chunkLines(prepared),
      ...commissionLines(request),
      ...keptLines(prepared),
      ...boostLines(prepared),
      `It is paid to ${shownAddress(chainOf(destinationAsset), destinationAddress)} on ${
        chainOf(destinationAsset)
      }.`,
      `A refund goes to ${shownAddress(chainOf(sourceAsset), refundAddress)} on ${
        chainOf(sourceAsset)
      }, less the network's fee.`,
      ...warnings.map((warning) => `Warning: ${warning}`),
      "A payment cannot be reversed. Compare both addresses with your own wallets.",
    ].join("\n"),
  }
}
