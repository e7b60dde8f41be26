import { assert, describe, it } from "@effect/vitest"
import { importLines } from "../support/imports.ts"
import { modules } from "./support/source.ts"

/** The most lines of TypeScript that src may come to. Raising it is a commit of its own that says what was looked for first. */
const mostLines = 113_500

/** The most lines that one provider may come to, and its simulated network. */
const mostOfOne = { provider: 3_700, network: 2_930 }

/** The largest share of lines that imports may be, and the most files of 25 lines or less outside the vocabulary. */
const most = { importShare: 0.096, smallFiles: 62 }

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const lines = sum(modules.map((module) => module.lines))

/** The folder of a provider or of its simulated network that a module is in, if it is in one. */
const folderOfOne = (path: string): string | undefined =>
  /^src\/(?:providers\/(?!guard\/|upstream\/)|sandbox\/(?!engine\/))[a-z-]+\//.exec(path)?.[0]

describe("the size of src", () => {
  it("is no more lines than its bound", () => {
    assert.isAtMost(lines, mostLines)
  })

  it("is no more for a provider, or for a simulated network, than one can read", () => {
    for (const folder of new Set(modules.map(({ path }) => folderOfOne(path)))) {
      if (folder === undefined) continue
      const inside = sum(modules.filter(({ path }) => path.startsWith(folder)).map((module) => module.lines))
      assert.isAtMost(inside, folder.includes("/sandbox/") ? mostOfOne.network : mostOfOne.provider, folder)
    }
  })

  it("is imports for a small part only", () => {
    assert.isAtMost(sum(modules.map(({ text }) => importLines(text))) / lines, most.importShare)
  })

  it("has no file of more than 400 lines", () => {
    const long = modules.filter((module) => module.lines > 400).map(({ path }) => path)
    assert.deepStrictEqual(long, [])
  })

  it("has few files of 25 lines or less outside the vocabulary", () => {
    const small = modules.filter((module) => module.lines <= 25 && !module.path.startsWith("src/domain/"))
    assert.isAtMost(small.length, most.smallFiles)
  })
})
