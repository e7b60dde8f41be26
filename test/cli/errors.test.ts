import { assert, describe, it } from "#test/support/it.ts"
import { Schema } from "effect"
import { stateWords } from "#domain/swaps/StateWord.ts"
import { cliWith } from "./running.ts"

const decode = Schema.decodeEffect(Schema.fromJsonString(
  Schema.Struct({ error: Schema.String, detail: Schema.String, exitCode: Schema.Int }),
))

const wrongUsage = [
  [["accounts", "destroy"], "destroy"],
  [["accounts", "create"], "account"],
  [["accounts", "create", "one", "--commission-bps", "many"], "commission-bps"],
  [["keys", "revoke", "id", "--unheard-of"], "--unheard-of"],
  [["swaps", "list", "--state", "waiting,lost"], `Expected: some of ${stateWords.join(", ")}`],
] as const

describe("a command that fails", () => {
  it.live.each(wrongUsage)(
    "says on its first line what is wrong with %j",
    function* ([args, part]) {
      const { code, errors, output } = yield* cliWith({}, ...args)
      assert.strictEqual(code, 2)
      assert.strictEqual(output, "", "standard output is for what was asked")
      const [first = "", second, ...help] = errors.split("\n")
      assert.include(first, part)
      assert.notMatch(first, /^(ERROR|DESCRIPTION|USAGE)/)
      assert.strictEqual(second, "")
      assert.match(help.join("\n"), /USAGE/)
    },
  )

  it.live.each(wrongUsage)(
    "says it as JSON alone where that is wanted: %j",
    function* ([args, part]) {
      const { code, errors, output } = yield* cliWith({}, ...args, "--json")
      assert.strictEqual(output, "")
      assert.notInclude(errors, "\n")
      const { detail, error, exitCode } = yield* decode(errors)
      assert.deepStrictEqual([code, error, exitCode], [2, "usage", 2])
      assert.include(detail, part)
    },
  )

  it.live("says as JSON what the service or the settings are the matter with", function* () {
    const away = { BROKER_URL: "http://127.0.0.1:9", BROKER_API_KEY: "x".repeat(32) }
    const unreachable = yield* cliWith(away, "--json", "accounts", "list")
    assert.deepStrictEqual([unreachable.code, (yield* decode(unreachable.errors)).error], [5, "unreachable"])
    const memory = yield* cliWith({ DATA_DIR: "memory" }, "audit", "--json")
    assert.include(yield* decode(memory.errors), { error: "usage", exitCode: 2 })
    const plain = yield* cliWith({ DATA_DIR: "memory" }, "audit")
    assert.strictEqual(plain.errors, (yield* decode(memory.errors)).detail)
  })

  it.live("still shows help on standard output to who asks for it", function* () {
    const { code, errors, output } = yield* cliWith({}, "accounts", "--help")
    assert.deepStrictEqual([code, errors], [0, ""])
    assert.match(output, /USAGE/)
  })
})
