import { assert } from "@effect/vitest"
import { Struct } from "effect"
import { addresses, addressFor, brokerAccounts } from "./support/addresses.ts"
import { call, type Query, withBroker } from "./support/call.ts"
import { find } from "./support/Json.ts"
import { pathOf, type PayloadKind, payloadKinds, payloadParameters, payloadWays } from "./support/payloads.ts"
import { faultText, faultyParameters } from "./support/problem.ts"
import { affiliates, type RefusedRow, refusedSwaps } from "./support/swapRules.ts"
import type { SwapQuery } from "./support/swaps.ts"

const [one, two, three] = brokerAccounts
/** From an asset, with a refund address that fits it. */
const from = (sourceAsset: string, changes: SwapQuery = {}): SwapQuery => ({
  sourceAsset,
  refundAddress: addressFor(sourceAsset),
  ...changes,
})

const offPath = (sourceAsset: string): RefusedRow => [from(sourceAsset), ["sourceAsset"]]
const seed = `0x${"ab".repeat(32)}`

/** The rules of `/swap` that say nothing of the amount, nor of a refund address that may be missing. */
const asOnSwap = refusedSwaps.filter(([changes]) =>
  !("amount" in changes) && !("amountNative" in changes) &&
  !("minimumPrice" in changes && !("refundAddress" in changes))
)

/** What is refused on every path alike, of the amounts. */
const amounts: ReadonlyArray<RefusedRow> = [
  ...["", " ", "-1", "+1", "1e3", "0x10", "NaN", "0", "1,5", ".5"].map((amount): RefusedRow => [
    { amount },
    ["amount"],
  ]),
  ...["", "0", "00", "01", "-1", "1.0", "1e3", "0x1", `${2n ** 128n}`].map((amountNative): RefusedRow => [
    { amountNative },
    ["amountNative"],
  ]),
  [{ amount: "1", amountNative: "10000000" }, ["amount"]],
]

/** What else is refused of each kind (decision 13). */
const ofKind: Readonly<Record<PayloadKind, ReadonlyArray<RefusedRow>>> = {
  bitcoin: [
    ...asOnSwap,
    ...["wbtc.eth", "sol.sol", "trx.tron", "dot.hub", "dot.dot", "bnb.bsc"].map(offPath),
    [{ amount: "0.00039999" }, ["minimalAmount", "minimalAmountNative"]],
    [{ amountNative: "39999" }, ["minimalAmount", "minimalAmountNative"]],
    [{ amount: "0.000000001" }, ["amount"]],
    // The little room of a Bitcoin transaction (chainflip/wire.md 2.3).
    [{ commissionBps: "256" }, ["commissionBps"]],
    [affiliates([one, 256]), ["affiliate1CommissionBps"]],
    [affiliates([one, 1], [two, 1], [three, 1]), ["affiliate3"]],
  ],
  evm: [
    ...["btc.btc", "sol.sol", "usdt.tron", "usdc.hub", "dot.dot", "bnb.bsc"].map(offPath),
    [{ boostFee: "101" }, ["boostFee"]],
    [{ refundAddress: addresses.btc }, ["refundAddress"]],
    [{ refundAddress: "0x0000000000000000000000000000000000000000" }, ["refundAddress"]],
    [{ destinationAddress: addresses.sol }, ["destinationAddress"]],
    [{ destinationAsset: "eth.eth", destinationAddress: addresses.eth }, ["destinationAsset"]],
    [from("usdc.eth", { amount: "1.0000001" }), ["amount"]],
    [{ retryDurationInBlocks: "601" }, ["retryDurationInBlocks"]],
    [{ minimumPrice: "x" }, ["minimumPrice"]],
    [{ platform: "near-intents" }, ["platform"]],
    [{ affiliate1: one }, ["affiliate1CommissionBps"]],
    [affiliates([one, 256]), ["affiliate1CommissionBps"]],
  ],
  solana: [
    ...["btc.btc", "eth.eth", "trx.tron"].map(offPath),
    ...["", " ", "x", addresses.eth, addresses.btc, `${addresses.sol}1`].map((sourceAddress): RefusedRow => [
      { sourceAddress },
      ["sourceAddress"],
    ]),
    ...["", "0x", "ab".repeat(32), `${seed}00`, seed.slice(0, -2), `0x${"zz".repeat(32)}`].map(
      (seed): RefusedRow => [{ seed }, ["seed"]],
    ),
    [{ sourceTokenAccount: addresses.sol }, ["sourceTokenAccount"]],
    ...["", "x", addresses.eth].map((sourceTokenAccount): RefusedRow => [
      from("usdc.sol", { sourceTokenAccount }),
      ["sourceTokenAccount"],
    ]),
    [{ boostFee: "101" }, ["boostFee"]],
    [{ amount: "0.0000000001" }, ["amount"]],
    [{ sourceAddress: "x", seed: "y", refundAddress: "z" }, ["refundAddress", "seed", "sourceAddress"]],
  ],
  tron: [
    ...["btc.btc", "eth.eth", "sol.sol"].map(offPath),
    [{ boostFee: "101" }, ["boostFee"]],
    [{ refundAddress: addresses.eth }, ["refundAddress"]],
    [{ refundAddress: `${addresses.tron.slice(0, -1)}k` }, ["refundAddress"]],
    [{ amount: "0.0000001" }, ["amount"]],
    [{ numberOfChunks: "2", chunkIntervalBlocks: "1" }, ["chunkIntervalBlocks"]],
  ],
}

/** A request that breaks a rule by what is changed; one amount takes the place of the other. */
const broken = (kind: PayloadKind, changes: SwapQuery): SwapQuery => ({
  ...payloadParameters(kind, "amount" in changes ? { amount: "1" } : {}),
  ...changes,
})

const required = ["destinationAddress", "destinationAsset", "refundAddress", "sourceAsset"]
const requiredOf = (kind: PayloadKind): ReadonlyArray<string> =>
  kind === "solana" ? [...required, "sourceAddress"] : required

withBroker()("the parameters of /tx-payload/* (decision 13)", (it) => {
  for (const kind of payloadKinds) {
    for (const [way, send] of Object.entries(payloadWays)) {
      it.effect(
        `${kind}, ${way}: what breaks a rule is refused by its name`,
        function* () {
          for (const [changes, faulty] of [...amounts, ...ofKind[kind]]) {
            const answer = yield* send(kind, broken(kind, changes))
            const described = `${JSON.stringify(changes)}: ${answer.text}`
            assert.strictEqual(answer.status, 400, described)
            assert.notProperty(answer.body, "code", described)
            assert.deepStrictEqual(faultyParameters(answer), faulty, described)
          }
        },
        20_000,
      )

      it.effect(`${kind}, ${way}: nothing that is required may be missing`, function* () {
        const parameters = payloadParameters(kind)
        for (const missing of requiredOf(kind)) {
          const answer = yield* send(kind, Struct.omit(parameters, [missing]))
          assert.deepStrictEqual(faultyParameters(answer), [missing])
          assert.match(faultText(answer, missing), /is required/)
        }
        const neither = yield* send(kind, Struct.omit(parameters, ["amountNative"]))
        assert.deepStrictEqual(faultyParameters(neither), ["amount"])
        const none = [...requiredOf(kind), "amount"].sort()
        assert.deepStrictEqual(faultyParameters(yield* send(kind, {})), none)
      })
    }

    it.effect(`${kind}: no parameter may be repeated (decision 3)`, function* () {
      const once = Object.entries(payloadParameters(kind, { commissionBps: "10", platform: "chainflip" }))
      for (const method of ["GET", "POST"]) {
        for (const [name, value] of once) {
          const query: Query = [...once, [name, value]]
          const answer = yield* call(method, pathOf(kind), { query })
          assert.include(faultyParameters(answer), name)
          assert.match(faultText(answer, name), /once/)
        }
      }
    })

    it.effect(`${kind}: query and body may say the same, but not different things (decision 4)`, function* () {
      const parameters = payloadParameters(kind)
      const query = Struct.pick(parameters, ["refundAddress", "amountNative"])
      assert.strictEqual((yield* call("POST", pathOf(kind), { query, body: parameters })).status, 200)
      const body = { ...parameters, refundAddress: "somebody else's", amountNative: "5" }
      const answer = yield* call("POST", pathOf(kind), { query, body })
      assert.includeMembers([...faultyParameters(answer)], ["amountNative", "refundAddress"])
    })

    it.effect(`${kind}: only GET and POST, no guess of a browser, and a body of JSON`, function* () {
      const query = payloadParameters(kind)
      for (const method of ["HEAD", "PUT", "DELETE", "PATCH"]) {
        const answer = yield* call(method, pathOf(kind), { query })
        assert.strictEqual(answer.status, 405)
        assert.strictEqual(answer.headers.get("allow"), "GET, POST")
      }
      for (const name of ["sec-purpose", "purpose", "x-moz"]) {
        const answer = yield* call("GET", pathOf(kind), { query, headers: { [name]: "prefetch" } })
        assert.strictEqual(answer.status, 400)
      }
      const text = yield* call("POST", pathOf(kind), {
        query,
        body: "sourceAsset=btc.btc",
        headers: { "content-type": "text/plain" },
      })
      assert.strictEqual(text.status, 415)
    })
  }

  it.effect("bitcoin: a message for a contract is refused, be it in the form of one or not", function* () {
    const send = (kind: PayloadKind, ccmPayload: unknown) =>
      call("POST", pathOf(kind), { body: { ...payloadParameters(kind), ccmPayload } })
    const message = { gasBudget: "1000", message: "0xdeadbeef" }
    const refused = yield* send("bitcoin", message)
    assert.deepStrictEqual(faultyParameters(refused), ["ccmPayload"])
    assert.match(faultText(refused, "ccmPayload"), /Bitcoin/)
    assert.strictEqual((yield* send("bitcoin", null)).status, 200)
    for (const kind of ["evm", "solana", "tron"] as const) {
      assert.strictEqual((yield* send(kind, message)).status, 200)
      assert.strictEqual((yield* send(kind, null)).status, 200)
      const broken = [
        { ...message, message: "deadbeef" },
        { message: "0x" },
        { gasBudget: "1" },
        "0xdeadbeef",
      ]
      for (const wrong of [...broken, { ...message, gasBudget: "-1" }]) {
        const answer = yield* send(kind, wrong)
        assert.deepStrictEqual(faultyParameters(answer), ["ccmPayload"], JSON.stringify(wrong))
      }
    }
  })

  it.effect("refund addresses of the operator's do not stand in for a missing one", function* () {
    const answer = yield* call("GET", pathOf("evm"), {
      query: Struct.omit(payloadParameters("evm", { minimumPrice: "0" }), ["refundAddress"]),
    })
    assert.deepStrictEqual(faultyParameters(answer), ["refundAddress"])
  })

  it.effect("an amount under the minimum has the form that clients read (decision 15)", function* () {
    const answer = yield* call("GET", pathOf("bitcoin"), {
      query: payloadParameters("bitcoin", { amount: "0.0001" }),
    })
    assert.strictEqual(find(answer.body, "detail"), "Amount below minimum. Min: 0.0004")
    assert.deepStrictEqual(find(answer.body, "errors"), {
      minimalAmount: ["0.0004"],
      minimalAmountNative: ["40000"],
    })
  })

  it.effect("numbers in a body may be numbers of JSON, to the last digit (decision 4)", function* () {
    const { amountNative: _, ...rest } = payloadParameters("evm")
    const members = JSON.stringify({ ...rest, retryDurationInBlocks: 33, commissionBps: 7 }).slice(0, -1)
    const answer = yield* call("POST", pathOf("evm"), {
      body: `${members},"amount":1.000000000000000001,"minimumPrice":3000.25}`,
    })
    assert.strictEqual(answer.status, 200, answer.text)
    assert.strictEqual(find(answer.body, "value"), "1000000000000000001")
  })
})
