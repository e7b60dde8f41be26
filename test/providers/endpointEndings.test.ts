import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { SimulatedProvider } from "#api/SandboxFaults.ts"
import { begins, service } from "#test/application/alerts/support/service.ts"
import { cliWith } from "#test/cli/running.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { request, signIn } from "#test/interfaces/dashboard/support/signIn.ts"
import { eventually } from "#test/durability/eventually.ts"
import { ask, list, members } from "#test/interfaces/http/asking.ts"

/** Calls of the API checks count as any: they ask anew for what is otherwise kept for a while. */
const settings = {
  PROVIDERS: SimulatedProvider.literals.join(","),
  QUOTE_CACHE_TTL: "1 millis",
  WIRE_WITNESS_INTERVAL: "500 millis",
  WIRE_WITNESS_QUESTIONS: "20",
}
const pair = "sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.5"

const deprecatedAt = Date.UTC(2026, 10, 25)
const sunsetAt = Date.UTC(2027, 1, 23)
const references = [
  { rel: "deprecation", url: "https://upstream.test/why" },
  { rel: "successor-version", url: "/quote/v3" },
]

/** The headers of an announcement in five spellings, and what is known of it. */
const spellings: ReadonlyArray<
  readonly [lines: Readonly<Record<string, ReadonlyArray<string>>>, known: Readonly<Record<string, unknown>>]
> = [
  [{ deprecation: ["@1795564800"], sunset: ["Tue, 23 Feb 2027 00:00:00 GMT"] }, { deprecatedAt, sunsetAt }],
  [{ deprecation: ["Wed, 25 Nov 2026 00:00:00 GMT"] }, { deprecatedAt }],
  [
    {
      deprecation: ["true"],
      link: ['<https://upstream.test/why>; rel="deprecation"', "</quote/v3>; rel=successor-version"],
    },
    { references, unreadable: [] },
  ],
  [{ sunset: ["Fri, 01 Jan 2021 00:00:00 GMT"] }, { sunsetAt: Date.UTC(2021, 0, 1) }],
  [{ sunset: ["soon\u007e"] }, { references: [], unreadable: [{ header: "Sunset", text: "soon~" }] }],
]

const endings = Effect.map(
  ask("GET", "/providers"),
  ({ body }) => list(body).map(({ endings, name }) => ({ name, endings: list(endings) })),
)

const endingsAt = (provider: string) =>
  Effect.map(endings, (all) => all.find(({ name }) => name === provider)?.endings ?? [])

/** Asks all providers for quotes, until what is known of their endings is as it should be. */
const asking = <A, R>(known: Effect.Effect<A, never, R>, isRight: (known: A) => boolean) =>
  eventually(Effect.andThen(ask("GET", `/quotes?${pair}`), known), isRight)

const fits =
  (known: Readonly<Record<string, unknown>>) => (ending: Readonly<Record<string, unknown>>): boolean =>
    ["deprecatedAt", "sunsetAt"].every((date) => ending[date] === known[date]) &&
    ["references", "unreadable"].every((part) =>
      known[part] === undefined || JSON.stringify(ending[part]) === JSON.stringify(known[part])
    )

const metric = Effect.fnUntraced(function* (endpoint: string) {
  const { text } = yield* ask("GET", "/metrics", undefined, null)
  const name = "swap_broker_endpoint_sunset_timestamp_seconds"
  return text.split("\n").find((line) => line.startsWith(name) && line.includes(`endpoint="${endpoint}"`))
})

layer(service(settings), { excludeTestServices: true })("Endpoints of upstreams", (it) => {
  it.effect("end nowhere in an undisturbed hour", function* () {
    for (let minute = 0; minute < 60; minute += 10) {
      assert.strictEqual((yield* ask("GET", `/quotes?${pair}`)).status, 200)
      yield* ask("POST", "/sandbox/time", { advanceSeconds: 600 })
    }
    for (const { endings: all, name } of yield* endings) assert.isEmpty(all, `${name}`)
    const { body } = yield* ask("GET", "/operator/alerts?limit=500")
    assert.isEmpty(list(body).filter((one) => members(one, "alert").type === "endpoint_ending"))
  })

  it.effect("are reported by each provider in each spelling, and nonsense as nonsense", function* () {
    for (const [lines, known] of spellings) {
      for (const provider of SimulatedProvider.literals) {
        const put = yield* ask("PUT", "/sandbox/faults", { provider, ends: lines })
        assert.strictEqual(put.status, 200, put.text)
      }
      yield* asking(endings, (all) => all.every(({ endings }) => endings.some(fits(known))))
    }
    yield* begins("endpoint_ending", "maya")
  })

  it.effect("are named by JSON-RPC methods, too, and stand in the alert, on the page and in the metric", function* () {
    const [[lines, known] = [{}, {}]] = spellings
    const endpoint = "broker_request_swap_deposit_address"
    yield* ask("PUT", "/sandbox/faults", { provider: "chainflip", ends: { ...lines, endpoint } })
    const opened = yield* ask(
      "GET",
      `/swap?${pair}&platform=chainflip&destinationAddress=0x${"2".repeat(40)}`,
    )
    assert.strictEqual(opened.status, 200, opened.text)
    const ending = { endpoint, operations: ["open"], ...known }
    const found = yield* eventually(
      Effect.map(endingsAt("chainflip"), (all) => all.find((one) => one.endpoint === endpoint)),
      (one) => one !== undefined,
    )
    assert.deepInclude(found, ending)
    assert.match((yield* metric(endpoint)) ?? "", new RegExp(`provider="chainflip".* ${sunsetAt / 1_000}$`))
    const page = yield* request("/dashboard/providers/chainflip", { headers: { cookie: yield* signIn() } })
    const section = /<section[^>]*id="endings"([\s\S]*?)<\/section>/.exec(page.text)?.[1] ?? ""
    assert.include(section, endpoint)
    assert.include(section, "new swaps")
    const alerts = yield* eventually(
      Effect.map(
        ask("GET", "/operator/alerts?limit=500"),
        ({ body }) => list(body).filter((one) => members(one, "alert").endpoint === endpoint),
      ),
      (all) => all.length > 0,
    )
    assert.strictEqual(
      alerts[0]?.problem,
      `Chainflip has announced the end of ${endpoint} for 2027-02-23 00:00 UTC. Used for: open`,
    )
  })

  it.effect("are in what doctor says of a running service", function* () {
    const BROKER_URL = `${yield* brokerUrl}`
    const { code, output } = yield* cliWith({ BROKER_URL, BROKER_API_KEY: testKey }, "doctor")
    assert.strictEqual(code, 0, output)
    assert.match(output, /provider chainflip +ADVICE +has announced the end of broker_request_swap/)
  })

  it.effect("are retired by a 410, and by a bare 404 once they had announced it", function* () {
    yield* ask("DELETE", "/sandbox/faults")
    for (const [provider, retired] of [["relay", 410], ["near-intents", 404]] as const) {
      yield* ask("PUT", "/sandbox/faults", { provider, ends: { retired } })
      const gone = yield* asking(
        endingsAt(provider),
        (all) =>
          all.some(({ endpoint, retiredAt }) => `${endpoint}`.includes("quote") && retiredAt !== undefined),
      )
      assert.isNotEmpty(gone)
      const { body } = yield* ask("GET", "/providers")
      const { operations } = list(body).find(({ name }) => name === provider) ?? {}
      assert.match(`${members(operations, "quote", "lastError").detail}`, /410: (?:GET|POST) .* is retired$/)
    }
  })
})
