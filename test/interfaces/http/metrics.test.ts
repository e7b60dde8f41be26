import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { version } from "#infrastructure/platform/version.ts"
import { brokerInProcess, testKey } from "#test/support/broker.ts"
import { ask, members } from "./asking.ts"

const destination = "0x2222222222222222222222222222222222222222"
const quotesPath = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1"
const swapPath =
  `/swap?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1&destinationAddress=${destination}`

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const line = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/g

/** Reads one line of the text format; one that is not of it fails the test. */
const parse = (text: string): Sample => {
  const [, name = "", labels = "", value = ""] = line.exec(text) ?? []
  assert.isNotEmpty(name, `not a sample: ${text}`)
  const found = [...labels.matchAll(label)]
  assert.strictEqual(found.map(([whole]) => whole).join(""), labels, `labels of ${text}`)
  const number = value === "+Inf" ? Infinity : Number(value)
  assert.isNotNaN(number, text)
  return { name, labels: Object.fromEntries(found.map(([, key = "", of = ""]) => [key, of])), value: number }
}

const scrape = Effect.map(ask("GET", "/metrics", undefined, null), ({ headers, status, text }) => {
  assert.strictEqual(status, 200)
  assert.match(headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/)
  const samples = text.split("\n").filter((one) => one !== "" && !one.startsWith("#")).map(parse)
  return { text, samples }
})

const find = (
  samples: ReadonlyArray<Sample>,
  name: string,
  labels: Readonly<Record<string, string>>,
): number | undefined =>
  samples.find((sample) =>
    sample.name === name &&
    Object.entries(labels).every(([key, value]) => sample.labels[key] === value)
  )?.value

layer(brokerInProcess(), { excludeTestServices: true })("/metrics", (it) => {
  it.effect("has the circuits of every registered provider from the start", function* () {
    const { samples } = yield* scrape
    for (const provider of ["chainflip", "near-intents"]) {
      for (const operation of ["quote", "open", "status"]) {
        assert.strictEqual(find(samples, "swap_broker_circuit_state", { provider, operation }), 0)
      }
    }
  })

  it.effect("says which build runs, and what its process takes", function* () {
    const { samples, text } = yield* scrape
    const value = (name: string) => find(samples, name, {}) ?? NaN
    assert.strictEqual(find(samples, "swap_broker_build_info", { version, deno: Deno.version.deno }), 1)
    assert.closeTo(value("process_start_time_seconds"), performance.timeOrigin / 1_000, 1)
    assert.isAbove(value("process_resident_memory_bytes"), 1_000_000)
    assert.isAbove(value("process_cpu_seconds_total"), 0.01)
    assert.isAbove(value("process_open_fds"), 2)
    assert.include(text, "# TYPE process_cpu_seconds_total counter")
  })

  it.effect("counts calls by outcome and times requests by method, route and status", function* () {
    const count = "swap_broker_request_duration_seconds_count"
    const ok = { method: "GET", route: "/quotes", status: "200" }
    const before = find((yield* scrape).samples, count, ok) ?? 0
    yield* ask("GET", quotesPath)
    yield* ask("GET", "/quotes")
    yield* ask("POST", "/providers/chainflip/switch", {})
    const { samples } = yield* scrape
    assert.strictEqual(find(samples, count, ok), before + 1)
    assert.isAtLeast(find(samples, count, { ...ok, status: "400" }) ?? 0, 1)
    assert.isAtLeast(
      find(samples, count, { method: "POST", route: "/providers/:name/switch", status: "400" }) ?? 0,
      1,
    )
    assert.isAtLeast(
      find(samples, "swap_broker_provider_calls_total", {
        provider: "chainflip",
        operation: "quote",
        outcome: "succeeded",
      }) ?? 0,
      1,
    )
  })

  it.effect("names no key, address, swap or path that a caller made up", function* () {
    const opened = yield* ask("GET", swapPath)
    assert.strictEqual(opened.status, 200, opened.text)
    const { address } = members(opened.body)
    yield* ask("GET", `/made-up/${testKey}?apiKey=${testKey}`, undefined, null)
    yield* ask("MADEUP", "/quotes")
    yield* ask("POST", `/providers/made-up-name/switch`, {})
    const { samples, text } = yield* scrape
    for (const secret of [testKey, destination, `${address}`, "made-up", "MADEUP"]) {
      assert.notInclude(text, secret)
    }
    /** Those of one asset, of which there are some twenty; none is of a pair. */
    const ofAssets = /^swap_broker_(?:volume_native|commission_native|ledger_mismatch)/
    const known = [
      "alert",
      "method",
      "route",
      "status",
      "provider",
      "of",
      "operation",
      "outcome",
      "to",
      "how",
      "reason",
      "state",
      "le",
      "version",
      "deno",
    ]
    const ours = samples.filter(({ name }) => name.startsWith("swap_broker_"))
    for (const { labels, name } of ours) {
      assert.includeMembers(ofAssets.test(name) ? [...known, "asset"] : known, Object.keys(labels))
    }
  })
})
