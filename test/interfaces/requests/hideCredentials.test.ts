import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Redacted, Schema } from "effect"
import { hideCredentials } from "#interfaces/requests/RequestMeta.ts"

const hide = (pathAndQuery: string, headers: Readonly<Record<string, string>> = {}) => {
  const hidden = hideCredentials(pathAndQuery, new Headers(headers))
  return {
    ...hidden,
    keys: hidden.credentials.map((credential) => Redacted.value(credential)),
    rest: `${hidden.url} ${JSON.stringify(hidden.headers)}`,
  }
}

const places: ReadonlyArray<readonly [string, string, Readonly<Record<string, string>>]> = [
  ["the query parameter apiKey", "/quotes?apiKey=secret", {}],
  ["the query parameter apikey", "/quotes?apikey=secret", {}],
  ["the query parameter APIKEY", "/quotes?APIKEY=secret", {}],
  ["a query parameter whose name is encoded", "/quotes?%61pi%4Bey=secret", {}],
  ["a query parameter whose value is encoded", "/quotes?apiKey=%73ecret", {}],
  ["the header X-API-Key", "/quotes", { "X-API-Key": "secret" }],
  ["the header x-api-key", "/quotes", { "x-api-key": "secret" }],
  ["a bearer token", "/quotes", { Authorization: "Bearer secret" }],
  ["a bearer token in small letters with spaces", "/quotes", { authorization: "bearer   secret" }],
  ["the path of /rpc", "/rpc/secret", {}],
  ["the path of /rpc, with slashes", "//rpc//secret/", {}],
  ["the path of /rpc, in capitals", "/RPC/secret", {}],
  ["the path of /rpc, encoded", "/%72pc/%73ecret", {}],
  ["the path of /rpc, by a detour", "/elsewhere/../rpc/./secret", {}],
  ["a path below that of /rpc", "/rpc/secret/more", {}],
  ["the path of /rpc with a query", "/rpc/secret?apiKey=secret", {}],
  ["all places at once", "/quotes?apiKey=secret&APIkey=secret", {
    "x-api-key": "secret",
    authorization: "Bearer secret",
  }],
]

describe("hideCredentials", () => {
  it.each(places)("finds the key in %s and leaves nothing of it behind", (_, path, headers) => {
    const { keys, rest } = hide(path, headers)
    assert.deepStrictEqual(keys, ["secret"])
    assert.notInclude(rest, "ecret")
    assert.notMatch(rest, /api-?key|authorization/i)
  })

  it("finds no key where there is none", () => {
    const { keys, url } = hide("/quotes?amount=1&apiKeys=plural")
    assert.deepStrictEqual(keys, [])
    assert.strictEqual(url, "/quotes?amount=1&apiKeys=plural")
  })

  it("leaves a path of /rpc that its route still knows", () => {
    assert.strictEqual(hide("/rpc/secret").url, "/rpc/hidden")
    assert.strictEqual(hide("/rpc/a%2Fb%20c?x=%20").url, "/rpc/hidden?x=%20")
    assert.deepStrictEqual(hide("/rpc/a%2Fb%20c").keys, ["a/b c"])
    assert.deepStrictEqual(hide("/rpc/%ff").keys, ["%ff"])
  })

  it("finds no key in other paths", () => {
    for (const path of ["/", "/rpc", "/rpc/", "/swap/rpc/x", "/rpcs/x", "/quotes?x=/rpc/x", "/100%"]) {
      assert.deepStrictEqual(hide(path).keys, [], path)
      assert.strictEqual(hide(path).url, path)
    }
  })

  it("keeps the rest of the query in its order, repeats and odd characters included", () => {
    const { url } = hide("/swaps?status=a%26b&apiKey=k1&status=c&APIKEY=k2&empty=&sort=%C3%BC+x")
    assert.deepStrictEqual([...new URL(url, "http://broker.test").searchParams], [
      ["status", "a&b"],
      ["status", "c"],
      ["empty", ""],
      ["sort", "ü x"],
    ])
  })

  it("gives every different key once, so that two of them can be refused", () => {
    const { keys } = hide("/quotes?apiKey=a&apiKey=b&APIKEY=a", {
      "x-api-key": "c",
      authorization: "Bearer a",
    })
    assert.deepStrictEqual(keys, ["a", "b", "c"])
  })

  it("decodes the value of a query parameter, plus and percent signs included", () => {
    assert.deepStrictEqual(hide("/quotes?apiKey=a%2Bb+c%26%3D").keys, ["a+b c&="])
  })

  it.each(["Basic c2VjcmV0OnNlY3JldA==", "Bearer", "secret"])(
    "takes no key from the authorization '%s', but does not pass it on either",
    (authorization) => {
      const { keys, headers } = hide("/quotes", { authorization })
      assert.deepStrictEqual(keys, [])
      assert.notProperty(headers, "authorization")
    },
  )

  it("leaves the other headers and the caller's own request as they are", () => {
    const given = new Headers({ "x-api-key": "secret", traceparent: "00-1-2-01", accept: "application/json" })
    const { headers } = hideCredentials("/quotes?apiKey=secret", given)
    assert.deepStrictEqual({ ...headers }, { accept: "application/json", traceparent: "00-1-2-01" })
    assert.strictEqual(given.get("x-api-key"), "secret")
  })

  it("never shows a key when the result is printed", () => {
    const { credentials } = hide("/quotes?apiKey=secret")
    assert.notInclude(JSON.stringify(credentials) + Deno.inspect(credentials), "secret")
  })

  const key = Arbitrary.schema(Schema.String.check(Schema.isPattern(/^k[!-~]{8,40}$/)))
  const capitals = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 63 }))

  it.prop(
    "whatever the key and however its name is written, the key comes out and the path is clean",
    [key, capitals],
    ([secret, mask]) => {
      const name = [..."apikey"].map((letter, at) => mask >> at & 1 ? letter.toUpperCase() : letter).join("")
      const { keys, url } = hide(`/quotes?amount=1&${name}=${encodeURIComponent(secret)}&sourceAsset=btc.btc`)
      assert.deepStrictEqual(keys, [secret])
      assert.strictEqual(url, "/quotes?amount=1&sourceAsset=btc.btc")
    },
  )
})
