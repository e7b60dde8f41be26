import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import {
  age,
  amount,
  change,
  clockTime,
  dollars,
  exactTime,
  figure,
  hours,
  meter,
  points,
  strip,
  tiles,
  time,
  unpaidDollars,
} from "#interfaces/pages/values.tsx"
import { filterForm, filterSelect, pick } from "#interfaces/pages/forms.tsx"
import { jsx, path } from "#interfaces/pages/jsx-runtime.ts"
import {
  type Columns,
  done,
  note,
  pager,
  pill,
  section,
  segments,
  table,
  tabs,
  timeline,
  todo,
} from "#interfaces/pages/parts.tsx"

/** HTML without the spaces between tags and at their ends, which nobody sees. */
const plain = (text: unknown): string =>
  `${text}`.replaceAll(/\s+/g, " ").replaceAll(/ (?=[<>])|(?<=>) /g, "")

const matches = (text: unknown, part: RegExp) => [...`${text}`.matchAll(part)].map(([, found]) => found)

const here = path`/dashboard`

interface Row {
  readonly name: string
  readonly swaps: number
  readonly volume?: string
}

const columns: Columns<Row> = [
  ["Account", ({ name }) => name],
  ["Swaps", ({ swaps }) => swaps, "number"],
  ["Volume ≈ USD", ({ volume }) => volume, "number b"],
  ["USDC address", () => "0x1", "x"],
  ["Last use", () => "now", undefined, "used"],
  ["Said", () => "ok", undefined, ""],
]

describe("tables", () => {
  const shown = (columns: Columns<Row>, more = {}) =>
    plain(table({ caption: "Accounts", columns, rows: [{ name: "one", swaps: 3 }], empty: "none", ...more }))

  it("say of each cell what a card does with it, and a dash where nothing is known", () => {
    assert.deepStrictEqual(matches(shown(columns), /(<td[^>]*>[^<]*)/g), [
      '<td class="a">one',
      '<td class="r" data-l="swaps">3',
      '<td class="r b">–',
      '<td class="x">0x1',
      '<td data-l="used">now',
      "<td>ok",
    ])
    assert.deepStrictEqual(
      matches(shown(columns), /<th scope="col"([^>]*)>/g),
      ["", 'class="r"', 'class="r"', "", "", ""].map((name) => name === "" ? "" : ` ${name}`),
    )
  })

  it("have the name where a column says so", () => {
    const text = shown([["No.", () => 7], ["Account", ({ name }) => name, "a"]])
    assert.deepStrictEqual(matches(text, /(<td[^>]*>)/g), ['<td data-l="no.">', '<td class="a">'])
  })

  it("end with totals by column", () => {
    const text = shown(columns.slice(0, 3), { totals: ["Total", 3, "$5"] })
    assert.include(
      text,
      '<tfoot><tr><th scope="row" class="a">Total</th><td class="r" data-l="swaps">3</td><td class="r b">$5</td></tr></tfoot>',
    )
  })

  it("of figures say nothing of cards, and without rows there is none", () => {
    assert.notMatch(shown(columns.slice(0, 3), { look: "figures" }), /data-l|class="a"|cards/)
    assert.strictEqual(
      plain(table({ caption: "", columns, rows: [], empty: "None yet." })),
      '<div class="empty">None yet.</div>',
    )
  })
})

describe("amounts", () => {
  it("in full have all digits, and in lists the exact ones beside them, with asset and chain", () => {
    assert.strictEqual(
      plain(amount("btc.btc", 123_456_789_012_345n)),
      '<span class="am"><data value="1234567.89012345">1,234,567.89012345</data>BTC<span class="ch">Bitcoin</span></span>',
    )
    assert.strictEqual(
      plain(amount("eth.arb", 4_512_345_678_901_234_567n, "list")),
      '<span class="am"><data value="4.512345678901234567" title="4.512345678901234567 ETH on Arbitrum">4.5123</data>ETH<span class="ch">Arbitrum</span></span>',
    )
    assert.strictEqual(plain(figure("usdc.eth", 1_500_000n)), "1.5")
  })

  it("of dollars say that they are estimates, and of those not paid in that they are expected", () => {
    const usd = BigDecimal.fromStringUnsafe("22850.256")
    assert.strictEqual(
      plain(dollars(usd)),
      '<data value="22850.256" title="$22,850.26, estimate at the time of the swap">$22,850</data>',
    )
    assert.include(plain(dollars(usd, "cents")), ">$22,850.26<")
    assert.include(plain(unpaidDollars(usd)), ">expected $22,850<")
  })

  it("of changes are good or bad news by what they are of", () => {
    assert.strictEqual(plain(change(11, 10)), '<span class="up">+10.0 %</span>')
    assert.strictEqual(plain(change(9, 10)), '<span class="down">−10.0 %</span>')
    assert.strictEqual(plain(change(9, 10, "less")), '<span class="up">−10.0 %</span>')
    assert.strictEqual(plain(change(10, 10)), '<span class="soft">±0.0 %</span>')
    assert.isUndefined(change(10, 0))
    assert.strictEqual(plain(points(1.15, 0.76)), '<span class="down">+0.39 points</span>')
  })
})

describe("times", () => {
  const now = EpochMillis.make(Date.parse("2026-11-24T14:12:05Z"))
  const at = EpochMillis.make(Date.parse("2026-11-04T09:08:07Z"))

  it("are ages in lists, exact on pages of one thing, and of the page", () => {
    assert.strictEqual(exactTime(at), "4 Nov 2026, 09:08:07 UTC")
    assert.strictEqual(clockTime(now), "Tue 24 Nov, 14:12 UTC")
    assert.strictEqual(
      plain(age(at, now)),
      '<time datetime="2026-11-04T09:08:07+00:00" title="4 Nov 2026, 09:08:07 UTC">20 d ago</time>',
    )
    assert.include(plain(age(now, at)), ">in 20 d<")
    assert.include(plain(time(at, now)), '20 d ago<span class="exact">4 Nov 2026, 09:08:07 UTC</span>')
  })
})

describe("parts", () => {
  it("say a state by its shape, too", () => {
    assert.strictEqual(plain(pill("Waiting", "wait")), '<span class="pill wait">Waiting</span>')
  })

  it("tell what is wrong in parts, and what was done as a status", () => {
    assert.strictEqual(
      plain(
        note("bad", { title: "It fails", text: "It answers 500.", acts: jsx("b", { children: "x" }) }, {
          text: "Wait.",
        }),
      ),
      '<div class="note bad"><div><h2>It fails</h2><p>It answers 500.</p><div class="acts"><b>x</b></div></div><div><p>Wait.</p></div></div>',
    )
    assert.include(plain(done("It is there.")), 'class="note good" role="status"')
  })

  it("are a box where they say so", () => {
    assert.match(
      plain(section({ title: "T", id: "t", isBox: true }, jsx("i", {}))),
      /^<section [^>]*class="box"/,
    )
    assert.notInclude(plain(section({ title: "T", id: "t" }, jsx("i", {}))), "box")
  })

  it("are steps with their state, and decisions with their act", () => {
    assert.deepStrictEqual(
      matches(timeline([{ state: "ok", title: "a" }, { title: "b", texts: ["c"] }]), /<li ?([^>]*)>/g),
      ['class="ok"', ""],
    )
    const decision = {
      state: pill("Funds", "warn"),
      text: jsx("p", { children: "Low" }),
      acts: jsx("a", { class: "btn", children: "Top up" }),
    }
    assert.include(plain(todo([decision])), '<p><p>Low</p></p><a class="btn">Top up</a></li>')
    assert.include(plain(todo([decision], "tall")), '<div><p>Low</p></div><div class="acts"><a class="btn">')
  })

  it("lead to other views, of which one is current", () => {
    const views = [{ label: "All", to: here, isCurrent: true, count: "1,204" }, {
      label: "Stalled",
      to: here,
      isCurrent: false,
      count: 3,
      tone: "bad",
    }] as const
    assert.include(plain(tabs("Views", views)), 'aria-current="page">All<span class="n ">1,204</span></a>')
    assert.include(plain(tabs("Views", views)), '<span class="n bad">3</span>')
    assert.strictEqual(matches(segments("Period", views), /(aria-current="true")/g).length, 1)
  })

  it("say how many there are under a list, and nothing where there is nothing to say", () => {
    assert.strictEqual(`${pager({})}`, "")
    const text = plain(pager({ said: "1 – 25 of 718", next: here }))
    assert.include(text, "1 – 25 of 718")
    assert.include(text, 'rel="next"')
    assert.notInclude(text, "Back")
  })

  it("filter a list in one form, with filters that open without a script", () => {
    const select = filterSelect({
      label: "State",
      name: "state",
      value: "failed",
      choices: [{ value: "failed", label: "Failed" }],
    })
    const text = plain(
      filterForm({
        to: here,
        find: { name: "find", hint: "Id", value: '"x' },
        narrowed: ['"x'],
        fields: [select],
      }),
    )
    assert.include(text, 'popovertarget="more"')
    assert.include(text, 'id="more" popover')
    assert.include(text, 'value="&quot;x"')
    assert.include(text, '<option value="failed" selected>')
  })

  it("choose by cards, the present one first chosen", () => {
    const choices = [{ value: "on", label: "On", hint: "all" }, { value: "off", label: "Off" }]
    const text = plain(pick({ legend: "State", name: "enabled", value: "off", choices }))
    assert.deepStrictEqual(matches(text, /value="(\w+)" checked/g), ["off"])
    assert.include(text, "On<small")
  })

  it("are figures, a strip with hours, and how much of a limit is used", () => {
    assert.strictEqual(
      plain(tiles([{ label: "Completed", figure: 656, note: "of 695" }, { label: "None", figure: "–" }])),
      '<dl class="tiles"><div class="tile"><dt>Completed</dt><dd>656</dd><dd class="m">of 695</dd></div><div class="tile"><dt>None</dt><dd>–</dd></div></dl>',
    )
    const bars = hours("By hour", ["fine", "slow", "failing", "none"])
    assert.deepStrictEqual(matches(bars, /y="(\d+)"/g), ["0", "7", "13", "18"])
    const one = {
      name: "Relay",
      to: here,
      state: pill("Up", "good"),
      left: "99 %",
      right: "2 s",
      hours: bars,
    }
    assert.include(plain(strip([one])), "<b>Relay</b>")
    assert.match(plain(meter(188, 300)), /aria-label="62\.7 % used".*class="f1" width="62\.7%"/)
    assert.match(plain(meter(400, 300)), /class="f2" width="100\.0%"/)
    assert.include(plain(meter(1, 0)), "no limit")
  })
})
