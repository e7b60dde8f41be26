import { assert, describe, it, layer } from "#test/support/it.ts"
import { Effect, Schema, Struct } from "effect"
import { alertTypes } from "#domain/operations/Alert.ts"
import { ask } from "#test/interfaces/http/asking.ts"
import { brokerInProcess } from "#test/support/broker.ts"

const fileAt = (path: string): string => new URL(path, import.meta.url).pathname
const textAt = (path: string): string => Deno.readTextFileSync(fileAt(path))

const grafana = textAt("../../../src/infrastructure/ops/grafana.json")
const rules = textAt("../../../src/infrastructure/ops/alerts.yml")

/** The names of our metrics, as `infrastructure/ops/Metrics.ts` writes them, and those of the series of histograms. */
const known = new Set(
  [...textAt("../../../src/infrastructure/ops/Metrics.ts").matchAll(/(\w+)\(\s*"([a-z_]+)"/g)].flatMap((
    [, kind = "", name = ""],
  ) =>
    ["histogram", "timer"].includes(kind)
      ? ["_bucket", "_sum", "_count"].map((suffix) => `${name}${suffix}`)
      : [name]
  ),
)

const namesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\b(?:swap_broker|process)_[a-z_]+\b/g)].map(([name]) => name))

const Dashboard = Schema.fromJsonString(Schema.Struct({
  panels: Schema.Array(Schema.Struct({
    id: Schema.Int,
    type: Schema.String,
    title: Schema.NonEmptyString,
    description: Schema.optionalKey(Schema.NonEmptyString),
    targets: Schema.optionalKey(Schema.NonEmptyArray(Schema.Struct({ expr: Schema.NonEmptyString }))),
  })),
}))
const panels = Schema.decodeSync(Dashboard)(grafana).panels

/** What promtool says, and how it ends; undefined where it is not installed. */
const promtool = (args: ReadonlyArray<string>, input = "") =>
  Effect.promise(async () => {
    try {
      const child = new Deno.Command("promtool", {
        args: [...args],
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn()
      const writer = child.stdin.getWriter()
      await writer.write(new TextEncoder().encode(input))
      await writer.close()
      const { code, stderr, stdout } = await child.output()
      return { code, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error
      console.log(
        "Not tested, as promtool is not installed (Debian's package prometheus): what it says of our files.",
      )
      return undefined
    }
  })

describe("The dashboard for Grafana", () => {
  it("shows metrics of ours only", () => {
    const names = namesIn(panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join("\n"))
    assert.isAbove(names.size, 10)
    assert.deepStrictEqual([...names].filter((name) => !known.has(name)), [])
    assert.deepStrictEqual([...namesIn(grafana)].filter((name) => !known.has(name)), [])
  })

  it("has panels that each show something and say what", () => {
    assert.strictEqual(new Set(panels.map(({ id }) => id)).size, panels.length)
    for (const { description, targets, title, type } of panels) {
      if (type === "row") continue
      assert.isDefined(targets, title)
      assert.isDefined(description, title)
    }
  })
})

describe("The rules for Prometheus", () => {
  it("are about metrics of ours only", () => {
    assert.deepStrictEqual([...namesIn(rules)].filter((name) => !known.has(name)), [])
  })

  it("have one for each type of alert", () => {
    const types = [...rules.matchAll(/swap_broker_alert\{alert="([a-z_]+)"/g)].map(([, type = ""]) => type)
    assert.sameMembers(types, Struct.keys(alertTypes))
  })

  it("have names of their own, a severity and words", () => {
    const all = rules.split(/^ {6}- alert: /m).slice(1)
    assert.strictEqual(new Set(all.map((rule) => rule.split("\n")[0])).size, all.length)
    for (const rule of all) {
      for (const part of ["expr: ", "severity: ", "summary: ", "description: "]) assert.include(rule, part)
    }
  })

  it.live("are well for promtool", function* () {
    const found = yield* promtool(["check", "rules", fileAt("../../../src/infrastructure/ops/alerts.yml")])
    if (found !== undefined) assert.strictEqual(found.code, 0, found.said)
  })
})

layer(brokerInProcess(), { excludeTestServices: true })("/metrics", (it) => {
  it.effect("is well for promtool", function* () {
    yield* ask("GET", "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1")
    yield* ask("GET", "/quotes?sourceAsset=btc.btc")
    const { text } = yield* ask("GET", "/metrics", undefined, null)
    assert.include(text, "swap_broker_alert{")
    const found = yield* promtool(["check", "metrics"], text)
    if (found !== undefined) assert.deepStrictEqual(found, { code: 0, said: "" })
  })
})
