import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { textAt } from "#test/contract/support/Json.ts"
import { issue, newAccount, operate } from "#test/contract/support/operator.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { pageAt } from "./support/pageAt.ts"
import { enterAs, request } from "./support/signIn.ts"

/** The links besides swaps that a search of the operator's leads to. */
const found = Effect.fnUntraced(function* (text: string) {
  const { html } = yield* pageAt(`/dashboard/swaps?find=${encodeURIComponent(text)}`)
  const [, line = ""] = /<p id="found">(.*?)<\/p>/s.exec(html) ?? []
  return [...line.matchAll(/href="([^"]+)">([^<]+)</g)].map(([, to, label]) => `${label}: ${to}`)
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
    assert.deepStrictEqual(yield* found(id), [`Key ${id} of ${account}: /dashboard/accounts/${account}/keys`])
    assert.deepStrictEqual(yield* found(hook), [
      `Webhook ${hook} of ${account}: /dashboard/accounts/${account}/webhooks/${hook}`,
    ])
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
