import type { Page } from "playwright-core"
import { pages } from "#interfaces/dashboard/registry.ts"
import type { World } from "./livelyWorld.ts"

/** One picture, in each look or in those that it names. */
export interface Picture {
  readonly name: string
  readonly path: string
  readonly language?: string
  readonly looks?: ReadonlyArray<string>
  /** The page's own form, by the end of its action, whose answer is drawn. */
  readonly submits?: string
  /** The link that is followed from the page, by its words. */
  readonly follows?: string
  /** How long to wait for the page's script, in milliseconds. */
  readonly wait?: number
}

/** Sends the first form to such an address, and waits for its answer. */
export const submitForm = async (page: Page, action: string): Promise<void> => {
  const form = page.locator(`form[action$="${action}"]`).first()
  if (await form.count() === 0) return
  const answered = page.waitForLoadState("load")
  // The form may be in a fold.
  await page.evaluate("document.querySelectorAll('details').forEach((fold) => fold.open = true)")
  await form.locator("button").last().click()
  await answered
  await page.waitForTimeout(600)
}

/** Follows the first link with such words, which may be in a fold. */
export const followLink = async (page: Page, words: string): Promise<void> => {
  await page.evaluate("document.querySelectorAll('details').forEach((fold) => fold.open = true)")
  await page.getByRole("link", { name: words, exact: true }).first().click()
  await page.waitForLoadState("load")
}

/** The path of a page with what it is about. */
const withSubject = (path: string, { account, delivery, swapOf, webhook }: World): string =>
  path.replace("swaps/:id/accept", `swaps/${swapOf("disputed")}/accept`)
    .replace("swaps/:id/journal/:entry", `swaps/${swapOf("completed")}/journal/7`)
    .replace("providers/:name", "providers/relay").replace(":name", account)
    .replace("webhooks/:id", `webhooks/${webhook}`).replace(":delivery", `${delivery}`)
    .replace("swaps/:id", `swaps/${swapOf("completed")}`)
    .replace(/:[a-z]+/g, "1")

const nameOf = (path: string): string =>
  path === "/dashboard" ? "overview" : path.replace("/dashboard/", "").replaceAll(/[^a-z0-9]+/gi, "-")

const stateNames = [
  "refundedForPrice",
  "partlyRefunded",
  "failed",
  "expired",
  "receiving",
  "depositStalled",
  "swapStalled",
  "payoutStalled",
  "refundStalled",
  "disputed",
] as const

/** Every page with what it is about, and those that have other states in each of them. */
export const picturesOf = (world: World): ReadonlyArray<Picture> => {
  const { account, newAccount, payPages, swapOf, unknown, waiting } = world
  const accounts = "/dashboard/accounts"
  return [
    ...pages.filter(({ navOfIntegrators, path }) => navOfIntegrators !== true && !path.endsWith("/keys/:id"))
      .map(({ path }) => ({ name: nameOf(path), path: withSubject(path, world) })),
    { name: "swap-waiting", path: `/dashboard/swaps/${waiting}` },
    ...stateNames.map((name) => ({ name: `swap-${name}`, path: `/dashboard/swaps/${swapOf(name)}` })),
    { name: "opening-unknown", path: `/dashboard/swaps/${unknown}` },
    { name: "swaps-stalled", path: "/dashboard/swaps?view=stalled" },
    { name: "swaps-unknown", path: "/dashboard/swaps?view=unknown" },
    { name: "provider-chainflip", path: "/dashboard/providers/chainflip" },
    { name: "account-new", path: `${accounts}/${newAccount}` },
    { name: "keys-none", path: `${accounts}/${newAccount}/keys` },
    { name: "key-revoke", path: `${accounts}/${account}/keys`, follows: "Revoke" },
    { name: "provider-switch", path: "/dashboard/providers/chainflip?set=false&of=open" },
    { name: "key-issued", path: `${accounts}/${newAccount}/keys`, submits: "/keys" },
    { name: "withdraw-form", path: "/dashboard/money/withdraw?provider=chainflip&asset=usdc.eth" },
    { name: "not-found", path: "/dashboard/nowhere" },
    { name: "sign-in", path: "/dashboard/login" },
    { name: "docs", path: "/docs" },
    { name: "docs-reference", path: "/docs/reference" },
    { name: "docs-guide", path: "/docs/swap-states" },
    { name: "docs-quickstart", path: "/docs/quickstart" },
    { name: "docs-webhooks", path: "/docs/webhooks-and-events" },
    { name: "docs-topic", path: "/docs/quotes" },
    { name: "docs-quotes", path: "/docs/quotes/get-quotes" },
    { name: "docs-swap", path: "/docs/swap" },
    { name: "docs-schema", path: "/docs/schemas/Quote" },
    { name: "docs-search", path: "/docs?q=deposit" },
    { name: "docs-try-1s", path: "/docs/try", wait: 1_000 },
    { name: "docs-try-5s", path: "/docs/try", wait: 5_000 },
    ...Object.entries(payPages).flatMap(([state, path]) => [
      { name: `pay-${state}`, path },
      { name: `pay-${state}-german`, path, language: "de-DE", looks: ["narrow"] },
      { name: `pay-${state}-spanish`, path, language: "es-ES", looks: ["narrow"] },
    ]),
  ]
}

/** Pages of a service at which nothing has happened yet. */
export const unused: ReadonlyArray<Picture> = ["", "/swaps", "/money", "/failed", "/commission"]
  .map((path) => `/dashboard${path}`).map((path) => ({ name: `unused-${nameOf(path)}`, path }))
