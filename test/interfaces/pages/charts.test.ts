import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { axisSteps, bars, sparkline } from "#interfaces/pages/charts.tsx"

const cellsOf = (text: string) => [...text.matchAll(/<td[^>]*>([^<]*)/g)].map(([, cell]) => cell)
const textsOf = (text: string, name = "v") =>
  [...text.matchAll(new RegExp(`<text class="${name}"[^>]*>([^<]*)`, "g"))].map(([, said]) => said)
const labelsOf = (text: string) =>
  [...text.matchAll(/<text x="[\d.]+%"[^>]*>([^<]*)/g)].map(([, said]) => said)

/** A chart of bars with one series. */
const chartOf = (sizes: ReadonlyArray<number>): string =>
  `${
    bars({
      caption: "Calls",
      series: [{ name: "all", tone: "info" }],
      bars: sizes.map((size, at) => ({ label: `${at}`, parts: [size] })),
    })
  }`

describe("charts", () => {
  it("draw bars of parts on one another, with their sums and with their figures behind them", () => {
    const text = `${
      bars({
        caption: "Swaps",
        title: "Swaps that ended",
        said: "6 of them",
        series: [{ name: "completed", tone: "info" }, { name: "failed", tone: "bad" }],
        bars: [{ label: "Mon", parts: [3, 1], before: 2 }, {
          label: "Today",
          parts: [0, 2],
          isPartial: true,
        }],
        before: "the week before",
        partial: "today until 14:12",
      })
    }`
    const drawn = [...text.matchAll(/<path class="([\w ]+)" d="([^"]*)"/g)].map(([, name, d]) => [name, d])
    assert.deepStrictEqual(drawn, [
      ["f1", "M54 37.5h192v112.5h-192z"],
      ["f3", "M54 0h192v37.5h-192z"],
      ["f3 part", "M354 75h192v75h-192z"],
      ["prev", "M39 75h222"],
    ])
    assert.deepStrictEqual(textsOf(text), ["4", "2"])
    assert.deepStrictEqual(labelsOf(text), ["Mon", "Today"])
    assert.deepStrictEqual(cellsOf(text), ["Mon", "3", "1", "2", "Today", "0", "2", "–"])
    for (const said of ["<h2>Swaps that ended</h2>", "the week before", "today until 14:12", 'role="img"']) {
      assert.include(text, said)
    }
  })

  it("have values on few bars, and of many each third label and no value", () => {
    const few = chartOf([1, 2, 3, 4, 5, 6, 7])
    assert.deepStrictEqual(textsOf(few), ["1", "2", "3", "4", "5", "6", "7"])
    assert.deepStrictEqual(labelsOf(few).length, 7)
    const many = chartOf(Array.from({ length: 24 }, (_, hour) => hour))
    assert.deepStrictEqual(textsOf(many), [])
    assert.deepStrictEqual(labelsOf(many), ["0", "3", "6", "9", "12", "15", "18", "21"])
  })

  it("are whole where there is nothing, one bar, or a billion", () => {
    for (const sizes of [[], [0, 0], [7], [1e9, 1], [0.25]]) {
      const text = chartOf(sizes)
      assert.notMatch(text, /NaN|Infinity|undefined|-\d+(?:\.\d+)?" height/, `${sizes}`)
      assert.notMatch(text, /style=/)
    }
    assert.include(chartOf([1e9]), ">1 B</text>")
    assert.include(chartOf([1_234_567]), ">1,234,567</td>")
  })

  it.prop(
    "have an axis of round steps, from zero to no less than the most, and no more than four of them",
    [Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e15 })), Schema.Boolean],
    ([value, isWhole]) => {
      const most = isWhole ? Math.round(value) : value
      const steps = axisSteps(most, isWhole)
      const [first, step = 0] = steps
      assert.strictEqual(first, 0)
      assert.isAtMost(steps.length, 5)
      assert.isAtLeast(steps.at(-1) ?? 0, most * (1 - 1e-8))
      assert.match(step.toExponential(), /^(?:1|2|2\.5|5)e/)
      if (isWhole) assert.isTrue(steps.every(Number.isInteger), `${steps}`)
    },
  )

  it("have the steps that people would take", () => {
    assert.deepStrictEqual(
      [[579, false], [126, true], [2_100, true], [3, true], [1, true], [0, true], [0, false], [0.7, false]]
        .map(([most, isWhole]) => axisSteps(Number(most), isWhole === true)),
      [
        [0, 200, 400, 600],
        [0, 50, 100, 150],
        [0, 1_000, 2_000, 3_000],
        [0, 1, 2, 3],
        [0, 1],
        [0, 1],
        [0, 0.25, 0.5, 0.75, 1],
        [0, 0.2, 0.4, 0.6, 0.8],
      ],
    )
  })

  it("draw a line from the first value to the last, and nothing where there are none", () => {
    assert.include(`${sparkline([0, 5, 10], "Latency")}`, 'points="0,26 50,14 100,2"')
    assert.include(`${sparkline([])}`, 'points=""')
    assert.include(`${sparkline([0, 0])}`, 'points="0,26 100,26"')
  })
})
