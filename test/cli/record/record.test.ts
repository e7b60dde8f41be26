import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { temporaryFolder } from "#test/support/folder.ts"
import { numberAt } from "#test/contract/support/Json.ts"
import { cli } from "../running.ts"
import { assertRecorded, type Course, endOf, followed, made, operator, recordedService } from "./recorded.ts"

const ether = "1000000000000000001"

const courses: ReadonlyArray<Course> = [
  { end: "completed", platform: "chainflip", pair: ["eth.arb", "btc.btc"], amount: ether },
  { end: "completed", platform: "near-intents", pair: ["eth.eth", "xrp.xrp"], amount: ether },
  { end: "completed", platform: "relay", pair: ["eth.eth", "sol.sol"], amount: ether },
  {
    end: "completed",
    platform: "thorchain",
    pair: ["eth.eth", "btc.btc"],
    amount: ether,
    kind: "evm",
    query: { minimumPrice: "0.0000000001", commissionBps: "12" },
  },
]

layer(recordedService, { excludeTestServices: true })(
  "cli record",
  (it) => {
    it.effect("writes a file that the kit reads as the service did, and that names nobody", function* () {
      const records = yield* followed(yield* Effect.forEach(courses, made))
      for (const record of records) {
        assert.strictEqual(endOf(record), "completed")
        yield* assertRecorded(record)
      }
      const id = numberAt(records[0] ?? null, "id")
      const file = `${yield* temporaryFolder}/swap.json`
      const first = yield* Effect.provide(cli("record", id, file), operator)
      assert.strictEqual(first.code, 0, first.errors)
      const again = yield* Effect.provide(cli("record", id, file), operator)
      assert.strictEqual(again.code, 3)
      assert.include(again.errors, "already")
      const nothing = yield* Effect.provide(cli("record", "999999", `${file}.json`), operator)
      assert.strictEqual(nothing.code, 3)
    })
  },
)
