import { assert } from "@effect/vitest"
import { Array, Effect } from "effect"
import { Gates, withGates } from "./support/Chaos.ts"
import { eventually, statusOf } from "./support/client.ts"
import { anotherQuery } from "./support/quotes.ts"
import type { Trouble } from "./support/troubles.ts"

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

const rounds: ReadonlyArray<Trouble> = [
  "reset",
  "halfBody",
  "halfChunkedBody",
  "notHttp",
  "notJson",
  "wrongTypes",
  "error500",
  "error502",
  "overloaded",
  "hang",
]

const perRound = 150

/** A round of 1,500 requests, each trouble on one provider or on both. */
const faultyRequests = Effect.gen(function* () {
  const { chainflip, nearIntents } = yield* Gates
  const answers: Array<{ readonly trouble: Trouble; readonly status: number }> = []
  for (const [index, trouble] of rounds.entries()) {
    chainflip.misbehave(trouble)
    if (index % 3 === 0) nearIntents.misbehave(trouble)
    const answered = yield* Effect.all(
      Array.makeBy(perRound, () => Effect.suspend(() => statusOf(anotherQuery()))),
      { concurrency: 32 },
    )
    answers.push(...answered.map((status) => ({ trouble, status })))
    chainflip.behave()
    nearIntents.behave()
  }
  return answers
})

withGates({
  QUOTE_TIMEOUT: "1 second",
  QUOTE_CACHE_TTL: "1 second",
  CIRCUIT_OPEN_TIME: "50 millis",
  CIRCUIT_OPEN_TIME_MOST: "50 millis",
})(
  "under load",
  (it) => {
    it.effect("3,000 faulty requests leave neither memory, sockets nor rejections behind", () =>
      Effect.gen(function* () {
        const { chainflip, nearIntents } = yield* Gates
        const unhandled = yield* unhandledDuring(Effect.gen(function* () {
          yield* faultyRequests
          yield* Effect.sleep("300 millis")
          const before = { files: openFiles(), memory: Deno.memoryUsage().rss }
          const answers = yield* faultyRequests
          // An upstream's own 500 on both sides is the one failure that is not told as temporary.
          const unexpected = answers.filter(({ status, trouble }) =>
            status !== 200 && status !== 503 && !(status === 500 && trouble === "error500")
          )
          assert.deepStrictEqual(unexpected, [])
          assert.isAbove(answers.filter(({ status }) => status === 200).length, perRound * 3)
          yield* eventually("no call is left", () => chainflip.unanswered() + nearIntents.unanswered() === 0)
          yield* eventually("no socket is left", () => openFiles() <= before.files + 16)
          assert.isBelow(Deno.memoryUsage().rss - before.memory, 100 * 1024 * 1024)
        }))
        assert.deepStrictEqual(unhandled, [])
      }))
  },
)
