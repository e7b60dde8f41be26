import { assert, layer } from "../support/it.ts"
import { Effect, Layer } from "effect"
import { broker, brokerUrl } from "../support/broker.ts"
import { Chromium, withBrowser } from "../dashboard/support/Chromium.ts"
import { inspect, Tabs, visitMillis } from "../dashboard/support/inspect.ts"
import { call } from "../contract/support/call.ts"
import { numberAt, textAt } from "../contract/support/Json.ts"
import { deposit, openSwap, passUntil } from "../contract/support/swaps.ts"
import { readLink } from "../domain/payment/support/parsers.ts"
import { readCode } from "../domain/payment/support/readCode.ts"
import { seededDatabases, statuses, tokenOf } from "./support/seed.ts"

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
          assert.match(yield* Effect.promise(() => page.title()), /^Swap [A-Z]+ for ETH · [a-z0-9.:]+$/)
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
    it.effect(`${name}: has a code and a link that say the same`, function* () {
      const text = yield* textOf(name)
      const link = /href="((?:bitcoin|ethereum):[^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? ""
      assert.deepStrictEqual(readLink(readCode(text)), readLink(link))
      assert.strictEqual(readLink(link).payee, statuses[name].depositChannel?.depositAddress)
    })
  }

  for (const name of codeless) {
    it.effect(`${name}: has neither a code nor a link of a wallet`, function* () {
      const text = yield* textOf(name)
      assert.notInclude(text, '<svg viewBox="0 0')
      assert.notMatch(text, /href="(?!\/|#|https:)/)
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
          await page.getByRole("button", { name: "Copy the address" }).focus()
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
    const says: Partial<Record<Name, string>> = {
      waiting: "Send the payment as this page shows it.",
      memo: "with its memo: without the memo the money is lost",
      exact: "Send exactly 1.50000017 BTC Bitcoin, to the last digit",
      closing: "It is too late to pay",
      expired: "when the address stopped taking any. Do not send anything to it any more.",
      confirming: "Your payment of 1.5 BTC Bitcoin was seen on Bitcoin, and gathers confirmations: 1 of 3.",
      late:
        "Your payment of 1.5 BTC Bitcoin is being swapped to ETH on Ethereum, which takes longer than estimated.",
      refunded: "Your payment was not swapped. 1.49 BTC Bitcoin went back to the refund address.",
      completed: "Done: 4.512345678901234567 ETH Ethereum was paid to the destination address.",
    }
    for (const [name, sentence] of Object.entries(says)) {
      assert.include((yield* textOf(name)).replaceAll(/<[^>]*>/g, ""), sentence, name)
    }
  })

  it.effect("does not show the address of a channel that is over", function* () {
    for (const name of ["expired", "closing", "confirming", "completed", "refunded", "failed"] as const) {
      const address = statuses[name].depositChannel?.depositAddress ?? ""
      assert.isAbove(address.length, 10)
      assert.notInclude(yield* textOf(name), address, name)
    }
  })
})
