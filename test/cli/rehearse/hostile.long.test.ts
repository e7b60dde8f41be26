import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { serve } from "#infrastructure/platform/serve.ts"
import { startSandbox } from "#test/sandbox/support.ts"
import { bystander } from "./support/Bystander.ts"
import { misfits, rehearsed, rehearseWith } from "./support/rehearsed.ts"

/** Short enough that an upstream which hangs is given up at once. */
const patience = {
  QUOTE_TIMEOUT: "2 seconds",
  STATUS_TIMEOUT: "2 seconds",
}

const secret = "secret-of-the-partner"
const longest = 1_000_000

type Answer = (request: Request) => Response

/** What a rehearsal says of a 1Click API that answers so. */
const against = Effect.fnUntraced(function* (answer: Answer) {
  const url = yield* serve({
    hostname: "127.0.0.1",
    port: 0,
    handler: (request) => Promise.resolve(answer(request)),
  })
  const found = yield* rehearsed({
    MODE: "live",
    NEAR_INTENTS_URL: `${url.origin}/secret-of-the-path`,
    NEAR_INTENTS_TOKEN: secret,
    ...patience,
  })
  assert.strictEqual(found.code, 1, found.output.slice(0, 1_000))
  assert.isFalse(found.fits)
  assert.isBelow(found.output.length, longest)
  assert.notInclude(found.output, "secret-of")
  assert.notInclude(found.errors, "secret-of")
  return misfits(found.differences)
})

const json = (text: string) => new Response(text, { headers: { "content-type": "application/json" } })

/** Bytes without an end, as quickly as they are taken. */
const endless = () => {
  const chunk = new TextEncoder().encode(`"${"x".repeat(65_536)}",`)
  return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }))
}

/** Nothing, for ever. */
const silence = () => new Response(new ReadableStream())

const answers: ReadonlyArray<readonly [name: string, answer: Answer, told: RegExp]> = [
  ["100 MB", () => json(" ".repeat(100_000_000)), /body.*(?:more|bytes)/],
  ["a stream without an end", endless, /body.*(?:more|bytes)/],
  ["nothing at all", silence, /TimedOut/],
  ["a page", () => new Response("<html><script>alert(1)</script></html>"), /body.*something else/],
  ["lists in lists", () => json("[".repeat(200_000) + "]".repeat(200_000)), /body|\[0\]/],
  ["a million empty rows", () => json(`[${"{},".repeat(999_999)}{}]`), /\[0\]\.blockchain/],
  [
    "a thousand rows of other kinds",
    () => json(`[${`{"blockchain":"btc","assetId":{},"decimals":[],"symbol":0},`.repeat(999)}{}]`),
    /blockchain/,
  ],
  ["a way round in a circle", ({ url }) => Response.redirect(url), /UpstreamFailed/],
  [
    "our own secrets",
    ({ headers, url }) =>
      new Response(JSON.stringify({ message: `no ${headers.get("authorization")} at ${url}` }), {
        status: 400,
      }),
    /hidden/,
  ],
  ["a failure", () => new Response("", { status: 500 }), /UpstreamFailed/],
  ["too many", () => new Response("", { status: 429, headers: { "retry-after": "0" } }), /no more/],
]

describe("a rehearsal with a hostile upstream", () => {
  it.live.each(answers)(
    "ends, tells it and shows no secret: %s",
    ([name, answer, told]) =>
      Effect.map(against(answer), (found) => assert.match(found.join("\n"), told, name)),
  )

  it.live("writes nothing to a terminal that an upstream could have made up", function* () {
    const { tamper, url } = yield* bystander((yield* startSandbox()).url)
    const name = "\u001b[2J\u202e<b>\\u009b31m"
    const price = "0.0000000000000000000000000000000000000000000000000000000000000000000001"
    tamper(({ answer, path }) =>
      path.endsWith("/v0/tokens")
        ? answer.replaceAll(`"decimals":`, `${JSON.stringify(name)}:1,"decimals":`)
          .replaceAll(/"price":[^,}]*/g, `"price":"${price}"`)
        : answer
    )
    const args = ["--provider", "near-intents", "--pairs", "2"]
    const { output } = yield* rehearseWith({ SANDBOX_URL: url.origin }, ...args)
    assert.include(output, "[2J", "the name is told")
    assert.notMatch(output, /[^\n\P{Cc}]|\p{Cf}/u)
    const asJson = yield* rehearsed({ SANDBOX_URL: url.origin }, ...args)
    assert.notMatch(asJson.output, /[^\n\P{Cc}]|\p{Cf}/u)
  })

  it.live("does not call it a fit where no answer was read", function* () {
    const { tamper, url } = yield* bystander((yield* startSandbox()).url)
    tamper(({ answer, path }) =>
      path.endsWith("/networkInfo")
        ? answer.replaceAll(/"\w+Enabled":true/g, (flag) => flag.replace("true", "false"))
        : answer
    )
    const { code, differences } = yield* rehearsed({ SANDBOX_URL: url.origin }, "--provider", "chainflip")
    assert.strictEqual(code, 1)
    assert.include(misfits(differences).join("\n"), "no pair")
  })
})
