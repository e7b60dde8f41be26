import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { SwapRecordBody } from "../../../src/api/SwapRecord.ts"
import { ProviderName } from "../../../src/domain/ProviderName.ts"
import { SwapStatus } from "../../../src/domain/Swap.ts"
import { type SwapRecord, SwapRecordId } from "../../../src/domain/SwapRecord.ts"
import { presentRecord, recordJson, recordsJson } from "../../../src/api/presentSwap.ts"
import { encode } from "../../http/present/json.ts"
import { completed, minimal } from "./statuses.ts"

const recordOf = (status: SwapStatus): SwapRecord => ({
  id: SwapRecordId.make(7),
  platform: ProviderName.make("chainflip"),
  status,
})

const bySchema = (records: ReadonlyArray<SwapRecord>) =>
  encode(Schema.Array(SwapRecordBody), records.map(presentRecord))

const assertSame = (status: SwapStatus): void => {
  const record = recordOf(status)
  assert.strictEqual(recordJson(record), encode(SwapRecordBody, presentRecord(record)))
}

describe("recordJson", () => {
  it("writes what the contract's schema encodes, to the letter", () => {
    assertSame(minimal)
    assertSame(completed.status)
  })

  it.prop("does so whatever is known of the swap", [SwapStatus], ([status]) => assertSame(status))

  it("escapes text that came from elsewhere", () => {
    assertSame({ ...completed.status, swapId: '"\\\u0000\ud800 \n</script>' })
  })

  it("writes several as a list", () => {
    const records = [recordOf(minimal), recordOf(completed.status)]
    assert.strictEqual(recordsJson(records), bySchema(records))
    assert.strictEqual(recordsJson([]), "[]")
  })
})
