import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { BigDecimal, Context, Effect, Layer, Option, Redacted } from "effect"
import { Base64Url } from "effect/encoding"
import { Buffer } from "node:buffer"
import { timingSafeEqual } from "node:crypto"
import { derivedKey } from "../accounts/derivedKey.ts"
import type { AccountId } from "#domain/accounts/Account.ts"
import { Bps } from "#domain/money/Bps.ts"
import { longestQuoteId, QuoteId } from "#domain/quotes/BoundQuote.ts"
import type { QuoteOffer } from "#domain/quotes/QuoteOffer.ts"
import { EpochMillis } from "#domain/Time.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { afterDeposit, type TimedQuote } from "#domain/quotes/Quote.ts"
import {
  explainedFor,
  type ExplanationPlace,
  Explanations,
  type KeptAnswer,
  type KeptQuote,
  type NotExplained,
} from "./Explanations.ts"
import type { Ranking } from "./Ranking.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId, findAssetId } from "#domain/chains/Asset.ts"
import { Price } from "#domain/money/Price.ts"
import { ProviderName } from "#domain/ProviderName.ts"

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
        ...defined({ dca, boost, quotedAt }),
      },
      explained: { process: process ?? "", number },
    }),
  )
}

const macLength = 16

/**
 * What an id promises. Addresses are not in it, though some providers quote for them: the opening is priced anew for its
 * own, under the price limit and commission of the id, so another recipient gets the same limit or nothing is opened.
 */
const offerOf = (quote: TimedQuote, commissionBps: Bps, quotedAt: EpochMillis): QuoteOffer => ({
  platform: quote.platform,
  sourceAsset: quote.ingress.asset,
  destinationAsset: quote.egress.asset,
  amount: quote.ingress.amount,
  egress: quote.egress.amount,
  estimatedPrice: quote.estimatedPrice,
  recommendedSlippageTolerancePercent: quote.recommendedSlippageTolerancePercent,
  commissionBps,
  quotedAt,
  expiresAt: quote.expiresAt,
  ...(quote.exactOutput === undefined ? {} : { isOutputExact: true }),
  ...defined({ dca: quote.dca }),
  ...optionalMembers(quote.boostQuote, ({ egress, estimatedBoostFeeBps: feeBps, maximumBoostFeeBps }) => ({
    boost: { feeBps, maximumFeeBps: maximumBoostFeeBps, egress: egress.amount },
  })),
})

/** Writes and reads ids under a key. */
const sealing = (key: Redacted.Redacted<Uint8Array>) => {
  // The key is hashed once, and each MAC is worked out in the same memory: 3 µs an id instead of 7.
  const keyed = hmac.create(sha256, Redacted.value(key))
  const scratch = keyed.clone()
  const mac = new Uint8Array(keyed.outputLen)
  const bytes = new Uint8Array(4 * longestQuoteId)
  const encoder = new TextEncoder()
  const macOf = (account: AccountId, text: string): string => {
    const { written } = encoder.encodeInto(`${account}${separator}${text}`, bytes)
    keyed._cloneInto(scratch)
    scratch.update(bytes.subarray(0, written)).digestInto(mac)
    return Base64Url.encode(mac.subarray(0, macLength))
  }
  return {
    seal: (account: AccountId, offer: QuoteOffer, explained: ExplanationPlace): QuoteId => {
      const text = write(offer, explained)
      return QuoteId.make(`${text}${separator}${macOf(account, text)}`)
    },
    open: (account: AccountId, id: string): Option.Option<IdContent> => {
      if (id.length > longestQuoteId) return Option.none()
      const end = id.lastIndexOf(separator)
      const text = id.slice(0, Math.max(end, 0))
      const expected = Buffer.from(macOf(account, text))
      const given = Buffer.from(id.slice(end + 1))
      return expected.length === given.length && timingSafeEqual(expected, given) ? read(text) : Option.none()
    },
  }
}

/** How many answers are remembered, so that who asks for shared quotes again gets the same ids. */
const slots = 64n

export interface RankedAnswer {
  readonly account: AccountId
  readonly ranking: Ranking
  /** The commission that the quotes hold. */
  readonly commissionBps: Bps
  readonly at: EpochMillis
}

/** A quote whose place in its answer is explained. */
export interface ExplainedQuote extends KeptQuote {
  readonly offer: QuoteOffer
}

export interface ExplainedAnswer extends KeptAnswer {
  readonly quotes: ReadonlyArray<ExplainedQuote>
}

const slotOf = ({ account, ranking: { given: [quote] } }: RankedAnswer): number =>
  Number(((quote?.ingress.amount ?? 0n) + BigInt(account)) % slots)

/** Whether two answers have the same quotes, with the same facts about them. */
const isSameAnswer = (one: RankedAnswer, other: RankedAnswer): boolean =>
  one.account === other.account && one.commissionBps === other.commissionBps &&
  one.ranking.by === other.ranking.by && one.ranking.ranked.length === other.ranking.ranked.length &&
  one.ranking.ranked.every(({ quote, record }, index) => {
    const ranked = other.ranking.ranked[index]
    return ranked?.quote === quote && ranked.record === record
  })

/** Quote IDs hold the quote's promise and a MAC for the account: any replica can read them, and nothing is kept. */
export class QuoteIds extends Context.Service<QuoteIds, {
  /** The IDs of an answer's quotes, in their order; a repeated answer keeps its IDs unless `anew`. */
  readonly issue: (answer: RankedAnswer, issuing?: "anew") => ReadonlyArray<QuoteId>
  /** The account's next answers have fresh ids: one of the last may be used up. */
  readonly forget: (account: AccountId) => void
  /** The quote of an id; nothing where it was not given to this account, or not by this service. */
  readonly open: (account: AccountId, id: string) => Option.Option<QuoteOffer>
  /** Why the quote of an id stands where it does; nothing as for `open`. */
  readonly explain: (
    account: AccountId,
    id: string,
    now: EpochMillis,
  ) => Effect.Effect<Option.Option<ExplainedAnswer | NotExplained>>
}>()("swap-broker/quoting/QuoteIds") {
  /** Ids under a key of 32 random bytes, the same on every replica. */
  static readonly layer = <E, R>(
    key: Effect.Effect<Redacted.Redacted<Uint8Array>, E, R>,
  ): Layer.Layer<QuoteIds, E, R | Explanations> =>
    Layer.effect(QuoteIds)(Effect.map(Effect.all([key, Explanations]), ([key, explanations]) => {
      const { open, seal } = sealing(key)
      const identify = ({ account, at, commissionBps, ranking }: RankedAnswer) => {
        const { by, depositCost, given, preference, ranked } = ranking
        const place = explanations.place()
        const quotes = ranked.map(({ net, position, quote, record }): KeptQuote => ({
          id: seal(account, offerOf(quote, commissionBps, at), place),
          position,
          given: given.indexOf(quote),
          net,
          statedDepositCost: quote.depositCost,
          totalDuration: quote.totalDuration,
          afterDeposit: afterDeposit(quote.durations),
          record,
        }))
        explanations.keep(place, { account, at, commissionBps, by, preference, depositCost, quotes })
        return quotes.map(({ id }) => id)
      }
      const explained = (account: AccountId, { quotes, ...answer }: KeptAnswer): ExplainedAnswer => ({
        ...answer,
        quotes: quotes.flatMap((quote) =>
          Option.toArray(Option.map(open(account, quote.id), ({ offer }) => ({ ...quote, offer })))
        ),
      })
      const recent = new Map<
        number,
        { readonly answer: RankedAnswer; readonly ids: ReadonlyArray<QuoteId> }
      >()
      return QuoteIds.of({
        issue: (answer, issuing) => {
          const slot = slotOf(answer)
          const known = recent.get(slot)
          if (
            issuing === undefined && known !== undefined && isSameAnswer(known.answer, answer)
          ) return known.ids
          const ids = identify(answer)
          recent.set(slot, { answer, ids })
          return ids
        },
        forget: (account) =>
          recent.forEach(({ answer }, slot) => {
            if (answer.account === account) recent.delete(slot)
          }),
        open: (account, id) => Option.map(open(account, id), ({ offer }) => offer),
        explain: (account, id, now) =>
          Option.match(open(account, id), {
            onNone: () => Effect.succeedNone,
            onSome: ({ explained: place, offer: { quotedAt = now } }) =>
              Effect.map(
                now - quotedAt > explainedFor
                  ? Effect.succeed("over" as const)
                  : explanations.find(account, place, now),
                (found) => Option.some(typeof found === "string" ? found : explained(account, found)),
              ),
          }),
      })
    }))
}

/** Gives no id again that was used: an opening by a quote rings the account's bell, here and on every other replica. */
export const forgetUsedIds: Layer.Layer<never, never, QuoteIds | OutboxRepo> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { doorbell } = yield* OutboxRepo
    yield* doorbell.hear((yield* QuoteIds).forget, "everybody's")
  }),
)

const bytesOf = (base64: Redacted.Redacted<string>): Redacted.Redacted<Uint8Array> =>
  Redacted.make(Buffer.from(Redacted.value(base64), "base64"))

/**
 * The key of ids: the setting `QUOTE_ID_KEY`, else one of the database's own. With the latter, whoever has an account
 * and a copy of the database can make ids of quotes that were never given, which bind that account alone.
 */
export const quoteIdKey = (set: Option.Option<Redacted.Redacted<string>>) =>
  Option.match(set, {
    onNone: () => derivedKey("ids of quotes"),
    onSome: (key) => Effect.succeed(bytesOf(key)),
  })
