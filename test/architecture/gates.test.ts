import { assert, describe, it } from "@effect/vitest"
import { importsOf } from "#test/support/imports.ts"
import { folderOf, timesPlace } from "#test/support/times.ts"

const root = new URL("../", import.meta.url).pathname

const filesIn = (folder: string): ReadonlyArray<string> =>
  [...Deno.readDirSync(folder)].flatMap(({ isDirectory, name }) =>
    isDirectory ? filesIn(`${folder}${name}/`) : name.endsWith(".test.ts") ? [`${folder}${name}`] : []
  )

/** A folder of somebody else's has its own way to run. */
const isElsewhere = /^outside\/[a-z]+\//

const files = filesIn(root).filter((path) => !isElsewhere.test(path.slice(root.length)))

/** How a module of tests comes by a whole program or a browser, which take seconds to start. */
const starting = /\bDeno\.execPath\(|(?<!import type [^\n]*)from "playwright-core"/

const known = new Map<string, boolean>()

/** Whether a module of tests starts a program or a browser, or calls one that does. */
const startsProgram = (path: string): boolean => {
  const before = known.get(path)
  if (before !== undefined) return before
  // Modules that import each other do not make one another long.
  known.set(path, false)
  const text = Deno.readTextFileSync(path).replaceAll(/^import type [\s\S]*?from "[^"]+"$/gm, "")
  const found = starting.test(text) ||
    importsOf(path, text).some((imported) => imported.startsWith(root) && startsProgram(imported))
  known.set(path, found)
  return found
}

describe("the two gates", () => {
  it("leave to the long one whatever starts a program or a browser", () => {
    const starters = files.filter(startsProgram)
    assert.isAbove(starters.length, 20)
    assert.deepStrictEqual(starters.filter((path) => !path.endsWith(".long.test.ts")), [])
  })

  it("are told of in the document, every folder with its time", () => {
    const folders = new Set(files.map((path) => folderOf(path.slice(root.length))))
    const told = [...Deno.readTextFileSync(timesPlace).matchAll(/^\| `([a-z/]+)\/` /gm)]
    assert.sameMembers(told.map(([, folder]) => folder), [...folders])
  })
})
