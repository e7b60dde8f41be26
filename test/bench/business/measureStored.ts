import { Effect } from "effect"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { type RunningService, startService } from "#test/support/process.ts"
import { wireForm } from "../Connection.ts"
import { atMost, type Judged } from "../goal.ts"
import { type Effort, type Load, makeLoad } from "../load.ts"
import { median } from "../statistics.ts"
import { type Place, twoPlaces } from "../places.ts"
import { fillBusiness } from "./fillBusiness.ts"
import { type Ask, businessQuestions } from "./questions.ts"

/** Milliseconds of one question, median of the rounds, by how many swaps are stored. */
export interface Question {
  readonly name: string
  readonly few: number
  readonly many: number
  /** The second by the first: median of the rounds, so it need not be that of the two medians. */
  readonly ratio: number
  readonly goal: Judged
}

/** What the number of stored swaps makes of the time of an answer. */
export interface StoredFigures {
  readonly database: string
  readonly few: number
  readonly many: number
  readonly fillSeconds: number
  readonly questions: ReadonlyArray<Question>
}

export interface StoredPlan {
  readonly few: number
  readonly many: number
  readonly effort: Effort
}

const mostTimes = 1.3

/** A database with a service's tables and account, filled, and a service over it. */
const serviceOver = Effect.fnUntraced(
  function* ({ environment, location }: Place, swaps: number) {
    const settings = { ...environment, PROVIDERS: "chainflip,near-intents" }
    yield* Effect.scoped(Effect.gen(function* () {
      const service = yield* startService(settings)
      yield* service.kill("SIGTERM")
      yield* service.ended
    }))
    yield* Effect.provide(fillBusiness(swaps), sqlLayer(location))
    return yield* startService(settings)
  },
)

/** Asks the same of a service with few swaps and of one with many, by turns. */
export const measureStored = Effect.fnUntraced(
  function* (plan: StoredPlan, empty: string) {
    const { kind, places: [one, other] } = yield* twoPlaces(plan.many, empty)
    const begun = performance.now()
    const few = { swaps: plan.few, service: yield* serviceOver(one, plan.few) }
    const many = { swaps: kind.swaps, service: yield* serviceOver(other, kind.swaps) }
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

    const questionOf = async (name: string, ask: Ask): Promise<Question> => {
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
        goal: atMost(mostTimes, ratio),
      }
    }

    const questions = yield* Effect.promise(async () => {
      for (const service of [few, many]) {
        for (const ask of Object.values(businessQuestions).slice(0, 2)) {
          await loadOf(service, ask, { ...plan.effort, warmUpSeconds: plan.effort.warmUpSeconds / 2 })
            .warmUp()
        }
      }
      const asked: Array<Question> = []
      for (const [name, ask] of Object.entries(businessQuestions)) asked.push(await questionOf(name, ask))
      return asked
    })
    const figures: StoredFigures = {
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
