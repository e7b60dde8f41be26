import { assert, collectLogs, describe, it } from "../support.ts"
import { Effect } from "effect"
import { Address } from "#domain/chains/Address.ts"
import type { Treasury } from "#providers/Provider.ts"
import { affiliate, brokerAccountInfo, health } from "./fixtures/account.ts"
import { environment, safeMode } from "./fixtures/environment.ts"
import { ourAccount } from "./fixtures/swaps.ts"
import { ordinaryDay, providerOver, reasonOf, result, rpcError, type Script } from "./fakeChainflip.ts"

const account: Script = {
  ...ordinaryDay,
  cf_account_info: result(brokerAccountInfo),
  cf_free_balances: result({ Ethereum: { USDC: "0x9", ETH: "0x0" } }),
  cf_ingress_egress_environment: result(environment.ingress_egress),
  system_health: result(health),
}

/** The treasury over a fake upstream that differs by `script` from one with an ordinary account. */
const withTreasury = <A, E>(script: Script, test: (treasury: Treasury) => Effect.Effect<A, E>) =>
  Effect.flatMap(providerOver({ ...account, ...script }), ([{ treasury }]) => {
    if (treasury === undefined) throw new Error("The provider has no treasury")
    return test(treasury)
  })

const accountOver = (script: Script = {}) => withTreasury(script, ({ account }) => account)

describe("the operator's account", () => {
  it.effect("is read from the node, without what it does not know and assets of which there is nothing", function* () {
    const told: unknown = yield* accountOver()
    assert.deepStrictEqual(told, {
      account: ourAccount,
      earned: [
        { asset: "btc.btc", amount: 5_000_000n },
        { asset: "usdc.eth", amount: 500_000n },
        { asset: "usdt.eth", amount: 300_000n },
      ],
      affiliates: [{
        account: affiliate,
        shortId: 42,
        withdrawalAddress: "0xdededededededededededededededededededede",
        earned: [{ asset: "usdc.eth", amount: 9n }],
      }],
      funding: {
        asset: "flip.eth",
        free: 5n,
        bond: 100n * 10n ** 18n,
        redeemable: 3n,
        openingFees: { Bitcoin: 0n },
      },
      preparesBitcoin: true,
      withdrawalsEnabled: true,
      inSync: true,
      boundAddress: { chain: "Ethereum", address: "0x0404040404040404040404040404040404040404" },
    })
  })

  it.effect("is without affiliates and a bound address where it has none", function* () {
    const { affiliates: _, bound_fee_withdrawal_address: __, ...bare } = brokerAccountInfo
    const told = yield* accountOver({ cf_account_info: result(bare) })
    assert.deepStrictEqual(told.affiliates, [])
    assert.isUndefined(told.boundAddress)
  })

  it.effect("prepares no transactions from Bitcoin without a private channel", function* () {
    const { btc_vault_deposit_address: _, ...bare } = brokerAccountInfo
    assert.isFalse((yield* accountOver({ cf_account_info: result(bare) })).preparesBitcoin)
  })

  it.effect("has nothing free where the bond is more than it has", function* () {
    const told = yield* accountOver({
      cf_account_info: result({ ...brokerAccountInfo, flip_balance: "0x1" }),
    })
    assert.strictEqual(told.funding?.free, 0n)
  })

  it.effect("has what is free to take back where an older node does not say how much that is", function* () {
    const { estimated_redeemable_balance: _, ...older } = brokerAccountInfo
    const told = yield* accountOver({ cf_account_info: result(older) })
    assert.strictEqual<bigint | undefined>(told.funding?.redeemable, 5n)
  })

  it.effect("tells when withdrawals are in safe mode, and when the node lags or has no peers", function* () {
    const off = { swapping: { ...safeMode().swapping, withdrawals_enabled: false } }
    const told = yield* accountOver({ cf_safe_mode_statuses: result(off) })
    assert.strictEqual(told.withdrawalsEnabled, false)
    for (
      const [answer, inSync] of [
        [{ ...health, isSyncing: true }, false],
        [{ ...health, peers: 0 }, false],
        [{ ...health, peers: 0, shouldHavePeers: false }, true],
      ] as const
    ) {
      assert.strictEqual((yield* accountOver({ system_health: result(answer) })).inSync, inSync)
    }
  })

  it.effect("leaves out what an older node does not offer", function* () {
    const notOffered = rpcError(-32601, "Method not found")
    const told = yield* accountOver({ cf_safe_mode_statuses: notOffered, system_health: notOffered })
    assert.notProperty(told, "withdrawalsEnabled")
    assert.notProperty(told, "inSync")
  })

  it.effect.each(
    [
      [
        "of another role",
        { role: "unregistered", flip_balance: "0x0" },
        /does not know CHAINFLIP_BROKER_ACCOUNT/,
      ],
      ["of somebody else", { ...brokerAccountInfo, account_id: affiliate }, /account_id/],
      ["without its FLIP", { ...brokerAccountInfo, flip_balance: undefined }, /flip_balance/],
      [
        "with an affiliate that is no account",
        { ...brokerAccountInfo, affiliates: [{ ...brokerAccountInfo.affiliates[0], account_id: "cFme" }] },
        /affiliates/,
      ],
      [
        "with an affiliate paid to no address",
        {
          ...brokerAccountInfo,
          affiliates: [{ ...brokerAccountInfo.affiliates[0], withdrawal_address: "0x1" }],
        },
        /withdrawal_address/,
      ],
      [
        "bound to no address",
        { ...brokerAccountInfo, bound_fee_withdrawal_address: "bc1q" },
        /bound_fee_withdrawal_address/,
      ],
    ] as const,
  )("is refused %s", function* ([, answer, expected]) {
    const reason = yield* reasonOf(accountOver({ cf_account_info: result(answer) }))
    assert.match("detail" in reason ? reason.detail : "", expected)
  })

  it.effect("fails with the node's own error", function* () {
    const reason = yield* reasonOf(accountOver({ cf_account_info: rpcError(-32022, "Unknown block") }))
    assert.deepInclude(reason, { _tag: "UpstreamFailed" })
  })
})

describe("a new affiliate", () => {
  const withdrawalAddress = Address.make("0x1111111111111111111111111111111111111111")
  const registered = (listed: unknown) =>
    withTreasury(
      { broker_register_affiliate: result(affiliate), cf_get_affiliates: result(listed) },
      ({ affiliates }) => affiliates?.register(withdrawalAddress) ?? Effect.die("There are no affiliates"),
    )
  const listedWith = (withdrawal_address: unknown) => [[affiliate, { short_id: 7, withdrawal_address }]]

  it.effect("is compared with what the node has recorded, and whoever operates hears where it cannot be", function* () {
    assert.strictEqual((yield* registered(listedWith(withdrawalAddress))).shortId, 7)
    const elsewhere = yield* reasonOf(registered(listedWith(`0x${"2".repeat(40)}`)))
    assert.strictEqual(elsewhere._tag, "MalformedBody")
    const { lines, value } = yield* collectLogs(registered(listedWith(7)))
    assert.notProperty(value, "shortId")
    assert.match(lines.join("\n"), /affiliate at the node could not be read/)
  })
})
