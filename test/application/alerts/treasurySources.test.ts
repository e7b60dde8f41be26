import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { accountsAtProviders } from "#application/alerts/treasurySources.ts"
import { AccountName } from "#domain/accounts/Account.ts"
import type { Alert } from "#domain/operations/Alert.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Comparison, type Funding, type OperatorAccount } from "#domain/operations/Treasury.ts"
import { Overview } from "#providers/Registry.ts"
import { Treasury, type TreasuryStanding } from "#application/treasury/Treasury.ts"
import { at, other, provider } from "./support/alerts.ts"
import { standing as providerStanding } from "./support/standing.ts"

const native = (amount: bigint) => NativeAmount.make(amount)

const funding: Funding = {
  asset: "flip.eth",
  free: native(1_000n),
  bond: native(100n),
  redeemable: native(900n),
  openingFees: { Bitcoin: native(10n), Ethereum: native(1n) },
}

const account: OperatorAccount = {
  account: "cFOperator",
  earned: [],
  affiliates: [],
  funding,
  withdrawalsEnabled: true,
  inSync: true,
}

/** An account with all that is needed, seen an hour after the beginning. */
const standing = (
  changes: Partial<OperatorAccount> = {},
  left: ReadonlyArray<bigint> = [100n, 1_000n],
): TreasuryStanding => {
  const seen = { ...account, ...changes }
  return {
    platform: provider,
    comparison: Comparison.Exact(),
    look: { seen: { account: seen, at: at(3_600) } },
    assets: [],
    ...(seen.funding === undefined ? {} : {
      funds: {
        funding: seen.funding,
        window: Duration.hours(1),
        transactionCost: 0n,
        openings: left.map((channels) => ({ chain: "Bitcoin" as const, fee: 1n, channels })),
        takers: ["busy", "calm"].map((name, place) => ({
          account: AccountName.make(name),
          channels: 9 - place,
          spent: 1n,
        })),
      },
    }),
    takesOrders: true,
    hasAffiliates: true,
  }
}

/** What is found of one account, by type: its fault, `unknown`, or nothing where it is well. */
const findings = (one: TreasuryStanding, overview = providerStanding({ vaultSwaps: ["Bitcoin"] })) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(3_630_000)
    const readings = yield* Effect.flatten(accountsAtProviders(100)).pipe(
      Effect.provide([
        Layer.mock(Treasury, { all: Effect.succeed([one]), mismatches: Effect.succeed([]) }),
        Layer.mock(Overview, { all: Effect.succeed([overview]) }),
      ]),
    )
    const found: Record<string, Alert | "unknown"> = {}
    for (const { faults: [fault], type, unknown } of readings) {
      if (fault !== undefined) found[type] = fault
      else if (unknown.length > 0) found[type] = "unknown"
    }
    return found
  })

const nothingKnown: Readonly<Record<string, "unknown">> = {
  flip_low: "unknown",
  withdrawals_disabled: "unknown",
  node_out_of_sync: "unknown",
  bond_missing_for_btc_vault_swaps: "unknown",
  ledger_mismatch: "unknown",
}

describe("The operator's account at a provider", () => {
  it.effect("is well with funds, withdrawals, a node in sync and a bond", function* () {
    assert.deepStrictEqual(yield* findings(standing()), {})
  })

  it.effect("has too little FLIP by the chain whose channels are the fewest", function* () {
    assert.deepStrictEqual(yield* findings(standing({}, [1_000n, 99n])), {
      flip_low: {
        type: "flip_low",
        provider,
        freeNative: "1000",
        channelsLeft: 99,
        busiest: { name: AccountName.make("busy"), channels: 9 },
      },
    })
    assert.deepStrictEqual(yield* findings(standing({ inSync: false }, [99n])), {
      flip_low: "unknown",
      node_out_of_sync: { type: "node_out_of_sync", provider },
    })
  })

  it.effect("has its withdrawals and its node as the upstream tells, and unknown where it does not", function* () {
    assert.deepStrictEqual(yield* findings(standing({ withdrawalsEnabled: false })), {
      withdrawals_disabled: { type: "withdrawals_disabled", provider },
    })
    const { account: name, affiliates, earned } = account
    const silent = {
      ...standing(),
      look: { seen: { account: { account: name, affiliates, earned }, at: at(3_600) } },
    }
    assert.deepStrictEqual(yield* findings(silent), {
      withdrawals_disabled: "unknown",
      node_out_of_sync: "unknown",
    })
  })

  it.effect("lacks a bond only where payloads from Bitcoin are wanted", function* () {
    const without = standing({ funding: { ...funding, bond: native(0n) } })
    assert.deepStrictEqual(yield* findings(without), {
      bond_missing_for_btc_vault_swaps: { type: "bond_missing_for_btc_vault_swaps", provider },
    })
    assert.deepStrictEqual(yield* findings(without, providerStanding({ vaultSwaps: [] })), {})
    for (const off of [{ operation: "encode" }, { asset: "btc.btc" }, {}] as const) {
      const overview = providerStanding({ vaultSwaps: ["Bitcoin"], switches: [off] })
      assert.deepStrictEqual(yield* findings(without, overview), {})
    }
    const elsewhere = providerStanding({ vaultSwaps: ["Bitcoin"], switches: [{ asset: "eth.eth" }] })
    assert.property(yield* findings(without, elsewhere), "bond_missing_for_btc_vault_swaps")
  })

  it.effect("is unknown while it cannot be looked at, and when it was last seen long ago", function* () {
    const bad = standing({ withdrawalsEnabled: false, inSync: false }, [0n])
    const { seen } = bad.look
    const failed = { reason: "TimedOut", at: at(3_610) }
    assert.deepStrictEqual(
      yield* findings({ ...bad, look: { ...(seen === undefined ? {} : { seen }), failed } }),
      nothingKnown,
    )
    assert.deepStrictEqual(yield* findings({ ...bad, look: {} }), nothingKnown)
    const long = { ...bad, look: seen === undefined ? {} : { seen: { ...seen, at: at(3_000) } } }
    assert.deepStrictEqual(yield* findings(long), nothingKnown)
  })

  it.effect("differs from the ledger in each asset for itself", function* () {
    yield* TestClock.setTime(3_630_000)
    const mismatches = [
      { platform: provider, asset: "usdc.eth" as const, earned: 7n, ledger: 8n, since: at(3_600) },
      { platform: other, asset: "usdc.eth" as const, earned: 7n, ledger: 8n, since: at(3_600) },
    ]
    const readings = yield* Effect.flatten(accountsAtProviders(100)).pipe(
      Effect.provide([
        Layer.mock(Treasury, {
          all: Effect.succeed([standing(), { ...standing(), platform: other, look: {} }]),
          mismatches: Effect.succeed(mismatches),
        }),
        Layer.mock(Overview, { all: Effect.succeed([]) }),
      ]),
    )
    assert.deepStrictEqual(readings.find(({ type }) => type === "ledger_mismatch"), {
      type: "ledger_mismatch",
      faults: [{
        type: "ledger_mismatch",
        provider,
        asset: "usdc.eth",
        earnedNative: "7",
        ledgerNative: "8",
        differenceNative: "-1",
      }],
      unknown: [other],
    })
  })
})
