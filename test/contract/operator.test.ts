import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, get, withBroker } from "./support/call.ts"
import { at, find, integerAt, type Json, listAt, pick, textAt } from "./support/Json.ts"
import { assertMembers, equal, list, object, text, time } from "./support/members.ts"
import { issue, newAccount, operate } from "./support/operator.ts"
import { openSwap } from "./support/swaps.ts"
import { wrongAccounts, wrongKeys, wrongRoutes } from "./support/operatorBodies.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"

withBroker()("the operator's endpoints", (it) => {
  it.effect("create, list and change accounts", function* () {
    const name = "wallet-one"
    const made = yield* call("POST", "/operator/accounts", { body: { name, commissionBps: 15 } })
    assert.strictEqual(made.status, 201, made.text)
    assertMembers(made.body, { name: equal(name), commissionBps: () => true, createdAt: time })
    assert.strictEqual(integerAt(made.body, "commissionBps"), 15)
    assert.strictEqual(find(made.body, "affiliates"), true)
    assert.strictEqual(find(made.body, "allowedOrigins"), "*")
    assert.strictEqual(find(made.body, "suspended"), false)
    const all = yield* get("/operator/accounts")
    assert.deepStrictEqual(pick(all, (one) => textAt(one, "name") === name), made.body)
    pick(all, (one) => textAt(one, "name") === "default")
    const changes = {
      affiliates: false,
      allowedOrigins: ["https://app.example"],
      mcp: false,
      suspended: true,
    }
    const changed = yield* operate("PATCH", `/accounts/${name}`, changes)
    assert.strictEqual(integerAt(changed, "commissionBps"), 15)
    assert.strictEqual(find(changed, "affiliates"), false)
    assert.deepStrictEqual(find(changed, "allowedOrigins"), ["https://app.example"])
    assert.strictEqual(find(changed, "suspended"), true)
    assert.deepStrictEqual(yield* operate("PATCH", `/accounts/${name}`), changed)
    assertFailure(yield* call("POST", "/operator/accounts", { body: { name } }), 409)
  })

  it.effect("tell every fault of an account at once, and change nothing then", function* () {
    const before = yield* get("/operator/accounts")
    for (const [body, faulty] of wrongAccounts) {
      const answer = yield* call("POST", "/operator/accounts", { body })
      assert.deepStrictEqual(faultyParameters(answer), faulty, JSON.stringify(body))
    }
    const answer = yield* call("PATCH", "/operator/accounts/default", { body: { commissionBps: "x" } })
    assert.deepStrictEqual(faultyParameters(answer), ["commissionBps"])
    assert.deepStrictEqual(yield* get("/operator/accounts"), before)
  })

  it.effect("accept no end that is not disputed, nor one of no swap", function* () {
    const id = integerAt(yield* openSwap(), "id")
    const accept = (swap: string, body: object) => call("POST", `/operator/swaps/${swap}/accept`, { body })
    const [entry] = listAt(yield* get(`/operator/swaps/${id}/journal`))
    const refused = yield* accept(`${id}`, { entry: integerAt(entry ?? null, "id") })
    assertFailure(refused, 409)
    assert.strictEqual(textAt(refused.body, "detail"), "The end of this swap is not disputed")
    for (const body of [{}, { entry: "1" }, { entry: 0 }, { entry: 1.5 }]) {
      assert.deepStrictEqual(
        faultyParameters(yield* accept(`${id}`, body)),
        ["entry"],
        JSON.stringify(body),
      )
    }
    for (const swap of ["999999999", "0", "x"]) assertFailure(yield* accept(swap, { entry: 1 }), 404)
  })

  it.effect("know no account and no key by another name", function* () {
    for (const name of ["nobody", "Default", "default%20", "%00", "..%2f"]) {
      assertFailure(yield* call("PATCH", `/operator/accounts/${name}`, { body: {} }), 404)
      assertFailure(yield* call("GET", `/operator/accounts/${name}/keys`), 404)
      assertFailure(yield* call("POST", `/operator/accounts/${name}/keys`), 404)
      assertFailure(yield* call("GET", `/operator/accounts/${name}/routes`), 404)
    }
    assertFailure(yield* call("DELETE", "/operator/keys/nothing"), 404)
    assertFailure(yield* call("DELETE", "/operator/keys/aaaaaaaaaaaaaaaa"), 404)
  })

  it.effect("show a key once; it works at once, and not after it is revoked", function* () {
    const account = yield* newAccount()
    const issued = yield* call("POST", `/operator/accounts/${account}/keys`, { body: { label: "server" } })
    assert.strictEqual(issued.status, 201, issued.text)
    assertMembers(issued.body, { id: text, key: text, scopes: list, createdAt: time, label: equal("server") })
    const key = textAt(issued.body, "key")
    const id = textAt(issued.body, "id")
    assert.match(key, new RegExp(`^sbk_${id}_[a-z2-7]{48}$`))
    yield* get("/swaps", {}, { key })
    const listed = yield* get(`/operator/accounts/${account}/keys`)
    assert.notInclude(JSON.stringify(listed), key)
    assert.deepStrictEqual(at(listed, 0, "scopes"), ["quote", "swap", "status", "history"])
    const revoked = yield* operate("DELETE", `/keys/${id}`)
    assertMembers(revoked, { id: equal(id), revokedAt: time }, ["key"])
    assertFailure(yield* call("GET", "/swaps", { key }), 401)
    assert.deepStrictEqual(yield* operate("DELETE", `/keys/${id}`), revoked)
  })

  it.effect("give an account any number of keys, so that one can be replaced without a gap", function* () {
    const account = yield* newAccount()
    const [old, replacement] = [yield* issue(account), yield* issue(account)]
    for (const { key } of [old, replacement]) yield* get("/swaps", {}, { key })
    yield* operate("DELETE", `/keys/${old.id}`)
    yield* get("/swaps", {}, { key: replacement.key })
    const listed = yield* get(`/operator/accounts/${account}/keys`)
    assert.deepStrictEqual(listAt(listed).map((one) => textAt(one, "id")), [replacement.id, old.id])
  })

  it.effect("tell every fault of a key at once", function* () {
    const account = yield* newAccount()
    for (const [body, faulty] of wrongKeys) {
      const answer = yield* call("POST", `/operator/accounts/${account}/keys`, { body })
      assert.deepStrictEqual(faultyParameters(answer), faulty, JSON.stringify(body))
    }
    assert.deepStrictEqual(yield* get(`/operator/accounts/${account}/keys`), [])
  })

  it.effect("cannot be taken from the last key that operates the service", function* () {
    const [own] = listAt(yield* get("/operator/accounts/default/keys"))
    if (own === undefined) return assert.fail("the account default has no key")
    assertFailure(yield* call("DELETE", `/operator/keys/${textAt(own, "id")}`), 409)
    const body = { suspended: true }
    assertFailure(yield* call("PATCH", "/operator/accounts/default", { body }), 409)
    yield* get("/operator/accounts")
  })

  it.effect("list the route rules of an account, which can be set anew and removed", function* () {
    const path = `/accounts/${yield* newAccount()}/routes`
    const rule = { sourceAsset: "btc.btc", destinationAsset: "*", allowed: false }
    assert.deepStrictEqual(yield* operate("GET", path), [])
    assert.deepStrictEqual(yield* operate("PUT", path, rule), [rule])
    assert.deepStrictEqual(yield* operate("PUT", path, { ...rule, allowed: true }), [{
      ...rule,
      allowed: true,
    }])
    const other = { sourceAsset: "*", destinationAsset: "*", allowed: false }
    const both = [{ ...rule, allowed: true }, other]
    assert.deepStrictEqual(yield* operate("PUT", path, other), both)
    assert.deepStrictEqual(yield* operate("GET", path), both)
    const left = yield* operate("DELETE", `${path}?sourceAsset=btc.btc&destinationAsset=*`)
    assert.deepStrictEqual(left, [other])
  })

  it.effect("tell every fault of a rule at once", function* () {
    const path = `/operator/accounts/${yield* newAccount()}/routes`
    for (const [body, faulty] of wrongRoutes) {
      const answer = yield* call("PUT", path, { body })
      assert.deepStrictEqual(faultyParameters(answer), faulty, JSON.stringify(body))
    }
    const removal = yield* call("DELETE", path, { query: { sourceAsset: "gold" } })
    assert.deepStrictEqual(faultyParameters(removal), ["destinationAsset", "sourceAsset"])
  })

  it.effect("give scopes that the key of the request has, and no others (decision 45)", function* () {
    const account = yield* newAccount()
    const { id, key } = yield* issue(account, { scopes: ["operate", "quote"] })
    for (const name of [account, "default"]) {
      const path = `/operator/accounts/${name}/keys`
      const refused = yield* call("POST", path, { key, body: { scopes: ["quote", "withdraw", "swap"] } })
      assertFailure(refused, 403)
      assert.include(textAt(refused.body, "detail"), 'a key with "withdraw", "swap"')
      assert.notInclude(refused.text, "sbk_")
    }
    const path = `/operator/accounts/${account}/keys`
    const made = yield* call("POST", path, { key, body: { scopes: ["quote"] } })
    assert.strictEqual(made.status, 201)
    assert.strictEqual(textAt(made.body, "madeBy"), id)
    const wrong = yield* call("DELETE", `/operator/keys/${id}`, { query: { withMade: "yes" } })
    assert.deepStrictEqual(faultyParameters(wrong), ["withMade"])
    yield* call("DELETE", `/operator/keys/${id}`, { query: { withMade: "true" } })
    const listed = listAt(yield* get(path))
    assert.isTrue(listed.length === 2 && listed.every((one) => find(one, "revokedAt") !== undefined))
  })

  it.effect("say who changed what, the latest first, page by page", function* () {
    const account = yield* newAccount()
    const { id, key } = yield* issue(account, { scopes: ["operate"] })
    const reason = "for the test"
    const options = { key, body: { enabled: false, reason } }
    assert.strictEqual((yield* call("POST", "/providers/chainflip/switch", options)).status, 200)
    yield* call("POST", "/providers/chainflip/switch", { key, body: { enabled: true, reason } })
    const latest = yield* get("/operator/audit", { limit: "4" })
    assert.deepStrictEqual(listAt(latest).map((entry) => textAt(entry, "change", "action")), [
      "provider.switched",
      "provider.switched",
      "key.issued",
      "account.created",
    ])
    for (const entry of listAt(latest)) {
      assertMembers(entry, { id: () => true, at: time, actor: object, change: object })
    }
    assert.deepStrictEqual(at(latest, 0, "actor"), { type: "key", account, keyId: id })
    assert.deepStrictEqual(at(latest, 0, "change", "before"), { enabled: false, reason })
    assert.strictEqual(textAt(latest, 2, "actor", "account"), "default")
    assert.notInclude(JSON.stringify(yield* get("/operator/audit", { limit: "500" })), key)
    const page = yield* call("GET", "/operator/audit", { query: { limit: "2" } })
    assert.deepStrictEqual(page.body, listAt(latest).slice(0, 2))
    const [, next = ""] = /^<([^>]+)>; rel="next"$/.exec(page.headers.get("link") ?? "") ?? []
    const rest = yield* call("GET", next)
    assert.deepStrictEqual(rest.body, listAt(latest).slice(2, 4))
    const [first] = listAt(yield* get("/operator/audit", { offset: "1" }))
    assert.isDefined(first)
    assert.strictEqual(textAt(first, "change", "action"), "account.created")
    assert.deepStrictEqual(at(first, "actor"), { type: "bootstrap" })
    yield* operate("DELETE", `/keys/${id}`)
  })

  it.effect("list the changes of an account, of some actions, by somebody, of some time", function* () {
    const account = yield* newAccount()
    const { id } = yield* issue(account)
    yield* operate("DELETE", `/keys/${id}`)
    const actions = (query: Record<string, string> | ReadonlyArray<readonly [string, string]>) =>
      Effect.map(
        get("/operator/audit", query),
        (log) => listAt(log).map((entry) => textAt(entry, "change", "action")),
      )
    const all = ["key.revoked", "key.issued", "account.created"]
    assert.deepStrictEqual(yield* actions({ account }), all)
    assert.deepStrictEqual(
      yield* actions([["account", account], ["action", "key.issued"], ["action", "account.created"]]),
      ["key.issued", "account.created"],
    )
    assert.deepStrictEqual(yield* actions({ account, actor: "default" }), all)
    assert.deepStrictEqual(yield* actions({ account, actor: "cli" }), [])
    assert.includeMembers([...(yield* actions({ actor: "bootstrap", limit: "500" }))], ["account.created"])
    const [latest] = listAt(yield* get("/operator/audit", { account }))
    const at = latest === undefined ? 0 : integerAt(latest, "at")
    assert.strictEqual((yield* actions({ account, from: `${at}` }))[0], "key.revoked")
    assert.notInclude(yield* actions({ account, before: `${at}` }), "key.revoked")
    assert.deepStrictEqual(yield* actions({ account: "nobody-at-all" }), [])
    const wrong = yield* call("GET", "/operator/audit", {
      query: { account: "No Name", action: "key.lost", actor: "\u0000", from: "soon", before: "-1" },
    })
    assert.deepStrictEqual(faultyParameters(wrong), ["account", "action", "actor", "before", "from"])
  })

  it.effect("refuse a wrong part of the log", function* () {
    const answer = yield* call("GET", "/operator/audit", { query: { offset: "0", limit: "501" } })
    assert.deepStrictEqual(faultyParameters(answer), ["limit", "offset"])
  })

  /** Every part of a list, by the links from one to the next. */
  const parts = Effect.fnUntraced(function* (path: string, limit: string) {
    const lists: Array<ReadonlyArray<Json>> = []
    let answer = yield* call("GET", path, { query: { limit } })
    while (true) {
      assert.strictEqual(answer.status, 200, answer.text)
      lists.push(listAt(answer.body))
      const [, next] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "") ?? []
      if (next === undefined) return lists
      answer = yield* call("GET", next)
    }
  })

  it.effect("list accounts by name, part by part", function* () {
    for (let count = 0; count < 3; count++) yield* newAccount()
    const all = listAt(yield* get("/operator/accounts", { limit: "500" }))
    const names = all.map((account) => textAt(account, "name"))
    const lists = yield* parts("/operator/accounts", "2")
    assert.deepStrictEqual(lists.flat(), [...all])
    for (const list of lists.slice(0, -1)) assert.strictEqual(list.length, 2)
    const [, second = ""] = names
    const from = listAt(yield* get("/operator/accounts", { offset: second, limit: "1" }))
    assert.deepStrictEqual(from.map((account) => textAt(account, "name")), [second])
    assert.deepStrictEqual(yield* get("/operator/accounts", { offset: "zzzz" }), [])
  })

  it.effect("list keys from the latest on, part by part, and none from another account's on", function* () {
    const [account, other] = [yield* newAccount(), yield* newAccount()]
    const path = `/operator/accounts/${account}/keys`
    const issued: Array<string> = []
    for (let count = 0; count < 5; count++) issued.unshift((yield* issue(account)).id)
    const lists = yield* parts(path, "2")
    assert.deepStrictEqual(lists.map((list) => list.length), [2, 2, 1])
    assert.deepStrictEqual(lists.flat().map((key) => textAt(key, "id")), issued)
    const { id } = yield* issue(other)
    assert.deepStrictEqual(yield* get(path, { offset: id }), [])
  })

  it.effect("refuse a wrong part of a list", function* () {
    const paths = ["/operator/accounts", `/operator/accounts/${yield* newAccount()}/keys`]
    for (const path of paths) {
      const answer = yield* call("GET", path, { query: { offset: "No such", limit: "501" } })
      assert.deepStrictEqual(faultyParameters(answer), ["limit", "offset"])
    }
  })
})
