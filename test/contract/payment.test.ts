import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readLink } from "#test/domain/swaps/payment/support/parsers.ts"
import { readCode } from "#test/domain/swaps/payment/support/readCode.ts"
import { reach } from "#test/support/reach.ts"
import { call, withBroker, withOwnBroker } from "./support/call.ts"
import { at, find, numberAt, textAt } from "./support/Json.ts"
import { issue, newAccount } from "./support/operator.ts"
import { assertFailure } from "./support/problem.ts"
import { deposit, openSwap, pass, passUntil, recordOf, statusOf } from "./support/swaps.ts"
import type { Json } from "./support/Json.ts"

const codeOf = (opened: Json, headers: Readonly<Record<string, string>> = {}) =>
  call("GET", `/swap/${numberAt(opened, "id")}/qr`, { headers })

const linkTo = (opened: Json, key?: string) =>
  call("POST", `/swap/${numberAt(opened, "id")}/pay-link`, key === undefined ? {} : { key })

const pageAt = (url: string) =>
  Effect.promise(async () => {
    const answer = await reach(url)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  })

const throwSwitch = (enabled: boolean) =>
  Effect.map(
    call("POST", "/providers/chainflip/switch", {
      body: { operation: "open", asset: "flip.eth", enabled, reason: "for the test" },
    }),
    ({ status, text }) => assert.strictEqual(status, 200, text),
  )

const aDay = 24 * 3_600

withBroker()("paying into a channel (decision 36)", (it) => {
  it.effect("gives the link with the amount that was asked for, in /swap and in the record alike", function* () {
    const opened = yield* openSwap({ amount: "0.25" })
    const uri = textAt(opened, "payment", "uri")
    assert.deepStrictEqual(readLink(uri), {
      chain: "bitcoin",
      payee: textAt(opened, "address"),
      amount: 25_000_000n,
    })
    assert.strictEqual(numberAt(opened, "payment", "amount"), "0.25")
    assert.strictEqual(textAt(opened, "payment", "amountNative"), "25000000")
    assert.strictEqual(textAt(yield* statusOf(opened), "depositChannel", "payment", "uri"), uri)
  })

  it.effect("names the chain and the contract of a token", function* () {
    const opened = yield* openSwap({ sourceAsset: "usdc.arb", destinationAsset: "eth.eth", amount: "100" })
    assert.deepStrictEqual(readLink(textAt(opened, "payment", "uri")), {
      chain: "evm:42161",
      payee: textAt(opened, "address"),
      token: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
      amount: 100_000_000n,
    })
  })

  it.effect("tells the minimum in the record, too, and nothing in events and journals", function* () {
    const opened = yield* openSwap()
    const warnings = find(yield* statusOf(opened), "depositChannel", "payment", "warnings")
    assert.match(JSON.stringify(warnings), /at least 0\.0004 BTC/)
    const journal = yield* call("GET", `/swaps/${numberAt(opened, "id")}/journal`)
    assert.include(journal.text, textAt(opened, "address"))
    assert.notInclude(journal.text, '"payment"')
  })

  it.effect("draws a code that says the same, and says when it is still the same", function* () {
    const opened = yield* openSwap({ amount: "0.3" })
    const code = yield* codeOf(opened)
    assert.strictEqual(code.status, 200)
    assert.strictEqual(code.headers.get("content-type"), "image/svg+xml")
    assert.deepStrictEqual(readLink(readCode(code.text)), readLink(textAt(opened, "payment", "uri")))
    const again = yield* codeOf(opened, { "if-none-match": code.headers.get("etag") ?? "" })
    assert.strictEqual(again.status, 304)
    assert.strictEqual(again.text, "")
  })

  it.effect("has no code and no link once the channel has expired", function* () {
    const opened = yield* openSwap({ amount: "0.25" })
    yield* pass(2 * aDay)
    const status = yield* statusOf(opened)
    assert.isUndefined(find(status, "depositChannel", "payment", "uri"))
    assert.match(textAt(status, "depositChannel", "payment", "warnings", 0), /no more deposits/)
    const code = yield* codeOf(opened)
    assertFailure(code, 410)
    assert.notInclude(code.text, 'code":')
  })

  it.effect("has none while nobody should pay, as the page has none, and again once they may", function* () {
    const opened = yield* openSwap({ sourceAsset: "flip.eth", destinationAsset: "eth.eth", amount: "100" })
    const url = textAt((yield* linkTo(opened)).body, "url")
    const shown = Effect.gen(function* () {
      const payment = at(yield* statusOf(opened), "depositChannel", "payment")
      return { code: yield* codeOf(opened), page: (yield* pageAt(url)).text, payment }
    })
    const stopped = yield* Effect.acquireUseRelease(throwSwitch(false), () => shown, () => throwSwitch(true))
    assertFailure(stopped.code, 409)
    assert.isUndefined(find(stopped.payment, "uri"))
    assert.match(textAt(stopped.payment, "warnings", 0), /^Do not pay for now/)
    assert.notInclude(stopped.page, textAt(opened, "address"))
    const again = yield* shown
    assert.strictEqual(again.code.status, 200)
    assert.strictEqual(textAt(again.payment, "uri"), textAt(opened, "payment", "uri"))
    assert.include(again.page, textAt(opened, "address"))
  })

  it.effect("has none once there is a deposit", function* () {
    const opened = yield* openSwap({ amount: "0.25" })
    yield* deposit(opened, "25000000")
    const { status } = yield* passUntil(opened, "receiving")
    assert.isUndefined(find(status, "depositChannel", "payment"))
    assertFailure(yield* codeOf(opened), 410)
  })

  it.effect("shows neither code nor link of another account's swap", function* () {
    const opened = yield* openSwap()
    const { key } = yield* issue(yield* newAccount())
    const id = numberAt(opened, "id")
    const stranger = yield* call("GET", `/swap/${id}/qr`, { key })
    const never = yield* call("GET", "/swap/99999999/qr", { key })
    for (const answer of [stranger, never, yield* linkTo(opened, key)]) assertFailure(answer, 404)
    assert.strictEqual(textAt(stranger.body, "detail"), textAt(never.body, "detail"))
    assertFailure(yield* call("POST", "/swap/nothing/pay-link"), 404)
  })

  it.effect("makes links to a page without keys, each of its own", function* () {
    const opened = yield* openSwap({ amount: "0.25" })
    const [one, other] = [yield* linkTo(opened), yield* linkTo(opened)]
    assert.strictEqual(one.status, 201)
    assert.notStrictEqual(textAt(one.body, "url"), textAt(other.body, "url"))
    assert.match(textAt(one.body, "url"), /\/pay\/[A-Za-z0-9_-]{43}$/)
    for (const { body } of [one, other]) {
      const page = yield* pageAt(textAt(body, "url"))
      assert.strictEqual(page.status, 200)
      assert.include(page.text, textAt(opened, "address"))
      // A wallet would send real money to a simulated address.
      assert.notInclude(page.text, `href="${textAt(opened, "payment", "uri")}"`)
      assert.notMatch(page.text, /account|commission|broker|API key/i)
      assert.strictEqual(page.headers.get("cache-control"), "no-store")
      assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
      assert.match(page.headers.get("x-robots-tag") ?? "", /noindex/)
      assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'/)
      assert.isFalse(page.headers.has("access-control-allow-origin"))
    }
  })

  it.effect("takes the address off the page with the deposit, and says what arrived", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb", destinationAsset: "usdc.eth", amount: "1" })
    const url = textAt((yield* linkTo(opened)).body, "url")
    yield* deposit(opened, "1000000000000000000")
    yield* passUntil(opened, "completed")
    const { text } = yield* pageAt(url)
    assert.notInclude(text, textAt(opened, "address"))
    const paid = textAt(yield* statusOf(opened), "swapEgress", "transactionReference")
    assert.include(text, paid)
  })

  it.effect("keeps the latest 20 links of a swap", function* () {
    const opened = yield* openSwap()
    const urls: Array<string> = []
    for (let count = 0; count < 21; count++) urls.push(textAt((yield* linkTo(opened)).body, "url"))
    const statuses = yield* Effect.forEach(urls, (url) => Effect.map(pageAt(url), ({ status }) => status))
    assert.deepStrictEqual(statuses, [404, ...Array.from({ length: 20 }, () => 200)])
  })

  it.effect("shows the swap for as long as its records do, and nothing to who guesses", function* () {
    const opened = yield* openSwap()
    const url = textAt((yield* linkTo(opened)).body, "url")
    assert.strictEqual((yield* pageAt(url)).status, 200)
    assert.strictEqual(numberAt(yield* recordOf(opened), "id"), numberAt(opened, "id"))
    const wrong = yield* pageAt(url.replace(/.{43}$/, "A".repeat(43)))
    assert.strictEqual(wrong.status, 404)
    assert.include(wrong.text, "This link does not work")
    const { origin } = new URL(url)
    for (const path of ["/pay", "/pay/", "/pay/x", "/pay/files/none", "/pay/a/b", "/pay/%zz"]) {
      assert.strictEqual((yield* pageAt(`${origin}${path}`)).status, 404, path)
    }
  })
})

withOwnBroker({ RATE_LIMIT_CREDENTIALS: "3", RATE_LIMIT_PAYER: "5" })("limits of the payer's page", (it) => {
  it.effect("counts guesses as wrong keys, and does not keep out who has a link", function* () {
    const url = textAt((yield* linkTo(yield* openSwap())).body, "url")
    const guess = (letter: string) => pageAt(url.replace(/.{43}$/, letter.repeat(43)))
    const statuses: Array<number> = []
    for (const letter of "abcde") statuses.push((yield* guess(letter)).status)
    assert.deepStrictEqual(statuses, [404, 404, 404, 429, 429])
    assert.strictEqual((yield* pageAt(url)).status, 200)
  })

  it.effect("limits requests for one swap, over all of its links", function* () {
    const opened = yield* openSwap()
    const urls = [textAt((yield* linkTo(opened)).body, "url"), textAt((yield* linkTo(opened)).body, "url")]
    const statuses: Array<number> = []
    for (let count = 0; count < 6; count++) statuses.push((yield* pageAt(urls[count % 2] ?? "")).status)
    assert.deepStrictEqual(statuses, [200, 200, 200, 200, 200, 429])
  })
})
