import { Effect, Option, Predicate, Result, Schema, SchemaIssue } from "effect"
import type { BrokerAccount } from "#domain/chains/Address.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { type Fee, feeOrder, FeeType } from "#domain/money/Fee.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type {
  BoostQuote,
  Durations,
  PoolInfo,
  Quote,
  QuoteFigures,
  QuoteRequest,
} from "#domain/quotes/Quote.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Provider } from "../Provider.ts"
import * as Values from "../upstream/values.ts"
import { type Backend, failAs, name } from "./client.ts"
import { canBoost, type Conditions } from "./conditions.ts"
import { checkQuote } from "./openings.ts"
import { upstreamText } from "../upstream/failures.ts"
import { findNetworkAsset } from "#domain/chains/payload/contractNumbers.ts"

const assetParts = { chain: Schema.String, asset: Schema.String }

interface AssetParts {
  readonly chain: string
  readonly asset: string
}

const isKnownAsset = Schema.makeFilter(({ chain, asset }: AssetParts, _, options) =>
  findNetworkAsset(chain, asset) === undefined
    ? new SchemaIssue.InvalidValue({ expected: "a known asset" }, `${chain}/${asset}`, options)
    : undefined
)

/** The asset of `{chain, asset}`, which the schema has checked to be known. */
const readAsset = ({ chain, asset }: AssetParts): AssetId =>
  Option.getOrThrow(Option.fromUndefinedOr(findNetworkAsset(chain, asset)))

const WireAsset = Schema.Struct(assetParts).check(isKnownAsset)

/** `{chain, asset}` of what is only shown: an asset that is new to us takes nothing from the rest. */
const WireShownAsset = Schema.Struct(assetParts)

const findWireAsset = ({ chain, asset }: AssetParts): AssetId | undefined => findNetworkAsset(chain, asset)

const WireAssetAmount = Schema.Struct({ ...assetParts, amount: Values.WrittenAmount })

/** `{type, chain, asset, amount}`. The type is any text, as new types may come, and so may assets. */
export const WireFee = Schema.Struct({ ...assetParts, type: Schema.String, amount: Values.WrittenAmount })
export type WireFee = typeof WireFee.Type

interface ReadFees extends Values.Noticed {
  readonly fees: ReadonlyArray<Fee>
}

/** The network keeps nothing of a commission, so that no fee of its own is one of the `provider`. */
const feeTypes = new Map<string, FeeType>(
  FeeType.literals.filter((type) => type !== "provider").map((type) => [type, type]),
)

const findFeeType = (type: string): FeeType | undefined => feeTypes.get(type.toLowerCase())

/** The order of decision 22. Fees of one type keep theirs. */
const byFeeOrder = (left: Fee, right: Fee): number =>
  feeOrder.indexOf(left.type) - feeOrder.indexOf(right.type)

export const toFees = (of: "quote" | "swap", wireFees: ReadonlyArray<WireFee>): ReadFees => {
  const fees: Array<Fee> = []
  const notices: Array<string> = []
  for (const wire of wireFees) {
    const type = findFeeType(wire.type)
    const asset = findWireAsset(wire)
    if (type === undefined) {
      notices.push(`Left out a ${of}'s fee of the unknown type ${upstreamText(wire.type)}`)
    } else if (asset === undefined) {
      notices.push(
        `Left out a ${of}'s fee in the unknown asset ${upstreamText(`${wire.chain}/${wire.asset}`)}`,
      )
    } else fees.push({ type, asset, amount: Values.readAmount(wire.amount) })
  }
  return { fees: fees.sort(byFeeOrder), notices }
}

/** The members that plain and boosted quotes share (chainflip/wire.md 3.2). */
const figures = {
  srcAsset: WireAsset,
  destAsset: WireAsset,
  depositAmount: Values.WrittenAmount,
  intermediateAmount: Values.writtenMaybe(Values.WrittenAmount),
  egressAmount: Values.WrittenAmount,
  includedFees: Schema.Array(WireFee),
  poolInfo: Values.writtenMaybe(Schema.Array(
    Schema.Struct({ baseAsset: WireShownAsset, quoteAsset: WireShownAsset, fee: WireAssetAmount }),
  )),
  lowLiquidityWarning: Values.writtenMaybe(Schema.Boolean),
  /** In seconds; only shown. */
  estimatedDurationSeconds: Schema.optionalKey(Schema.Unknown),
  estimatedDurationsSeconds: Schema.optionalKey(Schema.Unknown),
}

export const WireFigures = Schema.Struct(figures)
export type WireFigures = typeof WireFigures.Type

/** An element of the answer of `GET /v2/quote` with a known type. Its figures are checked, but not read yet. */
export const WireQuote = Schema.Struct({
  ...figures,
  estimatedPrice: Values.WrittenPrice,
  recommendedSlippageTolerancePercent: Values.WrittenDecimal,
  dcaParams: Values.writtenMaybe(
    Schema.Struct({ numberOfChunks: Values.WrittenCount, chunkIntervalBlocks: Values.WrittenCount }),
  ),
  boostQuote: Values.writtenMaybe(Schema.Struct({
    ...figures,
    estimatedPrice: Values.writtenMaybe(Values.WrittenPrice),
    estimatedBoostFeeBps: Values.WrittenBasisPoints,
    maxBoostFeeBps: Values.writtenMaybe(Values.WrittenBasisPoints),
  })),
})
export type WireQuote = typeof WireQuote.Type

/** The part of the answer that tells which elements are of a known type. */
const WireQuotes = Schema.Array(Schema.Struct({ type: Schema.String }))

const toQuoteQuery = (request: QuoteRequest, brokerAccount: BrokerAccount) => {
  const source = factsOf(request.sourceAsset)
  const destination = factsOf(request.destinationAsset)
  return {
    srcChain: source.chain,
    srcAsset: source.ticker,
    destChain: destination.chain,
    destAsset: destination.ticker,
    amount: `${unitsOf(request.amount)}`,
    brokerCommissionBps: `${request.commissionBps}`,
    isVaultSwap: "false",
    isOnChain: "false",
    dcaEnabled: "true",
    dcaV2Enabled: "true",
    // Servers of 2026 read the one or the other.
    brokerAccount,
    brokerIdSs58: brokerAccount,
  }
}

/** The asset of intermediate amounts, which only routes with two legs have (chainflip/wire.md 1.2). */
const intermediateAsset: AssetId = "usdc.eth"

type WirePool = NonNullable<WireFigures["poolInfo"]>[number]

const toPool = ({ baseAsset, fee, quoteAsset }: WirePool): ReadonlyArray<PoolInfo> => {
  const [base, quote, paid] = [baseAsset, quoteAsset, fee].map(findWireAsset)
  return base === undefined || quote === undefined || paid === undefined ? [] : [{
    baseAsset: base,
    quoteAsset: quote,
    fee: { asset: paid, amount: Values.readAmount(fee.amount) },
  }]
}

const partOf = (parts: unknown, name: keyof Durations): number =>
  Values.readSeconds(Predicate.hasProperty(parts, name) ? parts[name] : undefined)

const toFigures = (wire: WireFigures, fees: ReadonlyArray<Fee>): QuoteFigures => ({
  ingress: { asset: readAsset(wire.srcAsset), amount: Values.readAmount(wire.depositAmount) },
  ...optionalMembers(wire.intermediateAmount ?? undefined, (amount) => ({
    intermediate: { asset: intermediateAsset, amount: Values.readAmount(amount) },
  })),
  egress: { asset: readAsset(wire.destAsset), amount: Values.readAmount(wire.egressAmount) },
  fees,
  pools: (wire.poolInfo ?? []).flatMap(toPool),
  lowLiquidityWarning: wire.lowLiquidityWarning ?? false,
  durations: {
    deposit: partOf(wire.estimatedDurationsSeconds, "deposit"),
    swap: partOf(wire.estimatedDurationsSeconds, "swap"),
    egress: partOf(wire.estimatedDurationsSeconds, "egress"),
  },
  totalDuration: Values.readSeconds(wire.estimatedDurationSeconds),
})

type WireBoostQuote = NonNullable<WireQuote["boostQuote"]>

const toDca = ({ numberOfChunks, chunkIntervalBlocks }: NonNullable<WireQuote["dcaParams"]>) => ({
  numberOfChunks: Values.readCount(numberOfChunks),
  chunkIntervalBlocks: Values.readCount(chunkIntervalBlocks),
})

/** The boosted offer; none where the upstream does not say up to which fee a boost has to be accepted. */
const toBoostQuote = (wire: WireBoostQuote, fees: ReadonlyArray<Fee>): BoostQuote | undefined => {
  const { maxBoostFeeBps: most } = wire
  if (most === undefined || most === null) return undefined
  const estimatedBoostFeeBps = Values.readBasisPoints(wire.estimatedBoostFeeBps)
  return {
    ...toFigures(wire, fees),
    ...optionalMembers(
      wire.estimatedPrice ?? undefined,
      (price) => ({ estimatedPrice: Values.readPrice(price) }),
    ),
    estimatedBoostFeeBps,
    maximumBoostFeeBps: Bps.make(Math.max(estimatedBoostFeeBps, Values.readBasisPoints(most))),
  }
}

/** The liquidity fees of pools, which only the plain quote lists (decision 22). */
const liquidityFees = (pools: ReadonlyArray<PoolInfo>): ReadonlyArray<Fee> =>
  pools.map(({ fee }) => ({ type: "liquidity", ...fee }))

const toQuote = (wire: WireQuote, isDca: boolean, boosts: boolean): ReadQuotes => {
  const { fees, notices } = toFees("quote", wire.includedFees)
  const figures = toFigures(wire, fees)
  const boosted = boosts ? wire.boostQuote ?? undefined : undefined
  const boostFees = toFees("quote", boosted?.includedFees ?? [])
  const boostQuote = boosted && toBoostQuote(boosted, boostFees.fees)
  const quote: Quote = {
    ...figures,
    fees: [...fees, ...liquidityFees(figures.pools)],
    platform: name,
    ...optionalMembers(isDca ? wire.dcaParams ?? undefined : undefined, (dca) => ({ dca: toDca(dca) })),
    estimatedPrice: Values.readPrice(wire.estimatedPrice),
    recommendedSlippageTolerancePercent: Values.readDecimal(wire.recommendedSlippageTolerancePercent),
    ...optionalMembers(boostQuote, (boostQuote) => ({ boostQuote })),
  }
  return {
    quotes: [quote],
    notices: [
      ...notices,
      ...boostFees.notices,
      ...(boosted !== undefined && boostQuote === undefined
        ? ["Left out a boost quote without a maximum boost fee"]
        : []),
      ...(figures.pools.length < (wire.poolInfo ?? []).length
        ? ["Left out a quote's pool of an unknown asset"]
        : []),
    ],
  }
}

/** The quotes of known types, and a line for the log about each thing that was left out. */
interface ReadQuotes extends Values.Noticed {
  readonly quotes: ReadonlyArray<Quote>
}

/** The first difference between a quote and its request; nothing where pair and amount are the requested ones. */
const mismatch = (wire: WireFigures, request: QuoteRequest): string | undefined => {
  const source = readAsset(wire.srcAsset)
  const destination = readAsset(wire.destAsset)
  const amount = Values.readAmount(wire.depositAmount)
  if (source !== request.sourceAsset) return `srcAsset: expected ${request.sourceAsset}, got ${source}`
  if (destination !== request.destinationAsset) {
    return `destAsset: expected ${request.destinationAsset}, got ${destination}`
  }
  return amount === request.amount ? undefined : `depositAmount: expected ${request.amount}, got ${amount}`
}

const mismatchIn = (wire: WireQuote, request: QuoteRequest): string | undefined => {
  const boost = wire.boostQuote ? mismatch(wire.boostQuote, request) : undefined
  return mismatch(wire, request) ?? (boost === undefined ? undefined : `boostQuote.${boost}`)
}

const leftOut = (notice: string): ReadQuotes => ({ quotes: [], notices: [notice] })

const readQuote = (type: string, body: unknown, index: number, request: QuoteRequest, boosts: boolean) => {
  if (type !== "REGULAR" && type !== "DCA") {
    return Result.succeed(leftOut(`Left out a quote of the unknown type ${upstreamText(type)}`))
  }
  return Result.flatMap(Values.decode(WireQuote, body, [index]), (wire) => {
    const fault = mismatchIn(wire, request)
    if (fault !== undefined) {
      return Values.malformed(`[${index}].${fault}`)
    }
    return Result.succeed(
      type === "DCA" && !wire.dcaParams
        ? leftOut("Left out a quote in chunks without their number")
        : toQuote(wire, type === "DCA", boosts),
    )
  })
}

/** Reads `GET /v2/quote` (chainflip/wire.md 3.2, 3.4); boosted quotes only where deposits are boosted now. */
const readQuotes = (body: unknown, request: QuoteRequest, boosts: boolean) =>
  Result.gen(function* () {
    const types = yield* Values.decode(WireQuotes, body)
    const elements: ReadonlyArray<unknown> = Array.isArray(body) ? body : []
    const quotes: Array<Quote> = []
    const notices: Array<string> = []
    for (const [index, { type }] of types.entries()) {
      const read = yield* readQuote(type, elements[index], index, request, boosts)
      quotes.push(...read.quotes)
      notices.push(...read.notices)
    }
    return { quotes, notices }
  })

/** Makes the operation. A request that the upstream would refuse is refused before it is asked. */
export const makeQuotes = (
  backend: Backend,
  conditions: Effect.Effect<Conditions, ProviderErrorReason>,
  brokerAccount: BrokerAccount,
): Provider["quotes"] =>
  Effect.fnUntraced(
    function* (request) {
      const current = yield* conditions
      yield* Effect.fromResult(checkQuote(current, request))
      const body = yield* backend.quotes(toQuoteQuery(request, brokerAccount), request)
      const { quotes } = yield* Values.logged(
        readQuotes(body, request, canBoost(current, request.sourceAsset)),
      )
      return quotes
    },
    failAs("quote"),
    lightSpan("Chainflip.quotes"),
  )
