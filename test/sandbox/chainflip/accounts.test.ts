import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { inSandbox } from "../inSandbox.ts"
import { advance, at, type Client, deposit, members, openChannel, textAt } from "../support.ts"

/** The result of a call to the node. */
const ask = (client: Client, method: string, ...params: ReadonlyArray<unknown>) =>
  Effect.map(client.call("node", method, params), (reply) => at(reply, "result"))

const change = (client: Client, body: Readonly<Record<string, unknown>>) =>
  client.send("PATCH", "/sandbox/network", body)

describe("cf_account_info", () => {
  inSandbox("has the members of a broker, without those that have no value", function* (client) {
    const account = yield* ask(client, "cf_account_info", brokerAccount)
    assert.deepStrictEqual(members(account), [
      "account_id",
      "asset_balances",
      "bond",
      "btc_vault_deposit_address",
      "earned_fees",
      "estimated_redeemable_balance",
      "flip_balance",
      "role",
    ])
    assert.deepInclude(account, {
      role: "broker",
      account_id: brokerAccount,
      flip_balance: `0x${(100_100n * 10n ** 18n).toString(16)}`,
      bond: "0x56bc75e2d63100000",
      estimated_redeemable_balance: `0x${(100_000n * 10n ** 18n).toString(16)}`,
    })
    assert.strictEqual(at(account, "earned_fees", "Ethereum", "USDC"), "0x0")
  })

  inSandbox("tells what swaps have earned and channels have cost", function* (client) {
    yield* deposit(client, yield* openChannel(client), "25000000")
    yield* advance(client, 7_200)
    const account = yield* ask(client, "cf_account_info", brokerAccount)
    assert.isTrue(BigInt(textAt(account, "earned_fees", "Ethereum", "USDC")) > 0n)
    assert.deepStrictEqual(at(account, "asset_balances"), at(account, "earned_fees"))
    assert.deepStrictEqual(yield* ask(client, "cf_free_balances", brokerAccount), at(account, "earned_fees"))
    assert.strictEqual(
      BigInt(textAt(account, "flip_balance")),
      100_100n * 10n ** 18n - 12_000_000_000_000_000n,
    )
  })

  inSandbox("takes every other account for unregistered", function* (client) {
    const other = yield* ask(client, "cf_account_info", "cFsomeone")
    assert.strictEqual(at(other, "role"), "unregistered")
    assert.isUndefined(at(other, "earned_fees"))
  })
})

describe("the node", () => {
  inSandbox(
    "tells of withdrawals in safe mode, of its blocks and of the price of channels",
    function* (client) {
      assert.deepStrictEqual(yield* ask(client, "system_health"), {
        peers: 12,
        isSyncing: false,
        shouldHavePeers: true,
      })
      yield* change(client, { change: "setNode", inSync: false })
      yield* change(client, { change: "setWithdrawals", enabled: false })
      yield* change(client, { change: "setOpeningFee", chain: "Bitcoin", fee: "5" })
      assert.strictEqual(at(yield* ask(client, "system_health"), "isSyncing"), true)
      const safeMode = yield* ask(client, "cf_safe_mode_statuses")
      assert.strictEqual(at(safeMode, "swapping", "withdrawals_enabled"), false)
      const fees = at(yield* ask(client, "cf_ingress_egress_environment"), "channel_opening_fees")
      assert.deepInclude(fees, { Bitcoin: 5, Ethereum: "0x2386f26fc10000" })
    },
  )
})

describe("the controls of the broker's account", () => {
  inSandbox("show in GET /sandbox, and refuse what no account can have", function* (client) {
    yield* change(client, { change: "setFlip", free: "12" })
    const { json } = yield* change(client, { change: "shiftEarned", asset: "usdc.eth", difference: "7" })
    assert.deepInclude(at(json, "broker"), {
      account: brokerAccount,
      flip: "100000000000000000012",
      bond: "100000000000000000000",
      earned: [{ asset: "usdc.eth", amount: "7" }],
      hasPrivateChannel: true,
      nodeInSync: true,
    })
    const less = yield* change(client, { change: "shiftEarned", asset: "usdc.eth", difference: "-8" })
    assert.strictEqual(less.status, 400)
    const refused = yield* change(client, { change: "shiftEarned", asset: "usdc.eth", difference: 1.5 })
    assert.strictEqual(refused.status, 400)
  })
})
