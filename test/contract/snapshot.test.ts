import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { changesOf, folded, openApiDocument, snapshotPlace } from "./support/openApiSnapshot.ts"

describe("the OpenAPI document", () => {
  it("is the one that `deno task contract` wrote last, value by value", () => {
    const [kept, now] = [readFileSync(snapshotPlace, "utf8"), folded(openApiDocument())]
    assert.deepStrictEqual(changesOf(kept, now), [])
    assert.strictEqual(kept, now, "the same document in other lines: run `deno task contract`")
  })

  it("is told value by value where it changed", () => {
    const kept = folded({
      paths: { "/a": { get: { responses: { 200: { content: { one: 1, two: [2] } } } } } },
    })
    const now = folded({
      paths: { "/a": { get: { responses: { 200: { content: { one: 1, two: [3] } } } } } },
    })
    assert.deepStrictEqual(changesOf(kept, kept), [])
    assert.deepStrictEqual(changesOf(kept, now), [
      "- paths /a get responses 200 content two\t[2]",
      "+ paths /a get responses 200 content two\t[3]",
    ])
  })
})
