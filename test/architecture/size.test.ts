import { assert, describe, it } from "@effect/vitest"
import { importLines } from "../support/imports.ts"
import { modules } from "./support/source.ts"

/**
 * What src may come to, without the folders of providers and of their simulated networks. A figure is lowered as soon
 * as less is enough, and raised only by the commit whose feature needs more.
 */
const most = { files: 728, lines: 76_230, importShare: 0.096, smallFiles: 49 }

/** What one provider may come to, and its simulated network. */
const mostOfOne = { provider: 3_676, network: 2_920 }

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const lines = sum(modules.map((module) => module.lines))

/** The folder of a provider or of its simulated network that a module is in, if it is in one. */
const folderOfOne = (path: string): string | undefined =>
  /^src\/(?:providers\/(?!guard\/|upstream\/)|sandbox\/(?!engine\/))[a-z-]+\//.exec(path)?.[0]

const house = modules.filter(({ path }) => folderOfOne(path) === undefined)

describe("the size of src", () => {
  it("is no more files than it takes", () => {
    assert.isAtMost(house.length, most.files)
  })

  it("is no more lines than it takes", () => {
    assert.isAtMost(sum(house.map((module) => module.lines)), most.lines)
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
