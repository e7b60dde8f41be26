import { Duration, Effect, Layer } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { orInternalError } from "#infrastructure/platform/orInternalError.ts"
import { BudgetsRepo } from "#infrastructure/store/ops/BudgetsRepo.ts"
import { Budgets } from "./Budgets.ts"

/** What an upstream allows is for so long; who ended longer ago is of no account. */
const minute = Duration.toMillis(Duration.minutes(1))

/** The time between two notes of what is left, while calls are made. */
const noteEvery = Duration.seconds(2)

/** A note that is late by as much as this is as good as none: the database is away. */
const notesLate = Duration.seconds(1)

/** Keeps in the database which calls are left, for the next process. A note that was due and is missing counts as 0. */
export const keepBudgets = Layer.effectDiscard(Effect.gen(function* () {
  const [budgets, repo] = yield* Effect.all([Budgets, BudgetsRepo])
  const process = crypto.randomUUID()
  const now = yield* currentMillis
  const since = EpochMillis.make(Math.max(0, now - minute))
  const others = (yield* repo.since(since)).filter(({ at }) => at - now < minute)
  const unknown = Duration.toMillis(noteEvery) + Duration.toMillis(notesLate)
  // The least of what they have left, as of the last of them.
  const at = Math.max(...others.map(({ at, ended }) => ended ? at : at + unknown))
  yield* budgets.begin((limit) => {
    const left = others.map(({ calls, ended }) => ended ? calls[limit] ?? Infinity : 0)
    return { at, calls: Math.min(...left) }
  })
  const note = (ended: boolean) =>
    Effect.flatMap(
      Effect.all([currentMillis, budgets.left]),
      ([at, calls]) => repo.note(process, { at, calls, ended }),
    ).pipe(
      orInternalError,
      Effect.catch((error) => Effect.logDebug("Saving the remaining budgets of upstreams failed", error)),
    )
  yield* Effect.addFinalizer(() => note(true))
  yield* budgets.spending.pipe(
    Effect.andThen(note(false)),
    Effect.andThen(Effect.sleep(noteEvery)),
    Effect.forever,
    Effect.forkScoped,
  )
}))
