import { assert, describe, it } from "@effect/vitest"
import { Schema, Struct } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "#api/Api.ts"
import { document } from "#api/document/document.ts"
import { HistoryParameters } from "#api/History.ts"
import { SwapQuery } from "#api/Swap.ts"
import { readerOf } from "#interfaces/requests/parameterIssues.ts"
import { objectsIn } from "#test/interfaces/requests/present/json.ts"

const spec: unknown = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
const objects = objectsIn(spec)

const find = (path: string) => objects.find((found) => found.path === path)?.object
const objectAt = (path: string) => find(path) ?? assert.fail(`there is no ${path}`)

const operations = objects.filter(({ path }) => /^\$\.paths\.[^.]+\.(?:get|post)$/.test(path))
const needsKey = operations.filter(({ path }) =>
  !/\/(?:livez|readyz|health\/providers|assets|networks|logos\/\{name\}|swap-broker-case-keys)\./.test(path)
)

/** Takes no input of the caller's that could be wrong. */
const takesNothing = "$.paths./providers.get"

/** The schemas of the parameters of one path, by name. */
const parametersOf = (path: string) =>
  new Map(
    objects.flatMap(({ path: at, object }) =>
      at.startsWith(`$.paths.${path}.get.parameters[`) && typeof object.name === "string"
        ? [[object.name, { required: object.required, schema: objectAt(`${at}.schema`) }] as const]
        : []
    ),
  )

const swap = parametersOf("/swap")
const history = parametersOf("/swaps")

const readers = {
  swap: readerOf(SwapQuery.mapFields(Struct.map(Schema.optionalKey))).part,
  history: readerOf(HistoryParameters).part,
}

const bounded = [
  ...[...swap].map(([name, { schema }]) => ({ name, schema, reader: readers.swap })),
  ...[...history].map(([name, { schema }]) => ({ name, schema, reader: readers.history })),
].filter(({ schema }) => schema.type === "integer")

const exactDecimals = [
  "Quote.ingressAmount",
  "Quote.estimatedPrice",
  "Quote.recommendedSlippageTolerancePercent",
  "BoostQuote.egressAmount",
  "Fee.amount",
  "Deposit.amount",
  "Egress.amount",
  "Chunk.outputAmount",
  "SwapProgress.swappedOutputAmount",
  "DepositChannel.channelOpeningFee",
  "Payment.amount",
  "Asset.minimalAmount",
  "Asset.usdPrice",
  "SwapStatus.estimatedDurationSeconds",
]

const keyInPath = "$.paths./rpc/{apiKey}.post"
const saysNothing = ["$.paths./quotes/stream.get", keyInPath, "$.paths./status-stream.get"]

describe("The OpenAPI document", () => {
  it("is OpenAPI 3.1 and has every path of the contract", () => {
    assert.strictEqual(objectAt("$").openapi, "3.1.0")
    assert.sameMembers(Object.keys(objectAt("$.paths")), [
      "/quotes",
      "/quotes/compare",
      "/limits",
      "/quotes/{quoteId}/explanation",
      "/quotes-native",
      "/quote",
      "/quote-native",
      "/quotes/stream",
      "/swap",
      "/tx-payload/bitcoin",
      "/tx-payload/evm",
      "/tx-payload/solana",
      "/tx-payload/tron",
      "/tx-payload/xrpl",
      "/status-by-id",
      "/status-by-deposit-channel",
      "/status-by-transaction-hash",
      "/swaps",
      "/swaps/events",
      "/commission",
      "/status-stream",
      "/account",
      "/assets",
      "/networks",
      "/logos/{name}",
      "/rpc/{apiKey}",
      "/operator/accounts",
      "/operator/accounts/{name}",
      "/operator/accounts/{name}/merchant",
      "/operator/accounts/{name}/keys",
      "/operator/keys/{id}",
      "/operator/accounts/{name}/routes",
      "/operator/accounts/{name}/errors",
      "/errors",
      "/operator/audit",
      "/operator/accounts/{name}/portal-link",
      "/operator/alerts",
      "/operator/channels",
      "/operator/channels/counts",
      "/operator/commission",
      "/operator/providers/{name}/history",
      "/operator/swaps",
      "/operator/treasury",
      "/operator/treasury/affiliates",
      "/operator/treasury/affiliates/{name}/withdrawals",
      "/operator/treasury/entries",
      "/operator/treasury/withdrawals",
      "/operator/treasury/withdrawals/{id}",
      "/operator/treasury/withdrawals/{id}/decision",
      "/operator/swaps/{id}/journal",
      "/operator/swaps/{id}/accept",
      "/operator/swaps/{id}/move",
      "/swap/{id}/pay-link",
      "/swap/{id}/qr",
      "/swaps/{id}/journal",
      "/swaps/{id}/case",
      "/operator/swaps/{id}/case",
      "/.well-known/swap-broker-case-keys",
      "/webhooks",
      "/webhooks/{id}",
      "/webhooks/{id}/rotate",
      "/webhooks/{id}/test",
      "/webhooks/{id}/replay",
      "/webhooks/{id}/deliveries",
      "/webhooks/{id}/deliveries/{delivery}",
      "/operator/accounts/{name}/webhooks",
      "/operator/accounts/{name}/webhooks/{id}",
      "/operator/accounts/{name}/webhooks/{id}/rotate",
      "/operator/accounts/{name}/webhooks/{id}/test",
      "/operator/accounts/{name}/webhooks/{id}/replay",
      "/operator/accounts/{name}/webhooks/{id}/deliveries",
      "/operator/accounts/{name}/webhooks/{id}/deliveries/{delivery}",
      "/providers",
      "/providers/{name}/history",
      "/providers/{name}/switch",
      "/operator/swaps/{id}/reindex",
      "/health/providers",
      "/livez",
      "/readyz",
    ])
    assert.sameMembers(Object.keys(objectAt("$.paths./swap")), ["get", "post"])
  })

  it("has what streams and webhooks tell of a swap, which no endpoint answers as JSON", () => {
    const { properties } = objectAt("$.components.schemas.SwapEvent")
    assert.sameMembers(Object.keys(properties ?? {}), ["type", "timestamp", "data"])
    assert.strictEqual(
      objectAt("$.components.schemas.SwapEvent.properties.data").$ref,
      "#/components/schemas/SwapOfEvent",
    )
  })

  it("lets every reference lead somewhere", () => {
    const references = objects.flatMap(({ object }) => typeof object.$ref === "string" ? [object.$ref] : [])
    assert.isAbove(references.length, 50)
    for (const reference of references) {
      assert.isDefined(find(reference.replace("#/", "$.").replaceAll("/", ".")), reference)
    }
  })

  it("says of every operation that needs a key, and of no other, how its limits are told", () => {
    for (const operation of operations) {
      const isLimited = needsKey.includes(operation)
      assert.strictEqual(find(`${operation.path}.responses.429`) !== undefined, isLimited, operation.path)
      const success = ["200", "201", "202"].find((status) =>
        find(`${operation.path}.responses.${status}`) !== undefined
      )
      const headers = find(`${operation.path}.responses.${success}.headers`) ?? {}
      assert.strictEqual("RateLimit" in headers && "RateLimit-Policy" in headers, isLimited, operation.path)
      if (!isLimited) continue
      assert.containsAllKeys(objectAt(`${operation.path}.responses.429.headers`), [
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
      ])
      assert.isEmpty(find(`${operation.path}.responses.401.headers`) ?? {})
    }
  })

  it.each(exactDecimals)("says that %s is a number, and an exact one", (member) => {
    const [component, name] = member.split(".")
    const { $ref } = objectAt(`$.components.schemas.${component}.properties.${name}`)
    assert.strictEqual($ref, "#/components/schemas/ExactDecimal")
    assert.strictEqual(objectAt("$.components.schemas.ExactDecimal").type, "number")
  })

  it("leaves no member without a schema", () => {
    for (const { path, object } of objects) {
      if (/\.properties\.\w+$/.test(path)) assert.isNotEmpty(Object.keys(object), path)
    }
  })

  it("forbids no member that may come later", () => {
    for (const { path, object } of objects) assert.notStrictEqual(object.additionalProperties, false, path)
  })

  it("gives numbers their types and texts theirs", () => {
    const types = Object.fromEntries([...swap].map(([name, { schema }]) => [name, schema.type]))
    assert.deepInclude(types, {
      sourceAsset: "string",
      destinationAddress: "string",
      boostFee: "integer",
      minimumPrice: "number",
      amount: "number",
      amountNative: "string",
      platform: "string",
    })
    assert.strictEqual(parametersOf("/status-by-deposit-channel").get("issuedBlock")?.schema.type, "integer")
    assert.strictEqual(history.get("status")?.schema.type, "array")
  })

  it.each([
    ["boostFee", 0, 100],
    ["commissionBps", 0, 995],
    ["retryDurationInBlocks", 0, 14_400],
    ["affiliate1CommissionBps", 0, 1_000],
  ])("says that %s is from %i to %i", (name, minimum, maximum) => {
    assert.deepInclude(swap.get(name)?.schema, { minimum, maximum })
  })

  it("says the bounds that hold: each is accepted, one step beyond is not", () => {
    assert.isAbove(bounded.length, 8)
    for (const { name, schema: { minimum, maximum }, reader } of bounded) {
      const accepts = (value: bigint) => !Object.hasOwn(reader({ [name]: `${value}` }).issues, name)
      assert.isTrue(accepts(BigInt(`${minimum}`)) && accepts(BigInt(`${maximum}`)), name)
      assert.isFalse(accepts(BigInt(`${minimum}`) - 1n) || accepts(BigInt(`${maximum}`) + 1n), name)
    }
  })

  it("gives every parameter a description and an example that is accepted", () => {
    for (const [name, { schema }] of swap) {
      assert.isAbove(`${schema.description ?? ""}`.length, 10, name)
      const [example] = Array.isArray(schema.examples) ? schema.examples : []
      assert.strictEqual(typeof example, schema.type === "string" ? "string" : "number", name)
      assert.deepStrictEqual(readers.swap({ [name]: `${example}` }).issues, {}, name)
    }
  })

  it("requires exactly what the service requires", () => {
    const required = [...swap].flatMap(([name, { required }]) => required === true ? [name] : [])
    assert.sameMembers(required, Object.keys(readerOf(SwapQuery).part({}).issues))
    // One of two: the amount that is sent, or the one that arrives.
    assert.strictEqual(parametersOf("/quotes").get("amount")?.required, false)
    assert.strictEqual(parametersOf("/quotes").get("sourceAsset")?.required, true)
    assert.strictEqual(parametersOf("/quotes").get("commissionBps")?.required, false)
  })

  it("names the same parameters for the body of POST /swap, and the payload for contracts", () => {
    const members = Object.keys(objectAt("$.components.schemas.SwapRequest.properties"))
    assert.sameMembers(members, [...Struct.keys(SwapQuery.fields), "ccmPayload"])
  })

  it("marks the deprecated paths, and no others", () => {
    const deprecated = operations.filter(({ object }) => object.deprecated === true).map(({ path }) => path)
    assert.deepStrictEqual(deprecated, ["$.paths./quote.get", "$.paths./quote-native.get"])
  })

  it("accepts a key in three places wherever one is needed, but where it is in the path", () => {
    for (const { path, object } of needsKey) {
      assert.deepStrictEqual(
        object.security,
        path === keyInPath ? [] : [{ bearer: [] }, { apiKeyHeader: [] }, { apiKeyQuery: [] }],
        path,
      )
    }
    assert.deepInclude(objectAt("$.components.securitySchemes.apiKeyQuery"), { in: "query", name: "apiKey" })
    assert.deepInclude(objectAt("$.components.securitySchemes.apiKeyHeader"), {
      in: "header",
      name: "X-API-Key",
    })
    assert.deepInclude(objectAt("$.components.securitySchemes.bearer"), { type: "http", scheme: "bearer" })
  })

  it("documents every failure as a problem", () => {
    for (const { path, object } of needsKey) {
      const responses = Object.keys(object.responses ?? {})
      const invalid = path === takesNothing ? [] : ["400"]
      assert.includeMembers(responses, [...invalid, "401", "503"], path)
      const [success, ...others] = responses.filter((status) => status.startsWith("2"))
      assert.isDefined(success, path)
      // JSON-RPC has no reply to notifications, and a swap that is over no more events.
      assert.deepStrictEqual(others, saysNothing.includes(path) ? ["204"] : [], path)
      // A code that its caller has is no failure, and has no body.
      const failures = responses.filter((status) => !status.startsWith("2") && status !== "304")
      for (const status of failures) {
        const content = objectAt(`${path}.responses.${status}.content`)
        assert.hasAllKeys(content, ["application/problem+json"], `${path} ${status}`)
      }
    }
  })

  it("documents what each provider had to say, and which names were not read", () => {
    for (
      const path of ["/quotes", "/quotes/compare", "/limits", "/quotes-native", "/quote", "/quote-native"]
    ) {
      for (const status of ["200", "400", "500", "503"]) {
        assert.property(objectAt(`$.paths.${path}.get.responses.${status}.headers`), "Provider-Status", path)
      }
    }
    for (
      const path of [
        "/swap",
        "/tx-payload/bitcoin",
        "/tx-payload/evm",
        "/tx-payload/solana",
        "/tx-payload/tron",
        "/tx-payload/xrpl",
      ]
    ) {
      for (const method of ["get", "post"]) {
        for (const status of ["200", "400", "500", "503"]) {
          const headers = objectAt(`$.paths.${path}.${method}.responses.${status}.headers`)
          assert.property(headers, "Ignored-Parameters", path)
        }
      }
    }
  })

  it("documents what anybody may keep: no key, an entity tag, and an answer without a body", () => {
    for (const path of ["/assets", "/networks"]) {
      const operation = objectAt(`$.paths.${path}.get`)
      assert.deepStrictEqual(operation.security, [], path)
      assert.hasAllKeys(objectAt(`$.paths.${path}.get.responses`), ["200", "304", "400", "414", "500"], path)
      assert.hasAllKeys(
        objectAt(`$.paths.${path}.get.responses.200.headers`),
        ["etag", "cache-control"],
        path,
      )
      assert.notProperty(objectAt(`$.paths.${path}.get.responses.304`), "content", path)
      assert.deepInclude(objectAt(`$.paths.${path}.get.parameters[0]`), {
        in: "header",
        name: "if-none-match",
        required: false,
      })
    }
  })

  it("leaves a document that has no components as it is", () => {
    assert.deepStrictEqual(document({ openapi: "3.1.0" }), { openapi: "3.1.0" })
  })
})
