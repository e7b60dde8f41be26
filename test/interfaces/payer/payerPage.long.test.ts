import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { broker, brokerUrl } from "#test/support/broker.ts"
import { Chromium, withBrowser } from "#test/interfaces/dashboard/support/Chromium.ts"
import { inspect, Tabs, visitMillis } from "#test/interfaces/dashboard/support/inspect.ts"
import { call } from "#test/contract/support/call.ts"
import { numberAt, textAt } from "#test/contract/support/Json.ts"
import { deposit, openSwap, passUntil } from "#test/contract/support/swaps.ts"
import { readLink } from "#test/domain/swaps/payment/support/parsers.ts"
import { readCode } from "#test/domain/swaps/payment/support/readCode.ts"
import type { SwapPhase } from "#domain/swaps/Guidance.ts"
import { languages } from "#interfaces/payer/words/languages.ts"
import { english } from "#interfaces/payer/words/translation.ts"
import { merchant, seededDatabases, statuses, tokenOf } from "./support/seed.ts"

type Name = keyof typeof statuses

const names: ReadonlyArray<string> = Object.keys(statuses)

const textOf = (name: string) =>
  Effect.gen(function* () {
    const url = new URL(`/pay/${tokenOf(name)}`, yield* brokerUrl)
    return yield* Effect.promise(() => fetch(url).then((answer) => answer.text()))
  })

const payable: ReadonlyArray<Name> = ["waiting", "noAmount", "token", "exact"]
const codeless: ReadonlyArray<Name> = [
  "memo",
  "expired",
  "closing",
  "confirming",
  "completed",
  "refunded",
  "failed",
  "hostileAddress",
  "hostileLink",
  "hostileShort",
]

layer(Layer.provideMerge(Tabs.layer, Layer.merge(broker({}, seededDatabases), Chromium.layer)), {
  excludeTestServices: true,
})("the page of a payer", (it) => {
  for (const name of names) {
    it.effect(
      `${name}: is accessible, small, the same without scripts, and runs nothing of others`,
      () =>
        withBrowser(Effect.fnUntraced(function* (browser) {
          const page = yield* (yield* Tabs).of("payer", browser, Effect.undefined)
          assert.strictEqual(yield* inspect(page, yield* brokerUrl, `/pay/${tokenOf(name)}`, name), 200)
          assert.strictEqual(yield* Effect.promise(() => page.locator("h1").count()), 1)
          assert.match(
            yield* Effect.promise(() => page.title()),
            /^Swap [A-Z]+ for (?:ETH · Swap Broker|XRP · Swap Broker|ETH · Acme .* & Söhne)$/,
          )
        })),
      visitMillis,
    )
  }

  it.effect(
    "tells of a link that does not work, on a page as accessible",
    () =>
      withBrowser(Effect.fnUntraced(function* (browser) {
        const page = yield* (yield* Tabs).of("payer", browser, Effect.undefined)
        assert.strictEqual(yield* inspect(page, yield* brokerUrl, `/pay/${"x".repeat(43)}`, "nobody"), 404)
      })),
    visitMillis,
  )

  for (const name of payable) {
    it.effect(`${name}: has a code, and no link that opens a wallet with real money`, function* () {
      const text = yield* textOf(name)
      assert.strictEqual(readLink(readCode(text)).payee, statuses[name].depositChannel?.depositAddress)
      assert.notMatch(text, /href="(?:bitcoin|ethereum):/)
    })
  }

  for (const name of codeless) {
    it.effect(`${name}: has neither a code nor a link of a wallet`, function* () {
      const text = yield* textOf(name)
      assert.notInclude(text, '<svg viewBox="0 0')
      assert.notMatch(text, /href="(?!\/|#|https:|mailto:)/)
    })
  }

  it.effect(
    "takes the address away as soon as the payment is seen, even from who has just copied it",
    () =>
      withBrowser(Effect.fnUntraced(function* (browser) {
        const opened = yield* openSwap({ sourceAsset: "eth.arb", destinationAsset: "usdc.eth", amount: "1" })
        const { body } = yield* call("POST", `/swap/${numberAt(opened, "id")}/pay-link`)
        const page = yield* Effect.acquireRelease(
          Effect.promise(() => browser.newPage()),
          (page) => Effect.promise(() => page.close()),
        )
        yield* Effect.promise(async () => {
          await page.clock.install()
          await page.goto(textAt(body, "url"))
          await page.getByRole("button", { name: "Copy address" }).focus()
        })
        const address = textAt(opened, "address")
        assert.include(yield* Effect.promise(() => page.innerText("main")), address)
        yield* deposit(opened, "1000000000000000000")
        yield* passUntil(opened, "completed")
        yield* Effect.promise(async () => {
          await page.clock.runFor(6_000)
          await page.getByRole("heading", { name: "You received" }).waitFor()
        })
        assert.notInclude(yield* Effect.promise(() => page.innerText("main")), address)
      })),
    visitMillis,
  )

  it.effect(
    "hides what to pay while it cannot be brought up to date, and shows it again afterwards",
    () =>
      withBrowser(Effect.fnUntraced(function* (browser) {
        const url = new URL(`/pay/${tokenOf("waiting")}`, yield* brokerUrl)
        const address = statuses.waiting.depositChannel?.depositAddress ?? ""
        const page = yield* Effect.acquireRelease(
          Effect.promise(() => browser.newPage()),
          (page) => Effect.promise(() => page.close()),
        )
        yield* Effect.promise(async () => {
          await page.clock.install()
          await page.goto(url.href)
          assert.include(await page.innerText("main"), address)
          await page.context().setOffline(true)
          await page.clock.runFor(40_000)
          await page.getByRole("alert").waitFor()
          assert.notInclude(await page.innerText("main"), address)
          await page.context().setOffline(false)
          await page.clock.runFor(6_000)
          await page.getByRole("alert").waitFor({ state: "hidden" })
          assert.include(await page.innerText("main"), address)
        })
      })),
    visitMillis,
  )

  it.effect("shows the memo and the only amount to the last digit", function* () {
    assert.include(yield* textOf("memo"), "=:ETH.ETH:0x1111111111111111111111111111111111111111:0/1/0")
    assert.include(yield* textOf("exact"), "1.50000017")
  })

  it.effect("says what is happening in the words of the table of guidance", function* () {
    const Payment = "Your payment"
    const says: Partial<Record<Name, readonly [SwapPhase, Readonly<Record<string, string>>]>> = {
      waiting: ["waiting_for_deposit", {}],
      memo: ["waiting_for_deposit_with_memo", {}],
      exact: ["waiting_for_exact_deposit", { exactAmount: "1.50000017\u00a0BTC Bitcoin" }],
      closing: ["channel_closing", {}],
      expired: ["channel_expired", {}],
      confirming: ["deposit_seen", { Payment, sourceChain: "Bitcoin" }],
      late: ["swap_late", { Payment, destination: "ETH on Ethereum" }],
      refunded: ["refunded", {}],
      completed: ["completed", {}],
    }
    for (const [name, [phase, values]] of Object.entries(says)) {
      const text = (yield* textOf(name)).replaceAll(/<[^>]*>/g, "")
      const [line = ""] = english.phases[phase].split("\n")
      const filled = line.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? "\n")
      for (const part of filled.split("\n")) assert.include(text, part, name)
    }
  })

  it.effect("is in the language that its reader prefers, and says so", function* () {
    const url = new URL(`/pay/${tokenOf("exact")}`, yield* brokerUrl)
    const answerIn = (accepted: string, query = "") =>
      Effect.promise(async () => {
        const answer = await fetch(`${url}${query}`, { headers: { "accept-language": accepted } })
        return { headers: answer.headers, text: await answer.text() }
      })
    const german = yield* answerIn("de-CH;q=0.9, en;q=0.5")
    assert.strictEqual(german.headers.get("content-language"), "de")
    assert.include(german.headers.get("vary") ?? "", "accept-language")
    assert.include(german.text, '<html lang="de">')
    assert.include(german.text, "Senden Sie genau")
    assert.include((yield* answerIn("es")).text, "Envíe exactamente")
    assert.include((yield* answerIn("fr")).text, "Send exactly")
    assert.include((yield* answerIn("es", "?lang=de")).text, "Senden Sie genau")
    const { headers, text } = yield* Effect.promise(async () => {
      const answer = await fetch(new URL(`/pay/${"y".repeat(43)}`, url), {
        headers: { "accept-language": "es" },
      })
      return { headers: answer.headers, text: await answer.text() }
    })
    assert.strictEqual(headers.get("content-language"), "es")
    assert.include(text, "Este enlace no funciona")
  })

  it.effect("shows the merchant of its account, and which host runs it", function* () {
    const broker = yield* brokerUrl
    const text = yield* textOf("branded")
    assert.include(text, '<bdi>Acme "&gt;&lt;img src=x onerror=canary()&gt; &amp; Söhne</bdi>')
    assert.include(text, `<b>${broker.host}</b>`)
    assert.notInclude(text, "style=")
    assert.include(text, `href="mailto:${merchant.support}?subject=Swap%20`)
    assert.include(text, `href="${merchant.returnUrl}"`)
    const [, logo = ""] = /<img src="([^"]*\/logo)"/.exec(text) ?? []
    const [, colours = ""] = /href="([^"]*\/colours\/[^"]*)"/.exec(text) ?? []
    yield* Effect.promise(async () => {
      const picture = await fetch(new URL(logo, broker))
      assert.strictEqual(picture.headers.get("content-type"), "image/png")
      assert.strictEqual(picture.headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(picture.headers.get("content-security-policy"), "default-src 'none'; sandbox")
      const bytes = new Uint8Array(await picture.arrayBuffer())
      assert.include(merchant.logo, btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")))
      assert.strictEqual(await (await fetch(new URL(colours, broker))).text(), ":root{--merchant:#0b6b5d}\n")
    })
    for (const name of ["waiting", "completed"] as const) {
      const other = yield* textOf(name)
      assert.notInclude(other, '/logo"')
      assert.include(other, "<bdi>Swap Broker</bdi>")
    }
  })

  it.effect("has no picture and no colour but those that were set", function* () {
    const broker = yield* brokerUrl
    for (
      const path of [
        `/pay/${tokenOf("waiting")}/logo`,
        `/pay/${"z".repeat(43)}/logo`,
        "/pay/files/colours/ffffff.css",
        "/pay/files/colours/0b6b5d.css%7D",
        "/pay/files/colours/red",
        "/pay/files/colours/0b6b5d;}*{display:none.css",
      ]
    ) {
      const answer = yield* Effect.promise(() => fetch(new URL(path, broker)))
      assert.strictEqual(answer.status, 404, path)
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/, path)
    }
  })

  it.effect(
    "copies an amount as its digits alone, and an address as it is",
    () =>
      withBrowser(Effect.fnUntraced(function* (browser) {
        const url = new URL(`/pay/${tokenOf("token")}`, yield* brokerUrl)
        const page = yield* Effect.acquireRelease(
          Effect.promise(() => browser.newPage()),
          (page) => Effect.promise(() => page.close()),
        )
        const copied: Array<string> = []
        yield* Effect.promise(async () => {
          await page.exposeFunction("keep", (text: unknown) => {
            copied.push(`${text}`)
          })
          await page.addInitScript({
            content:
              `Object.defineProperty(navigator, "clipboard", { value: { writeText: globalThis.keep } })`,
          })
          await page.goto(url.href)
          await page.getByRole("button", { name: "Copy amount" }).click()
          await page.getByRole("button", { name: "Copy address" }).click()
          await page.getByText("Copied").first().waitFor()
        })
        assert.deepStrictEqual(copied, ["1234.56789", `${statuses.token.depositChannel?.depositAddress}`])
        assert.match(yield* Effect.promise(() => page.innerText(".big")), /^1/)
      })),
    visitMillis,
  )

  it.effect(
    "counts down the time that is left, and needs no script for it",
    () =>
      withBrowser(Effect.fnUntraced(function* (browser) {
        const url = new URL(`/pay/${tokenOf("waiting")}`, yield* brokerUrl)
        const page = yield* Effect.acquireRelease(
          Effect.promise(() => browser.newPage()),
          (page) => Effect.promise(() => page.close()),
        )
        yield* Effect.promise(async () => {
          await page.clock.install()
          await page.goto(url.href)
          const left = page.locator("[data-left]")
          assert.match(await left.innerText(), /^22 h (?:2\d|30) min$/)
          await page.context().setOffline(true)
          await page.clock.runFor(2 * 3_600_000)
          assert.match(await left.textContent() ?? "", /^20 h (?:2\d|30) min$/)
        })
        assert.match(yield* textOf("waiting"), /<span data-left="\d+" data-days="day days">22 h<\/span>/)
      })),
    visitMillis,
  )

  it.effect(
    "says until when by the clock of its reader",
    () =>
      withBrowser(Effect.fnUntraced(function* (browser) {
        const url = new URL(`/pay/${tokenOf("waiting")}`, yield* brokerUrl)
        const page = yield* Effect.acquireRelease(
          Effect.promise(() => browser.newPage({ timezoneId: "Asia/Kolkata" })),
          (page) => Effect.promise(() => page.close()),
        )
        yield* Effect.promise(() => page.goto(url.href))
        const text = yield* Effect.promise(() => page.innerText("time[data-here]"))
        const [, hours, minutes, others] = /(\d\d):(\d\d) your time \(.*(\d\d:\d\d) UTC\)$/.exec(text) ?? []
        const here = Number(hours) * 60 + Number(minutes) - 330
        const clock = [Math.floor(here / 60 + 24) % 24, (here + 1_440) % 60]
        assert.strictEqual(clock.map((part) => `${part}`.padStart(2, "0")).join(":"), others, text)
        assert.match(yield* textOf("waiting"), /data-here="your time">\d+ \w+ \d{4}, \d\d:\d\d UTC</)
      })),
    visitMillis,
  )

  it.effect(
    "has no target below 44 pixels on a narrow screen",
    () =>
      withBrowser(Effect.fnUntraced(function* (browser) {
        const page = yield* Effect.acquireRelease(
          Effect.promise(() => browser.newPage({ viewport: { width: 390, height: 844 } })),
          (page) => Effect.promise(() => page.close()),
        )
        for (const name of [...names, "nobody"]) {
          const url = new URL(`/pay/${tokenOf(name)}`, yield* brokerUrl)
          yield* Effect.promise(() => page.goto(url.href))
          const small: unknown = yield* Effect.promise(() =>
            page.evaluate(`[...document.querySelectorAll("main :is(a, button, summary)")].flatMap((part) => {
              const { height, width } = part.getBoundingClientRect()
              return width > 0 && (height < 44 || width < 44) ? [part.outerHTML] : []
            })`)
          )
          assert.deepStrictEqual(small, [], name)
        }
      })),
    visitMillis,
  )

  it.effect(
    "asks for the payment in less than two screens of a phone, in every language",
    () =>
      withBrowser(Effect.fnUntraced(function* (browser) {
        const page = yield* Effect.acquireRelease(
          Effect.promise(() => browser.newPage({ viewport: { width: 390, height: 844 } })),
          (page) => Effect.promise(() => page.close()),
        )
        for (const { tag } of languages) {
          const url = new URL(`/pay/${tokenOf("waiting")}?lang=${tag}`, yield* brokerUrl)
          yield* Effect.promise(() => page.goto(url.href))
          const height = yield* Effect.promise(() => page.evaluate("document.documentElement.scrollHeight"))
          assert.isAtMost(Number(height), 1_456, tag)
        }
      })),
    visitMillis,
  )

  it.effect("does not show the address of a channel that is over", function* () {
    for (const name of ["expired", "closing", "confirming", "completed", "refunded", "failed"] as const) {
      const address = statuses[name].depositChannel?.depositAddress ?? ""
      assert.isAbove(address.length, 10)
      assert.notInclude(yield* textOf(name), address, name)
    }
  })
})
