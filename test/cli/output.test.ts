import { assert, describe, it } from "@effect/vitest"
import { type Columns, screen, table } from "../../src/cli/output.ts"

interface Row {
  readonly name: string
  readonly text: string
  readonly todo: string
}

const columns: Columns<Row> = ["name", "text", "todo"]

const words = (count: number): string => Array.from({ length: count }, (_, at) => `word${at}`).join(" ")

describe("a table", () => {
  it("has a line for each row, and its columns as wide as their cells", () => {
    assert.strictEqual(
      table(columns, [{ name: "a", text: "long text", todo: "-" }, { name: "bcdef", text: "x", todo: "y" }]),
      "NAME   TEXT       TODO\na      long text  -\nbcdef  x          y",
    )
  })

  it("is no wider than it is to be, and loses nothing of a cell", () => {
    const url = `https://${"x".repeat(150)}`
    const rows = [
      { name: "short", text: words(40), todo: `see ${url} and 漢字 ${words(3)}` },
      { name: "other", text: "x", todo: "y" },
    ]
    const lines = table(columns, rows, screen).split("\n")
    for (const line of lines) assert.isAtMost(line.length, screen)
    assert.strictEqual(lines.filter((line) => /^(?:NAME|short|other) /.test(line)).length, 3)
    assert.strictEqual(lines.at(-1)?.replaceAll(/ +/g, " "), "other x y")
    const middle = lines.slice(1, -1)
    const textAt = lines[0]?.indexOf("TEXT") ?? 0
    const todoAt = lines[0]?.indexOf("TODO") ?? 0
    const text = middle.map((line) => line.slice(textAt, todoAt).trim()).filter((part) => part !== "").join(
      " ",
    )
    assert.strictEqual(text, words(40))
    assert.include(middle.map((line) => line.slice(todoAt)).join("").replaceAll(" ", ""), url)
  })
})
