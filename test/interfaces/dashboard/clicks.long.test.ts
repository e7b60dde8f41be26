import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { call } from "#test/contract/support/call.ts"
import { textAt } from "#test/contract/support/Json.ts"
import { newAccount, operate } from "#test/contract/support/operator.ts"
import { deposit, openSwap, passUntil } from "#test/contract/support/swaps.ts"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { seededDatabases } from "./support/seed.ts"
import { Chromium, withBrowser } from "./support/Chromium.ts"
import { visitMillis } from "./support/inspect.ts"

layer(Layer.merge(broker(), Chromium.layer), { excludeTestServices: true })(
  "a browser without scripts",
  (it) => {
    it.effect(
      "signs in, follows links, makes an account with a form, and signs out",
      () =>
        withBrowser(Effect.fnUntraced(function* (browser) {
          const url = yield* brokerUrl
          const said = yield* Effect.promise(async () => {
            const context = await browser.newContext({ javaScriptEnabled: false })
            const page = await context.newPage()
            await page.goto(new URL("/dashboard", url).href)
            await page.getByLabel("API key").fill(testKey)
            await page.getByRole("button", { name: "Sign in" }).click()
            await page.getByRole("link", { name: "Accounts" }).click()
            await page.getByRole("link", { name: "New account" }).click()
            // A mistake first: what was entered is still there.
            await page.getByLabel("Name").fill("made-by-hand")
            await page.getByLabel("Commission (basis points)").fill("99999")
            await page.getByRole("button", { name: "Create account" }).click()
            const kept = await page.getByLabel("Name").inputValue()
            await page.getByLabel("Commission (basis points)").fill("15")
            await page.getByRole("button", { name: "Create account" }).click()
            const done = await page.locator("main").innerText()
            await page.getByRole("button", { name: "Sign out" }).click()
            await page.goto(new URL("/dashboard/accounts", url).href)
            const end = await page.locator("h1").innerText()
            await context.close()
            return { kept, done, end }
          })
          assert.strictEqual(said.kept, "made-by-hand")
          assert.include(said.done, "Account created.")
          assert.strictEqual(said.end, "Sign in")
        })),
      visitMillis,
    )
  },
)

const signedIn = async (browser: Browser, url: URL, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await (await browser.newContext(options)).newPage()
  await page.goto(new URL("/dashboard", url).href)
  await page.getByLabel("API key").fill(testKey)
  await page.getByRole("button", { name: "Sign in" }).click()
  return page
}

const noScripts = { javaScriptEnabled: false }

/** Why a swap is stuck, by its page. */
const causes = async (page: Page): Promise<string> => {
  // A click does not wait until the page behind the link is there.
  await page.locator("#standing").waitFor()
  return await page.locator("#standing").innerText()
}

layer(Layer.merge(broker({}, seededDatabases), Chromium.layer), {
  excludeTestServices: true,
})("a swap that is stuck", (it) => {
  it.effect(
    "tells its cause three clicks from the overview, for each kind of stall",
    () =>
      withBrowser(Effect.fnUntraced(function* (browser) {
        const url = yield* brokerUrl
        const said = yield* Effect.promise(async () => {
          const page = await signedIn(browser, url, noScripts)
          const toStalled = async () => {
            await page.getByRole("link", { name: "Overview" }).click()
            await page.getByRole("link", { name: "Swaps", exact: true }).click()
            await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Stalled" })
              .click()
            await page.locator(".tabs [aria-current]", { hasText: "Stalled" }).waitFor()
          }
          await toStalled()
          const rows = await page.locator("#list tbody tr").count()
          const direct: Array<string> = []
          for (let row = 0; row < rows; row++) {
            if (row > 0) await toStalled()
            await page.locator("#list tbody tr").nth(row).getByRole("link").click()
            direct.push(await causes(page))
          }
          return { page, direct }
        })
        for (const state of ["Receiving", "Swapping", "Sending", "Sent"]) {
          const cause = `${state} for`
          assert.isTrue(said.direct.some((text) => text.includes(cause)), cause)
        }
        assert.isTrue(said.direct.some((text) => text.includes("The deposit was of another amount before")))
        assert.isTrue(said.direct.some((text) => text.includes("failed. Chainflip holds the money.")))
        assert.isTrue(said.direct.every((text) => text !== ""))
        assert.strictEqual(said.direct.length, 6)
        yield* call("POST", "/providers/chainflip/switch", {
          body: { enabled: false, reason: "tried by a test" },
        })
        const ofDown = yield* Effect.promise(async () => {
          await said.page.goto(new URL("/dashboard/swaps/8", url).href)
          return await causes(said.page)
        })
        assert.include(ofDown, "Chainflip is switched off")
        yield* Effect.promise(() => said.page.context().close())
      })),
    visitMillis,
  )
})

layer(Layer.merge(broker(), Chromium.layer), { excludeTestServices: true })(
  "a browser with scripts",
  (it) => {
    it.effect(
      "sees a swap go on without loading its page again, and keeps what somebody opened",
      () =>
        withBrowser(Effect.fnUntraced(function* (browser) {
          const url = yield* brokerUrl
          const opened = yield* openSwap({ sourceAsset: "eth.arb" })
          const page = yield* Effect.promise(async () => {
            const page = await signedIn(browser, url)
            // Time stands still in the page until it is told to pass.
            await page.clock.install()
            await page.getByRole("link", { name: "Swaps", exact: true }).click()
            await page.locator("#list").getByRole("link").first().click()
            await page.locator(".head", { hasText: "Waiting" }).waitFor()
            await page.evaluate("globalThis.isSamePage = true")
            await page.getByText("Move it to another account").click()
            return page
          })
          yield* deposit(opened, "1000000000000000001")
          yield* passUntil(opened, "completed")
          const seen = yield* Effect.promise(async () => {
            await page.clock.runFor(5_000)
            await page.locator("#standing", { hasText: "Paid out" }).waitFor()
            return {
              isSame: await page.evaluate("globalThis.isSamePage"),
              isOpen: await page.getByRole("button", { name: "Move the swap" }).isVisible(),
            }
          })
          assert.deepStrictEqual(seen, { isSame: true, isOpen: true })
          yield* Effect.promise(() => page.context().close())
        })),
      visitMillis,
    )

    it.effect(
      "copies an address to the letter",
      () =>
        withBrowser(Effect.fnUntraced(function* (browser) {
          const url = yield* brokerUrl
          const address = textAt(yield* openSwap(), "address")
          const copied = yield* Effect.promise(async () => {
            const page = await signedIn(browser, url, { permissions: ["clipboard-read", "clipboard-write"] })
            await page.getByRole("link", { name: "Swaps", exact: true }).click()
            await page.locator("#list").getByRole("link").first().click()
            await page.getByRole("button", { name: "Copy the deposit address" }).click()
            await page.getByText("Copied").first().waitFor()
            const text: unknown = await page.evaluate("navigator.clipboard.readText()")
            await page.context().close()
            return text
          })
          assert.strictEqual(copied, address)
        })),
      visitMillis,
    )

    it.effect(
      "comes in by a link once, whose code is out of the address at once",
      () =>
        withBrowser(Effect.fnUntraced(function* (browser) {
          const account = yield* newAccount()
          const link = textAt(yield* operate("POST", `/accounts/${account}/portal-link`), "url")
          const seen = yield* Effect.promise(async () => {
            const context = await browser.newContext()
            const page = await context.newPage()
            await page.goto(link)
            const code = page.locator("input[data-code]")
            await code.waitFor({ state: "hidden" })
            const address = page.url()
            await page.getByRole("button", { name: "Open" }).click()
            const who = await page.locator(".who").innerText()
            await context.clearCookies()
            await page.goto(link)
            await code.waitFor({ state: "hidden" })
            await page.getByRole("button", { name: "Open" }).click()
            const again = await page.locator(".note").innerText()
            await context.close()
            return { address, who, again }
          })
          assert.match(seen.address, /\/dashboard\/enter$/)
          assert.include(seen.who, account)
          assert.include(seen.again, "This portal link was used")
        })),
      visitMillis,
    )
  },
)
