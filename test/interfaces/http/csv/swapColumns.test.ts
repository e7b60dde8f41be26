import { assert, describe, it } from "@effect/vitest"
import type { RecordSetting } from "#api/presentSwap.ts"
import { Address } from "#domain/chains/Address.ts"
import { AccountName } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { accountSwapsTable, swapLine, swapsHead } from "#interfaces/requests/csv.ts"
import { completed, minimal } from "#test/api/present/statuses.ts"
import { parseRows } from "./parseCsv.ts"

const recordOf = (status: SwapStatus) => ({
  id: SwapRecordId.make(7),
  platform: ProviderName.make("chainflip"),
  status,
})

const networks: RecordSetting = { networkOf: () => "mainnet" }

const rowOf = (status: SwapStatus) => {
  const line = swapLine(networks)(recordOf(status))
  const [row = {}] = parseRows(swapsHead + line)
  return Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== ""))
}

const native = (amount: bigint) => NativeAmount.make(amount)

describe("swapLine", () => {
  it("has amounts in both forms, times, hashes and commission of a swap", () => {
    const fees = [
      ...completed.status.fees,
      { type: "broker", asset: "usdc.eth", amount: native(40_285_185n) },
      { type: "provider", asset: "usdc.eth", amount: native(1_000_000n), isEstimate: true },
    ] as const
    assert.deepStrictEqual(rowOf({ ...completed.status, fees }), {
      id: "7",
      platform: "chainflip",
      state: "completed",
      result: "completed",
      swapId: "123",
      sourceAsset: "btc.btc",
      destinationAsset: "eth.eth",
      destinationAddress: "0x2222222222222222222222222222222222222222",
      depositChannelId: "14138313-Bitcoin-77",
      depositAddress: "bc1qdeposit",
      createdAt: "2026-07-29T14:04:24+00:00",
      depositAmount: "0.25",
      depositAmountNative: "25000000",
      depositTransaction: "3a1f",
      depositWitnessedAt: "2026-07-29T14:04:31+00:00",
      swappedInputAmount: "0.249875",
      swappedInputAmountNative: "24987500",
      swappedOutputAmount: "8.439758519449979758",
      swappedOutputAmountNative: "8439758519449979758",
      swapEgressAmount: "8.438",
      swapEgressAmountNative: "8438000000000000000",
      swapEgressTransaction: "0xabc",
      swapEgressWitnessedAt: "2026-07-29T14:04:59+00:00",
      brokerCommissionBps: "10",
      commissionAsset: "usdc.eth",
      commissionAmount: "40.285185",
      commissionAmountNative: "40285185",
      lastStateChainUpdateAt: "2026-07-29T14:04:59+00:00",
      commissionCharged: "41.285185",
      commissionChargedNative: "41285185",
      commissionKept: "1",
      commissionKeptNative: "1000000",
      commissionIsEstimate: "true",
    })
  })

  it("has what became of the quote, behind all columns but those of commission, below 0 as a number", () => {
    const quote = {
      amount: native(25_000_000n),
      quoted: native(8_500_000_000_000_000_000n),
      promised: native(8_400_000_000_000_000_000n),
      expiresAt: EpochMillis.make(1_000),
    }
    const outcome = {
      outcomeQuoted: "8.5",
      outcomeQuotedNative: "8500000000000000000",
      outcomePromised: "8.4",
      outcomePromisedNative: "8400000000000000000",
      outcomeReceived: "8.438",
      outcomeReceivedNative: "8438000000000000000",
      outcomeBps: "-73",
    }
    assert.deepStrictEqual(
      Object.entries(rowOf({ ...completed.status, quote })).slice(-8, -1),
      Object.entries(outcome),
    )
    const at = EpochMillis.make(1_000)
    const swap = {
      account: AccountName.make("wallet-one"),
      createdAt: at,
      record: {
        ...recordOf({ ...completed.status, quote }),
        standing: { createdAt: at, changedAt: at, lookedUpAt: at, lookupFailures: 0 },
      },
    }
    const { head, line } = accountSwapsTable(networks)
    const [row = {}] = parseRows(head + line(swap))
    assert.deepStrictEqual(Object.entries(row).slice(-27, -18), [
      ["recordedAt", "1970-01-01T00:00:01+00:00"],
      ["stalledSince", ""],
      ...Object.entries(outcome),
    ])
  })

  it("has nothing where nothing is known", () => {
    assert.deepStrictEqual(Object.keys(rowOf(minimal)), [
      "id",
      "platform",
      "state",
      "sourceAsset",
      "destinationAsset",
      "destinationAddress",
    ])
  })

  it("adds up the commission of each asset, and names them in turn", () => {
    const row = rowOf({
      ...minimal,
      fees: [
        { type: "broker", asset: "usdc.eth", amount: native(1n) },
        { type: "network", asset: "usdc.eth", amount: native(100n) },
        { type: "broker", asset: "btc.btc", amount: native(5n) },
        { type: "broker", asset: "usdc.eth", amount: native(2n) },
      ],
    })
    assert.strictEqual(row.commissionAsset, "usdc.eth btc.btc")
    assert.strictEqual(row.commissionAmount, "0.000003 0.00000005")
    assert.strictEqual(row.commissionAmountNative, "3 5")
  })

  it("lets no text of others run as a formula", () => {
    const evil = '=HYPERLINK("https://evil.test","x")'
    const row = rowOf({ ...minimal, swapId: evil, destinationAddress: Address.make("@x") })
    assert.strictEqual(row.swapId, `'${evil}`)
    assert.strictEqual(row.destinationAddress, "'@x")
  })

  it.prop("is a line of as many cells as the head, whatever is known", [SwapStatus], ([status]) => {
    assert.strictEqual(rowOf(status).id, "7")
  })
})
