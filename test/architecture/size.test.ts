import { assert, describe, it } from "@effect/vitest"
import { importLines } from "../support/imports.ts"
import { modules } from "./support/source.ts"

/**
 * What src may come to, without the folders of providers and of their simulated networks. A figure is lowered as soon
 * as less is enough, and raised only by the commit whose feature needs more.
 */
const most = { files: 860, lines: 92_500, importShare: 0.096, smallFiles: 62 }

/** What one provider may come to, and its simulated network. */
const mostOfOne = { provider: 3_700, network: 2_930 }

/**
 * The most lines of TypeScript that each folder directly below src may come to, `top` being the files beside them: what
 * it has, rounded up to the next 50. The commit that needs more in one room raises that figure, and not another's.
 */
const mostOfRoom: Readonly<Record<string, number>> = {
  accounts: 1_700,
  alerts: 950,
  api: 8_300,
  binary: 300,
  business: 300,
  cases: 550,
  cli: 3_650,
  client: 2_100,
  config: 750,
  dashboard: 10_350,
  demo: 550,
  deploy: 150,
  domain: 7_600,
  events: 300,
  exports: 200,
  guidance: 1_950,
  http: 4_850,
  limits: 800,
  mcp: 3_800,
  ops: 750,
  pages: 1_750,
  payer: 2_500,
  platform: 1_460,
  providers: 16_500,
  quoting: 2_600,
  release: 420,
  replicas: 300,
  requests: 3_950,
  sandbox: 13_450,
  store: 8_600,
  swapping: 6_250,
  top: 500,
  treasury: 1_900,
  webhooks: 1_260,
  witness: 1_600,
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const lines = sum(modules.map((module) => module.lines))

/** The folder of a provider or of its simulated network that a module is in, if it is in one. */
const folderOfOne = (path: string): string | undefined =>
  /^src\/(?:providers\/(?!guard\/|upstream\/)|sandbox\/(?!engine\/))[a-z-]+\//.exec(path)?.[0]

/** The folder directly below src that a module is in, or `top`. */
const roomOf = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? "top"

const linesOfRooms = Object.entries(Object.groupBy(modules, ({ path }) => roomOf(path)))
  .map(([room, inside = []]) => ({ room, lines: sum(inside.map((module) => module.lines)) }))

const house = modules.filter(({ path }) => folderOfOne(path) === undefined)

describe("the size of src", () => {
  it("is no more files than it takes", () => {
    assert.isAtMost(house.length, most.files)
  })

  it("is no more lines than it takes", () => {
    assert.isAtMost(sum(house.map((module) => module.lines)), most.lines)
  })

  it("is in each room no more lines than it takes", () => {
    const over = linesOfRooms
      .filter(({ lines, room }) => lines > (mostOfRoom[room] ?? 0))
      .map(({ lines, room }) => `${room}: ${lines} lines, of a budget of ${mostOfRoom[room] ?? 0}`)
    assert.deepStrictEqual(over, [])
  })

  it("has every room that has a budget", () => {
    const there = linesOfRooms.map(({ room }) => room)
    assert.deepStrictEqual(Object.keys(mostOfRoom).filter((room) => !there.includes(room)), [])
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
