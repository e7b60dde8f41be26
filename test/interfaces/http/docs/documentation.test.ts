import { assert, describe, it, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { Api } from "#api/Api.ts"
import { guides, movedTopics, slugOf } from "#api/document/guides.ts"
import { acceptedEncoding } from "#interfaces/requests/compressible.ts"
import { documentation } from "#interfaces/http/docs/documentation.ts"

const { handler } = HttpRouter.toWebHandler(
  documentation(Api).pipe(Layer.provideMerge(HttpServer.layerServices)),
  { disableLogger: true },
)

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(() => handler(new Request(new URL(path, "http://docs.invalid"), { headers })))

const bytesOf = (response: Response) => Effect.promise(() => response.bytes())

const textOf = (response: Response) => Effect.promise(() => response.text())

const policyOf = (response: Response) => response.headers.get("content-security-policy") ?? ""

const paths = [
  "/docs",
  "/docs/changelog",
  "/docs/build-a-wallet",
  ...["changelog", "build-a-wallet"].map((name) => `/docs/${name}.md`),
  "/docs/quotes/get-quotes",
  "/docs/reference",
  "/docs/settings",
  "/docs/style.css",
  "/docs/try",
  "/docs/try/accessible.js",
  "/docs/try/document.json",
  "/docs/try/scalar.js",
  "/openapi.json",
]

const unpack = { br: brotliDecompressSync, gzip: gunzipSync }

layer(Layer.empty, { excludeTestServices: true })("the documentation", (it) => {
  it.effect("stands behind the root of the service", function* () {
    const { headers, status } = yield* get("/")
    assert.deepStrictEqual([status, headers.get("location")], [302, "/docs"])
  })

  for (const path of paths) {
    it.effect(`${path} comes compressed, the same in each encoding, under a tag of its own`, function* () {
      const plain = yield* get(path)
      const bytes = yield* bytesOf(plain)
      assert.isFalse(plain.headers.has("content-encoding"))
      const tags = new Set([plain.headers.get("etag")])
      for (const encoding of ["br", "gzip"] as const) {
        const packed = yield* get(path, { "accept-encoding": encoding })
        assert.strictEqual(packed.headers.get("content-encoding"), encoding)
        assert.strictEqual(packed.headers.get("vary"), "accept-encoding")
        assert.strictEqual(packed.headers.get("content-type"), plain.headers.get("content-type"))
        assert.isTrue(unpack[encoding](yield* bytesOf(packed)).equals(bytes))
        tags.add(packed.headers.get("etag"))
      }
      assert.strictEqual(tags.size, 3)
    })

    it.effect(`${path} is not sent again to who has it, and asked for again by who keeps it`, function* () {
      const { headers } = yield* get(path, { "accept-encoding": "br" })
      assert.strictEqual(headers.get("cache-control"), "no-cache")
      const tag = headers.get("etag") ?? ""
      const again = yield* get(path, { "accept-encoding": "br", "if-none-match": `W/${tag}` })
      assert.strictEqual(again.status, 304)
      assert.strictEqual(again.headers.get("etag"), tag)
      assert.isEmpty(yield* bytesOf(again))
      assert.strictEqual((yield* get(path, { "if-none-match": tag })).status, 200)
    })
  }

  it.effect("has pages with a language and a title, without a script in them, that lead nowhere else", function* () {
    for (const path of ["/docs", "/docs/try", "/docs/settings", "/docs/errors", "/docs?q=quote"]) {
      const page = yield* textOf(yield* get(path))
      assert.match(page, /<html lang="en">/)
      assert.match(page, /<title>[^<]+<\/title>/)
      assert.notMatch(page, /<script[^>]*>[^<]/)
      assert.notMatch(page, /(?:href|src|action)="(?:https?:|\/\/)/)
    }
  })

  it.effect("lets the page to try requests run its own script alone, talk to its service alone, and stand in no other", function* () {
    const policy = policyOf(yield* get("/docs/try"))
    for (
      const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]
    ) assert.include(policy.split("; "), rule)
    assert.include(policyOf(yield* get("/docs")).split("; "), "style-src 'self'")
  })

  it.effect("has the script of Scalar, and nothing of the library's own page or of its made-up key", function* () {
    const script = yield* textOf(yield* get("/docs/try/scalar.js"))
    assert.include(script.slice(0, 500), "@scalar/api-reference")
    assert.include(script, "#api-reference[data-configuration]")
    assert.notInclude(script, "api-reference-container")
    assert.notMatch(script, /placeholder:"[A-Za-z0-9+/=]{24,}"/)
    assert.include(script, 'placeholder:"Your API key"')
  })

  it.effect("finds guides and endpoints in which all words stand", function* () {
    const found = yield* textOf(yield* get("/docs?q=IDEMPOTENCY+swap"))
    assert.include(found, 'href="/docs/idempotency"')
    assert.include(found, 'href="/docs/swap#openSwap.Idempotency-Key"')
    assert.include(found, "Results for “IDEMPOTENCY swap”")
    assert.include(found, 'href="/docs/swap"')
    assert.notInclude(found.split("<main")[1] ?? "", "get-quotes")
    const none = yield* textOf(yield* get("/docs?q=%3Cb%3Enothing%3C/b%3E"))
    assert.include(none, "“&lt;b&gt;nothing&lt;/b&gt;”")
    assert.include(none, "No results")
  })

  it.effect("names the URL under which it is reached in its samples, and the mode on every page", function* () {
    for (const path of ["/docs", "/docs/quickstart", "/docs/build-a-wallet", "/docs/reference"]) {
      assert.include(yield* textOf(yield* get(path)), "http://127.0.0.1:8080")
      const page = yield* textOf(yield* get(path, { host: "swap.example" }))
      assert.include(page, "http://swap.example")
      assert.notInclude(page, "127.0.0.1:8080")
      assert.include(yield* textOf(yield* get(path, { host: "<b>" })), "http://127.0.0.1:8080")
    }
    for (const path of ["/docs", "/docs/try", "/docs/settings"]) {
      assert.include(yield* textOf(yield* get(path)), '<span class="pill good">Live</span>')
    }
  })

  it.effect("leads from each former topic to one that is there", function* () {
    for (const [before, now] of movedTopics) {
      const { headers, status } = yield* get(`/docs/${before}`)
      assert.deepStrictEqual([status, headers.get("location")], [308, `/docs/${now}`])
      assert.strictEqual((yield* get(`/docs/${now}`)).status, 200, now)
    }
  })

  it.effect("has the Markdown of each guide beside its page", function* () {
    for (const { description, name } of guides) {
      const response = yield* get(`/docs/${slugOf(name)}.md`)
      assert.match(response.headers.get("content-type") ?? "", /^text\/markdown/)
      assert.strictEqual(yield* textOf(response), description)
    }
  })

  it.effect("finds what a wallet's developer searches for", function* () {
    const places: ReadonlyArray<readonly [words: string, place: string]> = [
      ["wallet", "/docs/build-a-wallet"],
      ["limits", "/docs/quotes/get-limits"],
      ["chain id", "/docs/build-a-wallet#1-list-assets-and-chains"],
      ["dollars", "/docs/build-a-wallet#3-show-quotes-in-dollars"],
      ["language", "/docs/build-a-wallet#6-follow-the-swap"],
    ]
    for (const [words, place] of places) {
      const found = yield* textOf(yield* get(`/docs?q=${encodeURIComponent(words)}`))
      assert.include(found, `href="${place}`, words)
    }
  })

  it.effect("answers who asks at the same time while one of them gives up", function* () {
    const { handler } = HttpRouter.toWebHandler(
      documentation(Api).pipe(Layer.provideMerge(HttpServer.layerServices)),
      { disableLogger: true },
    )
    const ask = (signal?: AbortSignal) =>
      handler(
        new Request("http://docs.invalid/openapi.json", {
          headers: { "accept-encoding": "br" },
          ...(signal === undefined ? {} : { signal }),
        }),
      )
    const leaving = new AbortController()
    const first = ask(leaving.signal)
    leaving.abort()
    const second = yield* Effect.promise(() => ask())
    yield* Effect.promise(() => first.catch(() => undefined))
    assert.strictEqual(second.status, 200)
    assert.isNotEmpty(yield* bytesOf(second))
  })
})

describe("acceptedEncoding", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["*", "br"],
    ["*;q=0.1, gzip;q=0.2", "gzip"],
    ["br;q=0, *", "gzip"],
    ["BR", "br"],
    ["br;q=nonsense", undefined],
  ])("takes of %o %o", (header, expected) => {
    assert.strictEqual(acceptedEncoding(header), expected)
  })
})
