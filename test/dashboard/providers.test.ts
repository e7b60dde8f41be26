import { Effect } from "effect"
import { assert, layer } from "../support/it.ts"
import { ask } from "../http/asking.ts"
import { brokerInProcess } from "../support/broker.ts"
import { shortHostile } from "./support/hostile.ts"
import { request, signIn } from "./support/signIn.ts"

const settings = { PROVIDERS: "chainflip,relay", QUOTE_CACHE_TTL: "1 millis" }

const quotes = "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=0.1"

/** The text of a page as it is seen, without tags. */
const pageAt = Effect.fnUntraced(function* (cookie: string, path: string) {
  const { text } = yield* request(path, { headers: { cookie } })
  return { text, seen: text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ") }
})

const rowOf = (text: string, name: string): string =>
  text.split("<tr>").find((row) => row.includes(`<b>${name}</b>`)) ?? ""

const chosen = (text: string): ReadonlyArray<string | undefined> =>
  [...text.matchAll(/<input type="radio" name="enabled" value="(\w+)" checked/g)].map(([, value]) => value)

layer(brokerInProcess(settings), { excludeTestServices: true })("The pages of providers", (it) => {
  it.effect("show who is well by figures, and have the switch in today's position", function* () {
    const cookie = yield* signIn()
    yield* ask("GET", quotes)
    const all = yield* pageAt(cookie, "/dashboard/providers")
    assert.include(all.seen, "2 enabled · 2 up")
    assert.notInclude(all.text, 'class="note')
    assert.include(rowOf(all.text, "Chainflip"), "all closed")
    assert.include(all.seen, "What they brought, last 7 days")
    const one = yield* pageAt(cookie, "/dashboard/providers/chainflip")
    assert.deepStrictEqual(chosen(one.text), ["true"])
    assert.notInclude(one.text, 'class="note')
    for (const label of ["Answered, 24 h", "Calls, 24 h", "Median, 24 h", "Stalled", "Volume, 7 d"]) {
      assert.include(one.text, `<dt>${label}</dt>`)
    }
    const asked = yield* pageAt(cookie, "/dashboard/providers/chainflip?set=false&of=open")
    assert.deepStrictEqual(chosen(asked.text), ["false"])
    assert.include(asked.text, '<option value="open" selected')
  })

  it.effect("say first which one is ill and why, and lead to its switch", function* () {
    const cookie = yield* signIn()
    const reason = `<i>${shortHostile}`
    yield* ask("POST", "/providers/chainflip/switch", { enabled: false, reason })
    yield* ask("POST", "/providers/relay/switch", {
      enabled: false,
      operation: "open",
      asset: "eth.eth",
      reason,
    })
    const all = yield* pageAt(cookie, "/dashboard/providers")
    assert.include(all.seen, "2 enabled · 1 degraded, 1 down")
    assert.isBelow(all.seen.indexOf("Chainflip is down"), all.seen.indexOf("Relay is degraded"))
    assert.isBelow(all.seen.indexOf("Relay is degraded"), all.seen.indexOf("Calls by hour"))
    assert.notInclude(all.text, reason)
    assert.include(all.text, 'href="/dashboard/providers/chainflip?set=true#switch"')
    assert.include(all.text, 'href="/dashboard/providers/relay?set=false&amp;of=open#switch"')
    assert.include(rowOf(all.text, "Relay"), "open of eth.eth off")
    const down = yield* pageAt(cookie, "/dashboard/providers/chainflip")
    assert.deepStrictEqual(chosen(down.text), ["false"])
    const partly = yield* pageAt(cookie, "/dashboard/providers/relay")
    assert.deepStrictEqual(chosen(partly.text), ["true"])
    assert.include(
      partly.text,
      'href="/dashboard/providers/relay?set=true&amp;of=open&amp;asset=eth.eth#switch"',
    )
  })
})
