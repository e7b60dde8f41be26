import { assert, layer } from "#test/support/it.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { ask, list, members } from "./asking.ts"

const swapPath = (platform: string) =>
  "/swap?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1" +
  `&destinationAddress=0x2222222222222222222222222222222222222222&platform=${platform}`

const reindex = (id: unknown) => ask("POST", `/operator/swaps/${id}/reindex`)

layer(brokerInProcess({}), { excludeTestServices: true })(
  "The repair of a deposit that was overlooked",
  (it) => {
    it.effect("finds it, and says when it is too soon to look again", function* () {
      yield* ask("PATCH", "/sandbox/network", { change: "nextRequest", outcome: "undetected" })
      const opened = yield* ask("GET", swapPath("relay"))
      assert.strictEqual(opened.status, 200, opened.text)
      const { address, id } = members(opened.body)
      yield* ask("POST", "/sandbox/deposits", { address, amountNative: "10000000" })
      yield* ask("POST", "/sandbox/time", { advanceSeconds: 1_800 })
      const found = yield* reindex(id)
      assert.strictEqual(found.status, 200, found.text)
      assert.deepStrictEqual<unknown>(list(members(found.body).found), [
        { asset: "btc.btc", symbol: "BTC", amountNative: "10000000" },
      ])
      const again = yield* reindex(id)
      assert.strictEqual(again.status, 409)
      assert.match(`${members(again.body).detail}`, /looked a short time ago/)
    })

    it.effect("says where there is no such repair, and no such swap", function* () {
      const opened = yield* ask("GET", swapPath("chainflip"))
      const refused = yield* reindex(members(opened.body).id)
      assert.strictEqual(refused.status, 409)
      assert.match(`${members(refused.body).detail}`, /^chainflip cannot be asked/)
      assert.strictEqual((yield* reindex(999_999)).status, 404)
    })
  },
)
