import { assert } from "#test/support/it.ts"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { exportRows } from "#infrastructure/store/database/transfer/rows.ts"
import { WebhooksRepo } from "#infrastructure/store/webhooks/WebhooksRepo.ts"
import { onStores } from "#test/support/store.ts"
import { swappingLayer } from "#test/support/swapping.ts"
import { begin, makeReceivers, settle, webhooksTo } from "./support/telling.ts"

const receivers = makeReceivers()
const { typesTold } = receivers

onStores(webhooksTo(receivers).pipe(Layer.provideMerge(swappingLayer)))("Webhooks", (it) => {
  it.effect("sign with the old secret too until the overlap is over", function* () {
    const { account, actor, deliveries, url, webhooks } = yield* begin
    const { secret, webhook: { id } } = yield* webhooks.create(account, { url }, actor)
    const next = yield* webhooks.rotate(account, id, Duration.hours(24), actor)
    const signatures = Effect.gen(function* () {
      yield* deliveries.test(account, id)
      yield* settle
      const [posting] = receivers.taken(url)
      assert(posting !== undefined)
      const at = new Date(Number(posting.headers["webhook-timestamp"]) * 1_000)
      const of = (one: typeof secret) =>
        new Webhook(Redacted.value(one)).sign(posting.headers["webhook-id"] ?? "", at, posting.body)
      return { sent: posting.headers["webhook-signature"], old: of(secret), new: of(next.secret) }
    })
    const during = yield* signatures
    assert.strictEqual(during.sent, `${during.new} ${during.old}`)
    yield* TestClock.adjust("24 hours")
    const afterwards = yield* signatures
    assert.strictEqual(afterwards.sent, afterwards.new)
  })

  it.effect("have few secrets that sign at a time, and keep none that is over", function* () {
    const { account, actor, url, webhooks } = yield* begin
    const sql = yield* SqlClient.SqlClient
    const repo = yield* WebhooksRepo
    const { webhook: { id } } = yield* webhooks.create(account, { url }, actor)
    const rotate = (overlap: Duration.Input) =>
      webhooks.rotate(account, id, Duration.fromInputUnsafe(overlap), actor)
    for (const hours of [1, 2, 3, 4]) yield* rotate(Duration.hours(hours))
    assert.strictEqual((yield* Effect.flip(rotate("1 hour")))._tag, "TooManySecrets")
    yield* TestClock.adjust("1 hour")
    yield* rotate("1 hour")
    yield* rotate("0 seconds")
    yield* repo.forgetSecrets(yield* currentMillis)
    const kept = yield* sql`SELECT expires_at FROM webhook_secrets WHERE webhook_id = ${id}`
    assert.deepStrictEqual(kept, [{ expires_at: null }])
  })

  it.effect("are disabled where there is no secret to sign with, as after an import, which has none", function* () {
    const { account, actor, aSwap, url, webhooks } = yield* begin
    const sql = yield* SqlClient.SqlClient
    const { secret, webhook: { id } } = yield* webhooks.create(account, { url }, actor)
    const lines: Array<string> = []
    yield* exportRows((line) => Effect.sync(() => void lines.push(line)))
    assert.include(lines.join("\n"), url)
    assert.notInclude(lines.join("\n"), Redacted.value(secret))
    yield* sql`DELETE FROM webhook_secrets WHERE webhook_id = ${id}`
    yield* aSwap
    yield* settle
    assert.isEmpty(receivers.taken(url))
    assert.strictEqual((yield* webhooks.find(account, id)).disabledReason, "secret_missing")
    yield* webhooks.rotate(account, id, Duration.zero, actor)
    yield* webhooks.change(account, id, { enabled: true }, actor)
    yield* settle
    assert.deepStrictEqual(typesTold(url), ["swap.waiting"])
  })

  it.effect("wait, and count no attempt, while their secret cannot be decrypted", function* () {
    const { account, actor, aSwap, deliveries, url, webhooks } = yield* begin
    const sql = yield* SqlClient.SqlClient
    const { secret, webhook: { id } } = yield* webhooks.create(account, { url }, actor)
    const keep = (kept: string) => sql`UPDATE webhook_secrets SET secret = ${kept} WHERE webhook_id = ${id}`
    yield* keep("aes256gcm:AAAA")
    yield* aSwap
    yield* settle
    assert.isEmpty(receivers.taken(url))
    const [waiting] = (yield* deliveries.page(account, id, { limit: 1 })).items
    assert.deepStrictEqual([waiting?.state, waiting?.attempts], ["pending", 0])
    yield* keep(Redacted.value(secret))
    yield* TestClock.adjust("1 minute")
    yield* settle
    assert.deepStrictEqual(typesTold(url), ["swap.waiting"])
  })

  it.effect("are at most so many of an account", function* () {
    const { account, actor, url, webhooks } = yield* begin
    for (const name of ["a", "b", "c"]) yield* webhooks.create(account, { url: `${url}/${name}` }, actor)
    const fourth = yield* Effect.flip(webhooks.create(account, { url }, actor))
    assert.strictEqual(fourth._tag, "TooManyWebhooks")
  })
})
