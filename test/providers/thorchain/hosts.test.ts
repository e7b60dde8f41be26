import { assert, collectLogs, describe, it, TestClock } from "../support.ts"
import { Effect, Fiber, Option, Result } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { foundIn } from "#infrastructure/config/read.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { makeClient } from "#providers/thorchain/client.ts"
import { thorchain } from "#providers/thorchain/networks.ts"
import { thorchainSettings } from "#providers/thorchain/settings.ts"

const urls = { url: new URL("http://one.test"), secondUrl: Option.some(new URL("http://two.test/base")) }

type Host = (request: HttpClientRequest.HttpClientRequest) => Effect.Effect<
  HttpClientResponse.HttpClientResponse,
  HttpClientError.HttpClientError
>

const answers = (status: number, body: unknown): Host => (request) =>
  Effect.succeed(HttpClientResponse.fromWeb(request, new Response(JSON.stringify(body), { status })))

const hangs: Host = () => Effect.never

const isAway: Host = (request) =>
  Effect.fail(
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.TransportError({ request, description: "away" }),
    }),
  )

const isHtml: Host = (request) =>
  Effect.succeed(HttpClientResponse.fromWeb(request, new Response("<html>", { status: 200 })))

/** The client of two hosts, and which of them were asked. */
const clientOf = (one: Host, two: Host, places: Parameters<typeof makeClient>[2] = urls) => {
  const asked: Array<string> = []
  const http = HttpClient.make((request, url) => {
    asked.push(url.host)
    return url.host === "one.test" ? one(request) : two(request)
  })
  return { asked, client: makeClient(http, thorchain, places) }
}

const pools = (client: ReturnType<typeof makeClient>) => Effect.map(client.pools, ({ body }) => body)

const subject = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  paying: false,
} as const

describe("two hosts", () => {
  it.effect("are asked in turn only where the first fails", function* () {
    const { asked, client } = clientOf(answers(200, ["one"]), answers(200, ["two"]))
    assert.deepStrictEqual(yield* pools(client), ["one"])
    assert.deepStrictEqual(asked, ["one.test"])
  })

  it.effect.each(
    [
      ["cannot be reached", isAway],
      ["answers with 500", answers(500, { error: "out of order" })],
      ["has a gateway with nothing behind it", answers(502, "bad gateway")],
      ["answers with no JSON", isHtml],
    ] as const,
  )("give what the second says where the first %s, and say so once", function* ([, fault]) {
    const { asked, client } = clientOf(fault, answers(200, ["two"]))
    const { lines, value } = yield* collectLogs(Effect.all([pools(client), pools(client)]))
    assert.deepStrictEqual(value, [["two"], ["two"]])
    assert.deepStrictEqual(lines, [
      "The THORNode fails, is slow or is asked as often as it may be: the second one answers in its place",
    ])
    // Until it has rested the first is not waited for again.
    assert.deepStrictEqual(asked, ["one.test", "two.test", "two.test"])
    yield* TestClock.adjust("30 seconds")
    yield* collectLogs(pools(client))
    assert.deepStrictEqual(asked.slice(3), ["one.test", "two.test"])
  })

  it.effect("give what the second says where the first says nothing for a second", function* () {
    const { client } = clientOf(hangs, answers(200, ["two"]))
    const said = yield* Effect.forkChild(collectLogs(pools(client)))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual((yield* Fiber.join(said)).value, ["two"])
  })

  it.effect("go back to the first as soon as it alone answers", function* () {
    let isFirstAway = true
    const { asked, client } = clientOf(
      (request) => isFirstAway ? isAway(request) : answers(200, ["one"])(request),
      (request) => isFirstAway ? answers(200, ["two"])(request) : isAway(request),
    )
    yield* collectLogs(pools(client))
    isFirstAway = false
    assert.deepStrictEqual(yield* pools(client), ["one"])
    assert.deepStrictEqual(asked, ["one.test", "two.test", "two.test", "one.test"])
    asked.length = 0
    yield* pools(client)
    assert.deepStrictEqual(asked, ["one.test"])
  })

  it.effect("do not ask the second for another meaning of a refusal", function* () {
    const { asked, client } = clientOf(
      answers(500, { error: "amount less than dust threshold: invalid request" }),
      answers(200, {}),
    )
    const reason = yield* Effect.flip(client.quote({}, { ...subject, amount: NativeAmount.make(1n) }))
    assert.strictEqual(reason._tag, "AmountBelowMinimum")
    assert.deepStrictEqual(asked, ["one.test"])
  })

  it.effect("fail where both do, by the first fault", function* () {
    const { client } = clientOf(answers(503, { error: "resting" }), isAway)
    const reason = yield* Effect.flip(client.pools)
    assert.deepInclude({ ...reason }, { _tag: "Unreachable", detail: "The THORNode answered 503: resting" })
  })

  it.effect("are one where no second is set", function* () {
    const { asked, client } = clientOf(isAway, answers(200, []), { ...urls, secondUrl: Option.none() })
    assert.strictEqual((yield* Effect.flip(client.pools))._tag, "Unreachable")
    assert.deepStrictEqual(asked, ["one.test"])
  })

  it("are those of the settings, and only one beside the sandbox", () => {
    const texts = { THORCHAIN_URL: "http://one.test/", THORCHAIN_SECOND_URL: "http://two.test/" }
    const second = (announced: Readonly<Record<string, string>>) =>
      Result.map(
        thorchainSettings.read(foundIn(texts, announced)),
        ({ secondUrl }) => Option.getOrUndefined(secondUrl)?.href,
      )
    assert.deepStrictEqual(second({}), Result.succeed("http://two.test/"))
    assert.deepStrictEqual(second({ THORCHAIN_URL: "http://one.test/" }), Result.succeed(undefined))
  })
})
