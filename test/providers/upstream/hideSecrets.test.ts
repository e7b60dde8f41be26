import { assert, describe, it } from "@effect/vitest"
import { hideSecrets } from "#providers/upstream/transport.ts"

const token = "a token/with+what=changes"
const url = new URL(
  "https://operator:pass%2Fword@broker.test/a-part-that-nobody-knows/rpc?key=0123456789abcdef&a=b",
)
const hide = hideSecrets(url, token)

const told: ReadonlyArray<readonly [what: string, text: string]> = [
  ["a token", `refused "${token}"`],
  ["a token in a URL", `GET /?token=${encodeURIComponent(token)}`],
  ["a token in JSON", JSON.stringify({ message: token }).replaceAll("/", "\\/")],
  ["a password", "operator:pass/word"],
  ["a password in a URL", "https://operator:pass%2Fword@broker.test"],
  ["a password as it is sent", `Basic ${btoa("operator:pass/word")}`],
  ["a part of the path", "Cannot POST /a-part-that-nobody-knows/rpc"],
  ["a value of the query", "unknown key 0123456789abcdef"],
]

describe("What an upstream says of our secrets", () => {
  it.each(told)("has %s taken out", (_, text) => {
    const left = hide(text)
    assert.include(left, "(hidden)")
    for (const secret of ["token/with", "token\\/with", "pass", "cGFzcy", "nobody", "0123"]) {
      assert.notInclude(left, secret)
    }
  })

  it("is left as it is where it is none of them", () => {
    for (const text of ["", '{"result":{"rpc":"https://broker.test/b"}}']) {
      assert.strictEqual(hide(text), text)
    }
  })

  it("is left as it is where we have none: words of a URL are in answers too", () => {
    const text = '{"chainflip":"near-intents","v2":"broker"}'
    assert.strictEqual(
      hideSecrets(new URL("http://a:b@127.0.0.1/chainflip/near-intents/v2?x=broker"))(text),
      text,
    )
  })
})
