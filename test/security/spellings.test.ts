import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { withListeningBroker } from "#test/contract/support/call.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { Wire } from "./hostile/Wire.ts"

/** Closed to pages: with the operator's key all of them have an answer. */
const closed = ["/metrics", "/providers", "/operator/accounts", "/operator/audit"]

/** A character as a client may write it, too. */
const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`

const at = (path: string, index: number, write: (character: string) => string): string =>
  path.slice(0, index) + write(path.charAt(index)) + path.slice(index + 1)

/** Other ways to write a path, which one or another server takes for the same. */
const spellings = (path: string): ReadonlyArray<string> => [
  ...Array.from({ length: path.length - 1 }, (_, index) => at(path, index + 1, escaped)),
  ...Array.from({ length: path.length - 1 }, (_, index) => at(path, index + 1, (one) => one.toUpperCase())),
  at(path, 1, (one) => escaped(one).toUpperCase()),
  at(path, 1, (one) => escaped(escaped(one))),
  ...["//", "///", "/./", "/x/../", "/swaps/../", "/%2e/", "/x/%2e%2e/", "\\", "/\\", "/%5c", "/%2f", "/;a/"]
    .map((before) => before + path.slice(1)),
  ...[
    "/",
    "//",
    "/.",
    "/%2f",
    "%2F",
    "\\",
    "%5C",
    ";",
    ";a",
    ";a=b/c",
    "%3Ba",
    "%00",
    "%20",
    "%09",
    ".",
    "%2e",
  ].map((after) => path + after),
  ...["?a", "?/swaps", "#a", ";?a", "%3fa", "%23a"].map((after) => path + after),
  `http://elsewhere.test${path}`,
  `http://elsewhere.test/${path};a`,
]

withListeningBroker()("what is closed to pages", (it) => {
  it.effect("is closed in every spelling of its path, the operator's key in hand", function* () {
    const wire = new Wire(yield* brokerUrl)
    const ask = (method: string, target: string) =>
      Effect.promise(() =>
        wire.ask(
          new TextEncoder().encode(
            `${method} ${target} HTTP/1.1\r\nhost: a\r\norigin: https://page.example\r\n` +
              `x-api-key: ${testKey}\r\n\r\n`,
          ),
          method,
        )
      )
    for (const path of closed) {
      for (const target of [path, ...spellings(path)]) {
        for (const method of ["GET", "HEAD"]) {
          const reply = yield* ask(method, target)
          if (reply === "closed") continue
          // What is no target of a request at all, the runtime refuses by itself with 400.
          const expected = reply.headers.has("access-control-allow-origin") ? [404] : [200, 400, 405]
          assert.include(expected, reply.status, `${method} ${target}`)
        }
      }
    }
    wire.close()
  })
})
