import { assert, describe, it } from "#test/support/it.ts"
import { Option, Redacted } from "effect"
import { issuesOf, readFrom } from "#test/infrastructure/config/read.ts"

const url = "https://operator.example/alerts?token=hunter2"
const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

describe("The operator's webhook", () => {
  it.effect("is there with a URL and a secret, neither of which is ever shown", function* () {
    const { operatorWebhook } = yield* readFrom({
      OPERATOR_WEBHOOK_URL: url,
      OPERATOR_WEBHOOK_SECRET: secret,
    })
    assert.deepStrictEqual(Option.map(operatorWebhook, (one) => Redacted.value(one.url)), Option.some(url))
    assert.notInclude(JSON.stringify(operatorWebhook) + String(operatorWebhook), "hunter2")
    assert.isTrue(Option.isNone((yield* readFrom({})).operatorWebhook))
  })

  it.effect("needs both, and https:// where money moves", function* () {
    assert.deepStrictEqual(yield* issuesOf({ OPERATOR_WEBHOOK_URL: url }), [
      "OPERATOR_WEBHOOK_SECRET is required with OPERATOR_WEBHOOK_URL",
    ])
    assert.deepStrictEqual(yield* issuesOf({ OPERATOR_WEBHOOK_SECRET: secret }), [
      "OPERATOR_WEBHOOK_URL is required with OPERATOR_WEBHOOK_SECRET",
    ])
    const live = yield* issuesOf({
      MODE: "live",
      OPERATOR_WEBHOOK_URL: "http://127.0.0.1:9000/x",
      OPERATOR_WEBHOOK_SECRET: secret,
    })
    assert.include(live, "OPERATOR_WEBHOOK_URL must begin with https://")
  })

  it.effect("may lead to a private destination that the operator allows", function* () {
    const live = {
      MODE: "live",
      OPERATOR_WEBHOOK_URL: "http://10.0.0.5:9093/x",
      OPERATOR_WEBHOOK_SECRET: secret,
    }
    const names = (issues: ReadonlyArray<string>) => issues.join().match(/OPERATOR_WEBHOOK_[A-Z_]+/g)
    assert.isNotNull(names(yield* issuesOf(live)))
    assert.isNull(
      names(yield* issuesOf({ ...live, OPERATOR_WEBHOOK_PRIVATE_DESTINATIONS: "10.0.0.0/8, am.lan" })),
    )
    assert.isNotNull(
      names(yield* issuesOf({ ...live, OPERATOR_WEBHOOK_PRIVATE_DESTINATIONS: "10.0.0.0/80" })),
    )
    assert.isNotNull(names(yield* issuesOf({ ...live, WEBHOOK_PRIVATE_DESTINATIONS: "10.0.0.0/8" })))
  })
})
