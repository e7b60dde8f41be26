import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { BrokerError } from "#api/SandboxFaults.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { inSandbox } from "../inSandbox.ts"
import { at, bitcoinAddress, type Client, ethereumAddress, members, opening, textAt } from "../support.ts"

const usdc = { chain: "Ethereum", asset: "USDC" }

/** The result of a call to the broker. */
const ask = (client: Client, method: string, ...params: ReadonlyArray<unknown>) =>
  Effect.map(client.call("broker", method, params), (reply) => at(reply, "result"))

const change = (client: Client, body: Readonly<Record<string, unknown>>) =>
  client.send("PATCH", "/sandbox/network", body)

const earn = (client: Client, amount = "5000000", asset = "usdc.eth") =>
  change(client, { change: "shiftEarned", asset, difference: amount })

const settle = {
  withdrawals: { change: "setWithdrawals", enabled: false },
  flip: { change: "setFlip", free: "0" },
}

/** The type of a member (chainflip/wire.md 2.7). */
const types = {
  hex: /^0x(?:0|[1-9a-f][0-9a-f]*)$/,
  hash: /^0x[0-9a-f]{64}$/,
  account: /^cF[1-9A-HJ-NP-Za-km-z]{47}$/,
  evm: /^0x[0-9a-f]{40}$/,
  bitcoin: /^bcrt1/,
  broker: /^broker$/,
} as const

type Shape = keyof typeof types | "number" | "AssetMap" | ReadonlyArray<unknown> | {
  readonly [name: string]: unknown
}

/** Asserts that a value has a shape: each member, none more, each of its type. */
const assertShape = (value: unknown, shape: unknown, path: string): void => {
  if (shape === "number") return assert.isNumber(value, path)
  if (shape === "AssetMap") return assertAssetMap(value, path)
  if (typeof shape === "string") {
    const type = Object.entries(types).find(([name]) => name === shape)?.[1]
    assert.isString(value, path)
    return type === undefined ? assert.strictEqual(value, shape, path) : assert.match(`${value}`, type, path)
  }
  if (Array.isArray(shape)) {
    assert.isArray(value, path)
    assert.strictEqual(at(value, "length"), shape.length, path)
    return shape.forEach((item, index) => assertShape(at(value, index), item, `${path}[${index}]`))
  }
  assert.deepStrictEqual(members(value), members(shape), path)
  for (const name of members(shape)) assertShape(at(value, name), at(shape, name), `${path}.${name}`)
}

/** The assets of each chain (chainflip/wire.md 1.2). */
const assets = {
  Arbitrum: ["ETH", "USDC", "USDT"],
  Assethub: ["DOT", "USDC", "USDT"],
  Bitcoin: ["BTC"],
  Bsc: ["BNB", "USDT"],
  Ethereum: ["CBBTC", "ETH", "FLIP", "USDC", "USDT", "WBTC"],
  Polkadot: ["DOT"],
  Solana: ["SOL", "USDC", "USDT"],
  Tron: ["TRX", "USDT"],
}

const assertAssetMap = (value: unknown, path: string): void => {
  assert.deepStrictEqual(members(value), Object.keys(assets), path)
  for (const [chain, tickers] of Object.entries(assets)) {
    assert.deepStrictEqual(members(at(value, chain)), tickers, `${path}.${chain}`)
    for (const ticker of tickers) assertShape(at(value, chain, ticker), "hex", `${path}.${chain}.${ticker}`)
  }
}

const withdrawal = {
  tx_hash: "hash",
  egress_id: ["Ethereum", "number"],
  egress_amount: "hex",
  egress_fee: "hex",
  destination_address: "evm",
} satisfies Shape

describe("the shapes of the operator's account", () => {
  inSandbox("are those of the network, member by member", function* (client) {
    const affiliate = yield* ask(client, "broker_register_affiliate", ethereumAddress)
    assertShape(affiliate, "account", "broker_register_affiliate")
    yield* earn(client)
    assertShape(
      yield* ask(client, "broker_withdraw_fees", usdc, ethereumAddress),
      withdrawal,
      "broker_withdraw_fees",
    )
    yield* ask(client, "broker_bind_fee_withdrawal_address", ethereumAddress)
    const listed = [["account", { short_id: "number", withdrawal_address: "evm" }]]
    assertShape(yield* ask(client, "broker_get_affiliates"), listed, "broker_get_affiliates")
    assertShape(yield* ask(client, "broker_get_affiliates", affiliate), listed, "broker_get_affiliates")
    assert.deepStrictEqual(yield* ask(client, "broker_get_affiliates", brokerAccount), [])
    const node = yield* client.call("node", "cf_get_affiliates", [brokerAccount])
    assertShape(at(node, "result"), listed, "cf_get_affiliates")
    const info = yield* client.call("node", "cf_account_info", [brokerAccount])
    assertShape(at(info, "result"), {
      account_id: "account",
      role: "broker",
      flip_balance: "hex",
      asset_balances: "AssetMap",
      bond: "hex",
      estimated_redeemable_balance: "hex",
      earned_fees: "AssetMap",
      affiliates: [{ account_id: "account", short_id: "number", withdrawal_address: "evm" }],
      btc_vault_deposit_address: "bitcoin",
      bound_fee_withdrawal_address: "evm",
    }, "cf_account_info")
    assertShape(
      yield* ask(client, "broker_deregister_affiliate", affiliate),
      { account_id: "account", short_id: "number" },
      "broker_deregister_affiliate",
    )
    assertShape(yield* ask(client, "broker_set_vault_swap_minimum_broker_fee", 5), "hash", "minimum")
    assertShape(yield* ask(client, "broker_close_private_btc_channel"), "number", "close")
    assertShape(yield* ask(client, "broker_open_private_btc_channel"), "number", "open")
  })

  inSandbox("of an affiliate's withdrawal are those of the operator's", function* (client) {
    const affiliate = textAt(
      yield* client.call("broker", "broker_register_affiliate", [ethereumAddress]),
      "result",
    )
    const terms = { broker_commission: 10, affiliate_fees: [{ account: affiliate, bps: 20 }] }
    const opened = yield* client.call("broker", "broker_request_swap_deposit_address", opening(terms))
    yield* client.send("POST", "/sandbox/deposits", {
      address: at(opened, "result", "address"),
      amount: "0.5",
    })
    yield* client.send("POST", "/sandbox/time", { advanceSeconds: 7_200 })
    const held = yield* client.call("broker", "broker_deregister_affiliate", [affiliate])
    assert.match(textAt(held, "error", "message"), /‘AffiliateEarnedFeesNotWithdrawn‘/)
    const balances = yield* client.call("node", "cf_free_balances", [affiliate])
    const earned = BigInt(textAt(balances, "result", "Ethereum", "USDC"))
    const paid = yield* ask(client, "broker_affiliate_withdrawal_request", affiliate)
    assertShape(paid, withdrawal, "broker_affiliate_withdrawal_request")
    assert.strictEqual(
      BigInt(textAt(paid, "egress_amount")) + BigInt(textAt(paid, "egress_fee")),
      earned,
    )
  })

  inSandbox("have names in camel case, too", function* (client) {
    yield* earn(client)
    assertShape(yield* ask(client, "broker_withdrawFees", usdc, ethereumAddress), withdrawal, "withdrawFees")
    const affiliate = yield* ask(client, "broker_registerAffiliate", ethereumAddress)
    assert.lengthOf(
      `${yield* ask(client, "broker_getAffiliates")}`,
      `${[affiliate]},[object Object]`.length,
    )
    yield* ask(client, "broker_deregisterAffiliate", affiliate)
    for (
      const [method, ...params] of [
        ["broker_bindFeeWithdrawalAddress", ethereumAddress],
        ["broker_setVaultSwapMinimumBrokerFee", 1],
        ["broker_closePrivateBtcChannel"],
        ["broker_openPrivateBtcChannel"],
      ]
    ) {
      assert.isDefined(yield* ask(client, `${method}`, ...params), `${method}`)
    }
  })
})

/** The calls of the operator, with parameters that fit. */
const withdraw = ["broker_withdraw_fees", usdc, ethereumAddress] as const
const bind = ["broker_bind_fee_withdrawal_address", ethereumAddress] as const
const register = ["broker_register_affiliate", ethereumAddress] as const
const openPrivate = ["broker_open_private_btc_channel"] as const
const closePrivate = ["broker_close_private_btc_channel"] as const
const elsewhere = "0x2222222222222222222222222222222222222222"

type Call = readonly [method: string, ...params: ReadonlyArray<unknown>]

/** An error with its module, the call that has it, and what brings it about. */
const errors: ReadonlyArray<
  readonly [name: string, call: Call, prepare?: (client: Client) => Effect.Effect<unknown>, pallet?: string]
> = [
  [
    "WithdrawalsDisabled",
    withdraw,
    (client) => Effect.andThen(earn(client), change(client, settle.withdrawals)),
  ],
  ["NoFundsAvailable", withdraw],
  [
    "DestinationNotAllowed",
    withdraw,
    (client) => Effect.andThen(earn(client), ask(client, bind[0], elsewhere)),
    "AssetBalances",
  ],
  ["BelowEgressDustLimit", withdraw, (client) => earn(client, "274001"), "EthereumIngressEgress"],
  ["BrokerAlreadyBound", bind, (client) => ask(client, ...bind)],
  [
    "AffiliateShortIdOutOfBounds",
    register,
    (client) => Effect.forEach(Array.from({ length: 256 }), () => ask(client, ...register)),
  ],
  ["AffiliateNotRegisteredForBroker", ["broker_affiliate_withdrawal_request", brokerAccount]],
  ["AffiliateNotRegisteredForBroker", ["broker_deregister_affiliate", brokerAccount]],
  ["PrivateChannelExistsForBroker", openPrivate],
  ["NoPrivateChannelExistsForBroker", closePrivate, (client) => ask(client, ...closePrivate)],
  [
    "InsufficientFunds",
    openPrivate,
    (client) =>
      Effect.andThen(
        ask(client, ...closePrivate),
        change(client, { change: "setFlip", free: "99999999999999999999" }),
      ),
  ],
  ["BrokerCommissionBpsTooHigh", ["broker_set_vault_swap_minimum_broker_fee", 1_001]],
  [
    "InsufficientLiquidity",
    ["broker_request_swap_deposit_address"],
    (client) => change(client, { change: "setFlip", free: "11999999999999999" }),
    "Flip",
  ],
]

describe("an error of the operator's account", () => {
  for (const [name, [method, ...params], prepare, pallet = "Swapping"] of errors) {
    inSandbox(`is ${name} of ${method}, in the form of either broker`, function* (client) {
      if (prepare !== undefined) yield* prepare(client)
      // An opening has its parameters by name.
      const sent = method === "broker_request_swap_deposit_address" ? opening() : params
      const standalone = yield* client.call("broker", method, sent)
      assert.strictEqual(at(standalone, "error", "code"), -32020)
      assert.match(
        textAt(standalone, "error", "message"),
        new RegExp(`^The transaction failed: Module error ‘${name}‘ from pallet ‘${pallet}‘: ‘.+‘$`),
      )
      const hosted = yield* client.call("node", method, sent)
      assert.strictEqual(at(hosted, "error", "code"), -32024)
      assert.match(
        textAt(hosted, "error", "message"),
        new RegExp(`^KnownModuleError \\{ pallet: "${pallet}", name: "${name}", error: ".+" \\}$`),
      )
    })
  }

  inSandbox("is an invalid transaction where nothing pays for it, of every transaction", function* (client) {
    yield* earn(client)
    yield* change(client, settle.flip)
    for (
      const [method, ...params] of [
        ["broker_withdraw_fees", usdc, ethereumAddress],
        ["broker_register_affiliate", ethereumAddress],
        ["broker_bind_fee_withdrawal_address", ethereumAddress],
        ["broker_set_vault_swap_minimum_broker_fee", 1],
        ["broker_close_private_btc_channel"],
      ]
    ) {
      const reply = yield* client.call("broker", `${method}`, params)
      assert.match(
        textAt(reply, "error", "message"),
        /^The transaction is invalid: Inability to pay some fees/,
      )
    }
    assert.isDefined(at(yield* client.call("broker", "broker_get_affiliates", []), "result"))
  })

  inSandbox("is the parser's of an address that is none", function* (client) {
    yield* earn(client)
    for (
      const [method, ...params] of [
        ["broker_withdraw_fees", usdc, bitcoinAddress],
        ["broker_withdraw_fees", "BTC", ethereumAddress],
        ["broker_register_affiliate", "0x1"],
        ["broker_bind_fee_withdrawal_address", bitcoinAddress],
      ]
    ) {
      const reply = yield* client.call("broker", `${method}`, params)
      assert.match(textAt(reply, "error", "message"), /^Failed to parse address/, `${method}`)
    }
  })

  for (const error of BrokerError.literals) {
    inSandbox(`can be made to be ${error}, once, of what is asked`, function* (client) {
      yield* earn(client)
      const rule = { provider: "chainflip", operation: "withdraw", error, count: 1 }
      assert.strictEqual((yield* client.send("PUT", "/sandbox/faults", rule)).status, 200)
      const refused = yield* client.call("broker", "broker_withdraw_fees", [usdc, ethereumAddress])
      assert.include(textAt(refused, "error", "message"), `‘${error}‘`)
      const paid = yield* client.call("broker", "broker_withdraw_fees", [usdc, ethereumAddress])
      assertShape(at(paid, "result"), withdrawal, "broker_withdraw_fees")
    })
  }

  inSandbox("is not one of other providers, nor beside a code or a kind", function* (client) {
    const put = (rule: Readonly<Record<string, unknown>>) => client.send("PUT", "/sandbox/faults", rule)
    assert.strictEqual((yield* put({ error: "NoFundsAvailable", kind: "reset" })).status, 400)
    assert.strictEqual((yield* put({ error: "Unheard" })).status, 400)
    yield* put({ error: "NoFundsAvailable" })
    const { status } = yield* client.get(
      "/relay/app-fees/0x1111111111111111111111111111111111111111/balances",
    )
    assert.strictEqual(status, 200)
  })
})

describe("payloads", () => {
  const encode = (client: Client, commission: number, chain = "Bitcoin") =>
    client.call("broker", "broker_request_swap_parameter_encoding", [
      chain === "Bitcoin" ? "BTC" : "ETH",
      usdc,
      ethereumAddress,
      commission,
      chain === "Bitcoin" ? { chain, min_output_amount: "0x0", retry_duration: 10 } : {
        chain,
        input_amount: "0xde0b6b3a7640000",
        refund_parameters: { retry_duration: 10, refund_address: ethereumAddress, min_price: "0x0" },
      },
    ])

  inSandbox("from Bitcoin need the private channel", function* (client) {
    assert.isDefined(at(yield* encode(client, 5), "result"))
    yield* ask(client, "broker_close_private_btc_channel")
    assert.strictEqual(at(yield* encode(client, 5), "error", "code"), -32021)
    assert.isDefined(at(yield* encode(client, 5, "Ethereum"), "result"))
    const info = yield* client.call("node", "cf_account_info", [brokerAccount])
    assert.isUndefined(at(info, "result", "btc_vault_deposit_address"))
    assert.strictEqual(at(info, "result", "bond"), "0x0")
  })

  inSandbox("take no less than the minimum commission", function* (client) {
    yield* ask(client, "broker_set_vault_swap_minimum_broker_fee", 30)
    const low = yield* encode(client, 29, "Ethereum")
    assert.strictEqual(textAt(low, "error", "message"), "DispatchError: Broker commission is too low")
    assert.isDefined(at(yield* encode(client, 30, "Ethereum"), "result"))
  })
})
