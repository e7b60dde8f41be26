import { assert, describe, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { Webhook } from "standardwebhooks"
import { fast, secret } from "#test/application/alerts/support/service.ts"
import { startService } from "#test/support/process.ts"
import { receiver } from "#test/application/webhooks/support/receiver.ts"
import { alertsOf, setWithdrawals } from "./client.ts"
import { eventually } from "./eventually.ts"
import { places } from "./places.ts"

/** Draws the moments of the kills. */
const seed = "alerts"

const type = "withdrawals_disabled"

/** How often the fault comes or goes: each time the service is killed. */
const changes = 4

describe.concurrent.each(places)(
  "The operator's webhook of a service on $name that is killed again and again",
  ({ environment }) => {
    it.live(
      "is told at least once that an alert began and that it ended, each time in the same words",
      () =>
        Effect.gen(function* () {
          const operator = yield* receiver()
          const settings = {
            ...fast,
            PROVIDERS: "chainflip",
            TREASURY_INTERVAL: "100 millis",
            WEBHOOK_INTERVAL: "50 millis",
            // A busy machine may take seconds for an attempt; one that failed twice is made again after minutes only.
            WEBHOOK_TIMEOUT: "15 seconds",
            OPERATOR_WEBHOOK_URL: operator.url,
            ...(yield* environment),
          }
          for (let change = 0; change < changes; change++) {
            const service = yield* startService(settings)
            const before = operator.told().length
            yield* setWithdrawals(service, change % 2 === 1)
            // By turns before anything is told, it may be, and when the message is there but not yet written down as told.
            if (change % 4 < 2) yield* Effect.sleep(yield* Random.nextIntBetween(0, 500))
            else yield* eventually(Effect.sync(operator.told), (told) => told.length > before)
            yield* service.kill("SIGKILL")
            yield* service.ended
          }
          const last = yield* startService(settings)
          yield* setWithdrawals(last, false)
          yield* eventually(alertsOf(last, type), (all) => all.some(({ state }) => state === "active"))
          yield* setWithdrawals(last, true)
          const alerts = yield* eventually(
            alertsOf(last, type),
            (all) => all.length > 0 && all.every(({ state }) => state === "ended"),
          )
          const due = alerts.flatMap(({ id }) => [`alert_began_${id}`, `alert_ended_${id}`])
          const told = yield* eventually(
            Effect.sync(operator.told),
            (all) => due.every((message) => all.some(({ id }) => id === message)),
          )
          const bodies = new Map(told.map(({ body, id }) => [id, body]))
          for (const { body, headers, id } of told) {
            new Webhook(secret).verify(body, headers)
            assert.strictEqual(bodies.get(id), body)
          }
          const firsts = told.map(({ id }) => id)
          for (const { id } of alerts) {
            assert.isBelow(firsts.indexOf(`alert_began_${id}`), firsts.indexOf(`alert_ended_${id}`))
          }
        }).pipe(Random.withSeed(seed)),
    )
  },
)
