import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { call } from "#test/contract/support/call.ts"
import { integerAt, textAt } from "#test/contract/support/Json.ts"
import { issue, newAccount, operate } from "#test/contract/support/operator.ts"
import { openSwap } from "#test/contract/support/swaps.ts"
import { broker, testKey } from "#test/support/broker.ts"
import { pages } from "#interfaces/dashboard/registry.ts"
import { cookieOf, ownForm, request, send, signIn } from "./support/signIn.ts"

const statusWith = (cookie: string, path = "/dashboard") =>
  Effect.map(request(path, { headers: { cookie } }), ({ status }) => status)

/** A key that may operate, of an account of its own: taking it away leaves the others an operator. */
const newOperator = Effect.gen(function* () {
  const account = yield* newAccount()
  return { account, ...(yield* issue(account, { scopes: ["operate"] })) }
})

const newLink = Effect.fnUntraced(function* (account: string, key: string = testKey) {
  const answer = yield* call("POST", `/operator/accounts/${account}/portal-link`, { key })
  assert.strictEqual(answer.status, 201, answer.text)
  const [page, code = ""] = textAt(answer.body, "url").split("#")
  return { page, code, expiresAt: integerAt(answer.body, "expiresAt") }
})

const enter = (code: string, cookie = "") => send("/dashboard/enter", { code }, { ...ownForm, cookie })

layer(broker(), { excludeTestServices: true })("sessions of the dashboard", (it) => {
  it.effect("begin with a key that may operate, in a cookie that scripts and other sites never get", function* () {
    const { headers, status } = yield* send("/dashboard/login", { key: testKey, to: "/dashboard?x=1" })
    assert.strictEqual(status, 303)
    assert.strictEqual(headers.get("location"), "/dashboard/login?to=%2Fdashboard%3Fx%3D1&why=kept")
    const [cookie = "", ...attributes] = (headers.get("set-cookie") ?? "").split("; ")
    assert.match(cookie, /^__Host-swap-broker=[A-Za-z0-9_-]{43}$/)
    assert.deepStrictEqual(attributes, ["Path=/", "Secure", "HttpOnly", "SameSite=Strict", "Max-Age=43200"])
    assert.strictEqual(yield* statusWith(cookie), 200)
    const on = yield* request("/dashboard/login?to=%2Fdashboard%3Fx%3D1&why=kept", { headers: { cookie } })
    assert.deepStrictEqual([on.status, on.headers.get("location")], [303, "/dashboard?x=1"])
  })

  it.effect("do not begin with a key that is wrong, may not operate, or is of a suspended account", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    const suspended = yield* newOperator
    yield* operate("PATCH", `/accounts/${suspended.account}`, { suspended: true }).pipe(Effect.ignore)
    for (
      const [tried, status] of [["wrong-key-of-nobody-0123456789", 401], ["", 401], [key, 403], [
        suspended.key,
        403,
      ]] as const
    ) {
      const answer = yield* send("/dashboard/login", { key: tried })
      assert.strictEqual(answer.status, status)
      assert.isNull(answer.headers.get("set-cookie"))
      if (tried !== "") assert.notInclude(answer.text, tried)
    }
  })

  it.effect("have a token of their own after each sign-in, and the one before is worth nothing", function* () {
    const planted = "__Host-swap-broker=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    const first = cookieOf(yield* send("/dashboard/login", { key: testKey }, { ...ownForm, cookie: planted }))
    assert.notStrictEqual(first, planted)
    assert.strictEqual(yield* statusWith(planted), 303)
    const second = cookieOf(yield* send("/dashboard/login", { key: testKey }, { ...ownForm, cookie: first }))
    assert.deepStrictEqual([yield* statusWith(first), yield* statusWith(second)], [303, 200])
  })

  it.effect("are not found by a part of their token, nor by the key in its place", function* () {
    const cookie = yield* signIn()
    for (
      const stolen of [
        cookie.slice(0, -1),
        `${cookie}A`,
        cookie.toLowerCase(),
        `__Host-swap-broker=${testKey}`,
        cookie.replace("__Host-", ""),
      ]
    ) {
      assert.strictEqual(yield* statusWith(stolen), 303, stolen)
    }
    const byQuery = yield* request(`/dashboard?apiKey=${testKey}`, { headers: { "x-api-key": testKey } })
    assert.strictEqual(byQuery.status, 303)
    const asKey = yield* call("GET", "/operator/accounts", { key: cookie.split("=")[1] ?? "" })
    assert.strictEqual(asKey.status, 401)
  })

  it.effect("end by signing out", function* () {
    const cookie = yield* signIn()
    const { headers, status } = yield* send("/dashboard/logout", {}, { ...ownForm, cookie })
    assert.deepStrictEqual([status, headers.get("location")], [303, "/dashboard/login"])
    assert.match(headers.get("set-cookie") ?? "", /^__Host-swap-broker=; .*Max-Age=0$/)
    assert.strictEqual(yield* statusWith(cookie), 303)
  })

  it.effect("end with their key: revoked, or its account suspended", function* () {
    const one = yield* newOperator
    const cookie = yield* signIn(one.key)
    assert.strictEqual(yield* statusWith(cookie), 200)
    yield* operate("DELETE", `/keys/${one.id}`)
    assert.strictEqual(yield* statusWith(cookie), 303)
    const other = yield* newOperator
    const second = yield* signIn(other.key)
    yield* operate("PATCH", `/accounts/${other.account}`, { suspended: true })
    assert.strictEqual(yield* statusWith(second), 303)
  })

  it.effect("begin by a link once, and show that account alone", function* () {
    const account = yield* newAccount()
    const { code, page } = yield* newLink(account)
    assert.match(page ?? "", /^http:\/\/127\.0\.0\.1:\d+\/dashboard\/enter$/)
    assert.strictEqual((yield* request(`/dashboard/enter?code=${code}`)).status, 200)
    const entered = yield* enter(code)
    assert.deepStrictEqual([entered.status, cookieOf(entered).length], [303, 62])
    assert.strictEqual((yield* enter(code)).status, 401)
    const cookie = cookieOf(entered)
    for (const { path, integrator } of pages) {
      if (integrator === undefined && !path.includes(":")) {
        assert.strictEqual(yield* statusWith(cookie, path), 404, path)
      }
    }
  })

  it.effect("begin by a link for one of several who use it at the same time", function* () {
    const { code } = yield* newLink(yield* newAccount())
    const all = yield* Effect.forEach(Array.from({ length: 10 }), () => enter(code), { concurrency: 10 })
    assert.strictEqual(all.filter(({ status }) => status === 303).length, 1)
  })

  it.effect("by a link end with the key that asked for it, before and after it was used", function* () {
    const account = yield* newAccount()
    const maker = yield* newOperator
    const [used, unused] = [yield* newLink(account, maker.key), yield* newLink(account, maker.key)]
    const cookie = cookieOf(yield* enter(used.code))
    assert.notStrictEqual(yield* statusWith(cookie), 303)
    yield* operate("DELETE", `/keys/${maker.id}`)
    assert.strictEqual(yield* statusWith(cookie), 303)
    assert.strictEqual((yield* enter(unused.code)).status, 401)
  })

  it.effect("by a link are made for known accounts and by operators alone, and written down", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    const refused = yield* call("POST", `/operator/accounts/${account}/portal-link`, { key })
    assert.strictEqual(refused.status, 403)
    const unknown = yield* call("POST", "/operator/accounts/nobody/portal-link")
    assert.strictEqual(unknown.status, 404)
    const { code, expiresAt } = yield* newLink(account)
    const { text } = yield* call("GET", "/operator/audit", { query: { limit: "1" } })
    assert.include(text, `"portal.linked","account":"${account}","after":{"expiresAt":${expiresAt}}`)
    assert.notInclude(text, code)
  })

  /** Ways in which a page of another site sends a form. */
  const foreign: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "another site": { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    "another site that hides where it is": { "sec-fetch-site": "cross-site", origin: "null" },
    "another site without an origin": { "sec-fetch-site": "cross-site" },
    "a neighbour below the same domain": { "sec-fetch-site": "same-site", origin: "https://evil.example" },
    "an old browser on another site": { origin: "https://evil.example" },
    "an old browser that hides where it is": { origin: "null" },
    "a request that says nothing": {},
    "a page that says ours, from another origin": {
      "sec-fetch-site": "same-origin",
      origin: "https://evil.example",
    },
  }
  for (const [who, headers] of Object.entries(foreign)) {
    it.effect(`do nothing for ${who}`, function* () {
      const cookie = yield* signIn()
      const { code } = yield* newLink(yield* newAccount())
      const forms = [["/dashboard/logout", {}], ["/dashboard/login", { key: testKey }], [
        "/dashboard/enter",
        { code },
      ]] as const
      for (const [path, fields] of forms) {
        const answer = yield* send(path, fields, { ...headers, cookie })
        assert.strictEqual(answer.status, 403, path)
        assert.isNull(answer.headers.get("set-cookie"))
      }
      assert.strictEqual(yield* statusWith(cookie), 200)
      assert.strictEqual((yield* enter(code)).status, 303)
    })
  }

  it.effect("let other pages neither read nor frame nor know anything", function* () {
    const cookie = yield* signIn()
    yield* openSwap()
    for (const path of ["/dashboard", "/dashboard/login", "/dashboard/enter", "/dashboard/nothing"]) {
      const { headers, text } = yield* request(path, {
        headers: { cookie, origin: "https://evil.example" },
      })
      assert.include(headers.get("content-security-policy") ?? "", "default-src 'none'")
      assert.include(headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
      assert.strictEqual(headers.get("x-frame-options"), "DENY")
      assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.strictEqual(headers.get("cross-origin-opener-policy"), "same-origin")
      assert.isNull(headers.get("access-control-allow-credentials"))
      if (path !== "/dashboard/nothing") assert.isNull(headers.get("access-control-allow-origin"))
      assert.notInclude(text, cookie.split("=")[1] ?? "")
    }
  })

  it.effect("are opened again by the page itself where a link of another site led to it", function* () {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }
    const { status, text } = yield* request("/dashboard", { headers })
    assert.strictEqual(status, 200)
    assert.include(text, '<meta http-equiv="refresh" content="0">')
    const again = yield* request("/dashboard", {
      headers: { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" },
    })
    assert.strictEqual(again.status, 303)
  })

  it.effect("lead nowhere but to the dashboard afterwards", function* () {
    for (
      const to of [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/docs",
        "javascript:canary()",
      ]
    ) {
      const { headers } = yield* send("/dashboard/login", { key: testKey, to })
      assert.strictEqual(headers.get("location"), "/dashboard/login?why=kept", to)
      const on = yield* request(`/dashboard/login?to=${encodeURIComponent(to)}`, {
        headers: { cookie: cookieOf({ headers }) },
      })
      assert.strictEqual(on.headers.get("location"), "/dashboard", to)
    }
  })
})

layer(broker({ RATE_LIMIT_CREDENTIALS: "5" }), { excludeTestServices: true })(
  "wrong keys of the dashboard",
  (it) => {
    it.effect("count as those of the API do, as do codes and tokens", function* () {
      const statuses: Array<number> = []
      for (let index = 0; index < 3; index++) {
        statuses.push(
          (yield* send("/dashboard/login", { key: `wrong-key-of-nobody-012345678${index}` })).status,
        )
        statuses.push((yield* enter(`wrong-code-of-nobody-01234567890${index}`)).status)
        statuses.push(yield* statusWith(`__Host-swap-broker=wrong-token-of-nobody-0123456789${index}`))
      }
      assert.deepStrictEqual(statuses.slice(0, 5), [401, 401, 303, 401, 401])
      assert.deepStrictEqual(statuses.slice(5), [429, 429, 429, 429])
      const answer = yield* call("GET", "/swaps", { key: "wrong-key-of-nobody-0123456789x" })
      assert.strictEqual(answer.status, 429)
    })
  },
)
