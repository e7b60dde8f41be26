import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { framedForAll, framedWith } from "#interfaces/dashboard/frame.tsx"
import { CurrentMode } from "#interfaces/pages/mode.tsx"
import { Viewer } from "#domain/accounts/Viewer.ts"
import { jsx } from "#interfaces/pages/jsx-runtime.ts"
import { accountWith, callerWith } from "#test/support/account.ts"

const byOperator = Viewer.Operator({ caller: callerWith() })
const byIntegrator = Viewer.Integrator({ account: accountWith() })

const shown = { title: "Here", body: jsx("p", { children: "It is shown." }) }

/** A page, with the words of its links and headings in the navigation. */
const look = Effect.fnUntraced(function* (viewer: Viewer, current: string, alerts = Option.none<number>()) {
  const text = `${yield* framedWith(viewer, current, shown, alerts)}`
  const [nav = ""] = /<nav class="side"[\s\S]*?<\/nav>/.exec(text) ?? []
  const wordsOf = (part: RegExp) =>
    [...nav.matchAll(part)].map(([, words = ""]) =>
      words.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ").trim()
    )
  return {
    current: wordsOf(/<li><a [^>]*aria-current="page">(.*?)<\/a>/gs),
    groups: wordsOf(/<h2[^>]*>(.*?)<\/h2>/gs),
    links: wordsOf(/<li><a [^>]*>(.*?)<\/a>/gs),
    text,
  }
})

describe("the frame of the dashboard", () => {
  it.effect("has every place of an operator by group, with how many alerts are active", function* () {
    const { current, groups, links } = yield* look(byOperator, "/dashboard", Option.some(5))
    assert.deepStrictEqual(groups, ["Money", "Upstream", "Integrators", "Record"])
    assert.includeMembers(links, [
      "Overview",
      "Swaps",
      "Alerts 5 active",
      "Treasury",
      "Accounts",
      "Audit log",
      "API docs",
    ])
    assert.deepStrictEqual(links.slice(0, 3), ["Overview", "Swaps", "Alerts 5 active"])
    assert.deepStrictEqual(current, ["Overview"])
    for (const none of [Option.none(), Option.some(0)]) {
      assert.include((yield* look(byOperator, "/dashboard", none)).links, "Alerts")
    }
  })

  it.effect("has the few places of an integrator without headings, and no link to the operator's", function* () {
    const { groups, links } = yield* look(byIntegrator, "/dashboard/swaps")
    assert.deepStrictEqual(groups, [])
    assert.deepStrictEqual(links, ["Overview", "Swaps", "Commission", "Keys", "Webhooks", "Failed requests"])
  })

  it.effect("names the place of a page that is below another, and none for a page that is nowhere", function* () {
    assert.deepStrictEqual((yield* look(byOperator, "/dashboard/swaps/:id")).current, ["Swaps"])
    assert.deepStrictEqual((yield* look(byOperator, "/dashboard/accounts/:name/keys")).current, ["Accounts"])
    assert.deepStrictEqual((yield* look(byIntegrator, "/dashboard/webhooks/:id")).current, ["Webhooks"])
    assert.deepStrictEqual((yield* look(byOperator, "")).current, [])
  })

  it.effect("says the mode and the time, finds swaps, and opens on a narrow screen without a script", function* () {
    const live = (yield* look(byOperator, "/dashboard")).text
    assert.include(live, '<span class="pill good">Live</span>')
    assert.notInclude(live, "real time")
    assert.match(live, /<time datetime="[^"]+">\w{3} \d+ \w{3}, \d\d:\d\d UTC<\/time>/)
    assert.match(live, /action="\/dashboard\/swaps"[\s\S]*name="find"/)
    assert.match(live, /id="nav" popover[\s\S]*popovertarget="nav"/)
    const sandbox = yield* Effect.provideService(look(byOperator, "/dashboard"), CurrentMode, "sandbox")
    const mixed = yield* Effect.provideService(look(byOperator, "/dashboard"), CurrentMode, "mixed")
    assert.notInclude(mixed.text, "no money moves")
    assert.include(mixed.text, "real money may move")
    assert.include(sandbox.text, 'Sandbox<span class="rest">: no money moves')
    assert.include(sandbox.text, "UTC</time> · real time")
  })

  it.effect("has the head that a page says, and on a card the host as text", function* () {
    const page = yield* framedWith(byOperator, "/dashboard/swaps/:id", {
      ...shown,
      state: jsx("i", { children: "failed" }),
      line: "of <acme>",
      acts: jsx("b", { children: "act" }),
      crumb: jsx("a", { children: "back" }),
    }, Option.none())
    const head = `${page}`.replaceAll(/\s+/g, " ")
    assert.include(
      head,
      '<p class="crumb"><a>back</a></p><h1>Here</h1><i>failed</i><small>of &lt;acme&gt;</small><div class="acts"><b>act</b></div></div>',
    )
    const unseen = yield* framedWith(byOperator, "", { ...shown, hasUnseenTitle: true }, Option.none())
    assert.include(`${unseen}`, '<h1 class="un">Here</h1>')
    const card = yield* framedForAll({ ...shown, host: "<b>evil</b>" })
    assert.include(`${card}`, "&lt;b&gt;evil&lt;/b&gt;")
    assert.include(`${card}`, 'class="solo"')
    assert.notInclude(`${card}`, '<nav class="side"')
  })
})
