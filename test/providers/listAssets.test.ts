import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { assetIds, NativeAmount, ProviderName } from "#exports/domain.ts"
import { type AssetStanding, listAssets } from "#providers/AssetCatalogue.ts"

const dollars = (text: string) => BigDecimal.fromStringUnsafe(text)

/** What a provider says of btc.btc. */
const said = (platform: string, changes: Partial<AssetStanding> = {}): AssetStanding => ({
  provider: ProviderName.make(platform),
  asset: "btc.btc",
  ingress: true,
  egress: true,
  minimumDeposit: NativeAmount.make(40_000n),
  switchedOn: true,
  starts: ["channel"],
  ...changes,
})

const minimum = (amount: bigint) => ({ minimumDeposit: NativeAmount.make(amount) })

const bitcoin = (...standings: ReadonlyArray<AssetStanding>) =>
  listAssets(standings).find(({ asset }) => asset === "btc.btc") ?? assert.fail("btc.btc is not listed")

describe("listAssets", () => {
  it("lists every known asset once, whatever the providers name", () => {
    assert.deepStrictEqual(listAssets([]).map(({ asset }) => asset), assetIds())
    assert.deepStrictEqual(listAssets([said("first")]).map(({ asset }) => asset), assetIds())
  })

  it("says that nobody serves an asset that nobody names", () => {
    assert.deepStrictEqual<unknown>(bitcoin(), {
      asset: "btc.btc",
      providers: [],
      ingress: false,
      egress: false,
      starts: [],
      minimumDeposit: 1n,
    })
  })

  it("names those that serve it, in the order that they come in", () => {
    assert.deepStrictEqual<unknown>(bitcoin(said("first"), said("second")).providers, ["first", "second"])
  })

  it("leaves out who has switched it off, and whom the operator has", () => {
    assert.deepStrictEqual<unknown>(
      bitcoin(
        said("upstream", { ingress: false, egress: false }),
        said("operator", { switchedOn: false }),
        said("third"),
      ).providers,
      ["third"],
    )
  })

  it("says how swaps from it begin at those that take it, each way once", () => {
    const paying = said("first", { ingress: false })
    const both = said("second", { starts: ["transaction", "channel"] })
    const quoting = said("third", { starts: [] })
    assert.deepStrictEqual<unknown>(bitcoin(paying, both, said("fourth")).starts, ["channel", "transaction"])
    assert.deepStrictEqual<unknown>(bitcoin(paying, quoting).starts, [])
  })

  it("puts the directions of those that serve it together", () => {
    const taking = said("first", { egress: false })
    const paying = said("second", { ingress: false })
    assert.deepInclude(bitcoin(taking), { ingress: true, egress: false })
    assert.deepInclude(bitcoin(paying), { ingress: false, egress: true })
    assert.deepInclude(bitcoin(taking, paying), { ingress: true, egress: true })
    assert.deepInclude(bitcoin(taking, said("second", { switchedOn: false })), { egress: false })
  })

  it("takes the lowest minimum of those that take deposits", () => {
    const first = said("first", minimum(40_000n))
    assert.strictEqual(bitcoin(first, said("second", minimum(30_000n))).minimumDeposit, 30_000n)
    assert.strictEqual(
      bitcoin(first, said("second", { ...minimum(30_000n), ingress: false })).minimumDeposit,
      40_000n,
    )
    assert.strictEqual(
      bitcoin(first, said("second", { ...minimum(30_000n), switchedOn: false })).minimumDeposit,
      40_000n,
    )
  })

  it("takes the lowest minimum of those that begin in the first way there is", () => {
    const paid = said("second", { ...minimum(10_000n), starts: ["transaction"] })
    assert.strictEqual(bitcoin(said("first", minimum(40_000n)), paid).minimumDeposit, 40_000n)
    assert.strictEqual(bitcoin(paid).minimumDeposit, 10_000n)
  })

  it("takes a minimum of one unit or nothing for none that is stated", () => {
    const none = [said("first", minimum(0n)), said("second", minimum(1n))]
    assert.strictEqual(bitcoin(...none).minimumDeposit, 1n)
    assert.strictEqual(bitcoin(...none, said("third", minimum(2n))).minimumDeposit, 2n)
  })

  it("still tells the minimum of an asset that nobody takes now", () => {
    assert.strictEqual(bitcoin(said("first", { switchedOn: false })).minimumDeposit, 40_000n)
    assert.strictEqual(bitcoin(said("first", { ingress: false })).minimumDeposit, 40_000n)
  })

  it("tells the price of the first that states one and serves it", () => {
    const price = { usdPrice: dollars("64550.5") }
    assert.notProperty(bitcoin(said("first")), "usdPrice")
    assert.notProperty(bitcoin(said("first", { ...price, switchedOn: false }), said("second")), "usdPrice")
    assert.deepStrictEqual(
      bitcoin(said("first"), said("second", price), said("third", { usdPrice: dollars("1") })).usdPrice,
      price.usdPrice,
    )
  })
})
