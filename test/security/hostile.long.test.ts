import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { inlined } from "#test/contract/support/inlined.ts"
import { parseJson } from "#test/contract/support/Json.ts"
import { testKey } from "#test/support/broker.ts"
import { preparedFolder } from "#test/support/prepared/database.ts"
import { startProgram } from "#test/support/process.ts"
import { attack, type Outcome } from "./hostile/attack.ts"
import { target } from "./hostile/operations.ts"
import { type HostileRequest, hostileRequests } from "./hostile/requests.ts"
import { heapOf } from "./support/heapOf.ts"

/** `deno task hostile` sends all requests, the suite one in so many. */
const isWhole = Deno.env.get("HOSTILE") === "all"
const everyNth = 37

/** In how many parts the requests are sent: after each, the memory is looked at. */
const parts = 4

/** Bytes that the heap may grow by after the first part. Each request leaving 400 bytes behind would be more. */
const mostGrowth = 8_000_000

const settings = {
  PORT: "0",
  BOOTSTRAP_API_KEY: testKey,
  LOG_FORMAT: "json",
  PROVIDERS: "chainflip",
  RATE_LIMIT: "0",
  RATE_LIMIT_SWAP: "0",
  RATE_LIMIT_CREDENTIALS: "0",
  OPEN_CHANNELS_MOST: "1000000",
  CIRCUIT_MINIMUM_CALLS: "10000",
  CIRCUIT_WINDOW: "10000",
  OPEN_FAILURES: "1000",
  // One account sends it all.
  BULKHEAD_SHARE: "1",
}

/** They are not in the process whose memory is looked at; they keep every channel, as networks do. */
const networks = Sandbox.layer({
  hostname: "127.0.0.1",
  port: 0,
  speed: 0,
  seed: "hostile",
  genesis: EpochMillis.make(Date.UTC(2036, 6, 29)),
  dataDir: "memory",
})

const asked = (url: URL, method: string, path: string, body?: string) =>
  Effect.promise(() =>
    fetch(new URL(path, url), {
      method,
      headers: { "x-api-key": testKey },
      ...(body === undefined ? {} : { body }),
    }).then(async (response) => ({ status: response.status, text: await response.text() }))
  )

/** A part of the requests that is like the whole. */
const partOf = (all: ReadonlyArray<HostileRequest>, part: number): ReadonlyArray<HostileRequest> =>
  all.slice(Math.floor(all.length * part / parts), Math.floor(all.length * (part + 1) / parts))

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

describe("hostile input", () => {
  it.live(
    "is answered as the document says, never with a failure of our own, and leaves no memory behind",
    () =>
      Effect.gen(function* () {
        const sandbox = Context.get(yield* Layer.build(networks), Sandbox)
        const service = yield* startProgram("test/security/support/measuredService.ts", {
          ...settings,
          DATA_DIR: yield* preparedFolder,
          SANDBOX_URL: sandbox.url.origin,
        })
        const { url } = service
        const document = inlined(parseJson((yield* asked(url, "GET", "/docs/try/document.json")).text))
        yield* asked(url, "POST", "/operator/accounts", JSON.stringify({ name: target }))
        const all = hostileRequests(document)
        assert.isAtLeast(all.length, 20_000)
        const sent = isWhole ? all : all.filter((_, index) => index % everyNth === 0)
        const outcomes: Array<Outcome> = []
        const heap: Array<number> = []
        for (let part = 0; part < parts; part++) {
          outcomes.push(yield* Effect.promise(() => attack(url, document, partOf(sent, part))))
          heap.push(yield* heapOf(service))
        }
        const wrong = outcomes.flatMap((outcome) => outcome.wrong)
        assert.deepStrictEqual(wrong.slice(0, 20), [], `${wrong.length} wrong answers`)
        assert.isAbove(outcomes.reduce((count, { statuses }) => count + (statuses.get(200) ?? 0), 0), 0)
        if (isWhole) console.log(`${sent.length} requests, MB in use: ${heap.map(megabytes).join(", ")}`)
        yield* asked(url, "DELETE", "/sandbox/faults")
        assert.strictEqual((yield* asked(url, "GET", "/livez")).status, 200)
        assert.strictEqual((yield* asked(url, "GET", "/swaps")).status, 200)
        const [first = 0] = heap
        assert.isBelow(Math.max(...heap) - first, mostGrowth, heap.map(megabytes).join(", "))
      }).pipe(Effect.scoped),
  )
})
