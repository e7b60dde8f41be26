import { assert, describe, it } from "@effect/vitest"
import { path, pathBelow, pathOf, secureUrl, withQuery } from "#interfaces/pages/jsx-runtime.ts"

describe("places that a link leads to", () => {
  it("hold each value in one part of the path", () => {
    assert.strictEqual(`${path`/swaps/${"../x?y#z"}/${7}`}`, "/swaps/..%2Fx%3Fy%23z/7")
    assert.strictEqual(`${path`/swaps/${".."}`}`, "/swaps/-")
    assert.strictEqual(`${withQuery(path`/a`, { x: "&b=", y: undefined, z: "" })}`, "/a?x=%26b%3D")
    assert.strictEqual(`${withQuery(withQuery(path`/a`, { x: 1 }), { y: 2 })}`, "/a?x=1&y=2")
    assert.strictEqual(`${pathOf("/a/:name/b/:id", (name) => `${name}/..`)}`, "/a/name%2F../b/id%2F..")
  })

  it("lead elsewhere by https alone", () => {
    assert.strictEqual(`${secureUrl("https://example.com/a?b")}`, "https://example.com/a?b")
    const others = [
      "http://example.com",
      "javascript:canary()",
      " javascript:canary()",
      "data:text/html,x",
      "//example.com",
      "https://user:word@example.com",
      "",
    ]
    for (const text of others) assert.isUndefined(secureUrl(text), text)
  })

  it("that came with a request stay below their root", () => {
    assert.strictEqual(`${pathBelow("/dashboard", "/dashboard/swaps?x=1")}`, "/dashboard/swaps?x=1")
    const others = [
      "//example.com/dashboard",
      "https://example.com/dashboard",
      "/dashboards",
      "/dashboard/../docs",
      "\\\\example.com\\dashboard",
      "/\\example.com/dashboard",
      "javascript:canary()",
      "/docs",
      "",
    ]
    for (const text of others) assert.isUndefined(pathBelow("/dashboard", text), text)
  })
})
