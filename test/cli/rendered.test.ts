import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer, Schema } from "effect"
import { run } from "#cli/cli.ts"
import { CommandFailed } from "#cli/failures.ts"
import { OperatorClient } from "#cli/OperatorClient.ts"
import { alertText } from "#application/alerts/alertText.ts"
import { AlertEntry } from "#domain/operations/Alert.ts"
import { printed } from "#test/readme/jsonPage.ts"
import { captured, cli, done } from "./running.ts"

const nobody = Layer.effect(
  OperatorClient,
  Effect.fail(new CommandFailed({ kind: "failed", detail: "not needed" })),
)

const endpoint = /\b(?:GET|POST|PUT|PATCH|DELETE) \//
const one = /\b1 [a-z]+s\b/

const readEntries = Schema.decodeUnknownSync(Schema.Array(AlertEntry))

const entry = (id: number, alert: unknown) => ({
  id,
  alert,
  since: 1_800_000_000_000,
  beganAt: 1_800_000_000_000,
})

const alerts = readEntries([
  entry(1, {
    type: "outcome_unknown",
    provider: "chainflip",
    openings: 1,
    withdrawals: 0,
    unknownSince: 1_800_000_000_000,
  }),
  entry(2, { type: "swaps_stalled", provider: "near-intents", swaps: 1, stalledSince: 1_800_000_000_000 }),
  entry(3, { type: "webhook_failing", account: "wallet-one", webhooks: 1, failingSince: 1_800_000_000_000 }),
]).map(alertText)

const withAlerts = Layer.succeed(OperatorClient, {
  ask: () => Effect.succeed({ text: JSON.stringify(alerts), next: undefined }),
})

describe("what the command line prints for people", () => {
  it.effect("names commands in place of endpoints, in every help", function* () {
    for (const words of ["", ...printed.keys()]) {
      const { output } = yield* captured(
        run([...words.split(" ").filter((word) => word !== ""), "--help"], nobody),
      )
      assert.notMatch(output, endpoint, words)
      assert.notMatch(output, one, words)
    }
  })

  it.effect("has alerts in whole sentences, with the command that shows what each is about", function* () {
    const text = yield* Effect.provide(done(cli("alerts")), withAlerts)
    assert.notMatch(text, endpoint)
    assert.notMatch(text, one)
    assert.notInclude(text, "…")
    assert.include(text, "cli swaps list --provider near-intents --state stalled")
    for (const [, command = ""] of text.matchAll(/^ {4}cli ([a-z ]+)/gm)) {
      const { code } = yield* captured(run([...command.trim().split(" ").slice(0, 2), "--help"], nobody))
      assert.strictEqual(code, 0, command)
    }
  })

  it.effect("shows no global flags below wrong usage", function* () {
    const { code, errors } = yield* captured(run(["accounts", "create"], nobody))
    assert.strictEqual(code, 2)
    assert.notInclude(errors, "GLOBAL FLAGS")
  })
})
