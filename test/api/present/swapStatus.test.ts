import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { SwapRecordBody } from "#api/SwapRecord.ts"
import { AssetId, assetIds } from "#domain/chains/Asset.ts"
import { ChannelRecord, Deposit, Egress, SwapProgress, SwapStatus } from "#domain/swaps/Swap.ts"
import { type SwapRecord, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { presentRecord, presentStatus } from "#api/presentSwap.ts"
import { encode, type Found, parseExactly } from "#test/interfaces/requests/present/json.ts"
import {
  assertAmountTwins,
  assertDateTwins,
  assertNothingNull,
} from "#test/interfaces/requests/present/twins.ts"
import { completed, minimal } from "./statuses.ts"

const recordOf = (status: SwapStatus): SwapRecord => ({
  id: SwapRecordId.make(7),
  platform: ProviderName.make("chainflip"),
  status,
})

const json = (status: SwapStatus): string =>
  encode(SwapRecordBody, presentRecord(recordOf(status), { networkOf: () => "mainnet" }))

/** The asset that an amount of a status counts, by where it stands. */
const assetOf = (status: SwapStatus) => (name: string, { path, object }: Found): AssetId => {
  const own = assetIds().find((id) => id === object.asset)
  if (own !== undefined) return own
  if (/intermediate/i.test(name)) return "usdc.eth"
  if (/output|^egressAmount/i.test(name)) return status.destinationAsset
  return /\.(?:swapEgress|fallbackEgress)$/.test(path) ? status.destinationAsset : status.sourceAsset
}

/** A status in which every part with amounts is known. */
const EventfulStatus = Schema.Struct({
  ...SwapStatus.fields,
  depositChannel: ChannelRecord,
  deposit: Deposit,
  swap: SwapProgress,
  swapEgress: Egress,
  refundEgress: Egress,
  fallbackEgress: Egress,
})

const assertTwins = (status: SwapStatus): number => {
  const written = parseExactly(json(status))
  assertNothingNull(written)
  assertDateTwins(written)
  return assertAmountTwins(written, assetOf(status))
}

/** Of the deposit, the five totals and the three egresses. */
const amountsAtLeast = 9

describe("presentStatus", () => {
  it("has nothing but the members that are known", () => {
    assert.deepStrictEqual<unknown>(presentStatus(minimal, "mainnet"), {
      state: "waiting",
      sourceAsset: "btc.btc",
      destinationAsset: "eth.eth",
      destinationAddress: minimal.destinationAddress,
      fees: [],
      commission: { askedBps: 0, figures: [] },
      brokers: [],
    })
  })

  it("writes a completed swap as the contract shows it", () => {
    assert.deepStrictEqual(JSON.parse(json(completed.status)), completed.body)
  })

  it("writes every digit of every amount", () => {
    const text = json(completed.status)
    assert.include(text, '"swappedOutputAmount":8.439758519449979758')
    assert.include(text, '"swappedOutputAmountNative":"8439758519449979758"')
  })

  it("writes the price limit as text, exactly", () => {
    assert.include(json(completed.status), '"minimumPrice":"32.123456789012345678901234567"')
  })

  it.prop("says every amount and every time twice, whatever the assets are", [EventfulStatus], ([status]) => {
    assert.isAtLeast(assertTwins(status), amountsAtLeast)
  })

  it.prop("says every amount and every time twice, however little is known", [SwapStatus], ([status]) => {
    assertTwins(status)
  })

  it.prop("has each part exactly when the status has it", [SwapStatus], ([status]) => {
    const body = presentStatus(status, "mainnet")
    const renamed: Readonly<Record<string, string>> = {
      estimatedDuration: "estimatedDurationSeconds",
      ccm: "ccmParams",
      fillOrKill: "fillOrKillParams",
      dca: "dcaParams",
    }
    // The quote is shown as its outcome, once there is one.
    const { quote: _, ...shown } = SwapStatus.fields
    for (const name of Object.keys(shown)) {
      assert.strictEqual((renamed[name] ?? name) in body, name in status, name)
    }
  })
})
