import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { mayBeginFrom, Origin, originAllowed, type RequestOrigin } from "#domain/accounts/Account.ts"

const one = Origin.make("https://app.example")

describe("an origin", () => {
  it.each([
    "https://app.example",
    "http://localhost:5173",
    "https://xn--mnchen-3ya.example",
    "https://[::1]:8443",
  ])("is %s as browsers write it", (text) => assert.isTrue(Option.isSome(Origin.makeOption(text))))

  it.each([
    "https://app.example/",
    "https://app.example/path",
    "https://App.example",
    "https://app.example:443",
    "app.example",
    "null",
    "*",
    "file:///etc/passwd",
    "https://user@app.example",
    "https://*.example",
    "",
  ])("is not %s", (text) => assert.isTrue(Option.isNone(Origin.makeOption(text))))

  it("is allowed as it is listed; what has none always is", () => {
    assert.isTrue(originAllowed("*", "https://anywhere.example"))
    assert.isTrue(originAllowed([one], "https://app.example"))
    assert.isTrue(originAllowed([], undefined))
    for (const other of ["https://app.example.evil.example", "http://app.example", "null", ""]) {
      assert.isFalse(originAllowed([one], other), other)
    }
  })

  const nothing: RequestOrigin = { origin: undefined, site: undefined, host: "app.example" }
  const passages: ReadonlyArray<readonly [Partial<RequestOrigin>, listed: boolean, servers: boolean]> = [
    [{}, false, true],
    [{ origin: "https://app.example", site: "cross-site" }, true, false],
    [{ origin: "https://other.example" }, false, false],
    [{ origin: "null" }, false, false],
    [{ site: "same-origin" }, true, false],
    [{ site: "same-origin", host: "app.example:8080" }, false, false],
    [{ site: "same-origin", host: undefined }, false, false],
    [{ site: "same-site" }, false, false],
    [{ site: "cross-site" }, false, false],
    [{ site: "none" }, false, false],
  ]

  it.each(passages)("begins a swap by what a browser says: %j", (said, listed, servers) => {
    assert.isTrue(mayBeginFrom("*", { ...nothing, ...said }))
    assert.strictEqual(mayBeginFrom([one], { ...nothing, ...said }), listed)
    assert.strictEqual(mayBeginFrom([], { ...nothing, ...said }), servers)
  })
})
