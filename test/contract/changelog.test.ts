import { readFileSync } from "node:fs"
import { version } from "#infrastructure/platform/version.ts"
import { assert, describe, it } from "#test/support/it.ts"
import { contractHash } from "./support/openApiSnapshot.ts"

const changelog = readFileSync(new URL("../../src/api/CHANGELOG.md", import.meta.url), "utf8")

/** The versions, the newest first, each with its text. */
const entries = changelog.split(/^## /m).slice(1).map((text) =>
  [text.slice(0, text.indexOf("\n")), text] as const
)

describe("the changelog", () => {
  it("begins with the version of the service, and has no version twice", () => {
    assert.strictEqual(entries[0]?.[0], version)
    const versions = entries.map(([name]) => name)
    assert.strictEqual(new Set(versions).size, versions.length)
    for (const name of versions) assert.match(name, /^\d+\.\d+\.\d+$/)
  })

  it("names the contract that the code has: a changed one has an entry", () => {
    const line = `Contract: \`${contractHash()}\``
    assert.include(entries[0]?.[1] ?? "", line, `the newest entry of src/api/CHANGELOG.md says ${line}`)
  })
})
