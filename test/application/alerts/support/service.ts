import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Webhook } from "standardwebhooks"
import { eventually } from "#test/durability/eventually.ts"
import { ask, list, members } from "#test/interfaces/http/asking.ts"
import { broker } from "#test/support/broker.ts"
import { receiver } from "#test/application/webhooks/support/receiver.ts"

/** The receiver of the operator's webhook. */
class Operator extends Context.Service<Operator, Effect.Success<ReturnType<typeof receiver>>>()(
  "swap-broker/test/alerts/Operator",
) {}

const operator = Layer.effect(Operator, receiver())

/** The secret of the operator's webhook. */
export const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

/** Everything that takes a minute in operation takes a moment here. */
export const fast = {
  ALERT_INTERVAL: "100 millis",
  ALERT_AFTER: "0",
  ALERT_OVER_AFTER: "0",
  ALERT_WEBHOOK_FAILING: "0",
  ALERT_DATABASE_SLOW: "2 seconds",
  OPERATOR_WEBHOOK_SECRET: secret,
}

/** A service that tells the operator. */
export const service = (environment: Readonly<Record<string, string>>) =>
  Layer.unwrap(
    Effect.map(Operator, ({ url }) => broker({ ...fast, OPERATOR_WEBHOOK_URL: url, ...environment })),
  ).pipe(Layer.provideMerge(operator))

/** Where the database has just come back, the first connections to it may still fail. */
const alertsOf = (type: string) =>
  Effect.map(
    eventually(ask("GET", "/operator/alerts?limit=500"), ({ status }) => status !== 503),
    ({ body, status, text }) => {
      assert.strictEqual(status, 200, text)
      return list(body).filter((one) => members(one, "alert").type === type)
    },
  )

/** The value of an alert's metric. */
export const gauge = Effect.fnUntraced(function* (type: string, provider: string) {
  const { text } = yield* ask("GET", "/metrics", undefined, null)
  const line = text.split("\n").find((one) =>
    one.startsWith("swap_broker_alert{") && one.includes(`alert="${type}"`) &&
    one.includes(`provider="${provider}"`)
  )
  return Number(line?.split(" ").at(-1))
})

/** Waits until an alert is active; asserts its metric, and what the operator was told. */
export const begins = Effect.fnUntraced(function* (type: string, provider: string) {
  const operator = yield* Operator
  const active = yield* eventually(alertsOf(type), (all) => all.some(({ state }) => state === "active"))
  assert.strictEqual(yield* eventually(gauge(type, provider), (value) => value === 1), 1)
  const id = active[0]?.id
  const told = yield* eventually(
    Effect.sync(() => operator.told().filter(({ id: message }) => message === `alert_began_${id}`)),
    (all) => all.length > 0,
  )
  for (const { body, headers } of told) new Webhook(secret).verify(body, headers)
  return members(active[0], "alert")
})

/** Waits until no such alert is active. */
export const ends = Effect.fnUntraced(function* (type: string, provider: string) {
  const operator = yield* Operator
  const all = yield* eventually(alertsOf(type), (all) => all.every(({ state }) => state === "ended"))
  assert.isNotEmpty(all)
  assert.strictEqual(yield* eventually(gauge(type, provider), (value) => value === 0), 0)
  for (const { beganAt, endedAt, id } of all) {
    assert.isAtLeast(Number(endedAt), Number(beganAt))
    yield* eventually(
      Effect.sync(operator.told),
      (messages) => messages.some(({ id: message }) => message === `alert_ended_${id}`),
    )
  }
})
