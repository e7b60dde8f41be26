import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Base64Url } from "effect/encoding"
import { Buffer } from "node:buffer"
import { timingSafeEqual } from "node:crypto"
import { derivedKey } from "../accounts/derivedKey.ts"
import type { AccountId } from "#domain/accounts/Account.ts"
import { Bps } from "#domain/money/Bps.ts"
import { longestQuoteId, QuoteId } from "#domain/quotes/BoundQuote.ts"
import type { QuoteOffer } from "#domain/quotes/QuoteOffer.ts"
import { EpochMillis } from "#domain/Time.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
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
import { type IdContent, read, separator, write } from "./idText.ts"
import type { Ranking } from "./Ranking.ts"

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
  ...optionalMembers(quote.dca, (dca) => ({ dca })),
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

/** An answer to a caller. */
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

/** An answer that is explained. */
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

/**
 * Ids of quotes. An id holds all that its quote promises, and a MAC that binds it to the account, so any replica can read
 * it, before and after a restart, and nothing is kept for it. Whoever changes an id, or has another account's, has none.
 */
export class QuoteIds extends Context.Service<QuoteIds, {
  /**
   * The ids of an answer's quotes, in their order. The answer can be explained from now on. An answer that was given a moment
   * ago has the same ids again, unless `anew` or forgotten.
   */
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
    Layer.effect(
      QuoteIds,
      Effect.map(Effect.all([key, Explanations]), ([key, explanations]) => {
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
                now - quotedAt > explainedFor
                  ? Effect.succeedSome("over" as const)
                  : Effect.map(explanations.find(account, place, now), (found) =>
                    Option.some(
                      found === "elsewhere" || found === "over" ? found : explained(account, found),
                    )),
            }),
        })
      }),
    )
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
