import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addresses } from "./support/addresses.ts"
import { type Answer, call, get, type Query, withBroker } from "./support/call.ts"
import { integerAt, textAt } from "./support/Json.ts"
import { pathOf, payloadKinds, payloadParameters } from "./support/payloads.ts"
import { faultText, faultyParameters } from "./support/problem.ts"
import { openSwap, statusOf, swapParameters } from "./support/swaps.ts"

const openChannels = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))

const ways = {
  "GET with a query": (path: string, query: Query) => call("GET", path, { query }),
  "POST with a query": (path: string, query: Query) => call("POST", path, { query }),
  "POST with a body": (path: string, query: Query) =>
    call("POST", path, { body: Object.fromEntries(Object.entries(query)) }),
}

/** The paths that begin a swap, with what opens one. */
const paths: ReadonlyArray<readonly [path: string, query: Query]> = [
  ["/swap", swapParameters()],
  ...payloadKinds.map((kind) => [pathOf(kind), payloadParameters(kind)] as const),
]

const slips: ReadonlyArray<readonly [given: string, value: string, means: string]> = [
  ["minPrice", "30", "minimumPrice"],
  ["refundAdress", addresses.hub, "refundAddress"],
  ["refund_address", addresses.hub, "refundAddress"],
  ["slippage", "1", "minimumPrice"],
  ["commision", "10", "commissionBps"],
  ["affiliate5", "x", "affiliate4"],
  ["idempotency_key", "x", "Idempotency-Key"],
]

const ignored = ({ headers }: Answer): string | null => headers.get("ignored-parameters")

withBroker()("the names of parameters where a swap begins", (it) => {
  it.effect(
    "one that is nearly ours, or usual for one of ours, is refused with the right one",
    function* () {
      const before = yield* openChannels
      for (const [path, query] of paths) {
        for (const [way, send] of Object.entries(ways)) {
          for (const [given, value, means] of slips) {
            const answer = yield* send(path, { ...query, [given]: value })
            assert.deepStrictEqual(faultyParameters(answer), [given], `${way} ${path}`)
            assert.include(faultText(answer, given), means)
            assert.isTrue(textAt(answer.body, "detail").startsWith(`${given} `))
            assert.isNull(ignored(answer))
          }
        }
      }
      assert.strictEqual(yield* openChannels, before)
    },
    20_000,
  )

  it.effect("another name beside ours is ignored where both say the same, and refused where they do not", function* () {
    const same = yield* call("GET", "/swap", { query: swapParameters({ boostFee: "6", maxBoostFee: "6" }) })
    assert.strictEqual(same.status, 200, same.text)
    assert.strictEqual(ignored(same), "maxBoostFee")
    const other = yield* call("GET", "/swap", { query: swapParameters({ boostFee: "6", maxBoostFee: "7" }) })
    assert.deepStrictEqual(faultyParameters(other), ["maxBoostFee"])
  })

  it.effect("one that means nothing is ignored, and said to be", function* () {
    for (const [path, query] of paths) {
      for (const [way, send] of Object.entries(ways)) {
        assert.isNull(ignored(yield* send(path, query)), `${way} ${path}`)
        const answer = yield* send(path, {
          ...query,
          externalId: "7",
          "größe": "x",
          "a b": "",
          referrer: "r",
        })
        assert.strictEqual(answer.status, 200, answer.text)
        assert.strictEqual(
          ignored(answer),
          'externalId, %"gr%c3%b6%c3%9fe", "a b", referrer',
          `${way} ${path}`,
        )
      }
    }
  })

  it.effect("that it was ignored is said with a problem and with an answer that is given again, too", function* () {
    const refused = yield* call("GET", "/swap", {
      query: swapParameters({ externalId: "7", boostFee: "101" }),
    })
    assert.deepStrictEqual(faultyParameters(refused), ["boostFee"])
    assert.strictEqual(ignored(refused), "externalId")
    const query = swapParameters({ externalId: "7" })
    const headers = { "idempotency-key": "names-once" }
    const first = yield* call("GET", "/swap", { query, headers })
    const again = yield* call("GET", "/swap", { query, headers })
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    assert.strictEqual(again.text, first.text)
    assert.strictEqual(ignored(again), "externalId")
  })

  it.effect("the header is bounded, and never holds a key", function* () {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`zz${index}`, "x"]))
    const answer = yield* call("GET", "/swap", { query: { ...swapParameters(), ...many } })
    assert.strictEqual(answer.status, 200, answer.text)
    const named = (ignored(answer) ?? "").split(", ")
    assert.strictEqual(named.length, 21)
    assert.strictEqual(named.at(-1), "*;more=130")
    const key = `sbk_${"a".repeat(16)}_${"a".repeat(48)}`
    assert.isNull(ignored(yield* call("GET", "/swap", { query: { ...swapParameters(), [key]: "" } })))
  })

  it.effect("elsewhere every unknown name is ignored, and said to be", function* () {
    for (const path of ["/swaps", "/assets"]) {
      const answer = yield* call("GET", path, { query: { slippage: "1", refund_address: "x" } })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(ignored(answer), "slippage, refund_address")
    }
  })
})

withBroker()("the JSON of a body", (it) => {
  const body = (members: string) =>
    `{"sourceAsset":"btc.btc","destinationAsset":"eth.eth","destinationAddress":"${addresses.eth}",${members}}`

  it.effect("may have numbers with exponents, as Python and Java write them", function* () {
    const answer = yield* call("POST", "/swap", {
      body: body(
        `"minimumPrice":3.25e+01,"refundAddress":"${addresses.btc}","amount":4.0E-4,"boostFee":1e1`,
      ),
    })
    assert.strictEqual(answer.status, 200, answer.text)
    const status = yield* statusOf(answer.body)
    assert.strictEqual(textAt(status, "depositChannel", "fillOrKillParams", "minimumPrice"), "32.5")
    assert.strictEqual(integerAt(status, "boost", "maximumBoostFeeBps"), 10)
  })

  it.effect("is refused at once where the exponent is beyond all figures, or the number is text", function* () {
    for (const amount of ["1e999999999", "1e-999999999", '"1e3"', "-1e3"]) {
      const answer = yield* call("POST", "/swap", { body: body(`"amount":${amount}`) })
      assert.deepStrictEqual(faultyParameters(answer), ["amount"])
    }
  })

  it.effect("is refused where a member stands twice, be it with one value", function* () {
    const before = yield* openChannels
    for (
      const [members, name] of [
        ['"boostFee":1,"boostFee":1', "boostFee"],
        [`"refundAddress":"${addresses.btc}","refund\\u0041ddress":null`, "refundAddress"],
        ['"ccmPayload":{"gasBudget":"1","message":"0x","message":"0x00"}', "ccmPayload.message"],
      ] as const
    ) {
      const answer = yield* call("POST", "/swap", { body: body(members) })
      assert.deepStrictEqual(faultyParameters(answer), [name])
      assert.match(faultText(answer, name), /once/)
    }
    assert.strictEqual(yield* openChannels, before)
  })

  it.effect("is refused for that by every other path that reads one", function* () {
    const account = yield* call("POST", "/operator/accounts", { body: '{"name":"twice","name":"once"}' })
    assert.deepStrictEqual(faultyParameters(account), ["name"])
    const time = yield* call("POST", "/sandbox/time", { body: '{"advanceSeconds":1,"advanceSeconds":2}' })
    assert.deepStrictEqual(faultyParameters(time), ["advanceSeconds"])
    const { address } = { address: textAt(yield* openSwap(), "address") }
    const deposit = yield* call("POST", "/sandbox/deposits", {
      body: `{"address":"${address}","amount":4e-4}`,
    })
    assert.strictEqual(deposit.status, 202, deposit.text)
  })

  it.effect("may spell the gas budget of a message as the network does", function* () {
    for (const name of ["gasBudget", "gas_budget"]) {
      const answer = yield* call("POST", "/swap", {
        body: body(`"ccmPayload":{"${name}":"500000","message":"0xdeadbeef"}`),
      })
      const status = yield* statusOf(answer.body)
      assert.strictEqual(textAt(status, "ccmParams", "gasBudget"), "500000", name)
    }
  })
})
