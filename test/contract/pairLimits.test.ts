import { assert } from "@effect/vitest"
import { testKey } from "#test/support/broker.ts"
import { assertTwin, nativeAt } from "./support/assets.ts"
import { call, get, withOwnBroker } from "./support/call.ts"
import { type Json, listAt, pick, textAt } from "./support/Json.ts"
import { issue, newAccount, setRoute } from "./support/operator.ts"
import { assertFailure, faultText, faultyParameters } from "./support/problem.ts"
import { during, network } from "./support/swaps.ts"

const bitcoin = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }

const limits = (query: Readonly<Record<string, string>>, key = testKey) =>
  call("GET", "/limits", { query, key })

const at = (body: Json, platform: string): Json =>
  pick(listAt(body, "limits"), (one) => textAt(one, "platform") === platform)

const membersAt = (body: Json, platform: string) =>
  Object.keys(JSON.parse(JSON.stringify(at(body, platform))))

/** Pairs that no other test asks for: answers are reused for half a minute, whoever asks. */
withOwnBroker({ PROVIDERS: "chainflip,near-intents,relay,thorchain,maya" })("/limits (decision 39)", (it) => {
  it.effect("has the minimum and the maximum that each provider states, and nothing that none states", function* () {
    const body = yield* get("/limits", { ...bitcoin, start: "any" })
    assert.deepStrictEqual(
      listAt(body, "limits").map((one) => [textAt(one, "platform"), listAt(one, "startPaths")]),
      [
        ["chainflip", ["/swap", "/tx-payload/bitcoin"]],
        ["near-intents", ["/swap"]],
        ["relay", ["/swap"]],
        ["thorchain", ["/tx-payload/bitcoin"]],
        ["maya", ["/tx-payload/bitcoin"]],
      ],
    )
    for (const platform of ["chainflip", "near-intents", "thorchain", "maya"]) {
      assertTwin(at(body, platform), "minimumAmount", "btc.btc")
    }
    assert.deepStrictEqual(membersAt(body, "relay"), ["platform", "startPaths"])
    const polkadot = yield* get("/limits", { sourceAsset: "dot.dot", destinationAsset: "btc.btc" })
    assertTwin(at(polkadot, "chainflip"), "maximumAmount", "dot.dot")
    assert.deepStrictEqual(listAt(polkadot, "limits").length, 1)
  })

  it.effect("lists those that begin as asked, or the one that is named, at the asked commission", function* () {
    const names = (body: Json) => listAt(body, "limits").map((one) => textAt(one, "platform"))
    assert.deepStrictEqual(names(yield* get("/limits", bitcoin)), ["chainflip", "near-intents", "relay"])
    const paid = yield* get("/limits", { ...bitcoin, start: "transaction" })
    assert.deepStrictEqual(names(paid), ["chainflip", "thorchain", "maya"])
    assert.deepStrictEqual(listAt(at(paid, "chainflip"), "startPaths"), ["/tx-payload/bitcoin", "/swap"])
    const named = yield* limits({ ...bitcoin, platform: "near-intents", commissionBps: "200" })
    assert.deepStrictEqual(names(named.body), ["near-intents"])
    assert.strictEqual(named.headers.get("provider-status"), "near-intents;ok")
  })

  it.effect("says all that is wrong with a request", function* () {
    const wrong = yield* limits({
      sourceAsset: "btc.nowhere",
      commissionBps: "-1",
      platform: "nobody",
      start: "later",
      destinationAddress: "0x1",
      destinationAsset: "eth.eth",
    })
    assertFailure(wrong, 400)
    assert.deepStrictEqual([...faultyParameters(wrong)].sort(), [
      "commissionBps",
      "destinationAddress",
      "platform",
      "sourceAsset",
      "start",
    ])
    const same = yield* limits({ sourceAsset: "btc.btc", destinationAsset: "btc.btc" })
    assert.match(faultText(same, "destinationAsset"), /must differ from sourceAsset/)
    assert.sameMembers([...faultyParameters(yield* limits({}))], ["sourceAsset", "destinationAsset"])
    assertFailure(yield* call("GET", "/limits", { query: bitcoin, key: null }), 401)
  })

  it.effect("is refused where the account may not swap the pair, or has no right to ask", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    yield* setRoute(account, "btc.btc", "eth.eth", false)
    assertFailure(yield* limits(bitcoin, key), 403, "route_disabled")
    const { key: status } = yield* issue(account, { scopes: ["status"] })
    assertFailure(yield* limits(bitcoin, status), 403)
  })

  it.effect("leaves out a provider that fails, with why, and fails where all do", function* () {
    const pair = { sourceAsset: "usdc.sol", destinationAsset: "sol.sol" }
    const fault = { provider: "near-intents", operation: "quote", kind: "http_500" }
    const answer = yield* during(fault, limits(pair))
    assert.strictEqual(answer.status, 200, answer.text)
    assert.deepStrictEqual(
      answer.headers.get("provider-status"),
      'chainflip;ok, near-intents;code="upstream_error", relay;ok, thorchain;reason="asset_not_listed", ' +
        'maya;reason="asset_not_listed"',
    )
    assert.deepStrictEqual(listAt(answer.body, "limits").map((one) => textAt(one, "platform")), [
      "chainflip",
      "relay",
    ])
    assertFailure(yield* during(fault, limits({ ...pair, platform: "near-intents" })), 500, "upstream_error")
    // No failure is kept.
    const later = yield* get("/limits", { ...pair, platform: "near-intents" })
    assert.isTrue(nativeAt(at(later, "near-intents"), "minimumAmountNative") > 0n)
  })

  it.effect("has no minimum where the least that is listed does not cover the payout", function* () {
    const pair = { sourceAsset: "usdc.eth", destinationAsset: "flip.eth", platform: "chainflip" }
    yield* network("setAsset", { asset: "flip.eth", egressFee: `${10n ** 24n}` })
    const { body } = yield* limits(pair)
    assert.deepStrictEqual(membersAt(body, "chainflip"), ["platform", "startPaths"])
  })

  it.effect("counts a switch at once, also where the answer is known", function* () {
    const pair = { sourceAsset: "trx.tron", destinationAsset: "usdt.tron", platform: "chainflip" }
    yield* get("/limits", pair)
    yield* call("POST", "/providers/chainflip/switch", {
      body: { operation: "quote", asset: "trx.tron", enabled: false, reason: "test" },
    })
    assertFailure(yield* limits(pair), 503, "asset_disabled")
  })
})
