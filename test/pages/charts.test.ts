import { assert, describe, it } from "@effect/vitest"
import { lines, sparkline, stackedBars } from "../../src/pages/charts.ts"

describe("charts", () => {
  it("draw bars of parts on one another, with their figures behind them", () => {
    const text = `${
      stackedBars({
        caption: "Swaps",
        series: [{ name: "completed" }, { name: "failed", tone: "bad" }],
        bars: [{ label: "10:00", parts: [3, 1] }, { label: "11:00", parts: [0, 2] }],
      })
    }`
    const drawn = [...text.matchAll(/<path class="series-(\w+)" d="([^"]*)"/g)].map((
      [, series, d],
    ) => [series, d])
    assert.deepStrictEqual(drawn, [
      ["1", "M36 30h228v90h-228z"],
      ["bad", "M36 0h228v30h-228zM336 60h228v60h-228z"],
    ])
    assert.include(text, "up to 4")
    assert.deepStrictEqual([...text.matchAll(/<td[^>]*>([^<]*)/g)].map(([, cell]) => cell), [
      "10:00",
      "3",
      "1",
      "11:00",
      "0",
      "2",
    ])
    assert.include(text, 'role="img"')
  })

  it("draw lines that are broken where there is no value, with a scale", () => {
    const text = `${
      lines({
        caption: "Latency",
        series: [{ name: "half" }, { name: "most" }],
        points: [
          { label: "10:00", values: [10, undefined] },
          { label: "11:00", values: [undefined, 40] },
          { label: "12:00", values: [20, undefined] },
          { label: "13:00", values: [40, 20] },
        ],
        written: (value) => `${value} ms`,
      })
    }`
    assert.deepStrictEqual(
      [...text.matchAll(/<polyline class="series-(\d)[^"]*" points="([^"]*)"/g)].map(([, series, points]) => [
        series,
        points,
      ]),
      [
        ["1", "75,90.5 75,90.5"],
        ["1", "375,61 525,2"],
        ["2", "225,2 225,2"],
        ["2", "525,61 525,61"],
      ],
    )
    assert.include(text, "up to 40 ms")
    assert.deepStrictEqual(
      [...text.matchAll(/<td[^>]*>([^<]*)/g)].map(([, cell]) => cell).slice(0, 6),
      ["10:00", "10 ms", "–", "11:00", "–", "40 ms"],
    )
  })

  it("draw a line from the first value to the last, and nothing where there are none", () => {
    assert.include(`${sparkline("Latency", [0, 5, 10])}`, 'points="0,23 50,12 100,1"')
    assert.include(`${sparkline("Latency", [])}`, 'points=""')
  })
})
