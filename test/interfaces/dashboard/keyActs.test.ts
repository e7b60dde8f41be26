import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { acts } from "#interfaces/dashboard/registry.ts"
import { find, integerAt, listAt, textAt } from "#test/contract/support/Json.ts"
import { issue, newAccount, operate } from "#test/contract/support/operator.ts"
import { deposit, during, openSwap, passUntil } from "#test/contract/support/swaps.ts"
import { brokerInProcess, testKey } from "#test/support/broker.ts"
import { enterAs, ownForm, request, send, signIn } from "./support/signIn.ts"

const withdrawals = "/dashboard/money/withdrawals"

const earn = Effect.gen(function* () {
  const opened = yield* openSwap({ sourceAsset: "eth.arb", commissionBps: "30", platform: "chainflip" })
  yield* deposit(opened, "2000000000000000001")
  yield* passUntil(opened, "completed")
})

const open = (cookie: string, path: string) => request(path, { headers: { cookie } })

const sendAs = (cookie: string, path: string, fields: Readonly<Record<string, string>>) =>
  send(path, fields, { ...ownForm, cookie })

/** The fields of the form that orders, as the page has them. */
const orderOf = Effect.fnUntraced(function* (cookie: string) {
  const page = yield* open(cookie, "/dashboard/money/withdraw?provider=chainflip&asset=usdc.eth")
  assert.strictEqual(page.status, 200, page.text)
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? ""
  const names = ["provider", "asset", "affiliate", "destination", "order"]
  return { page, fields: Object.fromEntries(names.map((name) => [name, value(name)])) }
})

const ordered = Effect.map(operate("GET", "/treasury/withdrawals"), (all) => listAt(all).length)

/** The refused keys in the audit log, the latest first. */
const refusals = Effect.map(
  operate("GET", "/audit?action=key.refused&limit=100"),
  (entries) =>
    listAt(entries).map((_, index) => ({
      by: textAt(entries, index, "actor", "account"),
      account: textAt(entries, index, "change", "account"),
      form: textAt(entries, index, "change", "after", "form"),
      reason: textAt(entries, index, "change", "after", "reason"),
    })),
)

/** An operator of an account of its own, with keys that may withdraw and that may not. */
const otherOperator = Effect.gen(function* () {
  const account = yield* newAccount()
  const { key: looking } = yield* issue(account, { scopes: ["operate"] })
  const { id, key: withdrawing } = yield* issue(account, { scopes: ["operate", "withdraw"] })
  return { account, looking, withdrawing, id }
})

layer(brokerInProcess(), { excludeTestServices: true })("forms that ask for the key once more", (it) => {
  it.effect("are those that move money, or decide about it, and no session alone can send one", function* () {
    const cookie = yield* signIn()
    const asking = acts.filter(({ asksKey }) => asksKey === true).map(({ path }) => path)
    assert.deepStrictEqual(asking, [withdrawals, `${withdrawals}/:id/decision`])
    yield* earn
    const { fields, page } = yield* orderOf(cookie)
    assert.match(page.text, /<input type="password" name="key" value=""/)
    assert.match(page.text, /Withdraw [0-9.,]+ USDC<\/button>/)
    assert.notInclude(page.text, testKey)
    const before = yield* ordered
    const told = (yield* refusals).length
    for (const nothing of [{}, { key: "" }, { key: "  " }]) {
      const answer = yield* sendAs(cookie, withdrawals, { ...fields, ...nothing })
      assert.strictEqual(answer.status, 400)
      assert.include(answer.text, "has to be entered")
    }
    assert.deepStrictEqual([yield* ordered, (yield* refusals).length], [before, told])
  })

  it.effect("refuse each key that does not count, keep what was entered but the key, and tell the audit log", function* () {
    const operator = yield* otherOperator
    const stranger = yield* otherOperator
    const integrator = yield* issue(yield* newAccount())
    const revoked = yield* issue(operator.account, { scopes: ["operate", "withdraw"] })
    yield* operate("DELETE", `/keys/${revoked.id}`)
    const ended = yield* issue(operator.account, {
      scopes: ["operate", "withdraw"],
      expiresAt: Date.now() + 1_000,
    })
    const onlyWithdraw = yield* issue(operator.account, { scopes: ["withdraw"] })
    const cookie = yield* signIn(operator.looking)
    yield* earn
    const { fields } = yield* orderOf(cookie)
    const before = yield* ordered
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1_100)))
    const tries = [
      ["wrong-key-of-nobody-0123456789", 401, "unknown"],
      [`${operator.withdrawing}a`, 401, "unknown"],
      [revoked.key, 401, "unknown"],
      [ended.key, 401, "unknown"],
      [operator.looking, 403, "scopeMissing"],
      [onlyWithdraw.key, 403, "scopeMissing"],
      [stranger.withdrawing, 403, "otherAccount"],
      [integrator.key, 403, "otherAccount"],
      [testKey, 403, "otherAccount"],
    ] as const
    for (const [key, status, reason] of tries) {
      const answer = yield* sendAs(cookie, withdrawals, { ...fields, key })
      assert.strictEqual(answer.status, status, answer.text)
      assert.notInclude(answer.text, key)
      assert.include(answer.text, "Nothing was done: look at the key.")
      assert.match(answer.text, /<input type="password" name="key" value=""[^>]*aria-invalid/)
      for (const [name, value] of Object.entries(fields)) {
        assert.include(answer.text, `name="${name}" value="${value}"`, reason)
      }
      const [latest] = yield* refusals
      assert.deepStrictEqual(latest, {
        by: operator.account,
        account: operator.account,
        form: withdrawals,
        reason,
      })
    }
    assert.strictEqual(yield* ordered, before)
    const audit = JSON.stringify(yield* operate("GET", "/audit?limit=500"))
    for (const [key] of tries) assert.notInclude(audit, key)
    const page = yield* open(yield* signIn(), "/dashboard/audit?action=key.refused")
    assert.include(page.text, "Operator’s key refused")
    // The same form with the right key is acted on, by the key that was entered.
    const done = yield* sendAs(cookie, withdrawals, { ...fields, key: operator.withdrawing })
    assert.strictEqual(done.status, 303, done.text)
    assert.strictEqual(yield* ordered, before + 1)
    const entry = yield* operate("GET", "/audit?action=withdrawal.requested&limit=1")
    assert.deepStrictEqual(find(entry, 0, "actor", "keyId"), operator.id)
  })

  it.effect("do nothing with a key for a form of another site, for nobody, or for an integrator", function* () {
    yield* earn
    const cookie = yield* signIn()
    const { fields } = yield* orderOf(cookie)
    const before = yield* ordered
    const told = (yield* refusals).length
    const whole = { ...fields, key: testKey }
    const strangers: ReadonlyArray<Readonly<Record<string, string>>> = [
      {},
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
    ]
    for (const headers of strangers) {
      assert.strictEqual((yield* send(withdrawals, whole, { ...headers, cookie })).status, 403)
    }
    const nobody = yield* send(withdrawals, whole)
    assert.match(nobody.headers.get("location") ?? "", /^\/dashboard\/login/)
    const integrator = yield* enterAs(yield* newAccount())
    assert.strictEqual((yield* sendAs(integrator, withdrawals, whole)).status, 404)
    assert.deepStrictEqual([yield* ordered, (yield* refusals).length], [before, told])
  })

  it.effect("order what was looked at once, however often they are sent, and nowhere else than the settings say", function* () {
    yield* earn
    const cookie = yield* signIn()
    const { fields } = yield* orderOf(cookie)
    assert.match(fields["destination"] ?? "", /^0x[0-9a-fA-F]{40}$/)
    const whole = { ...fields, key: testKey }
    const elsewhere = yield* sendAs(cookie, withdrawals, { ...whole, destination: `0x${"6".repeat(40)}` })
    assert.strictEqual(elsewhere.status, 409)
    assert.include(elsewhere.text, "It would go to")
    assert.notInclude(elsewhere.text, testKey)
    const before = yield* ordered
    const [one, two] = yield* Effect.all(
      [sendAs(cookie, withdrawals, whole), sendAs(cookie, withdrawals, whole)],
      { concurrency: 2 },
    )
    const again = yield* sendAs(cookie, withdrawals, whole)
    assert.deepStrictEqual([one.status, two.status, again.status], [303, 303, 303])
    const place = one.headers.get("location") ?? ""
    assert.deepStrictEqual([two, again].map(({ headers }) => headers.get("location")), [place, place])
    const all = yield* operate("GET", "/treasury/withdrawals")
    assert.lengthOf(listAt(all), before + 1)
    assert.strictEqual(textAt(all, 0, "destination"), fields["destination"])
    const replayed = yield* sendAs(cookie, withdrawals, { ...whole, key: "wrong-key-of-nobody-0123456789" })
    assert.strictEqual(replayed.status, 409, "nothing is left to show the form for")
    assert.notMatch(replayed.headers.get("location") ?? "", /withdrawals/)
    const shown = yield* open(cookie, place)
    assert.include(shown.text, "Requested. This page follows it until it is paid.")
  })

  it.effect("decide about a withdrawal of unknown outcome, with a reason that holds no key", function* () {
    yield* earn
    const cookie = yield* signIn()
    const { fields } = yield* orderOf(cookie)
    const lost = yield* during(
      { provider: "chainflip", operation: "withdraw", kind: "malformed" },
      sendAs(cookie, withdrawals, { ...fields, key: testKey }),
    )
    assert.strictEqual(lost.status, 303, lost.text)
    const all = yield* operate("GET", "/treasury/withdrawals")
    assert.strictEqual(textAt(all, 0, "state"), "unknown")
    const id = integerAt(all, 0, "id")
    for (const path of [withdrawals, `${withdrawals}/${id}`]) {
      const { text } = yield* open(cookie, path)
      assert.include(text, `Did withdrawal ${id} arrive?`, path)
      assert.include(text, `action="${withdrawals}/${id}/decision"`, path)
    }
    const blocked = yield* open(cookie, "/dashboard/money/withdraw?provider=chainflip&asset=usdc.eth")
    assert.include(blocked.text, "There is no usdc.eth to withdraw.")
    assert.notInclude(blocked.text, `name="key"`)
    const path = `${withdrawals}/${id}/decision`
    const decided = { outcome: "paid", reason: "Seen in an explorer" }
    const wrong = yield* sendAs(cookie, path, { ...decided, key: "wrong-key-of-nobody-0123456789" })
    assert.strictEqual(wrong.status, 401)
    assert.include(wrong.text, `name="reason" value="Seen in an explorer"`)
    const { form } = (yield* refusals)[0] ?? assert.fail("the log does not tell it")
    assert.strictEqual(form, `${withdrawals}/:id/decision`)
    for (
      const [faulty, said] of [
        [{ reason: "" }, `class="fault">is required<`],
        [{ reason: `The key is ${testKey}` }, "contains an API key"],
        [{ outcome: "lost" }, "must be one of paid, failed"],
      ] as const
    ) {
      const answer = yield* sendAs(cookie, path, { ...decided, ...faulty, key: testKey })
      assert.strictEqual(answer.status, 400)
      assert.include(answer.text, said)
      assert.notInclude(answer.text, `${testKey}"`)
    }
    const done = yield* sendAs(cookie, path, { ...decided, key: testKey })
    assert.strictEqual(done.headers.get("location"), `${withdrawals}/${id}?done=decidedPaid`)
    const twice = yield* sendAs(cookie, path, { ...decided, outcome: "failed", key: testKey })
    assert.strictEqual(twice.status, 409)
    assert.strictEqual(textAt(yield* operate("GET", `/treasury/withdrawals/${id}`), "state"), "paid")
    for (const strange of ["0", "999999", "x"]) {
      const answer = yield* sendAs(cookie, `${withdrawals}/${strange}/decision`, { ...decided, key: testKey })
      assert.strictEqual(answer.status, 404, strange)
    }
  })
})

layer(brokerInProcess({ RATE_LIMIT_CREDENTIALS: "3" }), { excludeTestServices: true })(
  "guesses of the key",
  (it) => {
    it.effect("are limited as those at the sign-in are, and the right key still counts", function* () {
      const cookie = yield* signIn()
      yield* earn
      const { fields } = yield* orderOf(cookie)
      const statuses: Array<number> = []
      for (let guess = 0; guess < 5; guess++) {
        const key = `wrong-key-of-nobody-012345678${guess}`
        statuses.push((yield* sendAs(cookie, withdrawals, { ...fields, key })).status)
      }
      assert.deepStrictEqual(statuses, [401, 401, 401, 429, 429])
      assert.lengthOf(yield* refusals, 3)
      assert.strictEqual((yield* sendAs(cookie, withdrawals, { ...fields, key: testKey })).status, 303)
    })
  },
)
