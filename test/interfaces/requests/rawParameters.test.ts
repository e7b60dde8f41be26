import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Schema } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { queryAndBodyParameters } from "#interfaces/requests/parameterIssues.ts"

type Query = Readonly<Record<string, string | Array<string>>>

const posted = (body: string | undefined, query: Query = {}, contentType = "application/json") => {
  const init = body === undefined ? {} : { body, headers: { "content-type": contentType } }
  return queryAndBodyParameters.pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request("http://broker.test/swap", { method: "POST", ...init })),
    ),
    Effect.provideService(HttpServerRequest.ParsedSearchParams, query),
  )
}

const issuesOf = (body: string) =>
  Effect.map(
    Effect.flip(posted(body)),
    (error) => error._tag === "InvalidRequest" ? error.errors : error._tag,
  )

describe("queryAndBodyParameters", () => {
  it.effect.each([undefined, "", "  \n"])(
    "has no parameters for the body %s",
    function* (body) {
      assert.deepStrictEqual(yield* posted(body), { raw: {}, issues: {} })
    },
  )

  it.effect("asks for no content type where there is no body", function* () {
    assert.deepStrictEqual((yield* posted("", {}, "text/plain")).raw, {})
  })

  it.effect("keeps numbers digit by digit, as they were written", function* () {
    const { raw } = yield* posted(
      '{"minimumPrice": 32.123456789012345678901234567890, "amountNative": 340282366920938463463374607431768211455,' +
        ' "boostFee": 1e1, "numberOfChunks": 2.0, "amount": "0.10", "commissionBps": -0}',
    )
    assert.deepStrictEqual(raw, {
      minimumPrice: "32.123456789012345678901234567890",
      amountNative: "340282366920938463463374607431768211455",
      boostFee: "10",
      numberOfChunks: "2.0",
      amount: "0.10",
      commissionBps: "-0",
    })
  })

  it.effect("shifts the point of a number with an exponent, and leaves one without bounds as it is", function* () {
    const { raw } = yield* posted(
      '{"amount": 1.5e-05, "amountNative": 1E+18, "minimumPrice": 1.0E-7, "boostFee": 1e999999999, ' +
        '"ccmPayload": {"gasBudget": 5e2, "message": "0x"}, "platform": "1e3"}',
    )
    assert.deepStrictEqual(raw, {
      amount: "0.000015",
      amountNative: "1000000000000000000",
      minimumPrice: "0.0000001",
      boostFee: "1e999999999",
      ccmPayload: { gasBudget: "500", message: "0x" },
      platform: "1e3",
    })
  })

  it.effect("names members that stand twice, wherever they do and however they are spelt", function* () {
    const { issues } = yield* posted(
      '{"minimumPrice": "0", "a": [{"b": 1, "b": 1}], "minimum\\u0050rice": "30", "ccmPayload": {"message": "0x", ' +
        '"message": "0x00"}, "minimumPrice": null}',
    )
    assert.deepStrictEqual(issues, {
      minimumPrice: ["minimumPrice may be given only once"],
      "a[0].b": ["a[0].b may be given only once"],
      "ccmPayload.message": ["ccmPayload.message may be given only once"],
    })
  })

  it.effect.each(
    [
      ['{"gas_budget": "500", "message": "0x"}', {}],
      ['{"gas_budget": 500, "gasBudget": "500", "message": "0x"}', {}],
      ['{"gas_budget": 500, "gasBudget": 501, "message": "0x"}', {
        ccmPayload: ["ccmPayload has a gasBudget and a gas_budget with different values"],
      }],
    ] as const,
  )("takes gas_budget for gasBudget in %s", function* ([ccmPayload, issues]) {
    assert.deepStrictEqual(yield* posted(`{"ccmPayload": ${ccmPayload}}`), {
      raw: { ccmPayload: { message: "0x", gasBudget: "500" } },
      issues,
    })
  })

  it.effect("takes null for an absent member, and keeps what is not a number as it is", function* () {
    const { raw } = yield* posted(
      '{"refundAddress": null, "ccmPayload": {"gasBudget": 500, "message": "0x"}, "platform": true, "a": [1, null]}',
    )
    assert.deepStrictEqual(raw, {
      ccmPayload: { gasBudget: "500", message: "0x" },
      platform: true,
      a: ["1", null],
    })
  })

  it.effect("takes names that objects have by nature for names like any other", function* () {
    const { raw, issues } = yield* posted('{"__proto__": {"boostFee": 1}, "toString": "x", "constructor": 1}')
    assert.isUndefined(raw.boostFee)
    assert.deepStrictEqual(Object.keys(raw).sort(), ["__proto__", "constructor", "toString"])
    assert.deepStrictEqual(issues, {})
  })

  it.effect.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/problem+json",
    "application/vnd.broker.v1+json;v=1",
  ])("reads a body of type %s", function* (contentType) {
    assert.deepStrictEqual((yield* posted('{"boostFee": 1}', {}, contentType)).raw, { boostFee: "1" })
  })

  it.effect.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "text/json",
    "json",
  ])(
    "refuses a body of type %s",
    function* (contentType) {
      const error = yield* Effect.flip(posted('{"boostFee": 1}', {}, contentType))
      assert.strictEqual(error._tag, "BodyNotJson")
    },
  )

  it.effect.each(["{", "{boostFee: 1}", '{"a": 01}', '{"a": NaN}', '{"a": 1,}', "boostFee=1", "\uFEFF{"])(
    "says that %s is not JSON",
    function* (body) {
      assert.deepStrictEqual(yield* issuesOf(body), { body: ["body is not valid JSON"] })
    },
  )

  it.effect.each(["[]", "1", '"text"', "null", "true"])(
    "says that %s is not an object",
    function* (body) {
      assert.deepStrictEqual(yield* issuesOf(body), {
        body: ["body must be a JSON object with the parameters as members"],
      })
    },
  )

  it.effect("puts query and body together", function* () {
    const { raw, issues } = yield* posted('{"boostFee": 1}', { sourceAsset: "btc.btc" })
    assert.deepStrictEqual(raw, { boostFee: "1", sourceAsset: "btc.btc" })
    assert.deepStrictEqual(issues, {})
  })

  it.effect("allows the same name twice with the same value, number or text", function* () {
    const { issues } = yield* posted('{"boostFee": 10, "platform": "chainflip"}', {
      boostFee: "10",
      platform: "chainflip",
    })
    assert.deepStrictEqual(issues, {})
  })

  it.effect("reports every name that has different values in query and body", function* () {
    const { issues } = yield* posted('{"boostFee": 10.0, "platform": "a", "amount": null}', {
      boostFee: "10",
      platform: ["a", "a"],
      amount: "1",
    })
    assert.deepStrictEqual(issues, {
      boostFee: ["boostFee has different values in the query and in the body"],
      platform: ["platform has different values in the query and in the body"],
    })
  })

  const digits = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 10n ** 60n }))

  it.effect.prop(
    "keeps every digit of any number",
    [digits, digits],
    ([whole, fraction]) =>
      Effect.gen(function* () {
        const { raw } = yield* posted(`{"amount": ${whole}.${fraction}}`)
        assert.strictEqual(raw.amount, `${whole}.${fraction}`)
      }),
  )
})
