import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import type { Locator, Page } from "playwright-core"
import { find, textAt } from "#test/contract/support/Json.ts"
import { newAccount, operate } from "#test/contract/support/operator.ts"
import { deposit, openSwap, passUntil } from "#test/contract/support/swaps.ts"
import type { Server } from "#interfaces/http/server/Server.ts"
import { eventually } from "#test/durability/eventually.ts"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { Chromium, withBrowser } from "./support/Chromium.ts"
import { visitMillis } from "./support/inspect.ts"
import { seededDatabases } from "./support/seed.ts"

/** A task of an operator: the clicks that it may take from the overview, the way, and what is read at its end. */
interface Task {
  readonly name: string
  readonly most: number
  /** Makes what the task is about. */
  readonly before?: Effect.Effect<unknown, unknown, Server>
  readonly way: (page: Page, click: (what: Locator) => Promise<void>) => Promise<Locator>
  readonly reads: RegExp
}

/** A webhook whose receiver cannot be reached, once that was noticed. */
const failingWebhook = Effect.gen(function* () {
  const account = yield* newAccount()
  const webhooks = `/accounts/${account}/webhooks`
  const id = textAt(yield* operate("POST", webhooks, { url: "http://127.0.0.1:1999/hook" }), "id")
  yield* operate("POST", `${webhooks}/${id}/test`)
  yield* eventually(operate("GET", webhooks), (all) => find(all, 0, "failingSince") !== undefined)
})

const earned = Effect.gen(function* () {
  const opened = yield* openSwap({ sourceAsset: "eth.arb", commissionBps: "30", platform: "chainflip" })
  yield* deposit(opened, "2000000000000000001")
  yield* passUntil(opened, "completed")
})

const tasks: ReadonlyArray<Task> = [
  {
    name: "the revenue of last week in dollars",
    most: 1,
    way: async (page, click) => {
      await click(page.getByRole("link", { name: "Last week" }))
      return page.locator(".tile", { hasText: "Commission" })
    },
    reads: /\$[\d,]+\.\d\d/,
  },
  {
    name: "the refunds of yesterday",
    most: 2,
    way: async (page, click) => {
      await click(page.getByRole("link", { name: "Swaps", exact: true }))
      await click(page.getByRole("link", { name: /^Refunded yesterday/ }))
      return page.locator("#list")
    },
    reads: /Refunded|refunded yesterday/,
  },
  {
    name: "why a webhook fails",
    before: failingWebhook,
    most: 2,
    way: async (page, click) => {
      await click(page.getByRole("link", { name: "Webhooks", exact: true }))
      await click(page.locator("#webhooks tbody").getByRole("link").first())
      return page.locator("#now")
    },
    reads: /Receiver unreachable[\s\S]*Next attempt/,
  },
  {
    name: "the cause of a stuck swap",
    most: 2,
    way: async (page, click) => {
      await click(page.getByRole("link", { name: "Open the oldest" }).first())
      return page.locator("#standing")
    },
    reads: /(Receiving|Swapping|Sending|Sent) for/,
  },
  {
    name: "the way of a new integrator in: an account, a key and a link",
    most: 6,
    way: async (page, click) => {
      await click(page.getByRole("link", { name: "Accounts", exact: true }))
      await click(page.getByRole("link", { name: "New account" }))
      await page.getByLabel("Name").fill("new-integrator")
      await page.getByLabel("Commission (basis points)").fill("25")
      await click(page.getByRole("button", { name: "Create account" }))
      await click(page.getByRole("button", { name: "Issue a key" }))
      await page.locator(".secret", { hasText: "sbk_" }).waitFor()
      await click(page.getByRole("button", { name: "Portal link" }))
      return page.locator(".secret")
    },
    reads: /\/dashboard\/enter#/,
  },
  {
    name: "a withdrawal, with the key once more",
    before: earned,
    most: 4,
    way: async (page, click) => {
      await click(page.getByRole("link", { name: "Treasury" }))
      await click(page.getByRole("link", { name: /^Withdraw .+ from / }).first())
      await page.getByLabel("Your operator key").fill(testKey)
      await click(page.getByRole("button", { name: /^Withdraw/ }))
      return page.locator("main")
    },
    reads: /Requested\. This page follows it until it is paid\./,
  },
]

layer(Layer.merge(broker({}, seededDatabases), Chromium.layer), { excludeTestServices: true })(
  "an operator without scripts",
  (it) => {
    for (const { before = Effect.void, most, name, reads, way } of tasks) {
      it.effect(
        `finds ${name} with at most ${most} clicks`,
        () =>
          withBrowser(Effect.fnUntraced(function* (browser) {
            const url = yield* brokerUrl
            yield* before
            const { clicks, text } = yield* Effect.promise(async () => {
              const context = await browser.newContext({ javaScriptEnabled: false })
              const page = await context.newPage()
              await page.goto(new URL("/dashboard", url).href)
              await page.getByLabel("Your operator key").fill(testKey)
              await page.getByRole("button", { name: "Sign in" }).click()
              await page.locator("h1", { hasText: "Overview" }).waitFor({ state: "attached" })
              let clicks = 0
              const end = await way(page, async (what) => {
                clicks++
                await what.click()
                await page.waitForLoadState()
              })
              const text = await end.innerText()
              await context.close()
              return { clicks, text }
            })
            assert.match(text, reads)
            assert.isAtMost(clicks, most)
          })),
        visitMillis,
      )
    }
  },
)
