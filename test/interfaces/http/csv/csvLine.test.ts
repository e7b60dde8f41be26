import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Schema } from "effect"
import { csvLine } from "#interfaces/requests/csv.ts"
import { parseCsv } from "./parseCsv.ts"

const formulas = [
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\tx",
  "\r=1",
  "\n=1",
  " =1",
  "\u00a0=1",
  "\ufeff=1",
  "\uff1d1",
  "\uff0b1",
  "\uff0d1",
  "\uff201",
  "=cmd|'/c calc'!\"A1\"",
]

describe("csvLine", () => {
  it("separates values by commas and ends with CRLF; what is absent is empty", () => {
    assert.strictEqual(csvLine(["a", undefined, 7, "", "0.25"]), "a,,7,,0.25\r\n")
  })

  it("quotes what would end a cell or lose its spaces, and doubles quotes", () => {
    assert.strictEqual(
      csvLine(["a,b", 'say "x"', "a\r\nb", " a ", "a b"]),
      '"a,b","say ""x""","a\r\nb"," a ",a b\r\n',
    )
  })

  for (const formula of formulas) {
    it(`makes ${JSON.stringify(formula)} harmless`, () => {
      assert.deepStrictEqual(parseCsv(csvLine([formula])), [[`'${formula}`]])
    })
  }

  it("leaves addresses, hashes, amounts and times as they are", () => {
    const plain = [
      "0xab",
      "bc1q",
      "14138313-Bitcoin-77",
      "8.439758519449979758",
      "2026-07-29T14:04:24+00:00",
      "btc.btc",
    ]
    assert.strictEqual(csvLine(plain), `${plain.join(",")}\r\n`)
  })

  it("leaves numbers below 0 numbers", () => {
    assert.strictEqual(csvLine([-12, -3n, BigDecimal.make(-5n, 1)]), "-12,-3,-0.5\r\n")
  })

  it.prop("is read back as it was, whatever the text", [Schema.Array(Schema.String)], ([texts]) => {
    const cells = ["first", ...texts]
    const [read = []] = parseCsv(csvLine(cells))
    assert.lengthOf(read, cells.length)
    for (const [index, cell] of read.entries()) {
      const text = cells[index] ?? ""
      assert.include([text, `'${text}`], cell)
      assert.notMatch(cell, /^\s*[=+\-@]/)
    }
  })
})
