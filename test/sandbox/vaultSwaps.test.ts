import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { addressFor, brokerAccounts } from "#test/contract/support/addresses.ts"
import { type Changes, encodingOf, payloadOf, sources } from "./chainflip/vault/requests.ts"
import { eachInSandbox, inSandbox } from "./inSandbox.ts"
import { advance, at, bitcoinAddress, type Client, session, statusOf, textAt } from "./support.ts"
import { temporaryFolder } from "./support.ts"

/** Enough of any asset, and never more than a pool takes at once. */
const amounts: Readonly<Record<string, bigint>> = {
  "btc.btc": 10_000_000n,
  "wbtc.eth": 10_000_000n,
  "cbbtc.eth": 10_000_000n,
  "eth.eth": 10n ** 18n,
  "eth.arb": 10n ** 18n,
  "flip.eth": 100n * 10n ** 18n,
  "sol.sol": 10n ** 10n,
}
const amountOf = (asset: string): bigint => amounts[asset] ?? 1_000_000_000n

const payload = Effect.fnUntraced(function* (client: Client, changes: Changes) {
  const { from = "eth.eth" } = changes
  const amount = changes.amount ?? amountOf(from)
  return payloadOf(yield* encodingOf(client, { ...changes, amount }), amount)
})

const send = (client: Client, body: unknown) => client.send("POST", "/sandbox/vault-swaps", body)

/** Sends what an encoding asks for; the reference of the transaction. */
const sent = Effect.fnUntraced(function* (
  client: Client,
  changes: Changes,
  more: Readonly<Record<string, unknown>> = {},
) {
  const { json, status } = yield* send(client, { payload: yield* payload(client, changes), ...more })
  assert.strictEqual(status, 202, JSON.stringify(json))
  return textAt(json, "transactionHash")
})

const recordOf = (client: Client, reference: string) =>
  Effect.map(statusOf(client, reference), ({ json, status }) => {
    assert.strictEqual(status, 200)
    return json
  })

const states = Effect.fnUntraced(function* (client: Client, reference: string) {
  const seen: Array<string> = []
  for (let step = 0; step < 400; step++) {
    const record = yield* recordOf(client, reference)
    const state = textAt(record, "state")
    if (seen.at(-1) !== state) seen.push(state)
    if (state === "COMPLETED" || state === "FAILED") return { seen, record }
    yield* advance(client, 30)
  }
  throw new Error(`Never an end: ${seen}`)
})

describe("a vault swap", () => {
  eachInSandbox(sources)(
    "from %s is swapped to its end, with no channel in its record",
    function* (client, from) {
      const reference = yield* sent(client, { from })
      const { record, seen } = yield* states(client, reference)
      assert.strictEqual(seen[0], "RECEIVING")
      assert.strictEqual(seen.at(-1), "COMPLETED", JSON.stringify(record))
      assert.isUndefined(at(record, "depositChannel"))
      assert.strictEqual(at(record, "deposit", "txRef"), reference)
      assert.strictEqual(at(record, "deposit", "amount"), `${amountOf(from)}`)
      assert.isString(at(record, "swapEgress", "txRef"))
    },
  )

  inSandbox("does what its payload says", function* (client) {
    const reference = yield* sent(client, {
      from: "eth.eth",
      to: "usdc.arb",
      commission: 30,
      affiliates: [{ account: brokerAccounts[1], bps: 20 }],
      minimum: 2n ** 80n,
      dca: { number_of_chunks: 3, chunk_interval: 4 },
      message: { message: "0xc0ffee", gas_budget: 77 },
      refund: { retry_duration: 33, max_oracle_price_slippage: 200 },
    })
    const record = yield* recordOf(client, reference)
    assert.deepInclude(record, {
      state: "RECEIVING",
      srcChain: "Ethereum",
      srcAsset: "ETH",
      destChain: "Arbitrum",
      destAsset: "USDC",
      destAddress: addressFor("usdc.arb"),
      brokers: [
        { account: brokerAccount, commissionBps: 30 },
        { account: brokerAccounts[1], commissionBps: 20 },
      ],
      dcaParams: { numberOfChunks: 3, chunkIntervalBlocks: 4 },
      ccmParams: { gasBudget: "77", message: "0xc0ffee" },
    })
    assert.deepInclude(at(record, "fillOrKillParams"), {
      refundAddress: addressFor("eth.eth"),
      retryDurationBlocks: 33,
      maxOraclePriceSlippage: 200,
    })
    const end = yield* states(client, reference)
    assert.strictEqual(at(end.record, "swap", "dca", "executedChunks"), 3)
  })

  inSandbox("from Bitcoin limits the whole output, and goes back to the change", function* (client) {
    const dear = { from: "btc.btc", minimum: 10n ** 20n, extra: { retry_duration: 10 } } as const
    const reference = yield* sent(client, dear, { changeAddress: bitcoinAddress })
    const { record } = yield* states(client, reference)
    assert.strictEqual(textAt(record, "fillOrKillParams", "minPrice"), "1000")
    assert.strictEqual(textAt(record, "fillOrKillParams", "refundAddress"), bitcoinAddress)
    assert.isUndefined(at(record, "swapEgress"))
    assert.isString(at(record, "refundEgress", "txRef"))
    // Twice the deposit for the same output is half the price.
    const twice = yield* sent(client, dear, { amountNative: "20000000" })
    assert.strictEqual(textAt(yield* recordOf(client, twice), "fillOrKillParams", "minPrice"), "500")
  })

  inSandbox("from Bitcoin is boosted where its payload accepts that", function* (client) {
    const { record } = yield* states(client, yield* sent(client, { from: "btc.btc", boost: 30 }))
    assert.strictEqual(at(record, "boost", "effectiveBoostFeeBps"), 5)
  })

  inSandbox(
    "moves another amount than its payload's only where the amount is not part of that",
    function* (client) {
      for (
        const [from, amount, native] of [
          ["btc.btc", { amount: "0.2" }, "20000000"],
          ["eth.arb", { amount: 2 }, "2000000000000000000"],
          ["trx.tron", { amountNative: 40_000_000 }, "40000000"],
        ] as const
      ) {
        const reference = yield* sent(client, { from }, amount)
        assert.strictEqual(at(yield* recordOf(client, reference), "deposit", "amount"), native)
      }
      for (const from of ["usdc.eth", "sol.sol", "usdt.tron"] as const) {
        const body = yield* payload(client, { from })
        assert.strictEqual((yield* send(client, { payload: body, amountNative: "1" })).status, 400)
        const same = { payload: body, amountNative: `${amountOf(from)}` }
        assert.strictEqual((yield* send(client, same)).status, 202)
      }
    },
  )

  inSandbox("that brings too little is not credited", function* (client) {
    const { record } = yield* states(client, yield* sent(client, { from: "eth.eth", amount: 1_000n }))
    assert.strictEqual(at(record, "deposit", "failure", "reason", "name"), "BelowMinimumDeposit")
  })

  it.effect("is remembered, with the affiliates that it names, after a restart", function* () {
    const folder = yield* temporaryFolder
    const affiliates = [{ account: brokerAccounts[2], bps: 5 }]
    const [reference, before, encoded] = yield* session(folder, (client) =>
      Effect.gen(function* () {
        const reference = yield* sent(client, { affiliates })
        const encoded = yield* encodingOf(client, { affiliates })
        return [reference, yield* recordOf(client, reference), encoded] as const
      }))
    const [after, again] = yield* session(
      folder,
      (client) => Effect.all([recordOf(client, reference), encodingOf(client, { affiliates })]),
    )
    assert.deepStrictEqual(after, before)
    assert.deepStrictEqual(again, encoded)
  })
})

describe("what is no payload of the sandbox", () => {
  const spoilt: ReadonlyArray<readonly [string, Changes["from"], Readonly<Record<string, unknown>>]> = [
    ["another vault", "eth.eth", { to: addressFor("eth.eth") }],
    ["another function", "eth.eth", { calldata: "0xdeadbeef" }],
    ["a call that is cut short", "eth.eth", { calldata: "0xdd687345" }],
    ["another deposit address", "btc.btc", { depositAddress: bitcoinAddress }],
    ["null data that is cut short", "btc.btc", { nulldataPayload: "0x0001" }],
    ["null data of another version", "btc.btc", { nulldataPayload: `0x01${"00".repeat(47)}` }],
    ["another program", "sol.sol", { programId: addressFor("sol.sol") }],
    ["data of nothing", "sol.sol", { data: "0x" }],
    ["a note of nothing", "trx.tron", { note: "0x" }],
    ["a transfer to somebody else", "usdt.tron", { calldata: "0x" }],
  ]
  eachInSandbox(spoilt)("%s is refused", function* (client, [, from, changes]) {
    const body = yield* payload(client, from === undefined ? {} : { from })
    const { json, status } = yield* send(client, { payload: { ...body, ...changes } })
    assert.strictEqual(status, 400)
    assert.match(textAt(json, "errors", "payload"), /^payload cannot be sent: /)
  })

  const wrong: ReadonlyArray<readonly [string, string, unknown]> = [
    ["no payload", "payload", {}],
    ["a payload of another form", "payload", { payload: { network: "Bitcoin" } }],
    ["a chain that has none", "payload", { payload: { network: "Polkadot" } }],
    ["both amounts", "amount", { amount: 1, amountNative: "1" }],
    ["nothing", "amount", { amountNative: "0" }],
    ["change on Ethereum", "changeAddress", { changeAddress: bitcoinAddress }],
    ["change to nowhere", "changeAddress", { from: "btc.btc", changeAddress: "nowhere" }],
  ]
  eachInSandbox(wrong)("%s is refused, and named", function* (client, [, member, changes]) {
    const { from: source, ...members } = { from: undefined, ...Object(changes) }
    const from = source === "btc.btc" ? "btc.btc" : "eth.eth"
    const whole = member === "payload" ? {} : { payload: yield* payload(client, { from }) }
    const { json, status } = yield* send(client, { ...whole, ...members })
    assert.strictEqual(status, 400)
    assert.isDefined(at(json, "errors", member), JSON.stringify(json))
  })
})
