import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { acts, pages } from "#interfaces/dashboard/registry.ts"
import { call } from "#test/contract/support/call.ts"
import { find, integerAt, listAt, textAt } from "#test/contract/support/Json.ts"
import { issue, newAccount, operate } from "#test/contract/support/operator.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { AccountRows, hostile, type Rows } from "./support/accountRows.ts"
import { enterAs, ownForm, request, send, signIn } from "./support/signIn.ts"

/** The path of a page or form about the rows of the seed. */
const pathFor = ({ account, delivery, webhook }: Rows, path: string, keyId: string): string =>
  path.replace("/keys/:id", `/keys/${keyId}`).replace("providers/:name", "providers/chainflip")
    .replace(":name", account).replace(":delivery", `${delivery}`).replace(":id", webhook)

const as = (cookie: string) => ({ ...ownForm, cookie })

/** Sends a form as somebody. */
const sendAs = (cookie: string, path: string, fields: Readonly<Record<string, string>> = {}) =>
  send(path, fields, as(cookie))

const open = (cookie: string, path: string) => request(path, { headers: { cookie } })

/** Everything that forms can change, to compare before and after. */
const state = Effect.gen(function* () {
  const { account } = yield* AccountRows
  const parts = [`/accounts/${account}/keys`, `/accounts/${account}/routes`, `/accounts/${account}/webhooks`]
  const lists = yield* Effect.forEach(parts, (path) => operate("GET", path))
  const withoutUse = (text: string) => text.replace(/,"(?:lastUsedAt|failingSince)":\{"text":"\d+"\}/g, "")
  const audit = yield* operate("GET", "/audit?limit=500")
  const changes = listAt(audit).filter((one) => find(one, "change", "action") !== "portal.linked").length
  return { lists: withoutUse(JSON.stringify(lists)), changes }
})

const keyIdOf = Effect.gen(function* () {
  const { key } = yield* AccountRows
  return key.split("_")[1] ?? ""
})

/** The one-time value in the first form of a page. */
const onceIn = (text: string): string => /name="once" value="([0-9a-f-]{36})"/.exec(text)?.[1] ?? ""

const secretIn = (text: string, form: RegExp): string => form.exec(text)?.[0] ?? ""

const place = Layer.provideMerge(AccountRows.layer, brokerInProcess())

layer(place, { excludeTestServices: true })("forms of the dashboard", (it) => {
  it.effect("are acted on only where a page of ours sent them, each of them", function* () {
    const rows = yield* AccountRows
    const cookie = yield* signIn()
    const keyId = yield* keyIdOf
    const before = yield* state
    const strangers: ReadonlyArray<Readonly<Record<string, string>>> = [
      {},
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
    ]
    for (const { path } of acts) {
      for (const headers of strangers) {
        const answer = yield* send(pathFor(rows, path, keyId), {}, { ...headers, cookie })
        assert.strictEqual(answer.status, 403, `${path} ${JSON.stringify(headers)}`)
      }
      const unsigned = yield* send(pathFor(rows, path, keyId), {}, ownForm)
      assert.strictEqual(unsigned.status, 303, path)
      assert.match(unsigned.headers.get("location") ?? "", /^\/dashboard\/login/)
    }
    assert.deepStrictEqual(yield* state, before)
  })

  it.effect("give no scope that the viewer's key does not have, nor show one in a new key", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account, { scopes: ["operate"] })
    const { id } = yield* issue(account, { scopes: ["operate", "withdraw"] })
    const cookie = yield* signIn(key)
    const path = `/dashboard/accounts/${account}/keys`
    const shown = (yield* open(cookie, path)).text
    assert.match(shown, /name="scopes" value="operate"/)
    assert.notMatch(shown, /name="scopes" value="(?:withdraw|swap)"/)
    const ofDefault = yield* operate("GET", "/accounts/default/keys")
    const first = textAt(ofDefault, listAt(ofDefault).length - 1, "id")
    const rotations = [`${path}/${id}/rotate`, `/dashboard/accounts/default/keys/${first}/rotate`]
    for (
      const answer of [
        yield* sendAs(cookie, path, { scopes: "withdraw" }),
        ...yield* Effect.forEach(rotations, (to) => sendAs(cookie, to)),
      ]
    ) {
      assert.strictEqual(answer.status, 403)
      assert.include(answer.text, "withdraw")
      assert.notMatch(answer.text, /sbk_/)
    }
  })

  it.effect("are not there for an integrator, nor is a page about any other account", function* () {
    const rows = yield* AccountRows
    const keyId = yield* keyIdOf
    const stranger = yield* newAccount()
    const cookie = yield* enterAs(stranger)
    const own = yield* enterAs(rows.account)
    const before = yield* state
    for (const { path } of acts) {
      for (const who of [cookie, own]) {
        assert.strictEqual((yield* sendAs(who, pathFor(rows, path, keyId))).status, 404, path)
      }
    }
    for (const { path } of pages) {
      const { status, text } = yield* open(cookie, pathFor(rows, path, keyId))
      if (path.includes(":")) assert.strictEqual(status, 404, path)
      for (const mark of [rows.account, rows.webhook, keyId]) assert.notInclude(text, mark, path)
    }
    assert.deepStrictEqual(yield* state, before)
  })

  it.effect("keep what was entered, and say at each field what is wrong", function* () {
    const cookie = yield* signIn()
    const before = yield* state
    for (const text of hostile) {
      const faulty = yield* sendAs(cookie, "/dashboard/accounts", {
        name: text,
        commissionBps: "996",
        allowedOrigins: text,
      })
      assert.strictEqual(faulty.status, 400)
      const shown = text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
        .replaceAll("&#38;", "&amp;").replaceAll("&#60;", "&lt;").replaceAll("&#62;", "&gt;").replaceAll(
          "&#34;",
          "&quot;",
        )
      assert.include(faulty.text, `value="${shown}"`)
      assert.notInclude(faulty.text, text.includes("<") ? text : `value="${text}'`)
      assert.strictEqual(faulty.text.match(/aria-invalid="true"/g)?.length, 3, text)
      assert.include(faulty.text, "must be a whole number of basis points from 0 to 995")
    }
    const again = yield* sendAs(cookie, "/dashboard/accounts", { name: "default" })
    assert.strictEqual(again.status, 409)
    assert.include(again.text, 'An account named "default" already exists')
    assert.deepStrictEqual(yield* state, before)
  })

  it.effect("issue a key once, and show it once", function* () {
    const cookie = yield* signIn()
    const account = yield* newAccount()
    const path = `/dashboard/accounts/${account}/keys`
    const page = yield* open(cookie, path)
    const fields = {
      once: onceIn(page.text),
      label: hostile[0] ?? "",
      scopes: "quote",
      expiresAt: "2099-01-31",
    }
    const [issued, twice] = [yield* sendAs(cookie, path, fields), yield* sendAs(cookie, path, fields)]
    assert.strictEqual(issued.status, 200)
    assert.strictEqual(issued.headers.get("cache-control"), "no-store")
    assert.strictEqual(twice.status, 409)
    assert.include(twice.text, "It was acted on once")
    const key = secretIn(issued.text, /sbk_[a-z2-7]{16}_[a-z2-7]{48}/)
    assert.notInclude(twice.text, key)
    const keys = yield* operate("GET", `/accounts/${account}/keys`)
    assert.lengthOf(listAt(keys), 1)
    assert.strictEqual(integerAt(keys, 0, "expiresAt"), Date.parse("2099-01-31T00:00:00Z"))
    assert.deepStrictEqual(find(keys, 0, "scopes"), ["quote"])
    assert.notInclude((yield* open(cookie, path)).text, key)
    assert.strictEqual((yield* call("GET", "/quotes", { key })).status, 400)
    const rotated = yield* sendAs(cookie, `${path}/${textAt(keys, 0, "id")}/rotate`)
    assert.notStrictEqual(secretIn(rotated.text, /sbk_[a-z2-7]{16}_[a-z2-7]{48}/), key)
    const question = yield* open(cookie, `${path}/${textAt(keys, 0, "id")}`)
    assert.include(question.text, "This cannot be undone")
    assert.include(question.text, `action="${path}/${textAt(keys, 0, "id")}/revoke"`)
    const revoked = yield* sendAs(cookie, `${path}/${textAt(keys, 0, "id")}/revoke`)
    assert.strictEqual(revoked.headers.get("location"), `${path}?done=keyRevoked`)
    assert.strictEqual((yield* call("GET", "/quotes", { key })).status, 401)
    const audit = JSON.stringify(yield* operate("GET", "/audit?limit=3"))
    assert.include(audit, '"type":"key"')
    assert.notInclude(audit, key)
  })

  it.effect("refuse what the API refuses of a key: no scopes that do not exist, no end in the past", function* () {
    const cookie = yield* signIn()
    const account = yield* newAccount()
    const path = `/dashboard/accounts/${account}/keys`
    for (
      const fields of [{ scopes: "root" }, { scopes: "quote", expiresAt: "soon" }, {
        scopes: "quote",
        expiresAt: "2000-01-01",
      }, { scopes: "quote", label: "sbk_aaaaaaaaaaaaaaaa_" + "a".repeat(48) }]
    ) {
      const answer = yield* sendAs(cookie, path, fields)
      assert.strictEqual(answer.status, 400, JSON.stringify(fields))
      assert.include(answer.text, 'class="fault"')
    }
    const other = yield* newAccount()
    const { id } = yield* issue(other)
    assert.strictEqual((yield* sendAs(cookie, `${path}/${id}/revoke`)).status, 404)
    assert.strictEqual((yield* open(cookie, `${path}/${id}`)).status, 404)
    assert.strictEqual((yield* sendAs(cookie, `${path}/${id}/rotate`)).status, 404)
    assert.deepStrictEqual(yield* operate("GET", `/accounts/${account}/keys`), [])
  })

  it.effect("change terms, routes, providers and webhooks as the API does", function* () {
    const cookie = yield* signIn()
    const account = yield* newAccount()
    const base = `/dashboard/accounts/${account}`
    const leadsOn = Effect.fnUntraced(function* (path: string, fields: Readonly<Record<string, string>>) {
      const answer = yield* sendAs(cookie, path, fields)
      assert.strictEqual(answer.status, 303, `${path} ${answer.text}`)
      const there = yield* open(cookie, answer.headers.get("location") ?? "")
      assert.include(there.text, 'class="note good"', path)
    })
    yield* leadsOn(`${base}/terms`, { commissionBps: "30", allowedOrigins: "https://a.example" })
    yield* leadsOn(`${base}/suspend`, { suspended: "yes" })
    const accounts = yield* operate("GET", `/accounts?offset=${account}&limit=1`)
    assert.strictEqual(integerAt(accounts, 0, "commissionBps"), 30)
    assert.strictEqual(find(accounts, 0, "affiliates"), false)
    assert.deepStrictEqual(find(accounts, 0, "allowedOrigins"), ["https://a.example"])
    assert.strictEqual(find(accounts, 0, "mcp"), false)
    assert.strictEqual(find(accounts, 0, "suspended"), true)
    yield* leadsOn(`${base}/terms`, { commissionBps: "30", allowedOrigins: "*", mcp: "yes" })
    assert.strictEqual(find(yield* operate("GET", `/accounts?offset=${account}&limit=1`), 0, "mcp"), true)
    const own = { requestsPerMinute: "50", providers: "prefer:relay:40", maximumDailyVolumeUsd: "" }
    yield* leadsOn(`${base}/terms`, { commissionBps: "30", allowedOrigins: "*", ...own })
    const kept = yield* operate("GET", `/accounts?offset=${account}&limit=1`)
    assert.strictEqual(integerAt(kept, 0, "requestsPerMinute"), 50)
    assert.strictEqual(textAt(kept, 0, "providers", "provider"), "relay")
    const shown = (yield* open(cookie, base)).text
    for (const entered of ['value="50"', 'value="prefer:relay:40"']) assert.include(shown, entered)
    yield* leadsOn(`${base}/terms`, { commissionBps: "30", allowedOrigins: "*" })
    const returned = yield* operate("GET", `/accounts?offset=${account}&limit=1`)
    for (const name of ["requestsPerMinute", "providers"]) assert.isUndefined(find(returned, 0, name), name)
    for (
      const wrong of [{ requestsPerMinute: "0" }, { requestsPerMinute: "1e30" }, {
        providers: "prefer:relay",
      }]
    ) {
      const refused = yield* sendAs(cookie, `${base}/terms`, {
        commissionBps: "30",
        allowedOrigins: "*",
        ...wrong,
      })
      assert.strictEqual(refused.status, 400, JSON.stringify(wrong))
    }
    const merchant = {
      displayName: "Shop",
      colour: "#0b6b5d",
      support: "help@shop.example",
      returnUrl: "https://shop.example/",
    }
    const logo = "data:image/png;base64,iVBORw0KGgo="
    yield* leadsOn(`${base}/merchant`, { ...merchant, colourSet: "yes", logo })
    const picture = `${base}/merchant?format=picture`
    assert.include((yield* open(cookie, `${base}/merchant`)).text, `src="${picture}"`)
    assert.strictEqual((yield* open(cookie, picture)).headers.get("content-type"), "image/png")
    yield* leadsOn(`${base}/merchant`, { ...merchant, colourSet: "yes", logo: "" })
    assert.strictEqual((yield* open(cookie, picture)).status, 404)
    assert.deepStrictEqual(yield* operate("GET", `/accounts/${account}/merchant`), merchant)
    const pale = yield* sendAs(cookie, `${base}/merchant`, {
      ...merchant,
      colourSet: "yes",
      colour: "#ffffff",
    })
    assert.strictEqual(pale.status, 400)
    assert.include(pale.text, 'class="fault"')
    yield* leadsOn(`${base}/merchant`, { logo: "", colour: "#0b6b5d" })
    assert.deepStrictEqual(yield* operate("GET", `/accounts/${account}/merchant`), {})
    const pair = { sourceAsset: "btc.btc", destinationAsset: "*" }
    yield* leadsOn(`${base}/routes`, { ...pair, allowed: "false" })
    assert.deepStrictEqual(yield* operate("GET", `/accounts/${account}/routes`), [{
      ...pair,
      allowed: false,
    }])
    yield* leadsOn(`${base}/routes/remove`, pair)
    assert.deepStrictEqual(yield* operate("GET", `/accounts/${account}/routes`), [])
    const wrong = yield* sendAs(cookie, `${base}/routes`, { ...pair, sourceAsset: "none", allowed: "true" })
    assert.strictEqual(wrong.status, 400)
    const faulty = yield* sendAs(cookie, "/dashboard/providers/chainflip/switch", {
      enabled: "false",
      operation: "status",
      asset: "btc.btc",
    })
    assert.strictEqual(faulty.status, 400)
    assert.include(faulty.text, "cannot be switched for status")
    yield* leadsOn("/dashboard/providers/chainflip/switch", {
      enabled: "false",
      operation: "node",
      reason: "tried by a test",
    })
    yield* leadsOn("/dashboard/providers/chainflip/switch", {
      enabled: "true",
      operation: "node",
      reason: "tried by a test",
    })
    assert.strictEqual((yield* sendAs(cookie, "/dashboard/providers/none/switch", {})).status, 404)
  })

  it.effect("make a webhook whose secret is shown once, test it, tell it again, and remove it", function* () {
    const cookie = yield* signIn()
    const account = yield* newAccount()
    const path = `/dashboard/accounts/${account}/webhooks`
    const faulty = yield* sendAs(cookie, path, { url: "http://10.0.0.1/", types: "none" })
    assert.strictEqual(faulty.status, 400)
    const url = "http://127.0.0.1:9999/hook"
    const made = yield* sendAs(cookie, path, { url, types: "swap.completed" })
    const secret = secretIn(made.text, /whsec_[A-Za-z0-9+/=]+/)
    assert.isAbove(secret.length, 30)
    const webhooks = yield* operate("GET", `/accounts/${account}/webhooks`)
    const id = textAt(webhooks, 0, "id")
    assert.deepStrictEqual(find(webhooks, 0, "types"), ["swap.completed"])
    const own = `${path}/${id}`
    assert.notInclude((yield* open(cookie, own)).text, secret)
    const once = crypto.randomUUID()
    const sent = [
      yield* sendAs(cookie, `${own}/test`, { once }),
      yield* sendAs(cookie, `${own}/test`, { once }),
    ]
    assert.deepStrictEqual(sent.map(({ status }) => status), [303, 409])
    assert.lengthOf(listAt(yield* operate("GET", `/accounts/${account}/webhooks/${id}/deliveries`)), 1)
    const delivery = integerAt(
      yield* operate("GET", `/accounts/${account}/webhooks/${id}/deliveries`),
      0,
      "id",
    )
    const body = `{\n  "type": "webhook.test",\n  "timestamp": `
    assert.include((yield* open(cookie, `${own}/deliveries/${delivery}`)).text, body)
    const wrongRange = yield* sendAs(cookie, `${own}/replay`, { since: "soon" })
    assert.strictEqual(wrongRange.status, 400)
    assert.include(wrongRange.text, 'value="soon"')
    assert.strictEqual((yield* sendAs(cookie, `${own}/replay`, { since: "2026-01-01T00:00" })).status, 303)
    assert.strictEqual((yield* sendAs(cookie, `${own}/retry`, {})).status, 303)
    const rotated = yield* sendAs(cookie, `${own}/rotate`, { overlapSeconds: "0" })
    assert.notStrictEqual(secretIn(rotated.text, /whsec_[A-Za-z0-9+/=]+/), secret)
    const disabled = yield* sendAs(cookie, `${own}/change`, { change: "enabled", enabled: "false" })
    assert.strictEqual(disabled.status, 303)
    for (const act of ["test", "retry"]) {
      assert.strictEqual((yield* sendAs(cookie, `${own}/${act}`)).status, 409)
    }
    assert.strictEqual(
      (yield* sendAs(cookie, `${own}/remove`)).status,
      200,
      "nothing is deleted by the first click",
    )
    assert.strictEqual((yield* sendAs(cookie, `${own}/remove`, { confirmed: "yes" })).status, 303)
    assert.deepStrictEqual(yield* operate("GET", `/accounts/${account}/webhooks`), [])
  })

  it.effect("do nothing for a session that ended meanwhile", function* () {
    const account = yield* newAccount()
    const { id, key } = yield* issue(account, { scopes: ["operate"] })
    const cookie = yield* signIn(key)
    const page = yield* open(cookie, `/dashboard/accounts/${account}/keys`)
    assert.strictEqual(page.status, 200)
    yield* operate("DELETE", `/keys/${id}`)
    const sent = yield* sendAs(cookie, `/dashboard/accounts/${account}/keys`, { once: onceIn(page.text) })
    assert.strictEqual(sent.status, 303)
    assert.match(sent.headers.get("location") ?? "", /^\/dashboard\/login/)
    assert.lengthOf(listAt(yield* operate("GET", `/accounts/${account}/keys`)), 1)
  })

  it.effect("make a link that lets an integrator in once, to its own pages", function* () {
    const cookie = yield* signIn()
    const { account, webhook } = yield* AccountRows
    const made = yield* sendAs(cookie, `/dashboard/accounts/${account}/portal-link`)
    const code = /dashboard\/enter#([A-Za-z0-9_-]{43})/.exec(made.text)?.[1] ?? ""
    const entered = yield* send("/dashboard/enter", { code })
    const session = (entered.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    const { text } = yield* open(session, "/dashboard/webhooks")
    assert.include(text, webhook)
    assert.strictEqual((yield* send("/dashboard/enter", { code })).status, 401)
  })
})
