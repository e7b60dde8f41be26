import { assert, layer } from "#test/support/it.ts"
import { hexToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer } from "effect"
import { channelKey } from "#domain/chains/payload/depositChannel.ts"
import { EpochMillis } from "#domain/Time.ts"
import { serve } from "#infrastructure/platform/serve.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { find, parseJson, textAt } from "#test/contract/support/Json.ts"
import { addresses } from "#test/contract/support/addresses.ts"
import { brokerOfTwo } from "#test/contract/support/accounts.ts"
import { call } from "#test/contract/support/call.ts"
import { later, laterClock } from "./support/later.ts"

/** Who tells something else than the truth, while the answer to an opening is lost. */
type Liar = "node" | "backend" | "broker" | "nobody"

/** An address that no upstream opened. */
const forged = `0x${"99".repeat(20)}`

/** An address as the node lists it. */
const listed = (address: string): string => `[${[...hexToBytes(address.slice(2))].join(",")}]`

const keyOf = (address: string): string => {
  const key = channelKey("Ethereum", address)
  return key._tag === "Success" ? key.success : assert.fail(key.failure)
}

/** In front of Chainflip: loses answers to openings, and lets one of its three sources lie about the address. */
class Liars extends Context.Service<Liars, {
  readonly url: URL
  readonly upstreams: URL
  /** From now on this one lies, the answers to openings are lost or not, and the backend knows no channel or all. */
  readonly set: (state: { liar?: Liar; isLost?: boolean; isBehind?: boolean }) => void
  /** The address that was opened last. */
  readonly opened: () => string
}>()("swap-broker/test/tampering/Liars") {
  static readonly layer = Layer.effect(
    Liars,
    Effect.gen(function* () {
      const { url: upstreams } = yield* Sandbox
      const state: { liar: Liar; isLost: boolean; isBehind: boolean } = {
        liar: "nobody",
        isLost: false,
        isBehind: false,
      }
      let opened = ""

      const asSaidBy = (source: Liar, text: string): string =>
        state.liar !== source || opened === "" ? text : text
          .replaceAll(opened, forged)
          .replaceAll(listed(opened), listed(forged))

      const answer = async (request: Request): Promise<Response> => {
        const { pathname, search } = new URL(request.url)
        const isNode = pathname.startsWith("/chainflip/node")
        const sent = await request.text()
        // The lying node has what it knows of the true address under the forged one.
        const body = isNode && opened !== "" && state.liar === "node"
          ? sent.replaceAll(keyOf(forged), keyOf(opened))
          : sent
        const response = await fetch(new URL(`${pathname}${search}`, upstreams), {
          method: request.method,
          headers: request.headers,
          ...(body === "" ? {} : { body }),
        })
        const text = await response.text()
        const headers = new Headers(response.headers)
        headers.delete("content-length")
        const pass = (text: string, status = response.status) => new Response(text, { status, headers })
        if (pathname.startsWith("/chainflip/broker") && sent.includes("request_swap_deposit_address")) {
          const result = find(parseJson(text), "result", "address")
          if (typeof result === "string") opened = result
          return state.isLost ? pass("", 502) : pass(asSaidBy("broker", text))
        }
        if (isNode) return pass(asSaidBy("node", text))
        if (!pathname.startsWith("/chainflip/backend/v2/swaps/")) return pass(text)
        return state.isBehind
          ? pass(JSON.stringify({ message: "resource not found" }), 404)
          : pass(asSaidBy("backend", text))
      }

      const url = yield* serve({ hostname: "127.0.0.1", port: 0, handler: answer })
      return Liars.of({
        url,
        upstreams,
        set: (next) => Object.assign(state, { liar: "nobody", isLost: false, isBehind: false }, next),
        opened: () => opened,
      })
    }),
  ).pipe(
    Layer.provide(Sandbox.layer({
      hostname: "127.0.0.1",
      port: 0,
      speed: 0,
      seed: "liars",
      genesis: EpochMillis.make(Date.UTC(2036, 6, 29)),
      dataDir: "memory",
    })),
  )
}

const settings = {
  PROVIDERS: "chainflip",
  CIRCUIT_MINIMUM_CALLS: "10000",
  CIRCUIT_WINDOW: "10000",
  OPEN_FAILURES: "1000",
  // Often enough that a sweep has looked at everything before the test does.
  OPENINGS_SWEEP_INTERVAL: "1 second",
}

const stage = Layer.unwrap(
  Effect.map(Liars, ({ url }) => brokerOfTwo({ ...settings, SANDBOX_URL: url.origin })),
).pipe(Layer.provideMerge(Liars.layer), Layer.provide(laterClock))

/** What tells requests apart: a channel that fits several openings is certainly of none. */
const names = ["", "node", "backend", "broker", "nobody", "late"]

/** Asks under a key; each name has a price limit of its own. */
const swap = (key: string | undefined) =>
  call("GET", "/swap", {
    query: {
      sourceAsset: "usdc.eth",
      destinationAsset: "eth.eth",
      destinationAddress: addresses.eth,
      refundAddress: addresses.eth,
      minimumPrice: `0.0000${1 + names.indexOf(key ?? "")}`,
    },
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  })

/** Lets simulated time pass, so that the node's finalized block has what was opened. */
const pass = Effect.fnUntraced(function* (advanceSeconds: number) {
  const { upstreams } = yield* Liars
  yield* Effect.promise(() =>
    fetch(new URL("/sandbox/time", upstreams), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ advanceSeconds }),
    }).then((response) => response.text())
  )
})

/** Everything that shows an address to an account, as JSON and as CSV. */
const shown = Effect.gen(function* () {
  const list = yield* call("GET", "/swaps", { query: { status: "waiting" } })
  const csv = yield* call("GET", "/swaps", { headers: { accept: "text/csv" }, query: { status: "waiting" } })
  return `${list.text}${csv.text}`
})

layer(stage, { excludeTestServices: true })("an opening whose answer was lost", (it) => {
  it.effect("is no excuse for an answer that came: a lying broker's address is held back", function* () {
    const liars = yield* Liars
    liars.set({ liar: "broker" })
    const answer = yield* swap(undefined)
    assert.isAbove(answer.status, 400, answer.text)
    assert.notInclude(`${answer.text}${yield* shown}`.toLowerCase(), forged)
    liars.set({})
  })

  it.effect("is never answered with an address that only one of node, backend and broker has", function* () {
    const liars = yield* Liars
    let foreign = 0
    for (const liar of ["node", "backend", "broker", "nobody"] as const) {
      const key = liar
      liars.set({ liar, isLost: true })
      assert.strictEqual((yield* swap(key)).status, 500, liar)
      const opened = liars.opened()
      yield* pass(60)
      liars.set({ liar })
      const repeated = yield* swap(key)
      yield* Effect.sleep("2500 millis")
      for (const text of [repeated.text, yield* shown]) if (text.toLowerCase().includes(forged)) foreign += 1
      // What the other two have is handed out; a lying node or backend leaves nobody's yes.
      const isKnown = liar === "broker" || liar === "nobody"
      assert.strictEqual(repeated.status === 200, isKnown, repeated.text)
      liars.set({})
      const truth = yield* swap(key)
      assert.strictEqual(truth.status, 200, truth.text)
      assert.strictEqual(textAt(truth.body, "address").toLowerCase(), opened.toLowerCase())
    }
    assert.strictEqual(foreign, 0)
  })

  it.effect("is unknown while the backend does not know it, and answered under the same key once it does", function* () {
    const liars = yield* Liars
    liars.set({ isLost: true })
    assert.strictEqual((yield* swap("late")).status, 500)
    yield* pass(60)
    liars.set({ isBehind: true })
    for (const _ of [1, 2]) assert.isAbove((yield* swap("late")).status, 400)
    yield* Effect.sleep("2500 millis")
    assert.notInclude((yield* shown).toLowerCase(), liars.opened().toLowerCase())
    // Until then the account has asked as often as the backend tolerates questions about what it does not know.
    later.pass(61_000)
    liars.set({})
    const known = yield* swap("late")
    assert.strictEqual(textAt(known.body, "address").toLowerCase(), liars.opened().toLowerCase())
    assert.strictEqual((yield* swap("late")).text, known.text)
  })
})
