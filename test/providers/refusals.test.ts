import { assert, channelsOf, layer, swapRequest } from "./support.ts"
import { Effect, Fiber, Layer, Logger, Metric, References, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { CircuitBreaker } from "effect/persistence"
import { SqlClient } from "effect/sql"
import { MalformedBody, type ProviderErrorReason, ProviderName } from "#exports/domain.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { Refusals } from "#infrastructure/ops/Refusals.ts"
import { Guard } from "#providers/guard/Guard.ts"
import { decode } from "#providers/upstream/values.ts"
import { beforeOpening, failAs } from "#providers/upstream/failures.ts"
import { makeRefreshed } from "#providers/upstream/refreshed.ts"
import { hear, hideSecrets, send } from "#providers/upstream/transport.ts"
import { hearingItself } from "#providers/refusals.ts"
import { mostRefusalsKept } from "#infrastructure/store/ops/RefusalsRepo.ts"
import { request } from "#test/application/quoting/support.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { embeddedStore } from "#test/support/store.ts"
import { defaultKnobs, guardLayer } from "./guard/support.ts"

const name = ProviderName.make("upstream")
const url = new URL("http://user:our-password@upstream.test/rpc/key-of-the-operator")
const Answer = Schema.Struct({ rows: Schema.Array(Schema.Struct({ amount: Schema.String })) })

/** An upstream that answers everything with a body, which repeats our secrets. */
const asks = (body: string) =>
  Effect.gen(function* () {
    const client = HttpClient.make((asked) =>
      Effect.succeed(HttpClientResponse.fromWeb(asked, new Response(body)))
    )
    const answer = yield* send(client, "upstream", HttpClientRequest.get(url), hideSecrets(url, "our-token"))
    const { body: heard } = yield* Effect.fromResult(hear("upstream", answer))
    yield* Effect.fromResult(decode(Answer, heard))
    return []
  })

const refusedBody = JSON.stringify({
  rows: [{ amount: "1" }, { amount: 7 }],
  request: "our-token of user:our-password for key-of-the-operator",
})
const member = "rows[*].amount"
const secrets = /our-token|our-password|key-of-the-operator/

/** The lines that an effect logs, with their annotations. */
const linesOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const lines: Array<
    { readonly level: string; readonly text: string; readonly notes: Readonly<Record<string, unknown>> }
  > = []
  const logger = Logger.make(({ fiber, logLevel, message }) => {
    lines.push({ level: logLevel, text: `${message}`, notes: fiber.getRef(References.CurrentLogAnnotations) })
  })
  yield* Effect.provide(effect, Logger.layer([logger]))
  return lines
})

const counted = (operation: string, of = member) =>
  Effect.map(
    Metric.value(metrics.answersRefused({ provider: name, operation, member: of })),
    ({ count }) => count,
  )

/** A guarded provider that asks for quotes as told. */
const quoting = Effect.fnUntraced(function* (ask: Effect.Effect<ReadonlyArray<never>, ProviderErrorReason>) {
  const provider = new ScriptedProvider(name)
  provider.quoting = () => failAs(name)("quote")(ask)
  provider.opening = failAs(name)("open")(Effect.asVoid(beforeOpening(ask)))
  return (yield* Guard).wrap(provider)
})

const { groups, ...knobs } = defaultKnobs

/** A guard whose circuit of quotes stays closed. */
const patientGuard = guardLayer({
  ...knobs,
  groups: { ...groups, quote: { ...groups.quote, trip: CircuitBreaker.consecutive(1_000) } },
})

const surroundings = patientGuard.pipe(
  Layer.provideMerge(Refusals.layer),
  Layer.provideMerge(embeddedStore.layer),
)

layer(surroundings)("A refused answer", (it) => {
  const isolated = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* (yield* Refusals).write
      yield* sql`DELETE FROM refused_answers`
      return yield* effect
    })

  it.effect("is told in one line, counted once and kept without our secrets", () =>
    isolated(Effect.gen(function* () {
      const before = yield* counted("quote")
      const guarded = yield* quoting(asks(refusedBody))
      const lines = yield* linesOf(Effect.flip(guarded.quotes(request)))
      assert.deepStrictEqual(lines, [{
        level: "Error",
        text: "An answer of upstream to quote is refused. rows[1].amount: expected string, got 7",
        notes: { platform: name, operation: "quote", member },
      }])
      assert.strictEqual(yield* counted("quote"), before + 1)
      const [kept, ...others] = yield* (yield* Refusals).latest(name)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(kept, { operation: "quote", path: "rows[1].amount", expected: "string", came: "7" })
      assert.strictEqual(kept?.call, "GET /rpc/(hidden)")
      assert.include(kept?.body?.text, `"rows":[{"amount":"1"},{"amount":7}]`)
      assert.notMatch(JSON.stringify([kept, lines]), secrets)
    })))

  it.effect("that many callers wait for is told once, also where it is another failure of an opening", () =>
    isolated(Effect.gen(function* () {
      const before = yield* counted("quote")
      const kept = yield* makeRefreshed({
        endpoint: "upstream",
        what: "rows",
        ask: Effect.andThen(Effect.yieldNow, asks(refusedBody)),
        maxAge: "1 second",
        lookupTimeout: "1 second",
      })
      const guarded = yield* quoting(kept.latest)
      const lines = yield* linesOf(
        Effect.all([
          Effect.flip(guarded.quotes(request)),
          Effect.flip(guarded.quotes(request)),
          Effect.flip(channelsOf(guarded).open(swapRequest)),
        ], { concurrency: "unbounded" }),
      )
      assert.strictEqual(lines.length, 1)
      assert.strictEqual(yield* counted("quote"), before + 1)
      assert.strictEqual(yield* counted("open"), 0)
      assert.strictEqual((yield* (yield* Refusals).latest(name)).length, 1)
    })))

  it.effect("is told once where a provider asks by itself and nobody waits", () =>
    isolated(Effect.gen(function* () {
      const before = yield* counted("assets")
      const kept = yield* makeRefreshed({
        endpoint: "upstream",
        what: "rows",
        ask: asks(refusedBody),
        maxAge: "1 hour",
        lookupTimeout: "1 second",
      })
      const lines = yield* linesOf(
        kept.keepFresh.pipe(
          Effect.forkChild({ startImmediately: true }),
          Effect.tap(() => Effect.repeat(counted("assets"), { until: (count) => count > before })),
          Effect.flatMap(Fiber.interrupt),
          Effect.provide(hearingItself(name)),
        ),
      )
      assert.strictEqual(lines.length, 1)
      assert.strictEqual(yield* counted("assets"), before + 1)
    })))

  it.effect("is kept among the latest of its operation, the newest first", () =>
    isolated(Effect.gen(function* () {
      const refusals = yield* Refusals
      for (let index = 0; index < 2 * mostRefusalsKept; index++) {
        const guarded = yield* quoting(asks(JSON.stringify({ rows: index })))
        yield* Effect.flip(guarded.quotes(request))
        if (index % 3 === 0) yield* refusals.write
      }
      assert.deepStrictEqual((yield* refusals.latest(name)).map(({ came }) => came), [
        "9",
        "8",
        "7",
        "6",
        "5",
      ])
    })))

  it.effect("has a member of a bounded set, whatever an upstream calls its members", () =>
    isolated(Effect.gen(function* () {
      for (let index = 0; index < 100; index++) {
        const detail = `row-${index}[${index}].name: expected text, got 7`
        const reason = new MalformedBody({ detail, reached: true })
        const guarded = yield* quoting(Effect.fail(reason))
        yield* Effect.flip(guarded.quotes(request))
      }
      assert.isAbove(yield* counted("quote", "other"), 30)
      assert.strictEqual(yield* counted("quote", "row-99[*].name"), 0)
    })))
})
