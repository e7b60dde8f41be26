import { assert } from "@effect/vitest"
import { Context, Option } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "#api/Api.ts"
import { samples } from "#api/document/examples.ts"
import { NamesOfOpening } from "#api/Idempotency.ts"
import { SandboxApi } from "#interfaces/http/Sandbox.ts"
import { call, get, withBroker } from "./support/call.ts"
import { newAccount } from "./support/operator.ts"
import { faultText, faultyParameters } from "./support/problem.ts"

const withBodies: ReadonlyArray<string> = ["POST", "PUT", "PATCH", "DELETE"]

const groups = [...Object.values(Api.groups), ...Object.values(SandboxApi.groups)]

const endpoints = groups.flatMap(({ endpoints }) => Object.values(endpoints))
  .filter(({ method }) => withBodies.includes(method))
  .map((endpoint) => ({
    method: endpoint.method,
    path: endpoint.path,
    id: Option.getOrElse(Context.getOption(endpoint.annotations, OpenApi.Identifier), () => ""),
    isOpening: Option.isSome(Context.getOption(endpoint.annotations, NamesOfOpening)),
  }))

/** Endpoints whose bodies are not the service's own: those that begin a swap, and the upstream's JSON-RPC. */
const foreign = (id: string, isOpening: boolean) => isOpening || id === "callRpc"

const ids = (path: string, account: string): string =>
  path
    .replace("/accounts/:name", `/accounts/${account}`)
    .replace("/providers/:name", "/providers/chainflip")
    .replace("/affiliates/:name", "/affiliates/wallet-one")
    .replace("/keys/:id", "/keys/7f3kq2mzr5xwa6hd")
    .replace("/webhooks/:id", "/webhooks/whk_7f3kq2mzr5xwa6hd")
    .replace(":delivery", "1")
    .replace(":id", "1")

withBroker()("bodies of the service's own (decision 57)", (it) => {
  it.effect("name a member that they do not have, at each endpoint, and nothing is done", function* () {
    const account = yield* newAccount()
    const before = yield* get("/operator/audit")
    const own = endpoints.filter(({ id, isOpening }) => !foreign(id, isOpening))
    assert.isAbove(own.length, 30)
    for (const { id, method, path } of own) {
      const { body = {}, parameters = {} } = samples[id] ?? {}
      const answer = yield* call(method, ids(path, account), {
        body: { ...Object(body), suspendd: true },
        query: parameters,
      })
      assert.strictEqual(answer.status, 400, `${method} ${path} ${answer.text}`)
      assert.deepStrictEqual(faultyParameters(answer), ["suspendd"], path)
    }
    assert.deepStrictEqual(yield* get("/operator/audit"), before)
  })

  it.effect("name the nearest member, with all other faults at once", function* () {
    const account = yield* newAccount()
    const nearest = [
      ["PATCH", `/operator/accounts/${account}`, { suspendd: true }, "suspendd", "suspended"],
      ["PATCH", `/operator/accounts/${account}`, { suspendd: null }, "suspendd", "suspended"],
      ["PATCH", `/operator/accounts/${account}`, { commission_bps: 5 }, "commission_bps", "commissionBps"],
      ["POST", "/webhooks", { url: "https://example.com", events: ["swap.failed"] }, "events", "types"],
      ["PUT", `/operator/accounts/${account}/merchant`, { color: "#000000" }, "color", "colour"],
      ["POST", `/operator/accounts/${account}/keys`, { expires: 1 }, "expires", "expiresAt"],
    ] as const
    for (const [method, path, body, given, meant] of nearest) {
      const answer = yield* call(method, path, { body })
      assert.deepStrictEqual(faultyParameters(answer), [given])
      assert.include(faultText(answer, given), meant)
    }
    const several = yield* call("POST", "/webhooks", { body: { events: [], secret: "x", url: 1 } })
    assert.deepStrictEqual(faultyParameters(several).toSorted(), ["events", "secret", "url"])
  })

  it.effect("leave a merchant as it was where a body has a stranger", function* () {
    const account = yield* newAccount()
    const path = `/operator/accounts/${account}/merchant`
    yield* call("PUT", path, { body: { displayName: "Acme" } })
    const refused = yield* call("PUT", path, { body: { extra: "x", suport: "https://acme.example" } })
    assert.deepStrictEqual(faultyParameters(refused).toSorted(), ["extra", "suport"])
    assert.deepStrictEqual(yield* get(path), { displayName: "Acme" })
  })
})

withBroker()("texts that people read", (it) => {
  it.effect("are refused with characters that nobody sees, wherever one is taken", function* () {
    const account = yield* newAccount()
    for (
      const character of ["\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u034f", "\u200b", "\u{e0041}"]
    ) {
      for (const text of [character, `Acme${character}`]) {
        const answers = [
          [yield* call("POST", `/operator/accounts/${account}/keys`, { body: { label: text } }), "label"],
          [
            yield* call("PUT", `/operator/accounts/${account}/merchant`, { body: { displayName: text } }),
            "displayName",
          ],
          [
            yield* call("POST", "/providers/chainflip/switch", { body: { enabled: true, reason: text } }),
            "reason",
          ],
          [yield* call("POST", "/operator/accounts", { body: { name: text } }), "name"],
        ] as const
        for (const [answer, name] of answers) assert.deepStrictEqual(faultyParameters(answer), [name])
      }
    }
  })
})
