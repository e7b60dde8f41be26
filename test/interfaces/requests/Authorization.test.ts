import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpServer from "effect/http/HttpServer"
import { Accounts } from "#application/accounts/Accounts.ts"
import { RequestErrors } from "#application/accounts/RequestErrors.ts"
import { type Quotas, RateLimits } from "#application/limits/RateLimits.ts"
import { Authorization, CurrentAccount, needsScope } from "#api/Authorization.ts"
import { AccountName, Origin } from "#domain/accounts/Account.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { AuthorizationLayer, Reports } from "#interfaces/requests/Authorization.ts"
import { callerWith } from "#test/support/account.ts"
import { answering } from "#test/interfaces/http/answering.ts"

const keys = new Map([
  ["right", callerWith({ name: AccountName.make("an-integrator"), scopes: ["status"] })],
  ["of a suspended account", callerWith({ suspended: true })],
  ["of pages of one origin", callerWith({ allowedOrigins: [Origin.make("https://app.example")] })],
])

const accounts = Layer.mock(Accounts, {
  issuedId: () => Effect.succeedNone,
  authenticate: (key) =>
    Redacted.value(key) === "while the database is down"
      ? Effect.fail(new StoreUnavailable({ operation: "Accounts.authenticate", cause: "down" }))
      : Effect.succeed(Option.fromUndefinedOr(keys.get(Redacted.value(key)))),
})

const who = (path: `/${string}`) => HttpApiEndpoint.get("who", path, { success: Schema.String })

const about = { title: "Who", description: "Who calls." }

class WhoApi extends HttpApi.make("who").add(
  HttpApiGroup.make("any").add(who("/any")).middleware(Authorization),
).add(
  HttpApiGroup.make("look").add(who("/look")).middleware(Authorization)
    .annotateMerge(needsScope("status", about)),
).add(
  HttpApiGroup.make("quote").add(who("/quote")).middleware(Authorization)
    .annotateMerge(needsScope("quote", about)),
) {}

const name = Effect.map(CurrentAccount, (caller) => caller.name)

const handlers = Layer.mergeAll(
  HttpApiBuilder.group(WhoApi, "any", (handlers) => handlers.handle("who", () => name)),
  HttpApiBuilder.group(WhoApi, "look", (handlers) => handlers.handle("who", () => name)),
  HttpApiBuilder.group(WhoApi, "quote", (handlers) => handlers.handle("who", () => name)),
)

const paths = ["/any", "/look", "/quote"]

const routesWith = (quotas: Quotas) =>
  HttpApiBuilder.layer(WhoApi).pipe(
    Layer.provide([handlers, HttpServer.layerServices]),
    Layer.provide(AuthorizationLayer),
    Layer.provide([
      accounts,
      RateLimits.layer(quotas),
      Layer.mock(RequestErrors)({ note: () => Effect.void }),
      Layer.succeed(Reports, { arePublic: false }),
    ]),
  )

const options = {
  paths: new Map(paths.map((path) => [path, { methods: ["GET"] }])),
  headers: {},
}

const ask = answering(routesWith({}), options)

const answered = Effect.fnUntraced(
  function* (path: string, keys: ReadonlyArray<string>, headers: Readonly<Record<string, string>> = {}) {
    const response = yield* ask(path, { headers }, { credentials: keys.map((key) => Redacted.make(key)) })
    return { response, text: yield* Effect.promise(() => response.text()) }
  },
)

/** The answer to a request with these keys. */
const asked = (...keys: ReadonlyArray<string>) => answered("/any", keys)

/** The statuses of the paths, in their order. */
const statuses = (key: string, origin?: string) =>
  Effect.forEach(
    paths,
    (path) =>
      Effect.map(answered(path, [key], origin === undefined ? {} : { origin }), ({ response, text }) => {
        if (response.status === 403) assert.notProperty(JSON.parse(text), "code")
        return response.status
      }),
  )

describe("Authorization", () => {
  it.effect("lets a request through with the account of its key", function* () {
    const { response, text } = yield* asked("right")
    assert.strictEqual(response.status, 200)
    assert.strictEqual(text, '"an-integrator"')
  })

  it.effect("answers a missing, an empty and a wrong key alike", function* () {
    const answers = yield* Effect.forEach([[], [""], ["wrong"]], (keys) => asked(...keys))
    for (const { response, text } of answers) {
      assert.strictEqual(response.status, 401)
      assert.strictEqual(response.headers.get("www-authenticate"), "ApiKey")
      assert.notInclude(text, "wrong")
      assert.notProperty(JSON.parse(text), "code")
    }
    const bodies = answers.map(({ text }) => text.replace(/"traceId":"\w+"/, ""))
    assert.strictEqual(new Set(bodies).size, 1)
  })

  it.effect("refuses two different keys with 400, even where one of them is right", function* () {
    const { response, text } = yield* asked("right", "wrong")
    assert.strictEqual(response.status, 400)
    assert.deepStrictEqual(JSON.parse(text).errors, {
      apiKey: ["apiKey was given several times with different values"],
    })
    assert.notInclude(text, "wrong")
  })

  it.effect("answers 503 while accounts cannot be looked up", function* () {
    const { response } = yield* asked("while the database is down")
    assert.strictEqual(response.status, 503)
    assert.strictEqual(response.headers.get("retry-after"), "5")
  })

  it.effect("refuses a key that lacks the scope of the group, and says which", function* () {
    assert.deepStrictEqual(yield* statuses("right"), [200, 200, 403])
    assert.include((yield* answered("/quote", ["right"])).text, 'the scope \\"quote\\"')
  })

  it.effect("lets a suspended account only look", function* () {
    assert.deepStrictEqual(yield* statuses("of a suspended account"), [403, 200, 403])
  })

  it.effect("refuses pages of other origins than the account allows, but not what comes from no page", function* () {
    const key = "of pages of one origin"
    assert.deepStrictEqual(yield* statuses(key), [200, 200, 200])
    assert.deepStrictEqual(yield* statuses(key, "https://app.example"), [200, 200, 200])
    assert.deepStrictEqual(yield* statuses(key, "https://app.example.evil.example"), [403, 403, 403])
    assert.deepStrictEqual(yield* statuses("of a suspended account", "https://anywhere.example"), [
      403,
      200,
      403,
    ])
  })

  it("says in the documentation of each group which scope it needs", () => {
    const { tags } = OpenApi.fromApi(WhoApi)
    assert.deepStrictEqual(tags.map(({ description }) => description), [
      undefined,
      "Who calls. Needs a key with the scope `status`.",
      "Who calls. Needs a key with the scope `quote`.",
    ])
  })
})
