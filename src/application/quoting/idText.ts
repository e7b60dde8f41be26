import { BigDecimal, Option } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId, findAssetId } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { QuoteOffer } from "#domain/quotes/QuoteOffer.ts"
import { EpochMillis } from "#domain/Time.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { ExplanationPlace } from "./Explanations.ts"

/** A quote as its id tells it. */
export interface IdContent {
  readonly offer: QuoteOffer
  /** Where the order of its answer is explained. */
  readonly explained: ExplanationPlace
}

/** The first part of an id, which names the order of the others. */
const version = "q1"

/** Stands between the parts, and in none of them. */
export const separator = "~"

/** The most digits of a decimal in an id: more than any quote needs, and so few that every id fits into `QuoteId`. */
const mostDigits = 60

/** A decimal of 0 or more; one with too many digits is rounded. */
const writeDecimal = ({ scale, value }: BigDecimal.BigDecimal, rounding: "up" | "down"): string => {
  const dropped = `${value}`.length - mostDigits
  if (dropped <= 0) return `${value}.${scale}`
  const divisor = 10n ** BigInt(dropped)
  return `${(value + (rounding === "up" ? divisor - 1n : 0n)) / divisor}.${scale - dropped}`
}

/** The last part of the id of a quote whose output was asked for; ids of others end before it. */
const exactly = "out"

/** What an id promises is never worse for the caller than the quote: a higher price, or less of a tolerance. */
export const write = (offer: QuoteOffer, { number, process }: ExplanationPlace): string => {
  const { boost, dca, estimatedPrice, quotedAt = "", recommendedSlippageTolerancePercent } = offer
  const chunks = dca === undefined ? "" : `${dca.numberOfChunks}.${dca.chunkIntervalBlocks}`
  const boosted = boost === undefined ? "" : `${boost.maximumFeeBps}.${boost.egress}.${boost.feeBps}`
  return `${version}~${offer.platform}~${offer.sourceAsset}~${offer.destinationAsset}~${offer.amount}~${offer.egress}~${
    writeDecimal(estimatedPrice, "up")
  }~${
    writeDecimal(recommendedSlippageTolerancePercent, "down")
  }~${offer.commissionBps}~${chunks}~${boosted}~${offer.expiresAt}~${process}.${number}~${quotedAt}${
    offer.isOutputExact === true ? `~${exactly}` : ""
  }`
}

const digits = /^-?[0-9]{1,80}$/

const integerOf = (text: string | undefined): Option.Option<bigint> =>
  text !== undefined && digits.test(text) ? Option.some(BigInt(text)) : Option.none()

const numberOf = (text: string | undefined): Option.Option<number> => Option.map(integerOf(text), Number)

const pairOf = (text: string | undefined): readonly [string | undefined, string | undefined] => {
  const [one, other] = (text ?? "").split(".")
  return [one, other]
}

const decimalOf = (text: string | undefined): Option.Option<BigDecimal.BigDecimal> => {
  const [value, scale] = pairOf(text)
  return Option.map(
    Option.all([integerOf(value), numberOf(scale)]),
    ([value, scale]) => BigDecimal.make(value, scale),
  )
}

/** An absent part, or its value; nothing where it cannot be read. */
const orAbsent = <A>(text: string | undefined, read: (text: string) => Option.Option<A>) =>
  text === "" || text === undefined ? Option.some(undefined) : read(text)

const nativeOf = (text: string | undefined) => Option.flatMap(integerOf(text), NativeAmount.makeOption)
const timeOf = (text: string | undefined) => Option.flatMap(numberOf(text), EpochMillis.makeOption)
const bpsOf = (text: string | undefined) => Option.flatMap(numberOf(text), Bps.makeOption)

const assetOf = (text: string | undefined): Option.Option<AssetId> =>
  Option.fromUndefinedOr(findAssetId(text ?? ""))

/** Reads what `write` wrote; nothing of any other text. */
export const read = (text: string): Option.Option<IdContent> => {
  const [known, platform = "", source, destination, ...figures] = text.split(separator)
  const [amount, egress, price, tolerance, commission, chunks, boosted, expiry, place, given, fixed] = figures
  if (known !== version || (fixed !== undefined && fixed !== exactly)) return Option.none()
  const [process, number] = pairOf(place)
  return Option.map(
    Option.all({
      platform: ProviderName.makeOption(platform),
      sourceAsset: assetOf(source),
      destinationAsset: assetOf(destination),
      amount: nativeOf(amount),
      egress: nativeOf(egress),
      estimatedPrice: Option.flatMap(decimalOf(price), Price.makeOption),
      recommendedSlippageTolerancePercent: decimalOf(tolerance),
      commissionBps: bpsOf(commission),
      expiresAt: timeOf(expiry),
      number: numberOf(number),
      quotedAt: orAbsent(given, timeOf),
      dca: orAbsent(chunks, (text) => {
        const [count, interval] = pairOf(text)
        return Option.all({ numberOfChunks: numberOf(count), chunkIntervalBlocks: numberOf(interval) })
      }),
      boost: orAbsent(boosted, (text) => {
        // An id of an earlier version has one fee; that version reads the first two parts of this one's.
        const [maximum, egress, fee = maximum] = text.split(".")
        return Option.all({ maximumFeeBps: bpsOf(maximum), egress: nativeOf(egress), feeBps: bpsOf(fee) })
      }),
    }),
    ({ boost, dca, number, quotedAt, ...offer }) => ({
      offer: {
        ...offer,
        ...(fixed === exactly ? { isOutputExact: true } : {}),
        ...optionalMembers(dca, (dca) => ({ dca })),
        ...optionalMembers(boost, (boost) => ({ boost })),
        ...optionalMembers(quotedAt, (quotedAt) => ({ quotedAt })),
      },
      explained: { process: process ?? "", number },
    }),
  )
}
