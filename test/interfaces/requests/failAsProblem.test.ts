import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { NotFound, statusDefinitions } from "#api/Problems.ts"
import { InvalidRequest } from "#domain/Issues.ts"
import { RequestRefused, TooManyChannels } from "#domain/ProviderError.ts"
import { ProviderError } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapNotFound } from "#domain/swaps/SwapRecord.ts"
import { Unauthenticated } from "#interfaces/requests/authorise.ts"
import { type Failure } from "#interfaces/requests/problems.ts"
import { failAsProblem, problemResponse } from "#interfaces/requests/failedRequests.ts"

const written = (failure: Failure) =>
  Effect.gen(function* () {
    const { traceId } = yield* Effect.currentSpan
    const response = HttpServerResponse.toWeb(yield* problemResponse(failure))
    const text = yield* Effect.promise(() => response.text())
    return { response, text, traceId }
  }).pipe(Effect.withSpan("request"), Effect.orDie)

const anyRequest = HttpServerRequest.fromWeb(new Request("http://broker.invalid/"))

describe("problemResponse", () => {
  it.effect("writes what follows from the status, then the trace id, then what is particular", function* () {
    const { response, text, traceId } = yield* written(
      new InvalidRequest({ errors: { amount: ["amount is required"] } }),
    )
    assert.strictEqual(response.status, 400)
    assert.strictEqual(response.headers.get("content-type"), "application/problem+json")
    assert.strictEqual(
      text,
      '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.1","title":"Bad Request","status":400,' +
        `"detail":"amount is required","traceId":"${traceId}",` +
        '"errors":{"amount":["amount is required"]}}',
    )
  })

  it.effect.each(
    [
      [{ destinationAddress: ["destinationAddress is wrong"] }, "destinationAddress is wrong"],
      [{ amount: ["amount is one", "amount is two"] }, "amount is one (and 1 more)"],
      [
        {
          platform: ["platform is x"],
          amount: ["amount is y"],
          boostFee: ["boostFee is b", "boostFee is c"],
        },
        "platform is x (and 3 more)",
      ],
    ] as const,
  )(
    "begins the detail of %j with the first sentence, and counts the others",
    function* ([errors, detail]) {
      for (
        const failure of [
          new InvalidRequest({ errors }),
          new ProviderError({
            provider: ProviderName.make("chainflip"),
            operation: "quote",
            reason: new RequestRefused({ errors }),
          }),
        ]
      ) {
        const { text } = yield* written(failure)
        assert.deepInclude(JSON.parse(text), { detail, errors })
      }
    },
  )

  it.effect("writes the code of an upstream failure and when to try again", function* () {
    const { response, text, traceId } = yield* written(
      new ProviderError({
        provider: ProviderName.make("chainflip"),
        operation: "open",
        reason: new TooManyChannels({ detail: "The cap of open channels is reached" }),
      }),
    )
    assert.strictEqual(response.status, 503)
    assert.strictEqual(response.headers.get("retry-after"), "60")
    assert.deepStrictEqual(JSON.parse(text), {
      type: "https://tools.ietf.org/html/rfc9110#section-15.6.4",
      title: "Service Unavailable",
      status: 503,
      detail: "The cap of open channels is reached",
      traceId,
      code: "too_many_channels",
    })
  })

  it.effect("omits what is absent: never null, never an empty code", function* () {
    const { text } = yield* written(new SwapNotFound())
    assert.hasAllKeys(JSON.parse(text), ["type", "title", "status", "detail", "traceId"])
    assert.notInclude(text, "null")
  })

  it.effect("says which credential is wanted", function* () {
    const { response } = yield* written(new Unauthenticated())
    assert.strictEqual(response.headers.get("www-authenticate"), "ApiKey")
  })

  it.effect("lets an answer through and turns a failure into a problem of its endpoint", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* failAsProblem(Effect.succeed("an answer")), "an answer")
      const problem = yield* Effect.flip(failAsProblem(Effect.fail(new SwapNotFound())))
      assert.instanceOf(problem, NotFound)
    }).pipe(
      Effect.withSpan("request"),
      Effect.provideService(HttpServerRequest.HttpServerRequest, anyRequest),
    ))

  it("links every status to the definition of decision 14", () => {
    const section = (status: keyof typeof statusDefinitions) =>
      statusDefinitions[status].type.split("section-")[1]
    assert.deepStrictEqual(
      ([400, 401, 403, 404, 405, 413, 415, 500, 503] as const).map(section),
      ["15.5.1", "15.5.2", "15.5.4", "15.5.5", "15.5.6", "15.5.14", "15.5.16", "15.6.1", "15.6.4"],
    )
  })
})
