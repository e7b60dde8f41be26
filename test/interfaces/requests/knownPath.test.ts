import { assert, describe, it } from "@effect/vitest"
import { knownPath } from "#interfaces/requests/RequestMeta.ts"

const paths = new Map([
  ["/providers", { methods: ["GET"] }],
  ["/providers/:name/switch", { methods: ["POST"] }],
])

const rows: ReadonlyArray<readonly [path: string, known: string | undefined]> = [
  ["/providers", "/providers"],
  ["/providers/chainflip/switch", "/providers/:name/switch"],
  ["/providers/any%20name/switch", "/providers/:name/switch"],
  ["/providers//switch", undefined],
  ["/providers/switch", undefined],
  ["/providers/chainflip", undefined],
  ["/providers/chainflip/switch/again", undefined],
  ["/other/chainflip/switch", undefined],
  ["/", undefined],
  ["/providers;a", undefined],
  ["/providers/chainflip;a/switch", undefined],
  ["/Providers", undefined],
  ["/%70roviders", undefined],
  ["/providers/", undefined],
  ["/:name", undefined],
]

describe("knownPath", () => {
  for (const [path, known] of rows) {
    it(`takes ${path} for ${known ?? "none of ours"}`, () => {
      assert.strictEqual(knownPath(paths, path), known)
    })
  }
})
