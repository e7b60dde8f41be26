import { Duration, Effect, Layer, Logger, Option, Struct } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { Bps } from "#domain/money/Bps.ts"
import { patternOf } from "#domain/RefusedAnswer.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { WireDrift, WireMemory } from "#domain/operations/WireRound.ts"
import { CallUrgency } from "#infrastructure/platform/Budget.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { forkWhenReady } from "#infrastructure/platform/whenReady.ts"
import { DecidesCircuits } from "../guard/circuitMetrics.ts"
import { Registry } from "../Registry.ts"
import { AsksAnew, CurrentWitness } from "../upstream/witness.ts"
import { ListedSwapsRepo } from "#infrastructure/store/business/ListedSwapsRepo.ts"
import { WireRoundsRepo } from "#infrastructure/store/ops/WireRoundsRepo.ts"
import { askAssets, perform, type UsdPrices, usdPricesOf } from "./perform.ts"
import { type Asker, makeAsker, warningLogger } from "./apiChecks.ts"
import type { CheckDifference, DifferenceKind } from "./CheckDifference.ts"
import { type Asking, makeNotes, type MetMember, type Notes } from "./checkNotes.ts"
import { type Reads, readsOf } from "./Reads.ts"
import type { Parties } from "./requests.ts"
import { type Turn, turnOf } from "./pairs.ts"
import { surviving } from "#infrastructure/platform/outages.ts"

export interface WitnessOptions {
  /** The time between two rounds of a provider; none where it is zero. */
  readonly interval: Duration.Duration
  /** The most questions to an upstream in an interval. */
  readonly questions: number
  readonly commissionBps: Bps
  /** Addresses that stand for a sender and a recipient. */
  readonly parties: Parties
}

/** The part of an interval that questions are spread over: a round has ended before the next one is due. */
const spreadOver = 0.9

/** How many questions of an operation may fail in a row before the round asks it no further. */
const mostFailures = 3

const mostDrift = 50

/** What is a change of the wire. An upstream that is away, or refuses, tells nothing of it. */
const driftKinds: ReadonlySet<DifferenceKind> = new Set<DifferenceKind>([
  "misfit",
  "contradiction",
  "unclear",
])

/** Spreads questions over the interval and ends them after so many answers; a question may need several. */
const withinBudget = ({ interval, questions }: WitnessOptions, notes: Notes, startedAt: EpochMillis) => {
  const slot = Duration.toMillis(interval) * spreadOver / questions
  let begun = 0
  const spent = () => Math.max(begun, notes.exchanges())
  return {
    next: Effect.flatMap(currentMillis, (now) => {
      const begin = startedAt + spent() * slot
      begun += 1
      return Effect.sleep(Duration.millis(Math.max(0, begin - now)))
    }),
    isSpent: () => spent() >= questions,
    // Whoever takes no more calls is left alone until the next round.
    pauses: 0,
    mostFailures,
  }
}

/** Watches a call of the service: its log goes on, its circuit is left to clients, and lists are asked for anew. */
const watchedBeside = (notes: Notes, asking: Asking) =>
  Layer.mergeAll(
    Layer.succeed(CurrentWitness, notes.witness(asking)),
    Layer.succeed(AsksAnew, asking.operation === "assets"),
    Layer.succeed(DecidesCircuits, false),
    Layer.succeed(CallUrgency, "search"),
    Logger.layer([warningLogger(notes, asking)], { mergeWithExisting: true }),
  )

const toDrift = ({ found, path, ...difference }: CheckDifference): WireDrift => ({
  ...Struct.pick(difference, ["operation", "call", "expected", "about"]),
  ...optionalMembers(path, (path) => ({ member: patternOf(path) })),
  came: found,
})

/** Whether a round could have met an earlier difference again; of the others nothing new is known. */
const metAgain = ({ tallies }: Asker, notes: Notes) => {
  const calls = new Set(notes.members().map(({ call }) => call))
  return ({ call, operation }: WireDrift): boolean => {
    if (call !== undefined) return calls.has(call)
    return (tallies.get(operation)?.answered ?? 0) > 0
  }
}

/** Each place once: that it was different before as well is nothing new. */
const distinct = (drift: ReadonlyArray<WireDrift>): ReadonlyArray<WireDrift> =>
  [
    ...new Map(
      drift.toReversed().map((one) => [
        JSON.stringify([one.operation, one.call, one.member, one.member === undefined ? one.came : ""]),
        one,
      ]),
    ).values(),
  ].toReversed()

const nothingKnown: WireMemory = { turn: 0, members: {} }

type Members = WireMemory["members"]
type KnownMember = Members[string][string]

/** The time after which a member that is gone counts as left out for good. */
const forgetAfter = Duration.days(1)

/** Names come from upstreams, which may write anything. */
const mostMembers = 5_000
const longestPattern = 120

/** What is known of a member after a round; `isGone` where it was in every answer before, and now is in none. */
const after = ({ absent, there }: MetMember, known: KnownMember | undefined, now: EpochMillis) => {
  const isSteady = known?.isSteady ?? absent === 0
  if (absent === 0) return { known: { isSteady }, isGone: false }
  if (there > 0 || !isSteady) return { known: { isSteady: false }, isGone: false }
  const missingSince = known?.missingSince ?? now
  return now - missingSince > Duration.toMillis(forgetAfter)
    ? { known: { isSteady: false }, isGone: false }
    : { known: { isSteady, missingSince }, isGone: true }
}

/** Optional members that every earlier answer had and no answer of this round has, and the memory from now on. */
export const remember = (
  members: Members,
  met: ReadonlyArray<MetMember>,
  now: EpochMillis,
): { readonly members: Members; readonly gone: ReadonlyArray<MetMember> } => {
  const all = new Map(Object.entries(members).map(([call, of]) => [call, new Map(Object.entries(of))]))
  let count = [...all.values()].reduce((sum, { size }) => sum + size, 0)
  const gone = met.filter((member) => {
    const { absent, call, pattern, there } = member
    if (there + absent === 0 || pattern.length > longestPattern) return false
    const of = all.get(call) ?? new Map<string, KnownMember>()
    const before = of.get(pattern)
    if (before === undefined && count >= mostMembers) return false
    count += before === undefined ? 1 : 0
    const { isGone, known } = after(member, before, now)
    all.set(call, of.set(pattern, known))
    return isGone
  })
  return { members: Object.fromEntries([...all].map(([call, of]) => [call, Object.fromEntries(of)])), gone }
}

/** Asks each upstream for what opens nothing, and compares the answers with what its provider reads. */
export class WireWitness extends service<WireWitness>()(
  "swap-broker/witness/WireWitness",
  (options: WitnessOptions) =>
    Effect.gen(function* () {
      const registry = yield* Registry
      const repo = yield* WireRoundsRepo
      const swaps = yield* ListedSwapsRepo

      const lastCompleted = (platform: ProviderName) =>
        swaps.page({ platform, states: ["completed"], sort: "descending", limit: 1 }).pipe(
          Effect.map(({ items: [last] }) =>
            Option.map(Option.fromUndefinedOr(last), ({ record }) => record.status)
          ),
        )

      const begin = Effect.fnUntraced(function* (reads: Reads) {
        const before = yield* repo.find(reads.name)
        const startedAt = yield* currentMillis
        const notes = makeNotes()
        const pace = withinBudget(options, notes, startedAt)
        const asker = makeAsker(notes, reads.name, pace, watchedBeside)
        return { asker, assets: yield* askAssets(reads, asker), before, notes, reads, startedAt }
      })

      const end = Effect.fnUntraced(function* (
        { asker, assets, before, notes, reads, startedAt }: Effect.Success<ReturnType<typeof begin>>,
        prices: UsdPrices,
      ) {
        const memory = Option.match(before, { onNone: () => nothingKnown, onSome: ({ memory }) => memory })
        const known = Option.match(before, { onNone: () => [], onSome: ({ round }) => round.drift })
        const most = Math.ceil(options.questions / 2)
        const named = new Set(known.flatMap(({ about }) => about === undefined ? [] : [about]))
        let turn: Turn | undefined
        const { listed } = yield* perform(
          reads,
          asker,
          {
            ...options,
            choose: (listed) => (turn = turnOf(listed, { most, named, turn: memory.turn })).pairs,
            concurrency: 1,
            searches: false,
            channel: Option.none(),
            assets: {},
            recorded: yield* lastCompleted(reads.name),
            transaction: Option.none(),
          },
          assets,
          prices,
        )
        const endedAt = yield* currentMillis
        const { gone, members } = remember(memory.members, notes.members(), endedAt)
        const again = metAgain(asker, notes)
        const drift = [
          ...notes.differences().filter(({ kind }) => driftKinds.has(kind)).map(toDrift),
          ...gone.map(({ call, operation, pattern }: MetMember): WireDrift => ({
            operation,
            call,
            member: pattern,
            expected: "a value, as in every answer before",
            came: "nothing",
          })),
          ...known.filter((one) => !again(one)),
        ]
        const pairsAsked = asker.tallies.get("quote")?.asked ?? 0
        yield* repo.keep({
          round: {
            provider: reads.name,
            startedAt,
            endedAt,
            exchanges: notes.exchanges(),
            pairsListed: listed,
            pairsAsked,
            steps: [...asker.tallies].map(([operation, tally]) => ({ operation, ...tally })),
            drift: distinct(drift).slice(0, mostDrift),
          },
          memory: { turn: turn?.after(pairsAsked) ?? memory.turn, members },
        })
      })

      const isDue = Effect.fnUntraced(function* ({ name }: Reads) {
        const now = yield* currentMillis
        return yield* repo.claim(name, now, EpochMillis.make(now + Duration.toMillis(options.interval)))
      })

      const lookAt = (due: ReadonlyArray<Reads>) =>
        Effect.gen(function* () {
          const begun = yield* Effect.forEach(due, begin, { concurrency: "unbounded" })
          const prices = usdPricesOf(begun.flatMap(({ assets }) => assets))
          yield* Effect.forEach(begun, (one) => end(one, prices), { concurrency: "unbounded", discard: true })
        }).pipe(
          // Whoever is stopped leaves the round to another replica, or to the next start.
          Effect.onInterrupt(() =>
            Effect.forEach(due, ({ name }) => Effect.ignore(repo.release(name)), { discard: true })
          ),
        )

      return {
        rounds: Duration.isZero(options.interval)
          ? Effect.succeed([])
          : Effect.map(repo.all, (all) => all.map(({ round }) => round)),
        /** Looks at every wire whose round is due, each in only one replica. */
        lookAtAll: registry.enabled.pipe(
          Effect.map((providers) => providers.map(readsOf)),
          Effect.flatMap(Effect.filter(isDue)),
          Effect.flatMap(lookAt),
          Effect.withSpan("WireWitness.lookAtAll"),
        ),
      }
    }),
) {
  /** The witness with its background work, which every replica does without disturbing the others. */
  static readonly layerRunning = (options: WitnessOptions) =>
    Layer.effectDiscard(Effect.gen(function* () {
      if (Duration.isZero(options.interval)) return
      const { lookAtAll } = yield* WireWitness
      yield* lookAtAll.pipe(
        surviving("The API checks failed"),
        Effect.andThen(Effect.sleep(Duration.divideUnsafe(options.interval, 20))),
        Effect.forever,
        forkWhenReady,
      )
    })).pipe(Layer.provideMerge(WireWitness.layer(options)))
}
