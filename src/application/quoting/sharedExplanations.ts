import { Duration, Effect, Option, Schema, type Scope } from "effect"
import type { Persistence } from "effect/persistence"
import type { SharedStore } from "../limits/SharedStore.ts"
import { syncLater } from "../limits/syncLater.ts"
import {
  explainedFor,
  type ExplanationPlace,
  type Explanations,
  KeptAnswer,
  ownExplanations,
} from "./Explanations.ts"

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
