import { assert, it } from "@effect/vitest"
import { payments } from "../../src/dashboard/swaps/describeSwap.ts"
import { NativeAmount } from "../../src/domain/Amount.ts"
import { EpochMillis } from "../../src/domain/Time.ts"
import { statusIn } from "../support/swap.ts"

it("tells what a simulated network ahead of our clock has seen as what has been", () => {
  const now = EpochMillis.make(1_785_333_864_000)
  const seen = EpochMillis.make(now + 33 * 3_600_000)
  const page = `${
    payments({
      ...statusIn("receiving"),
      deposit: { amount: NativeAmount.make(25_000_000n), witnessedAt: seen },
      lastStateChainUpdateAt: EpochMillis.make(seen + 300_000),
    }, now)
  }`
  assert.include(page, "5 min ago")
  assert.notInclude(page, "in 1 d 9 h")
})
