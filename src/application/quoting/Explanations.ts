import { Context, Duration, Effect, Function, Layer, Option, Schema, type Scope } from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { QuoteId } from "#domain/quotes/BoundQuote.ts"
import { Bps } from "#domain/money/Bps.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { RankBy } from "#domain/quotes/QuoteRank.ts"
import { EpochMillis } from "#domain/Time.ts"
import { TrackRecord } from "#domain/operations/TrackRecord.ts"
import type { Persistence } from "effect/persistence"
import type { SharedStore } from "../limits/SharedStore.ts"
import { syncLater } from "../limits/syncLater.ts"

/** A quote as far as its id does not tell it. */
export const KeptQuote = Schema.Struct({
  id: QuoteId,
  /** Its place in the answer, from 1. */
  position: Schema.Int,
  /** Its place among the quotes as they were given, from 0. */
  given: Schema.Int,
  /** The output less the cost of the deposit, in native units of the destination asset. */
  net: Schema.BigInt,
  /** The cost of the deposit as the quote states it. */
  statedDepositCost: Schema.UndefinedOr(Schema.Struct({ asset: AssetId, amount: NativeAmount })),
  /** The estimated time in milliseconds. */
  totalDuration: Schema.Finite,
  afterDeposit: Schema.Finite,
  record: TrackRecord,
})
export type KeptQuote = typeof KeptQuote.Type

/** An answer whose order can be explained. */
export const KeptAnswer = Schema.Struct({
  account: AccountId,
  at: EpochMillis,
  /** The commission that the quotes hold. */
  commissionBps: Bps,
  by: RankBy,
  /** The providers that were asked, in the operator's order. */
  preference: Schema.Array(ProviderName),
  /** The cost of a deposit in the destination asset; undefined where none is deducted. */
  depositCost: Schema.UndefinedOr(Schema.BigInt),
  /** The best first. */
  quotes: Schema.Array(KeptQuote),
})
export type KeptAnswer = typeof KeptAnswer.Type

/** Where an explanation is kept: the process, and a random number of the answer, which tells nothing of how many there are. */
export interface ExplanationPlace {
  readonly process: string
  readonly number: number
}

/** Why there is no explanation: another process keeps it, or it is too old. */
export type NotExplained = "elsewhere" | "over"

/** The most answers of a process that can be explained: about a kilobyte each. */
export const mostExplained = 4_096

/** How long an answer can be explained, in milliseconds. */
export const explainedFor = 15 * 60_000

/** Twelve hexadecimal digits, the last part of a random id, as a number. */
const randomNumber = (): number => Number(`0x${crypto.randomUUID().slice(-12)}`)

interface StoredExplanation {
  readonly place: ExplanationPlace
  readonly answer: KeptAnswer
}

const isOver = ({ answer }: StoredExplanation, now: EpochMillis): boolean => now - answer.at > explainedFor

/**
 * The answers that can be explained. They are kept in memory, and when there are too many the oldest of the account goes
 * that has the most: a hot path must not wait for a database, and no account may push out what others asked for. Of an
 * answer only what its order was made of is kept: whole quotes, with their fees and pools, would be most of the
 * collector's work on a quote.
 */
export class Explanations extends Context.Service<Explanations, {
  readonly place: () => ExplanationPlace
  readonly keep: (place: ExplanationPlace, answer: KeptAnswer) => void
  /** What is known of a place that an account was told. */
  readonly find: (
    account: AccountId,
    place: ExplanationPlace,
    now: EpochMillis,
  ) => Effect.Effect<KeptAnswer | NotExplained>
}>()("swap-broker/quoting/Explanations") {
  /** Those of this process: a replica, and this process after a restart, can only say that others are kept elsewhere. */
  static readonly layer: Layer.Layer<Explanations> = Layer.sync(Explanations, () => ownExplanations())
}

/** Explanations in the memory of this process; who listens is told of each that is given up for others. */
export const ownExplanations = (
  forgotten: (place: ExplanationPlace) => void = Function.constVoid,
): Explanations["Service"] => {
  const process = crypto.randomUUID().slice(0, 8)
  // The answers of each account, the oldest first.
  const kept = new Map<AccountId, Array<StoredExplanation>>()
  let size = 0

  const forgetOldest = (account: AccountId, own: Array<StoredExplanation>): void => {
    const oldest = own.shift()
    size -= 1
    if (own.length === 0) kept.delete(account)
    if (oldest !== undefined) forgotten(oldest.place)
  }

  /** Forgets accounts whose answers are all over; where that is not enough, one answer of the account with the most. */
  const makeRoom = (now: EpochMillis): void => {
    let most: readonly [AccountId, Array<StoredExplanation>] | undefined
    for (const [account, own] of kept) {
      const newest = own.at(-1)
      if (newest === undefined || isOver(newest, now)) {
        size -= own.length
        kept.delete(account)
      } else if (most === undefined || own.length > most[1].length) most = [account, own]
    }
    if (most !== undefined && size > mostExplained) forgetOldest(...most)
  }

  return {
    place: () => ({ process, number: randomNumber() }),
    keep: (place, answer) => {
      const own = kept.get(answer.account)
      if (own === undefined) kept.set(answer.account, [{ place, answer }])
      else own.push({ place, answer })
      size += 1
      if (size > mostExplained) makeRoom(answer.at)
    },
    find: (account, place, now) =>
      Effect.sync(() => {
        if (place.process !== process) return "elsewhere"
        const found = kept.get(account)?.find((one) => one.place.number === place.number)
        return found === undefined || isOver(found, now) ? "over" : found.answer
      }),
  }
}

const StoredAnswer = Schema.toCodecJson(KeptAnswer)
const encode = Schema.encodeEffect(StoredAnswer)
const decode = Schema.decodeUnknownOption(Schema.Struct({ answer: StoredAnswer }))

const keyOf = ({ number, process }: ExplanationPlace): string => `${process}.${number}`

const lifetime = Duration.millis(explainedFor)

/** What the store is to know of a place: its answer, or that it was given up. */
type News = KeptAnswer | "forgotten"

/** Explanations of all replicas, told to the store afterwards; without it, each process has its own. */
export const sharedExplanations = Effect.fnUntraced(function* (
  { ask }: SharedStore<{ readonly explanations: Persistence.BackingPersistenceStore }>,
): Effect.fn.Return<Explanations["Service"], never, Scope.Scope> {
  const tell = Effect.fnUntraced(function* (news: News, key: string) {
    if (news === "forgotten") {
      yield* ask(({ explanations }) => explanations.remove(key))
      return
    }
    const stored = { answer: yield* Effect.orDie(encode(news)) }
    yield* ask(({ explanations }) => explanations.set(key, stored, lifetime))
  })
  const untold = yield* syncLater(tell)
  const own = ownExplanations((place) => untold.note(keyOf(place), "forgotten"))

  const shared = (place: ExplanationPlace) =>
    Effect.map(
      ask(({ explanations }) => explanations.get(keyOf(place))),
      (stored) => Option.map(Option.flatMap(stored, decode), ({ answer }) => answer),
    )

  return {
    place: own.place,
    keep: (place, answer) => {
      untold.note(keyOf(place), answer)
      own.keep(place, answer)
    },
    find: (account, place, now) =>
      Effect.flatMap(
        own.find(account, place, now),
        (found) =>
          found === "elsewhere"
            ? Effect.map(shared(place), (stored) =>
              Option.getOrElse(
                Option.filter(stored, (answer) => answer.account === account),
                () => found,
              ))
            : Effect.succeed(found),
      ),
  }
})
