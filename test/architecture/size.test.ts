import { assert, describe, it } from "@effect/vitest"
import { importLines } from "../support/imports.ts"
import { modules } from "./support/source.ts"

/** What src may come to. Each figure is lowered as soon as less is enough, and never raised. */
const most = { files: 495, lines: 48_471, importShare: 0.093, smallFiles: 55 }

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const lines = sum(modules.map((module) => module.lines))

describe("the size of src", () => {
  it("is no more files than it takes", () => {
    assert.isAtMost(modules.length, most.files)
  })

  it("is no more lines than it takes", () => {
    assert.isAtMost(lines, most.lines)
  })

  it("is imports for a small part only", () => {
    assert.isAtMost(sum(modules.map(({ text }) => importLines(text))) / lines, most.importShare)
  })

  it("has no file of more than 300 lines", () => {
    const long = modules.filter((module) => module.lines > 300).map(({ path }) => path)
    assert.deepStrictEqual(long, [])
  })

  it("has few files of 25 lines or less outside the vocabulary", () => {
    const small = modules.filter((module) => module.lines <= 25 && !module.path.startsWith("src/domain/"))
    assert.isAtMost(small.length, most.smallFiles)
  })
})
