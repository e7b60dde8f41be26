import { assert, describe, it } from "#test/support/it.ts"
import { Schema } from "effect"
import { displayWidth } from "effect/cli/CliOutput"
import { AssetId } from "#domain/chains/Asset.ts"
import { laidOut } from "#cli/layout.ts"
import { amountCell, table } from "#cli/output.ts"
import { rowsOf } from "./running.ts"

const widest = (text: string): number => Math.max(...text.split("\n").map((line) => displayWidth(line)))

const address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
const hash = `0x${"ab12".repeat(16)}`
const btc = Schema.decodeSync(AssetId)("btc.btc")
const eth = Schema.decodeSync(AssetId)("eth.eth")

/** Words as texts of others have them: short and long, wide, with digits, empty. */
const Words = Schema.Array(
  Schema.Literals([
    "ok",
    address,
    hash,
    "8.46435309855618048",
    "a".repeat(300),
    "交換".repeat(30),
    "🎉",
    "-",
    "",
  ]),
).check(Schema.isMinLength(1), Schema.isMaxLength(12))

describe("a table", () => {
  it("says amounts in both units", () => {
    assert.strictEqual(amountCell(btc, 15_000_000n), "0.15 BTC on Bitcoin (15,000,000)")
    assert.strictEqual(amountCell(eth, 1n), "0.000000000000000001 ETH on Ethereum (1)")
    assert.strictEqual(amountCell(btc, -5n), "-0.00000005 BTC on Bitcoin (-5)")
    assert.isUndefined(amountCell(btc, undefined))
  })

  it("is as wide as its cells where that fits, with no word shortened", () => {
    assert.strictEqual(
      table(["id", "address"], [{ id: 7, address }, { id: 42, address: "short" }]),
      ["ID  ADDRESS", `--  ${"-".repeat(42)}`, `7   ${address}`, "42  short"].join("\n"),
    )
  })

  it("breaks lines before it shortens words, and shortens them in their middle", () => {
    const row = { id: 7, address, text: "word ".repeat(40).trim(), when: "2026-07-29 14:04:24 UTC" }
    const broken = table(["id", "address", "text", "when"], [row])
    assert.include(broken, address)
    assert.deepStrictEqual(rowsOf(broken), [["7", address, row.text, row.when]])
    const narrow = table(
      ["id", ["one", () => hash], ["two", () => hash], ["three", () => address]],
      [row],
    )
    assert.isAtMost(widest(narrow), 100)
    assert.match(narrow, /0xab12[ab12]+…[ab12]+ab12/)
  })

  it("never shortens a figure, however little room there is", () => {
    const amount = amountCell(eth, 8_464_353_098_556_180_480n) ?? ""
    const columns = ["one", "two", "three", "four"].map((name) => [name, () => amount] as const)
    const text = table(["id", ...columns], [{ id: 1 }])
    const shown = rowsOf(text)[0] ?? []
    assert.deepStrictEqual(shown.slice(1), [amount, amount, amount, amount])
  })

  it.prop(
    "fits 100 columns whatever it holds, and keeps every row apart",
    [Words, Words, Words],
    ([one, two, three]) => {
      const rows = [["1", one.join(" "), two.join(" ")], ["2", three.join(" "), one.join(" ")]]
      const text = laidOut(["ID", "ONE", "TWO"], rows)
      assert.isAtMost(widest(text), 100)
      assert.deepStrictEqual(text.split("\n").filter((line) => /^[12]\b/.test(line)).length, 2)
      const digits = rows.flat().join(" ").match(/8\.46435309855618048/g)?.length ?? 0
      assert.strictEqual(text.match(/8\.46435309855618048/g)?.length ?? 0, digits)
    },
  )

  it("shows no control character", () => {
    assert.include(table(["id"], [{ id: "a\u001b[31m\nb" }]), "a?[31m?b")
  })
})
