import { assert } from "#test/support/it.ts"
import { Duration, Effect, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import { Alerts } from "#application/alerts/Alerts.ts"
import { observing, remindOfEndings } from "#application/alerts/observing.ts"
import { sendDue } from "#application/alerts/evaluateAlerts.ts"
import { type Alert, placeOf, providerOf } from "#domain/operations/Alert.ts"
import { newWebhookSecret } from "#domain/accounts/Webhook.ts"
import { AlertMessagesRepo } from "#infrastructure/store/alerts/AlertMessagesRepo.ts"
import { AlertsRepo } from "#infrastructure/store/alerts/AlertsRepo.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { collectLogs } from "#test/support/collectLogs.ts"
import { onStores } from "#test/support/store.ts"
import { down, downs, other, provider, recordingPoster } from "./support/alerts.ts"

const options = {
  after: Duration.seconds(20),
  overAfter: Duration.minutes(1),
  forgottenAfter: Duration.seconds(15),
  hasWebhook: true,
}

const ToldMessage = Schema.fromJsonString(Schema.Struct({
  type: Schema.String,
  timestamp: Schema.String,
  data: Schema.Struct({
    id: Schema.Int,
    state: Schema.String,
    alert: Schema.Struct({ type: Schema.String }),
  }),
}))
const decodeMessage = Schema.decodeUnknownSync(ToldMessage)

/** Nothing is seen, and nothing was. */
const begin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM alert_faults`
  yield* sql`DELETE FROM alerts`
  return { observe: yield* observing(options), alerts: yield* Alerts, repo: yield* AlertsRepo }
})

/** The same, seen every five seconds for a while. */
const lasting = (seconds: number, round: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    for (let passed = 0; passed < seconds; passed += 5) {
      yield* round
      yield* TestClock.adjust("5 seconds")
    }
  })

const secret = newWebhookSecret()
const url = "https://operator.example/alerts"

/** The operator's webhook, and what it was sent. */
const toldTo = Effect.gen(function* () {
  const poster = recordingPoster()
  const webhook = { url: Redacted.make(url), secret, privateDestinations: [] }
  const send = yield* Effect.provide(sendDue(webhook, Duration.seconds(10)), poster.layer)
  return { ...poster, send, types: () => poster.posted.map(({ body }) => decodeMessage(body).type) }
})

onStores(Alerts.layer)("Alerts", (it) => {
  it.effect("begin and end once, with a line of the log for each, though two replicas see them", function* () {
    const { alerts, observe } = yield* begin
    const replica = yield* observing(options)
    const both = (reading: ReturnType<typeof downs>) =>
      Effect.all([observe([reading]), replica([reading])], { concurrency: 2 })
    const { lines } = yield* collectLogs(Effect.gen(function* () {
      yield* lasting(60, both(downs(down())))
      assert.deepStrictEqual((yield* alerts.active).map(({ alert }) => alert), [down()])
      yield* lasting(120, both(downs()))
    }))
    assert.isEmpty(yield* alerts.active)
    assert.deepStrictEqual(lines, [
      "Alert provider_down: first is down. Paused: quote. Check the last error of the provider. If it lasts, switch the " +
      "provider off",
      "The alert provider_down of first is resolved",
    ])
  })

  it.effect("of endpoints that end are repeated in the log, and no others", function* () {
    const { observe } = yield* begin
    const ending: Alert = {
      ...{ type: "endpoint_ending", provider, endpoint: "POST /quote", operations: ["quote"] },
      unreadable: [{ header: "Sunset", text: "soon" }],
    }
    const endings = { type: "endpoint_ending" as const, faults: [ending], unknown: [] }
    yield* lasting(30, observe([downs(down()), endings]))
    const { lines } = yield* collectLogs(remindOfEndings)
    assert.deepStrictEqual(lines, [
      "Alert endpoint_ending: first has announced the end of POST /quote with a date that cannot be read. Used for: " +
      "quote. Change to a setting or a version of the service that does not use it. The provider's page shows the announcement",
    ])
    yield* lasting(120, observe([downs(), { ...endings, faults: [] }]))
    assert.isEmpty((yield* collectLogs(remindOfEndings)).lines)
  })

  it.effect("go on after a restart, and do not begin again", function* () {
    const { alerts, observe } = yield* begin
    yield* lasting(30, observe([downs(down())]))
    const [before] = yield* alerts.active
    const restarted = yield* observing(options)
    yield* lasting(60, restarted([downs(down())]))
    assert.deepStrictEqual(yield* alerts.active, before === undefined ? [] : [before])
    assert.strictEqual((yield* alerts.page({ limit: 10 })).items.length, 1)
  })

  it.effect("go on where another version has written what this one cannot read", function* () {
    const { alerts, observe } = yield* begin
    const sql = yield* SqlClient.SqlClient
    yield* lasting(30, observe([downs(down())]))
    yield* sql`UPDATE alert_faults SET alert = '{"type": "unheard_of"}'`
    yield* lasting(60, observe([downs(down())]))
    assert.deepStrictEqual((yield* alerts.page({ limit: 10 })).items.map(({ state }) => state), ["active"])
    yield* lasting(90, observe([downs()]))
    assert.deepStrictEqual((yield* alerts.page({ limit: 10 })).items.map(({ state }) => state), ["ended"])
  })

  it.effect("have the latest figures while they last", function* () {
    const { alerts, observe } = yield* begin
    yield* lasting(30, observe([downs(down())]))
    const worse = { ...down(), operations: ["quote", "open"] as const }
    yield* observe([downs(worse)])
    assert.deepStrictEqual((yield* alerts.active).map(({ alert }) => alert), [worse])
  })

  it.effect("are listed with the active ones first, page by page", function* () {
    const { alerts, observe } = yield* begin
    yield* lasting(30, observe([downs(down(), down(other))]))
    yield* lasting(90, observe([downs(down())]))
    yield* lasting(30, observe([downs(down(), down(other))]))
    yield* lasting(150, observe([downs(down())]))
    const whole = yield* alerts.page({ limit: 10 })
    assert.deepStrictEqual(
      whole.items.map(({ alert, state }) => [state, providerOf(alert)]),
      [
        ["active", provider],
        ["ended", other],
        ["ended", other],
      ],
    )
    assert.isUndefined(whole.next)
    let offset = whole.items.slice(0, 1).map(placeOf).at(0)
    const listed: Array<unknown> = []
    while (offset !== undefined) {
      const page = yield* alerts.page({ limit: 1, offset })
      listed.push(...page.items)
      offset = page.next
    }
    assert.deepStrictEqual(listed, [...whole.items])
  })

  it.effect("that ended long ago are forgotten", function* () {
    const { alerts, observe, repo } = yield* begin
    yield* lasting(30, observe([downs(down(), down(other))]))
    yield* lasting(90, observe([downs(down())]))
    const now = yield* currentMillis
    assert.strictEqual(yield* repo.expire(EpochMillis.make(now + 1), 10), 1)
    assert.deepStrictEqual((yield* alerts.page({ limit: 10 })).items.map(({ state }) => state), ["active"])
  })

  it.effect("are told to the operator's webhook, signed, the end after the beginning", function* () {
    const { observe } = yield* begin
    const { posted, send, types } = yield* toldTo
    yield* lasting(30, observe([downs(down())]))
    yield* lasting(90, observe([downs()]))
    yield* send
    assert.deepStrictEqual(types(), ["alert.began", "alert.ended"])
    const [began, ended] = posted
    assert.deepStrictEqual(posted.map((one) => one.url), [url, url])
    assert.notStrictEqual(began?.headers["webhook-id"], ended?.headers["webhook-id"])
    const verifier = new Webhook(Redacted.value(secret))
    for (const { body, headers } of posted) {
      const at = new Date(Number(headers["webhook-timestamp"]) * 1_000)
      const signature = verifier.sign(headers["webhook-id"] ?? "", at, body)
      assert.strictEqual(headers["webhook-signature"], signature)
    }
    yield* TestClock.adjust("10 minutes")
    yield* send
    assert.strictEqual(posted.length, 2)
  })

  it.effect("are told again until they are taken, the same to the last character", function* () {
    const { observe } = yield* begin
    const messages = yield* AlertMessagesRepo
    const { answer, posted, send, types } = yield* toldTo
    answer({ status: 500 }, { failure: "unreachable" })
    yield* lasting(30, observe([downs(down())]))
    yield* lasting(90, observe([downs()]))
    yield* send
    assert.isTrue(Option.isSome(yield* messages.failingSince))
    yield* TestClock.adjust("10 seconds")
    yield* send
    yield* TestClock.adjust("10 minutes")
    yield* send
    assert.deepStrictEqual(types(), ["alert.began", "alert.began", "alert.began", "alert.ended"])
    assert.strictEqual(new Set(posted.slice(0, 3).map(({ body }) => body)).size, 1)
    assert.strictEqual(new Set(posted.slice(0, 3).map(({ headers }) => headers["webhook-id"])).size, 1)
    assert.isTrue(Option.isNone(yield* messages.failingSince))
  })

  it.effect("are told though the process that was to tell them was killed", function* () {
    const { observe } = yield* begin
    const messages = yield* AlertMessagesRepo
    yield* lasting(30, observe([downs(down())]))
    const now = yield* currentMillis
    const claimed = yield* messages.claim({ now, until: EpochMillis.make(now + 20_000) }, 10)
    assert.strictEqual(claimed.length, 1)
    const { send, types } = yield* toldTo
    yield* TestClock.adjust("10 seconds")
    yield* send
    assert.isEmpty(types())
    yield* TestClock.adjust("15 seconds")
    yield* send
    assert.deepStrictEqual(types(), ["alert.began"])
  })
})
