import { assert, describe, it } from "@effect/vitest"
import { prefersCsv } from "#interfaces/http/prefersCsv.ts"

const rows: ReadonlyArray<readonly [accept: string | undefined, csv: boolean]> = [
  [undefined, false],
  ["", false],
  ["*/*", false],
  ["application/json", false],
  ["text/html,application/xhtml+xml,*/*;q=0.8", false],
  ["text/csv", true],
  ["TEXT/CSV", true],
  ["text/csv; header=present", true],
  ["text/csv, application/json", false],
  ["text/csv, application/json;q=0.9", true],
  ["text/csv, */*;q=0.1", true],
  ["text/csv;q=0.5, application/json", false],
  ["text/csv;q=0", false],
  ["text/csv;q=0, */*", false],
  ["text/csv;q=nonsense", false],
  ["text/*", true],
  ["text/*, application/*", false],
  ["image/png", false],
]

describe("prefersCsv", () => {
  for (const [accept, csv] of rows) {
    it(`${accept === undefined ? "no Accept" : `"${accept}"`} is ${csv ? "CSV" : "JSON"}`, () => {
      assert.strictEqual(prefersCsv(accept), csv)
    })
  }
})
