import { assert, describe, it } from "@effect/vitest"
import { harmless } from "./support/harmlessPatterns.ts"
import { doubtOf, patterns } from "./support/patterns.ts"

const reasons = new Map(
  harmless.flatMap(({ all, because }) => all.map((pattern) => [`${pattern}`, because] as const)),
)

const written = patterns.map((pattern) => ({
  name: `/${pattern.source}/${pattern.flags}`,
  where: pattern.path,
  doubt: doubtOf(pattern),
}))

describe("patterns", () => {
  it("take time in proportion to a text, by their form or for a reason", () => {
    const doubtful = written.filter(({ doubt, name }) => doubt !== undefined && !reasons.has(name))
      .map(({ doubt, name, where }) => `${where}: ${name}: ${doubt}`)
    assert.deepStrictEqual(doubtful, [])
  })

  it("have a reason only where they are in doubt", () => {
    const doubtful = written.flatMap(({ doubt, name }) => doubt === undefined ? [] : [name])
    assert.deepStrictEqual([...reasons.keys()].filter((name) => !doubtful.includes(name)), [])
  })

  it.each<readonly [string, RegExp]>([
    ["a text whose end is looked for from each of its quotes", /"((?:[^"\\]|\\.)*)"|-?\d[\d.eE+-]*/g],
    ["what stands at the end, from each of many like it", /\/+$/],
    ["words around what is not there", /\S*:\/\/\S*/g],
    ["one word after another", /\bmethod\b.*\bnot\b/i],
    ["repetitions of repetitions", /^(?:a+b*)+$/],
    ["two parts that could be cut anywhere", /^[a-z]+[a-z0-9]+$/],
  ])("are in doubt that look for %s", (_, { flags, source }) => {
    assert.isDefined(doubtOf({ path: "", source, flags }))
  })
})
