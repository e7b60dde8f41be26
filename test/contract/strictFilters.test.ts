import { assert } from "@effect/vitest"
import { Context, Option } from "effect"
import { Api } from "#api/Api.ts"
import { NamesOfOpening } from "#api/Idempotency.ts"
import { RequiredScopes } from "#api/Authorization.ts"
import { samples } from "#api/document/examples.ts"
import * as OpenApi from "effect/http-api/OpenApi"
import { call, withBroker } from "./support/call.ts"
import { integerAt } from "./support/Json.ts"
import { newAccount } from "./support/operator.ts"
import { faultText, faultyParameters } from "./support/problem.ts"
import { openSwap } from "./support/swaps.ts"

const isOperators = (annotations: Context.Context<never>) =>
  Option.exists(Context.getOption(annotations, RequiredScopes), (scopes) => scopes.includes("operate"))

/** Streams, JSON-RPC and what is asked by machines of the operator's have no parameters to mistype. */
const without: ReadonlyArray<string> = ["/rpc", "/livez", "/readyz", "/logos/:name"]

const gets = Object.values(Api.groups).flatMap(({ annotations, endpoints }) =>
  Object.values(endpoints).filter(({ method, path }) => method === "GET" && !without.includes(path))
    .map((endpoint) => ({
      path: endpoint.path,
      id: Option.getOrElse(Context.getOption(endpoint.annotations, OpenApi.Identifier), () => ""),
      isOpening: Option.isSome(Context.getOption(endpoint.annotations, NamesOfOpening)),
      isOperators: isOperators(annotations),
    }))
)

const ids = (path: string, account: string, swap: number): string =>
  path
    .replace("/accounts/:name", `/accounts/${account}`)
    .replace("/providers/:name", "/providers/chainflip")
    .replace(":token", "x")
    .replace("/webhooks/:id", "/webhooks/whk_7f3kq2mzr5xwa6hd")
    .replace(":delivery", "1")
    .replace(":id", `${swap}`)

withBroker()("names that a query has beside the endpoint's (decisions 3 and 57)", (it) => {
  it.effect("are refused on every list of the operator's, by their name", function* () {
    const account = yield* newAccount()
    const id = integerAt(yield* openSwap(), "id")
    const own = gets.filter(({ isOperators }) => isOperators)
    assert.isAbove(own.length, 15)
    for (const { id: identifier, path } of own) {
      const query = { ...samples[identifier]?.parameters, nonsense: "1", "X-Api-Key": "2" }
      const answer = yield* call("GET", ids(path, account, id), { query })
      const faulty = faultyParameters(answer).filter((name) => !["from", "to"].includes(name))
      assert.deepStrictEqual(faulty, ["X-Api-Key", "nonsense"], path)
    }
  })

  it.effect("come with the right one, and with every other fault of the request", function* () {
    const slips = [
      ["/operator/swaps", { state: "failed" }, "state", "status"],
      ["/operator/swaps", { acount: "x" }, "acount", "account"],
      ["/operator/swaps", { created_from: "0" }, "created_from", "createdFrom"],
      ["/operator/audit", { actions: "key.issued" }, "actions", "action"],
      ["/operator/treasury/withdrawals", { status: "paid" }, "status", "state"],
    ] as const
    for (const [path, query, given, meant] of slips) {
      const answer = yield* call("GET", path, { query })
      assert.deepStrictEqual(faultyParameters(answer), [given])
      assert.include(faultText(answer, given), meant)
    }
    const several = yield* call("GET", "/operator/swaps", {
      query: { state: "failed", limit: "0", sort: "up" },
    })
    assert.deepStrictEqual(faultyParameters(several), ["limit", "sort", "state"])
    const value = yield* call("GET", "/operator/swaps", { query: { status: "faild" } })
    assert.match(faultText(value, "status"), /did you mean failed/)
  })

  it.effect("are ignored on every other, and listed", function* () {
    const account = yield* newAccount()
    const id = integerAt(yield* openSwap(), "id")
    for (const { id: identifier, isOpening, path } of gets.filter(({ isOperators }) => !isOperators)) {
      if (isOpening) continue
      const query = { ...samples[identifier]?.parameters, utm_source: "x" }
      const answer = yield* call("GET", ids(path, account, id), { query })
      if (answer.status !== 200) continue
      assert.strictEqual(answer.headers.get("ignored-parameters"), "utm_source", path)
    }
    const { headers } = yield* call("GET", "/swaps", { query: { until: "2026-01-01", limit: "1" } })
    assert.strictEqual(headers.get("ignored-parameters"), "until")
  })
})
