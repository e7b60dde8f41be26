import { assert } from "@effect/vitest"
import { Array, Effect } from "effect"
import { heapInUse } from "#test/support/heapInUse.ts"
import { Gates, withGates } from "./support/Chaos.ts"
import { eventually, statusOf } from "./support/client.ts"
import { anotherQuery, untilBothQuote } from "./support/quotes.ts"
import { failuresOf, type Round, rounds } from "./support/rounds.ts"

const openFiles = (): number => [...Deno.readDirSync("/proc/self/fd")].length

/** Rejections that nobody handled while an effect ran. */
const unhandledDuring = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const reasons: Array<unknown> = []
      const listener = (event: PromiseRejectionEvent) => {
        reasons.push(event.reason)
      }
      globalThis.addEventListener("unhandledrejection", listener)
      return { reasons, listener }
    }),
    ({ reasons }) => Effect.as(effect, reasons),
    ({ listener }) => Effect.sync(() => globalThis.removeEventListener("unhandledrejection", listener)),
  )

/** How many requests each round takes: at first to fill what is filled once, then to see what they leave. */
const perRound = { first: 50, then: 250 }

/** Bytes. Four kilobytes that each of the requests leaves behind are more. */
const mostLeft = 10_000_000

/** Where other work keeps the machine busy, so many requests take longer than other tests. */

/** So many requests in each round, which begins with both providers well. */
const faultyRequests = Effect.fnUntraced(function* (perRound: number) {
  const gates = yield* Gates
  const answers: Array<{ readonly round: Round; readonly status: number }> = []
  for (const round of rounds) {
    yield* untilBothQuote
    for (const provider of round.at) gates[provider].misbehave(round.trouble)
    const answered = yield* Effect.all(
      Array.makeBy(perRound, () => Effect.suspend(() => statusOf(anotherQuery()))),
      { concurrency: 32 },
    )
    answers.push(...answered.map((status) => ({ round, status })))
    for (const provider of round.at) gates[provider].behave()
  }
  return answers
})

withGates({
  QUOTE_TIMEOUT: "1 second",
  QUOTE_CACHE_TTL: "1 second",
  // Looks at the operator's account hang as long as other calls do.
  TREASURY_TIMEOUT: "1 second",
  CIRCUIT_OPEN_TIME: "50 millis",
  CIRCUIT_OPEN_TIME_MOST: "50 millis",
})(
  "under load",
  (it) => {
    it.effect(
      "3,000 faulty requests leave neither memory, sockets nor rejections behind",
      function* () {
        const { chainflip, nearIntents } = yield* Gates
        const unhandled = yield* unhandledDuring(Effect.gen(function* () {
          yield* faultyRequests(perRound.first)
          yield* Effect.sleep("300 millis")
          const before = { files: openFiles(), memory: heapInUse() }
          const answers = yield* faultyRequests(perRound.then)
          const unexpected = answers.filter(({ round, status }) =>
            status !== 200 && !failuresOf(round).includes(status)
          )
          assert.deepStrictEqual(unexpected, [])
          assert.isAbove(answers.filter(({ status }) => status === 200).length, perRound.then * 6)
          yield* eventually("no call is left", () => chainflip.unanswered() + nearIntents.unanswered() === 0)
          yield* eventually("no socket is left", () => openFiles() <= before.files + 16)
          // Answers are kept for a second, and their requests with them.
          yield* eventually("no memory is left", () => heapInUse() - before.memory < mostLeft)
        }))
        assert.deepStrictEqual(unhandled, [])
      },
    )
  },
)
