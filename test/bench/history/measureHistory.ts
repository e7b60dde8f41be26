import { Effect } from "effect"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { type RunningService, startService } from "#test/support/process.ts"
import { wireForm } from "../Connection.ts"
import { atMost, type Judged } from "../goal.ts"
import { type Effort, type Load, makeLoad } from "../load.ts"
import { median } from "../statistics.ts"
import { fill, firstDay, lastDay } from "./fill.ts"
import { type Place, twoPlaces } from "./places.ts"

/** Milliseconds of one question, median of the rounds, by how many swaps are stored. */
export interface Question {
  readonly name: string
  readonly few: number
  readonly many: number
  /** The second by the first: median of the rounds, so it need not be that of the two medians. */
  readonly ratio: number
  /** Absent where more to add up may take longer. */
  readonly goal?: Judged
}

/** What the number of stored swaps makes of the time of an answer. */
export interface HistoryFigures {
  readonly database: string
  readonly few: number
  readonly many: number
  readonly fillSeconds: number
  readonly questions: ReadonlyArray<Question>
}

export interface HistoryPlan {
  readonly few: number
  readonly many: number
  readonly effort: Effort
}

const mostTimes = 1.3

/** Paths by name, for a service with so many swaps. */
export type Ask = (swaps: number) => ReadonlyArray<string>

const list = (query: string): Ask => () => [`/swaps?limit=50${query}`]

/** Where there are still enough for a page of each filter, with few swaps too. */
const deep = (query: string): Ask => (swaps) => [`/swaps?limit=50${query}&offset=${swaps * 4 / 5}`]

/** Ids from all over the table, and only those of the account that asks. */
const byId: Ask = (swaps) =>
  Array.from({ length: 200 }, (_, index) => Math.floor(index * (swaps - 10) / 200 / 40) * 40 + 1)
    .map((id) => `/status-by-id?swapId=${id}`)

const byChannel: Ask = (swaps) =>
  Array.from({ length: 200 }, (_, index) => Math.floor(index * (swaps - 10) / 200 / 40) * 40 + 1)
    .map((n) => `/status-by-deposit-channel?issuedBlock=${n}&network=Bitcoin&channelId=${n}`)

const judged: Readonly<Record<string, Ask>> = {
  "first page": list(""),
  "deep page": deep(""),
  "first page, ascending": list("&sort=ascending"),
  "deep page, ascending": deep("&sort=ascending"),
  "status=failed": list("&status=failed"),
  "status=failed, deep page": deep("&status=failed"),
  "status=waiting": list("&status=waiting"),
  "several states": list("&status=failed&status=waiting&status=completed"),
  "several states, deep page": deep("&status=failed&status=waiting&status=completed"),
  "a state that no swap is in": list("&status=receiving"),
  "platform": list("&platform=near-intents"),
  "platform, deep page": deep("&platform=near-intents"),
  "/status-by-id": byId,
  "/status-by-deposit-channel": byChannel,
}

const summed: Readonly<Record<string, Ask>> = {
  "/commission of a day": () => ["/commission?from=2026-06-15&to=2026-06-15"],
  "/commission of a year": () => [`/commission?from=${firstDay}&to=${lastDay}`],
}

/** How tables are filled, and what is asked then: what many swaps must not make slower, and what they may. */
export interface Subject {
  readonly fill: typeof fill
  readonly judged: Readonly<Record<string, Ask>>
  readonly others: Readonly<Record<string, Ask>>
}

/** A database with a service's tables and account, filled, and a service over it. */
const serviceOver = Effect.fnUntraced(
  function* ({ environment, location }: Place, swaps: number, { fill }: Subject) {
    const settings = { ...environment, PROVIDERS: "chainflip,near-intents" }
    yield* Effect.scoped(Effect.gen(function* () {
      const service = yield* startService(settings)
      yield* service.kill("SIGTERM")
      yield* service.ended
    }))
    yield* Effect.provide(fill(swaps), sqlLayer(location))
    return yield* startService(settings)
  },
)

/** Asks the same of a service with few swaps and of one with many, by turns. */
export const measureStored = Effect.fnUntraced(
  function* (plan: HistoryPlan, empty: string, subject: Subject) {
    const { kind, places: [one, other] } = yield* twoPlaces(plan.many, empty)
    const begun = performance.now()
    const few = { swaps: plan.few, service: yield* serviceOver(one, plan.few, subject) }
    const many = { swaps: kind.swaps, service: yield* serviceOver(other, kind.swaps, subject) }
    const fillSeconds = (performance.now() - begun) / 1_000

    const loadOf = (
      { service, swaps }: { readonly service: RunningService; readonly swaps: number },
      ask: Ask,
      effort: Effort,
    ): Load =>
      makeLoad({
        url: service.url,
        requests: ask(swaps).map((path) => wireForm(new URL(path, service.url), service.apiKey)),
      }, effort)

    const questionOf = async (name: string, ask: Ask, hasGoal: boolean): Promise<Question> => {
      const effort = { ...plan.effort, rounds: 1, warmUpSeconds: plan.effort.warmUpSeconds / 10 }
      const rounds: Array<{ readonly few: number; readonly many: number }> = []
      for (let round = 0; round < plan.effort.rounds; round++) {
        const loads = [loadOf(few, ask, effort), loadOf(many, ask, effort)] as const
        if (round === 0) { for (const load of loads) await load.warmUp() }
        for (const load of loads) await load.round()
        const [ofFew, ofMany] = loads.map((load) => load.throughput().p50)
        if (ofFew !== undefined && ofMany !== undefined) rounds.push({ few: ofFew, many: ofMany })
      }
      // Of two rounds side by side, so that what else the machine does meets both.
      const ratio = median(rounds.map((round) => round.many / round.few))
      return {
        name,
        few: median(rounds.map((round) => round.few)),
        many: median(rounds.map((round) => round.many)),
        ratio,
        ...(hasGoal ? { goal: atMost(mostTimes, ratio) } : {}),
      }
    }

    const questions = yield* Effect.promise(async () => {
      for (const service of [few, many]) {
        for (const ask of Object.values(subject.judged).slice(0, 2)) {
          await loadOf(service, ask, { ...plan.effort, warmUpSeconds: plan.effort.warmUpSeconds / 2 })
            .warmUp()
        }
      }
      const asked: Array<Question> = []
      for (const [name, ask] of Object.entries(subject.judged)) asked.push(await questionOf(name, ask, true))
      for (const [name, ask] of Object.entries(subject.others)) asked.push(await questionOf(name, ask, false))
      return asked
    })
    const figures: HistoryFigures = {
      database: kind.name,
      few: plan.few,
      many: kind.swaps,
      fillSeconds,
      questions,
    }
    return figures
  },
  Effect.scoped,
)

/** The lists and sums of one account. */
export const measureHistory = (plan: HistoryPlan, empty: string) =>
  measureStored(plan, empty, { fill, judged, others: summed })
