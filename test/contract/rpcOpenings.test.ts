import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addresses, brokerAccounts } from "./support/addresses.ts"
import { call, get, withBroker } from "./support/call.ts"
import { at, find, integerAt, type Json, listAt, numberAt, objectAt, textAt } from "./support/Json.ts"
import { issue, newAccount, setRoute } from "./support/operator.ts"
import {
  ask,
  encodeMethod,
  encodeParams,
  errorOf,
  openMethod,
  openParams,
  post,
  refundParams,
  resultOf,
  rpcCall,
  swapParams,
} from "./support/rpc.ts"
import { deposit, during, pass } from "./support/swaps.ts"

const [affiliate, another] = brokerAccounts

/** The swap of a channel that was opened over JSON-RPC, as every other look-up has it: without how many the channel has had. */
const recordOf = Effect.fnUntraced(function* (opened: Json, network = "Bitcoin", key?: string) {
  const found = yield* get("/status-by-deposit-channel", {
    issuedBlock: numberAt(opened, "issued_block"),
    network,
    channelId: numberAt(opened, "channel_id"),
  }, key === undefined ? {} : { key })
  const { swapCount: _, ...record } = objectAt(found)
  return record
})

const openChannels = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))

/** 32.5 ETH for a BTC (chainflip/wire.md 1.1). */
const priceX128 = `0x${(325n * 10n ** 9n * 2n ** 128n).toString(16)}`

const everything = openParams({
  broker_commission: 25,
  channel_metadata: { message: "0xdeadbeef", gas_budget: "0x7a120", ccm_additional_data: "0x" },
  boost_fee: 10,
  affiliate_fees: [{ account: affiliate, bps: 10 }, { account: another, bps: 20 }],
  refund_parameters: {
    ...refundParams(),
    retry_duration: 300,
    min_price: priceX128,
    max_oracle_price_slippage: 150,
  },
  dca_parameters: { number_of_chunks: 4, chunk_interval: 3 },
})

const inOrder = (params: Readonly<Record<string, unknown>>) =>
  [
    "source_asset",
    "destination_asset",
    "destination_address",
    "broker_commission",
    "channel_metadata",
    "boost_fee",
    "affiliate_fees",
    "refund_parameters",
    "dca_parameters",
  ].map((name) => params[name] ?? null)

const fault = (name: string, sentence: RegExp): readonly [name: string, sentence: RegExp] => [name, sentence]

/** Every kind of rule of `/swap`, broken on the wire: what is changed, and what is said of which parameter. */
const refused: ReadonlyArray<
  readonly [what: string, changes: Readonly<Record<string, unknown>>, said: ReturnType<typeof fault>]
> = [
  [
    "the same asset twice",
    { destination_asset: "BTC", destination_address: addresses.btc },
    fault("destination_asset", /must differ from source_asset/),
  ],
  [
    "an address of another chain",
    { destination_address: addresses.btc },
    fault("destination_address", /on Ethereum/),
  ],
  [
    "a refund to another chain",
    { refund_parameters: { ...refundParams(), refund_address: addresses.eth } },
    fault("refund_parameters.refund_address", /Bitcoin address/),
  ],
  ["too high a commission", { broker_commission: 996 }, fault("broker_commission", /from 0 to 995/)],
  ["too high a boost fee", { boost_fee: 101 }, fault("boost_fee", /from 0 to 100/)],
  [
    "too long a patience",
    { refund_parameters: { ...refundParams(), retry_duration: 14_401 } },
    fault("refund_parameters.retry_duration", /24 hours/),
  ],
  [
    "a longer patience than the network's",
    { refund_parameters: { ...refundParams(), retry_duration: 601 } },
    fault("refund_parameters.retry_duration", /at most 600 blocks/),
  ],
  [
    "chunks that take too long",
    { dca_parameters: { number_of_chunks: 7202, chunk_interval: 2 } },
    fault("dca_parameters.number_of_chunks", /dca_parameters\.chunk_interval must be at most 14400/),
  ],
  [
    "chunks without a pause",
    { dca_parameters: { number_of_chunks: 2, chunk_interval: 1 } },
    fault("dca_parameters.chunk_interval", /2 or more/),
  ],
  [
    "an affiliate of another network",
    { affiliate_fees: [{ account: affiliate, bps: 1 }, { account: addresses.dot, bps: 1 }] },
    fault("affiliate_fees[1].account", /ss58 prefix/),
  ],
  [
    "an affiliate twice",
    { affiliate_fees: [{ account: affiliate, bps: 1 }, { account: affiliate, bps: 1 }] },
    fault("affiliate_fees[1].account", /same account/),
  ],
  [
    "more than all brokers may take",
    { broker_commission: 500, affiliate_fees: [{ account: affiliate, bps: 501 }] },
    fault("broker_commission", /1001 bps together/),
  ],
  [
    "a price that no network can express",
    { refund_parameters: { ...refundParams(), min_price: `${2n ** 256n}` } },
    fault("refund_parameters.min_price", /too large/),
  ],
  [
    "a message without end",
    { channel_metadata: { message: `0x${"00".repeat(15_001)}`, gas_budget: 1 } },
    fault("channel_metadata", /15000 bytes/),
  ],
]

withBroker()("opening a channel over JSON-RPC", (it) => {
  it.effect("answers in the upstream's form", function* () {
    const opened = yield* resultOf(openMethod, openParams())
    assert.hasAllKeys(objectAt(opened), [
      "address",
      "issued_block",
      "channel_id",
      "source_chain_expiry_block",
      "channel_opening_fee",
      "refund_parameters",
    ])
    assert.match(textAt(opened, "channel_opening_fee"), /^0x[0-9a-f]+$/)
    assert.match(textAt(opened, "address"), /^bcrt1/)
    assert.deepStrictEqual(find(opened, "refund_parameters", "refund_address"), addresses.btc)
    assert.deepStrictEqual(find(opened, "refund_parameters", "refund_ccm_metadata"), null)
  })

  it.effect("is a swap of the account like any other: in its history, followed to its end", function* () {
    const { key } = yield* issue(yield* newAccount())
    const opened = yield* resultOf(openMethod, openParams(), { key })
    const record = yield* recordOf(opened, "Bitcoin", key)
    assert.strictEqual(textAt(record, "status", "state"), "waiting")
    assert.strictEqual(
      textAt(record, "status", "depositChannel", "depositAddress"),
      textAt(opened, "address"),
    )
    assert.strictEqual(textAt(record, "platform"), "chainflip")
    const listed = yield* get("/swaps", { status: "waiting" }, { key })
    const { guidance: _, ...shown } = objectAt(record)
    assert.deepStrictEqual<unknown>(listAt(listed), [shown])

    const hash = yield* deposit(opened, "10000000")
    yield* pass(3_600)
    const ended = yield* recordOf(opened, "Bitcoin", key)
    assert.deepStrictEqual(find(ended, "id"), find(record, "id"))
    assert.deepStrictEqual(
      yield* get("/status-by-transaction-hash", { transactionHash: hash }, { key }),
      ended,
    )
    assert.strictEqual(textAt(ended, "status", "state"), "completed")
    assert.isDefined(find(ended, "status", "swapEgress"))

    const query = { swapId: numberAt(record, "id") }
    assert.strictEqual((yield* call("GET", "/status-by-id", { query })).status, 404, "another account's")
  })

  it.effect("keeps every parameter to the last digit, by name, as a list, and by the other name", function* () {
    const results = [
      yield* resultOf(openMethod, everything),
      yield* resultOf(openMethod, inOrder(everything)),
      yield* resultOf("broker_requestSwapDepositAddress", [...inOrder(everything), null]),
    ]
    for (const opened of results) {
      assert.strictEqual(textAt(opened, "refund_parameters", "min_price"), priceX128)
      assert.strictEqual(integerAt(opened, "refund_parameters", "retry_duration"), 300)
      const status = at(yield* recordOf(opened), "status")
      const channel = at(status, "depositChannel")
      assert.strictEqual(numberAt(channel, "brokerCommissionBps"), "25")
      assert.deepStrictEqual(
        listAt(channel, "affiliateBrokers").map((
          one,
        ) => [textAt(one, "account"), numberAt(one, "commissionBps")]),
        [[affiliate, "10"], [another, "20"]],
      )
      assert.strictEqual(numberAt(status, "boost", "maximumBoostFeeBps"), "10")
      assert.strictEqual(textAt(status, "fillOrKillParams", "minimumPrice"), "32.5")
      assert.strictEqual(numberAt(status, "fillOrKillParams", "retryDurationBlocks"), "300")
      assert.strictEqual(numberAt(status, "fillOrKillParams", "maximumOraclePriceSlippageBps"), "150")
      assert.strictEqual(integerAt(opened, "refund_parameters", "max_oracle_price_slippage"), 150)
      assert.strictEqual(textAt(status, "fillOrKillParams", "refundAddress"), addresses.btc)
      assert.strictEqual(numberAt(status, "dcaParams", "numberOfChunks"), "4")
      assert.strictEqual(numberAt(status, "dcaParams", "chunkIntervalBlocks"), "3")
      assert.strictEqual(textAt(status, "ccmParams", "message"), "0xdeadbeef")
      assert.strictEqual(textAt(status, "ccmParams", "gasBudget"), "500000")
    }
  })

  it.effect("takes addresses in hex as the network does, and keeps them as their chains write them", function* () {
    const opened = yield* resultOf(openMethod, {
      ...openParams(swapParams("eth.eth", "trx.tron")),
      destination_address: "0x9df3e70fc7ea8128d6d0634664118d16bc856e1c",
      refund_parameters: { ...refundParams("eth.eth"), refund_address: addresses.eth.slice(2) },
    })
    const record = yield* recordOf(opened, "Ethereum")
    assert.strictEqual(textAt(record, "status", "destinationAddress"), addresses.tron)
    assert.strictEqual(textAt(record, "status", "fillOrKillParams", "refundAddress"), addresses.eth)
  })

  it.effect("opens as many channels as a batch asks for, beside what is wrong in it", function* () {
    const before = yield* openChannels
    const { body } = yield* post([
      rpcCall(openMethod, openParams(), "first"),
      rpcCall(openMethod, openParams({ boost_fee: 101 }), "wrong"),
      rpcCall("cf_supported_assets", [], "reading"),
      rpcCall(openMethod, openParams(), "second"),
    ])
    assert.deepStrictEqual(listAt(body).map((reply) => textAt(reply, "id")), [
      "first",
      "wrong",
      "reading",
      "second",
    ])
    assert.notStrictEqual(textAt(body, 0, "result", "address"), textAt(body, 3, "result", "address"))
    assert.strictEqual(integerAt(body, 1, "error", "code"), -32602)
    assert.strictEqual(yield* openChannels, before + 2)
  })

  for (const [what, changes, [name, sentence]] of refused) {
    it.effect(`refuses ${what} by the rules of /swap, in the names of the wire`, function* () {
      const before = yield* openChannels
      const { code, error } = yield* errorOf(openMethod, openParams(changes))
      assert.strictEqual(code, -32602)
      assert.match(textAt(error, "message"), /^Invalid params: /)
      assert.match(textAt(error, "message"), sentence)
      assert.deepStrictEqual(Object.keys(objectAt(error, "data", "errors")), [name])
      assert.strictEqual(yield* openChannels, before)
    })
  }

  it.effect("names all faults at once", function* () {
    const { error } = yield* errorOf(
      openMethod,
      openParams({ destination_address: "x", boost_fee: 101, broker_commission: 996 }),
    )
    assert.sameMembers(Object.keys(objectAt(error, "data", "errors")), [
      "destination_address",
      "boost_fee",
      "broker_commission",
    ])
  })

  it.effect("says what the upstream refuses with the code that /swap has for it", function* () {
    for (const code of ["deposit_channel_failed", "too_many_channels", "swapping_maintenance"] as const) {
      const rule = { provider: "chainflip", operation: "open", code }
      const failed = yield* during(rule, errorOf(openMethod, openParams()))
      assert.strictEqual(failed.code, -32020, code)
      assert.strictEqual(textAt(failed.error, "data", "code"), code)
      assert.strictEqual(integerAt(failed.error, "data", "status"), 503)
    }
  })

  it.effect("says that the outcome is unknown where the answer is lost", function* () {
    const rule = { provider: "chainflip", operation: "open", kind: "malformed" }
    const { code, error } = yield* during(rule, errorOf(openMethod, openParams()))
    assert.strictEqual(code, -32020)
    assert.match(textAt(error, "message"), /^The outcome is unknown/)
    assert.strictEqual(integerAt(error, "data", "status"), 500)
    assert.isUndefined(find(error, "data", "code"))
  })
})

withBroker()("the terms of the account over JSON-RPC", (it) => {
  it.effect("protect its commission (decision 7)", function* () {
    const { key } = yield* issue(yield* newAccount({ commissionBps: 50 }))
    for (const [asked, charged] of [[0, "50"], [50, "50"], [51, "51"]] as const) {
      const opened = yield* resultOf(openMethod, openParams({ broker_commission: asked }), { key })
      const record = yield* recordOf(opened, "Bitcoin", key)
      assert.strictEqual(numberAt(record, "status", "depositChannel", "brokerCommissionBps"), charged)
    }
  })

  it.effect("say whether affiliates may share in it", function* () {
    const { key } = yield* issue(yield* newAccount({ affiliates: false }))
    const { code, error } = yield* errorOf(
      openMethod,
      openParams({ affiliate_fees: [{ account: affiliate, bps: 1 }] }),
      { key },
    )
    assert.strictEqual(code, -32602)
    assert.include(
      textAt(error, "message"),
      "affiliate_fees[0].account cannot be used, because this account takes no affiliates",
    )
    yield* resultOf(openMethod, openParams({ affiliate_fees: [] }), { key })
  })

  it.effect("say which pairs it may swap", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    yield* setRoute(account, "btc.btc", "eth.eth", false)
    const { code, error } = yield* errorOf(openMethod, openParams(), { key })
    assert.strictEqual(code, -32020)
    assert.include(textAt(error, "message"), "btc.btc to eth.eth are not enabled")
    assert.strictEqual(integerAt(error, "data", "status"), 403)
    yield* setRoute(account, "btc.btc", "eth.eth", true)
    assert.isDefined(find(yield* ask(openMethod, openParams(), { key }), "result"))
  })

  it.effect("an account gets no payload of a pair that is not enabled for it, and the broker is not asked", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    yield* setRoute(account, "eth.eth", "usdc.eth", false)
    // Would be told, if it were asked.
    const { code, error } = yield* during(
      { operation: "encode", code: "upstream_error" },
      errorOf(encodeMethod, encodeParams(), { key }),
    )
    assert.strictEqual(code, -32020)
    assert.include(textAt(error, "message"), "eth.eth to usdc.eth are not enabled")
    assert.strictEqual(integerAt(error, "data", "status"), 403)
    yield* setRoute(account, "eth.eth", "usdc.eth", true)
    assert.match(textAt(yield* resultOf(encodeMethod, encodeParams(), { key }), "calldata"), /^0x[0-9a-f]{8}/)
  })

  it.effect("a limit under the network's price feed goes into a payload, as the byte that it has for it", function* () {
    const limited = (max_oracle_price_slippage: number | null) => {
      const { extra_parameters: extra, ...params } = encodeParams()
      const refund_parameters = { ...extra.refund_parameters, max_oracle_price_slippage }
      return { ...params, extra_parameters: { ...extra, refund_parameters } }
    }
    const without = textAt(yield* resultOf(encodeMethod, limited(null)), "calldata")
    assert.notStrictEqual(textAt(yield* resultOf(encodeMethod, limited(255)), "calldata"), without)
    const { error } = yield* errorOf(encodeMethod, limited(256))
    assert.match(textAt(error, "message"), /max_oracle_price_slippage must be .* from 0 to 255/)
  })
})
