import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { openApiSnapshot, snapshotPlace } from "./support/openApiSnapshot.ts"

describe("the OpenAPI document", () => {
  it("is the one that `deno task contract` wrote last", () => {
    assert.strictEqual(openApiSnapshot(), readFileSync(snapshotPlace, "utf8"))
  })
})
