import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpServer from "effect/http/HttpServer"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { type Quotas, RateLimits } from "../../src/accounts/RateLimits.ts"
import { Authorization } from "../../src/api/Authorization.ts"
import { AccountId, CurrentAccount } from "../../src/domain/Account.ts"
import { Bps } from "../../src/domain/Bps.ts"
import { StoreUnavailable } from "../../src/domain/StoreError.ts"
import { AuthorizationLayer } from "../../src/http/Authorization.ts"
import { AllowedOrigins } from "../../src/http/cors.ts"
import { answering } from "./answering.ts"

const account = { id: AccountId.make(3), name: "an integrator", commissionBps: Bps.make(10), scopes: [] }

const accounts = Accounts.of({
  authenticate: (key) => {
    switch (Redacted.value(key)) {
      case "right":
        return Effect.succeedSome(account)
      case "while the database is down":
        return Effect.fail(new StoreUnavailable({ operation: "Accounts.authenticate", cause: "down" }))
      default:
        return Effect.succeedNone
    }
  },
  bootstrap: () => Effect.die("is not asked for"),
})

class WhoApi extends HttpApi.make("who").add(
  HttpApiGroup.make("who")
    .add(HttpApiEndpoint.get("who", "/who", { success: Schema.String }))
    .middleware(Authorization),
) {}

const whoCalls = HttpApiBuilder.group(
  WhoApi,
  "who",
  (handlers) => handlers.handle("who", () => Effect.map(CurrentAccount, ({ name }) => name)),
)

const routesWith = (quotas: Quotas) =>
  HttpApiBuilder.layer(WhoApi).pipe(
    Layer.provide([whoCalls, HttpServer.layerServices]),
    Layer.provide(AuthorizationLayer),
    Layer.provide([Layer.succeed(Accounts, accounts), RateLimits.layer(quotas)]),
  )

const routes = routesWith({})

const options = { methods: new Map([["/who", ["GET"]]]), headers: {}, pathHeaders: new Map() }

const ask = answering(routes, options)

const wallet = "https://wallet.example"

/** The account of these tests may only be used from the wallet's pages. */
const askFromPage = answering(
  Layer.provide(
    routes,
    Layer.succeed(AllowedOrigins, (origin, of) => of?.name !== account.name || origin === wallet),
  ),
  options,
)

/** The answer to a request with these keys. */
const asked = Effect.fnUntraced(function* (...keys: ReadonlyArray<string>) {
  const response = yield* ask("/who", {}, { credentials: keys.map((key) => Redacted.make(key)) })
  return { response, text: yield* Effect.promise(() => response.text()) }
})

describe("Authorization", () => {
  it.effect("lets a request through with the account of its key", () =>
    Effect.gen(function* () {
      const { response, text } = yield* asked("right")
      assert.strictEqual(response.status, 200)
      assert.strictEqual(text, '"an integrator"')
    }))

  it.effect("answers a missing, an empty and a wrong key alike", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach([[], [""], ["wrong"]], (keys) => asked(...keys))
      for (const { response, text } of answers) {
        assert.strictEqual(response.status, 401)
        assert.strictEqual(response.headers.get("www-authenticate"), "ApiKey")
        assert.notInclude(text, "wrong")
        assert.notProperty(JSON.parse(text), "code")
      }
      const bodies = answers.map(({ text }) => text.replace(/"traceId":"\w+"/, ""))
      assert.strictEqual(new Set(bodies).size, 1)
    }))

  it.effect("refuses two different keys with 400, even where one of them is right", () =>
    Effect.gen(function* () {
      const { response, text } = yield* asked("right", "wrong")
      assert.strictEqual(response.status, 400)
      assert.deepStrictEqual(JSON.parse(text).errors, {
        apiKey: ["apiKey is given several times with different values"],
      })
      assert.notInclude(text, "wrong")
    }))

  it.effect("refuses a page of an origin that the account does not allow, in an answer that it can read", () =>
    Effect.gen(function* () {
      const credentials = [Redacted.make("right")]
      for (
        const [headers, status] of [
          [{ origin: wallet }, 200],
          [{ origin: "https://elsewhere.example" }, 403],
          [{ origin: "null" }, 403],
          [{}, 200],
        ] as const
      ) {
        const response = yield* askFromPage("/who", { headers }, { credentials })
        assert.strictEqual(response.status, status)
        assert.strictEqual(response.headers.get("access-control-allow-origin"), "*")
        const text = yield* Effect.promise(() => response.text())
        assert.strictEqual(text.includes(account.name), status === 200)
        if (status === 403) assert.notProperty(JSON.parse(text), "code")
      }
      const anyOrigin = yield* ask("/who", { headers: { origin: "https://elsewhere.example" } }, {
        credentials,
      })
      assert.strictEqual(anyOrigin.status, 200)
    }))

  it.effect("answers 503 while accounts cannot be looked up", () =>
    Effect.gen(function* () {
      const { response } = yield* asked("while the database is down")
      assert.strictEqual(response.status, 503)
      assert.strictEqual(response.headers.get("retry-after"), "5")
    }))
})
