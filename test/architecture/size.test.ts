import { assert, describe, it } from "@effect/vitest"
import { modules } from "./support/source.ts"

/**
 * The most lines of TypeScript of each wing, or of rooms that are read together. Raising a budget is a commit of its
 * own, whose message says what was looked for first.
 */
const budgets: ReadonlyArray<readonly [folders: ReadonlyArray<string>, lines: number]> = [
  [["domain"], 8_537],
  [["infrastructure"], 12_188],
  [["api"], 8_150],
  [["providers"], 16_256],
  [["application"], 17_813],
  [["interfaces/requests", "interfaces/http"], 9_311],
  [["interfaces/pages", "interfaces/dashboard", "interfaces/payer", "interfaces/mcp"], 18_809],
  [["cli"], 4_165],
  [["sandbox"], 12_086],
  [["tools", "exports"], 3_452],
]

/** The most lines of the files beside the wings: what is started, the graph of layers, the settings. */
const mostBeside = 565

/** The most lines of one file: what is read in one sitting. */
const mostLinesOfFile = 400

const linesOf = (files: typeof modules): number => files.reduce((total, { lines }) => total + lines, 0)

const filesBelow = (folders: ReadonlyArray<string>) =>
  modules.filter(({ path }) => folders.some((folder) => path.startsWith(`src/${folder}/`)))

describe("the size of src", () => {
  it("is within the budget of each wing", () => {
    const over = budgets.flatMap(([folders, most]) => {
      const lines = linesOf(filesBelow(folders))
      return lines > most ? [`${folders.join(", ")}: ${lines} lines of ${most}`] : []
    })
    assert.deepStrictEqual(over, [])
  })

  it("is a budget for every file", () => {
    const counted = new Set(budgets.flatMap(([folders]) => filesBelow(folders)))
    const others = modules.filter((file) => !counted.has(file))
    assert.deepStrictEqual(
      others.filter(({ path }) => path.split("/").length > 2).map(({ path }) => path),
      [],
    )
    assert.isAtMost(linesOf(others), mostBeside)
  })

  it("has no file that is too long to be read in one sitting", () => {
    const long = modules.filter(({ lines }) => lines > mostLinesOfFile).map(({ path }) => path)
    assert.deepStrictEqual(long, [])
  })
})
