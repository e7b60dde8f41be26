import { assert } from "@effect/vitest"
import { Duration, Effect, Schema } from "effect"
import type { RunningService } from "#test/support/process.ts"

/** An answer, and how long it took. */
export interface Answer {
  readonly path: string
  readonly status: number
  readonly text: string
  readonly millis: number
}

/** Whatever the answer is; none within this would be a request that hangs. */
const patience = 30_000

export const look = (service: RunningService, path: string): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const begun = performance.now()
    const response = await fetch(new URL(path, service.url), {
      headers: { "x-api-key": service.apiKey },
      signal: AbortSignal.timeout(patience),
    })
    const text = await response.text()
    return { path, status: response.status, text, millis: performance.now() - begun }
  })

/** Each needs the database, with one statement or with several. */
const paths = ["/swaps", "/status-by-id?swapId=1", "/swaps/1/journal", "/readyz"]

/** Sends so many requests at once, of every kind. */
export const askAll = (service: RunningService, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => paths[index % paths.length] ?? "/swaps"),
    (path) => look(service, path),
    { concurrency: "unbounded" },
  )

const decodeProblem = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({ status: Schema.Int, detail: Schema.String, code: Schema.optionalKey(Schema.String) }),
  ),
)

/** The service says, soon enough, that it cannot serve at present: nothing that a client acts on by code. */
export const assertBroken = ({ millis, path, status, text }: Answer, longest: Duration.Duration): void => {
  assert.strictEqual(status, 503, `${path}: ${text}`)
  const problem = decodeProblem(text)
  assert.strictEqual(problem.status, 503)
  assert.isUndefined(problem.code)
  assert.isBelow(millis, Duration.toMillis(longest), path)
}
