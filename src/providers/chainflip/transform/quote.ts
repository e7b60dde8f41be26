import { Result } from "effect"
import type { BrokerAccount } from "../../../domain/Address.ts"
import { type AssetId, factsOf } from "../../../domain/Asset.ts"
import type { DcaParameters } from "../../../domain/Dca.ts"
import { MalformedBody } from "../../../domain/ProviderError.ts"
import type { ProviderName } from "../../../domain/ProviderName.ts"
import type { Quote, QuoteFigures, QuoteRequest } from "../../../domain/Quote.ts"
import { upstreamText } from "../../upstream/upstreamText.ts"
import { decode } from "../../upstream/decode.ts"
import { type WireFigures, WireQuote, WireQuotes } from "../wire/quotes.ts"
import type { Noticed } from "../../upstream/notices.ts"
import { toFees } from "./fees.ts"
import { present } from "../../upstream/present.ts"

/** The query of `GET /v2/quote` (chainflip.md 3.1). Both DCA switches, for servers old and new. */
export const toQuoteQuery = (
  request: QuoteRequest,
  brokerAccount: BrokerAccount,
): Readonly<Record<string, string>> => {
  const source = factsOf(request.sourceAsset)
  const destination = factsOf(request.destinationAsset)
  return {
    srcChain: source.chain,
    srcAsset: source.ticker,
    destChain: destination.chain,
    destAsset: destination.ticker,
    amount: `${request.amount}`,
    brokerCommissionBps: `${request.commissionBps}`,
    isVaultSwap: "false",
    isOnChain: "false",
    dcaEnabled: "true",
    dcaV2Enabled: "true",
    brokerAccount,
  }
}

/** Only routes with two legs have an intermediate amount, and it is always in usdc.eth (chainflip.md 1.2). */
const intermediateAsset: AssetId = "usdc.eth"

const toFigures = (wire: WireFigures): QuoteFigures => ({
  ingress: { asset: wire.srcAsset, amount: wire.depositAmount },
  ...present(wire.intermediateAmount, (amount) => ({ intermediate: { asset: intermediateAsset, amount } })),
  egress: { asset: wire.destAsset, amount: wire.egressAmount },
  fees: toFees(wire.includedFees).fees,
  pools: wire.poolInfo,
  lowLiquidityWarning: wire.lowLiquidityWarning ?? false,
  durations: wire.estimatedDurationsSeconds,
  totalDuration: wire.estimatedDurationSeconds,
})

const toQuote = (wire: WireQuote, platform: ProviderName, dca: DcaParameters | undefined): Quote => {
  const figures = toFigures(wire)
  return {
    ...figures,
    // Only the plain quote gets the liquidity rows (decision 22).
    fees: [...figures.fees, ...wire.poolInfo.map(({ fee }) => ({ type: "liquidity" as const, ...fee }))],
    platform,
    ...present(dca, (dca) => ({ dca })),
    estimatedPrice: wire.estimatedPrice,
    recommendedSlippageTolerancePercent: wire.recommendedSlippageTolerancePercent,
    ...present(wire.boostQuote, (boosted) => ({
      boostQuote: { ...toFigures(boosted), estimatedBoostFeeBps: boosted.estimatedBoostFeeBps },
    })),
  }
}

/** The quotes of known types, and a line for the log about each thing that was left out. */
export interface ReadQuotes extends Noticed {
  readonly quotes: ReadonlyArray<Quote>
}

const nothingRead: ReadQuotes = { quotes: [], notices: [] }

/** What is wrong with an answer that decodes: another pair than was asked, or DCA without its parameters. */
const mismatch = (wire: WireQuote, request: QuoteRequest, type: string): string | undefined => {
  if (wire.srcAsset !== request.sourceAsset) {
    return `srcAsset: expected ${request.sourceAsset}, got ${wire.srcAsset}`
  }
  if (wire.destAsset !== request.destinationAsset) {
    return `destAsset: expected ${request.destinationAsset}, got ${wire.destAsset}`
  }
  return type === "DCA" && wire.dcaParams === undefined
    ? "dcaParams: expected a value, got nothing"
    : undefined
}

const readQuote = (
  type: string,
  body: unknown,
  index: number,
  request: QuoteRequest,
  platform: ProviderName,
): Result.Result<ReadQuotes, MalformedBody> => {
  if (type !== "REGULAR" && type !== "DCA") {
    return Result.succeed({
      quotes: [],
      notices: [`Left out a quote of the unknown type ${upstreamText(type)}`],
    })
  }
  return Result.flatMap(decode(WireQuote, body, [index]), (wire) => {
    const fault = mismatch(wire, request, type)
    if (fault !== undefined) {
      return Result.fail(new MalformedBody({ detail: `[${index}].${fault}`, reached: true }))
    }
    const unknown = toFees([...wire.includedFees, ...wire.boostQuote?.includedFees ?? []]).unknownTypes
    return Result.succeed({
      quotes: [toQuote(wire, platform, type === "DCA" ? wire.dcaParams : undefined)],
      notices: unknown.map((type) => `Left out a quote's fee of the unknown type ${upstreamText(type)}`),
    })
  })
}

/** Reads the answer of `GET /v2/quote` to `request` (chainflip.md 3.2, 3.4). */
export const readQuotes = (
  body: unknown,
  request: QuoteRequest,
  platform: ProviderName,
): Result.Result<ReadQuotes, MalformedBody> =>
  Result.gen(function* () {
    const elements = yield* decode(WireQuotes, body)
    let all = nothingRead
    for (const [index, element] of elements.entries()) {
      const read = yield* readQuote(element.type, element, index, request, platform)
      all = { quotes: [...all.quotes, ...read.quotes], notices: [...all.notices, ...read.notices] }
    }
    return all
  })
