import { assert, describe, it } from "@effect/vitest"
import { modules } from "./support/source.ts"

/**
 * The most lines of TypeScript that src may come to. Raising it is a commit of its own, whose message says what was
 * looked for first.
 */
const mostLines = 113_500

/** The most lines of one file: what is read in one sitting. */
const mostLinesOfFile = 400

describe("the size of src", () => {
  it("is no more lines than its bound", () => {
    assert.isAtMost(modules.reduce((total, { lines }) => total + lines, 0), mostLines)
  })

  it("has no file that is too long to be read in one sitting", () => {
    const long = modules.filter(({ lines }) => lines > mostLinesOfFile).map(({ path }) => path)
    assert.deepStrictEqual(long, [])
  })
})
