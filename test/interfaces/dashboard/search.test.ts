import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { textAt } from "#test/contract/support/Json.ts"
import { issue, newAccount, operate } from "#test/contract/support/operator.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { pageAt } from "./support/pageAt.ts"
import { enterAs, request, signIn } from "./support/signIn.ts"

/** The links besides swaps that a search of the operator's leads to. */
const found = Effect.fnUntraced(function* (text: string) {
  const { html } = yield* pageAt(`/dashboard/swaps?find=${encodeURIComponent(text)}`)
  const [, line = ""] = /<p id="found">(.*?)<\/p>/s.exec(html) ?? []
  return [...line.matchAll(/href="([^"]+)">([^<]+)</g)].map(([, to, label]) => `${label}: ${to}`)
})

/** The page that a search opens, as it has found nothing but that. */
const opened = Effect.fnUntraced(function* (text: string) {
  const headers = { cookie: yield* signIn() }
  const { headers: answer } = yield* request(`/dashboard/swaps?find=${text}`, { headers })
  return answer.get("location")
})

layer(brokerInProcess({}), { excludeTestServices: true })("the search of every page", (it) => {
  it.effect("finds accounts by a part of their names, and providers by theirs", function* () {
    const account = yield* newAccount()
    assert.include(
      yield* found(account.slice(0, -1).toUpperCase()),
      `Account ${account}: /dashboard/accounts/${account}`,
    )
    assert.deepStrictEqual(yield* found("near int"), ["NEAR Intents: /dashboard/providers/near-intents"])
    assert.deepStrictEqual(yield* found("nobody"), [])
    assert.deepStrictEqual(yield* found("<b>"), [])
  })

  it.effect("finds a key and a webhook by their ids, with whose they are", function* () {
    const account = yield* newAccount()
    const { id } = yield* issue(account)
    const hook = textAt(
      yield* operate("POST", `/accounts/${account}/webhooks`, { url: "http://127.0.0.1:1999/hook" }),
      "id",
    )
    assert.strictEqual(yield* opened(id), `/dashboard/accounts/${account}/keys`)
    assert.strictEqual(yield* opened(hook), `/dashboard/accounts/${account}/webhooks/${hook}`)
    assert.strictEqual(yield* opened(account), `/dashboard/accounts/${account}`)
    assert.isNull(yield* opened(account.slice(0, -1)))
    assert.deepStrictEqual(yield* found("4711"), [])
  })

  it.effect("finds nothing of others for an integrator", function* () {
    const [own, other] = [yield* newAccount(), yield* newAccount()]
    const { text } = yield* request(`/dashboard/swaps?find=${other}`, {
      headers: { cookie: yield* enterAs(own) },
    })
    assert.notInclude(text, "Also found")
    assert.notInclude(text, `/dashboard/accounts/`)
  })
})
