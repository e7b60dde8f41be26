import { assert } from "@effect/vitest"
import axe from "axe-core"
import { Context, Effect, Layer } from "effect"
import type { Browser, Page } from "playwright-core"
import { brokerUrl } from "#test/support/broker.ts"
import { wrongSentences } from "./sentences.ts"

const narrow = { width: 390, height: 844 }
const wide = { width: 1280, height: 900 }

/** The most bytes that a page and all that it loads may have, not compressed, unless a test says otherwise. */
const mostOfPage = 60_000

/** The most time that a test with a browser takes, where other work keeps the machine busy. */
export const visitMillis = 90_000

/** Where pictures of all pages are kept, to be looked at. */
const pictures = Deno.env.get("DASHBOARD_PICTURES")

/** What a page must not do: it notes each, for the test to find. */
const watch = (page: Page, found: Array<string>): void => {
  page.on("console", (message) => {
    // A page about something that is missing is told of by its status.
    const isStatus = /the server responded with a status of 4\d\d/.test(message.text())
    if (message.type() === "error" && !isStatus) found.push(`console: ${message.text()}`)
  })
  page.on("pageerror", (error) => found.push(`error: ${error.message}`))
  page.on("dialog", (dialog) => {
    found.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on("request", (request) => {
    if (!request.url().startsWith("http://127.0.0.1:") && !request.url().startsWith("http://localhost:")) {
      found.push(`leaves: ${request.url()}`)
    }
  })
}

/**
 * What a foreign text in the seed calls if it runs. Whatever the policy of a page stops is told, too. The page is taken
 * for one that nobody looks at, so that no part of it is brought up to date while it is compared.
 */
const canary = `
  globalThis.canary = () => console.error("CANARY: a foreign text ran")
  document.addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) =>
    console.error("CSP: " + effectiveDirective + " " + blockedURI))
  Object.defineProperty(Document.prototype, "visibilityState", { get: () => "hidden" })
`

const openTab = async (browser: Browser, url: URL, cookie: string | undefined): Promise<Page> => {
  const context = await browser.newContext({ viewport: wide, reducedMotion: "reduce" })
  const [name = "", value = ""] = cookie?.split("=") ?? []
  if (cookie !== undefined) {
    const where = { domain: url.hostname, path: "/" }
    await context.addCookies([{ name, value, ...where, secure: true, httpOnly: true, sameSite: "Strict" }])
  }
  await context.addInitScript({ content: canary })
  return await context.newPage()
}

/** The tabs of the tests of a file: one for each who looks, in which one page is opened after the other. */
export class Tabs extends Context.Service<Tabs, {
  /** The tab of somebody, who signs in when it is opened. `canary()` in it means that a text of others ran. */
  readonly of: <R>(
    as: string,
    browser: Browser,
    signIn: Effect.Effect<string | undefined, never, R>,
  ) => Effect.Effect<Page, never, R>
}>()("test/interfaces/dashboard/Tabs") {
  static readonly layer = Layer.effect(
    Tabs,
    Effect.gen(function* () {
      const url = yield* brokerUrl
      const open = new Map<string, Page>()
      return Tabs.of({
        of: Effect.fnUntraced(function* (as, browser, signIn) {
          const known = open.get(as)
          if (known !== undefined) return known
          const cookie = yield* signIn
          const page = yield* Effect.promise(() => openTab(browser, url, cookie))
          open.set(as, page)
          return page
        }),
      })
    }),
  )
}

/** Rules about how a page looks, which depends on the theme and on the width of the screen. */
const rulesOfLooks = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]

const everyRule = `{ resultTypes: ["violations"] }`
const looksOnly = `{ resultTypes: ["violations"], runOnly: ${JSON.stringify(rulesOfLooks)} }`

/** What a script in the page finds, in lines. */
const linesOf = async (page: Page, script: string): Promise<ReadonlyArray<string>> => {
  const found: unknown = await page.evaluate(script)
  return Array.isArray(found) ? found.map(String) : [`a script of the tests answered ${found}`]
}

/** Runs rules of axe in the page, and tells of each violation where it is. */
const violationsIn = (page: Page, form: string, rules: string): Promise<ReadonlyArray<string>> =>
  linesOf(
    page,
    `axe.run(document, ${rules}).then(({ violations }) => violations.map(({ id, impact, nodes }) =>
      "${form}: " + impact + " " + id + ": " + nodes.map(({ html, failureSummary }) =>
        html.slice(0, 200) + " " + failureSummary).join(" | ")))`,
  )

/** The content of a document as text, without all that is hidden from who runs no scripts. */
const contentOf = `(root) => {
  const main = root.querySelector("main").cloneNode(true)
  for (const part of main.querySelectorAll("[data-copy], [data-left], [data-here], noscript, [hidden]")) part.remove()
  return main.textContent
}`

/** Whether the browser, with its scripts, shows the text that the service sent, which is all that others see. */
const isAsSent = (page: Page, sent: string): Promise<unknown> =>
  page.evaluate(`((contentOf, sent) => {
    const text = contentOf(new DOMParser().parseFromString(sent, "text/html"))
    return text.trim().length > 20 && contentOf(document) === text
  })(${contentOf}, ${JSON.stringify(sent)})`)

/** What needs scrolling sideways or runs into its neighbour: the page, its tables and their cells. */
const tooWide = `[document.documentElement, ...document.querySelectorAll(".scroll, .cards td")]
  .filter((part) => part.scrollWidth > part.clientWidth)
  .map((part) => "is too wide: " + (part.ariaLabel ?? part.dataset.l ?? "the page"))`

/** The mode is seen at every width on pages of who is signed in. */
const hiddenMode = `[...document.querySelectorAll(".top > .pill")]
  .filter((pill) => pill.offsetWidth < 40).map(() => "hides the mode")`

const shoot = async (page: Page, name: string): Promise<void> => {
  if (pictures === undefined) return
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
}

const nameOf = (path: string): string => path.replaceAll(/[^a-z0-9]+/gi, "-").replaceAll(/^-|-$/g, "")

/**
 * Looks at a page once, in both themes and on a narrow screen: it says the same without scripts, nothing of others
 * runs, nothing leads elsewhere, its sentences keep the rules of words, no rule of accessibility is broken, it is no larger than a page may be, and neither it
 * nor a table in it needs scrolling sideways.
 */
export const inspect = (page: Page, url: URL, path: string, as: string, mostBytes = mostOfPage) =>
  Effect.promise(async () => {
    const found: Array<string> = []
    watch(page, found)
    const loaded: Array<Promise<number>> = []
    page.on(
      "response",
      (response) => loaded.push(response.body().then(({ byteLength }) => byteLength, () => 0)),
    )
    await page.emulateMedia({ colorScheme: "light" })
    await page.setViewportSize(wide)
    const answer = await page.goto(new URL(path, url).href, { waitUntil: "load" })
    const sent = await answer?.text() ?? ""
    if (!await isAsSent(page, sent)) found.push("shows something else without scripts")
    // The reference is about calls and names; a case file shows a record as it was signed.
    if (as !== "reader" && !as.startsWith("case-")) found.push(...wrongSentences(sent))
    await page.evaluate(axe.source)
    const bytes = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0)
    found.push(...await violationsIn(page, "light", everyRule))
    await shoot(page, `${nameOf(path)}-${as}-light`)
    await page.emulateMedia({ colorScheme: "dark" })
    await shoot(page, `${nameOf(path)}-${as}-dark`)
    await page.setViewportSize(narrow)
    found.push(
      ...await violationsIn(page, "narrow and dark", looksOnly),
      ...await linesOf(page, tooWide),
      ...await linesOf(page, hiddenMode),
    )
    await shoot(page, `${nameOf(path)}-${as}-narrow-dark`)
    if (pictures !== undefined) {
      await page.emulateMedia({ colorScheme: "light" })
      await shoot(page, `${nameOf(path)}-${as}-narrow-light`)
    }
    page.removeAllListeners()
    assert.deepStrictEqual(found, [], path)
    assert.isAtMost(bytes, mostBytes, `${path}: bytes`)
    assert.isBelow(answer?.status() ?? 0, 500, path)
    return answer?.status()
  })
