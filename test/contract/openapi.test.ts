import { assert } from "@effect/vitest"
import { call, openApi, withBroker } from "./support/call.ts"
import { at, find, isList, isObject, type Json, listAt, objectAt, textAt } from "./support/Json.ts"
import { extended, resolve } from "./support/JsonSchema.ts"
import { assertFailure } from "./support/problem.ts"

const pair = ["sourceAsset", "destinationAsset"]
const quotes = [
  ...pair,
  "amount",
  "commissionBps",
  "platform",
  "sourceAddress",
  "destinationAddress",
  "rank",
  "start",
]
const affiliates = [1, 2, 3, 4].flatMap((number) => [`affiliate${number}`, `affiliate${number}CommissionBps`])
const swap = [
  ...pair,
  "destinationAddress",
  "boostFee",
  "minimumPrice",
  "refundAddress",
  "retryDurationInBlocks",
  "numberOfChunks",
  "chunkIntervalBlocks",
  "commissionBps",
  ...affiliates,
  "amount",
  "amountNative",
  "amountOut",
  "amountOutNative",
  "platform",
  "quoteId",
  "slippageTolerancePercent",
]
/** The only parameter that is a header. */
const idempotencyKey = "Idempotency-Key"

/** Every endpoint but for the payloads of vault swaps, with its parameters and the required ones. */
const endpoints: ReadonlyArray<
  readonly [endpoint: string, parameters: ReadonlyArray<string>, required: ReadonlyArray<string>]
> = [
  ["get /quotes", [...quotes, "amountOut"], pair],
  ["get /quotes-native", [...quotes, "amountOutNative"], pair],
  ["get /quotes/compare", [...quotes, "amountOut"], pair],
  ["get /quote", [...quotes, "amountOut"], pair],
  ["get /quote-native", [...quotes, "amountOutNative"], pair],
  ["get /swap", [...swap, idempotencyKey], [...pair, "destinationAddress"]],
  ["post /swap", [...swap, idempotencyKey], []],
  ["get /status-by-id", ["swapId"], ["swapId"]],
  ["get /status-by-deposit-channel", ["issuedBlock", "network", "channelId"], [
    "issuedBlock",
    "network",
    "channelId",
  ]],
  ["get /status-by-transaction-hash", ["transactionHash"], ["transactionHash"]],
  ["get /swaps", [
    "offset",
    "limit",
    "status",
    "sort",
    "platform",
    "result",
    "from",
    "to",
    "address",
    "sourceAsset",
    "destinationAsset",
  ], []],
  ["get /commission", ["from", "to", "asset"], ["from", "to"]],
]

const operationOf = (document: Json, endpoint: string): Json => {
  const [method = "", path = ""] = endpoint.split(" ")
  return at(document, "paths", path, method)
}

const operations = (document: Json): ReadonlyArray<readonly [endpoint: string, operation: Json]> =>
  Object.entries(objectAt(document, "paths")).flatMap(([path, methods]) =>
    Object.entries(objectAt(methods)).map(([method, operation]) => [`${method} ${path}`, operation] as const)
  )

const references = (json: Json): ReadonlyArray<string> => {
  if (isList(json)) return json.flatMap(references)
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([name, value]) =>
    name === "$ref" && typeof value === "string" ? [value] : references(value)
  )
}

/** What HTML loads or leads to, outside the scripts that it carries. */
const outward = (html: string): ReadonlyArray<string> =>
  html
    .replaceAll(/(<script\b[^>]*>)[\s\S]*?<\/script>/g, "$1")
    .match(
      /(?:src|href|action|data|content)\s*=\s*["']?(?:https?:)?\/\/[^"'>\s]+|@import[^;]+|url\([^)]+\)/g,
    ) ?? []

withBroker()("the OpenAPI document (decision 27)", (it) => {
  it.effect("is one of OpenAPI 3.1 in which every reference leads somewhere", function* () {
    const document = yield* openApi
    assert.match(textAt(document, "openapi"), /^3\.1\.\d+$/)
    assert.isNotEmpty(textAt(document, "info", "title"))
    assert.match(textAt(document, "info", "version"), /^\d+\.\d+\.\d+$/)
    const found = references(document)
    assert.isNotEmpty(found)
    for (const reference of found) resolve(document, reference)
  })

  it.effect("lists every endpoint with its parameters, and which are required", function* () {
    const document = yield* openApi
    for (const [endpoint, names, required] of endpoints) {
      const parameters = listAt(operationOf(document, endpoint), "parameters")
      assert.deepStrictEqual(
        parameters.map((one) => textAt(one, "name")).toSorted(),
        names.toSorted(),
        endpoint,
      )
      const isRequired = parameters.filter((one) => find(one, "required") === true).map((one) =>
        textAt(one, "name")
      )
      assert.deepStrictEqual(isRequired.toSorted(), required.toSorted(), endpoint)
      for (const parameter of parameters) {
        const isHeader = textAt(parameter, "name") === idempotencyKey
        assert.strictEqual(textAt(parameter, "in"), isHeader ? "header" : "query")
        assert.isNotEmpty(objectAt(parameter, "schema"), `${endpoint} ${textAt(parameter, "name")}`)
      }
    }
  })

  it.effect("explains every parameter", function* () {
    const document = yield* openApi
    for (const [endpoint] of endpoints) {
      for (const parameter of listAt(operationOf(document, endpoint), "parameters")) {
        const described = find(parameter, "description") ?? find(parameter, "schema", "description")
        assert.isString(described, `${endpoint} ${textAt(parameter, "name")}`)
      }
    }
  })

  it.effect("has the body of POST /swap, with the message for the receiving contract", function* () {
    const document = yield* openApi
    const schema = at(
      operationOf(document, "post /swap"),
      "requestBody",
      "content",
      "application/json",
      "schema",
    )
    const reference = find(schema, "$ref")
    const body = typeof reference === "string" ? resolve(document, reference) : schema
    const members = Object.keys(objectAt(body, "properties"))
    assert.deepStrictEqual(members.toSorted(), [...swap, "ccmPayload"].toSorted())
    assert.notEqual(find(operationOf(document, "post /swap"), "requestBody", "required"), true)
  })

  it.effect("has what an Idempotency-Key does to the answers of /swap", function* () {
    const document = yield* openApi
    for (const endpoint of ["get /swap", "post /swap"]) {
      const operation = operationOf(document, endpoint)
      for (const [status, response] of Object.entries(objectAt(operation, "responses"))) {
        const canBeReplayed = ["200", "500", "503"].includes(status)
        const header = find(response, "headers", "Idempotent-Replayed")
        assert.strictEqual(header !== undefined, canBeReplayed, `${endpoint} ${status}`)
      }
      assert.isDefined(find(operation, "responses", "409", "headers", "Retry-After"))
      assert.isDefined(find(operation, "responses", "422"))
    }
  })

  it.effect("says which endpoints are deprecated, and only of those", function* () {
    const deprecated = operations(yield* openApi)
      .filter(([, operation]) => find(operation, "deprecated") === true)
      .map(([endpoint]) => endpoint)
    assert.deepStrictEqual(deprecated.toSorted(), ["get /quote", "get /quote-native"])
  })

  it.effect("documents the success, the failures and the credentials of each endpoint", function* () {
    const document = yield* openApi
    assert.lengthOf(Object.keys(objectAt(document, "components", "securitySchemes")), 3)
    for (const [endpoint, operation] of operations(document)) {
      assert.isNotEmpty(textAt(operation, "summary"), endpoint)
      const statuses = Object.keys(objectAt(operation, "responses"))
      assert.isTrue(statuses.some((status) => status.startsWith("2")), endpoint)
      if (!endpoints.some(([known]) => known === endpoint)) continue
      assert.includeMembers(statuses, ["200", "400", "401", "500", "503"], endpoint)
      if (/quote|swap\b/.test(endpoint)) assert.include(statuses, "403")
      if (endpoint.includes("status")) assert.include(statuses, "404")
      assert.lengthOf(listAt(operation, "security"), 3, endpoint)
    }
  })

  it.effect("has problems in problem+json with their members (decision 14)", function* () {
    const document = yield* openApi
    for (const [endpoint] of endpoints) {
      for (
        const [status, response] of Object.entries(objectAt(operationOf(document, endpoint), "responses"))
      ) {
        if (status.startsWith("2")) continue
        const schema = at(response, "content", "application/problem+json", "schema")
        const one = find(schema, "anyOf")
        for (const problem of one === undefined ? [schema] : listAt(one)) {
          const members = objectAt(extended(document, problem), "properties")
          assert.includeMembers(Object.keys(members), ["type", "title", "status", "detail", "traceId"])
        }
      }
    }
  })

  it.effect("comes with a form for people, HTML that needs nothing from other hosts", function* () {
    const { headers, text } = yield* call("GET", "/docs", { key: null })
    assert.match(headers.get("content-type") ?? "", /^text\/html/)
    assert.match(text, /^\s*<!doctype html>/i)
    assert.deepStrictEqual(outward(text), [])
    assert.include(text, "/openapi.json")
    assertFailure(yield* call("GET", "/docs/nothing", { key: null }), 404)
    const trying = yield* call("GET", "/docs/try", { key: null })
    assert.deepStrictEqual(outward(trying.text), [])
    const script = yield* call("GET", "/docs/try/scalar.js", { key: null })
    assert.match(script.headers.get("content-type") ?? "", /^text\/javascript/)
  })
})
