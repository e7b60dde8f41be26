import { assert, describe, it } from "@effect/vitest"
import { Array, Schema } from "effect"
import { ProviderName } from "#domain/ProviderName.ts"
import { netOrder } from "#application/quoting/Ranking.ts"
import { first, quoteOf, second, third } from "./support.ts"

const Ranked = Schema.Struct({
  platform: Schema.Literals(["first", "second", "third"]),
  egress: Schema.Literals([0n, 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 128n - 1n]),
  dca: Schema.Boolean,
})

const quoteFrom = ({ platform, egress, dca }: typeof Ranked.Type) =>
  quoteOf(ProviderName.make(platform), egress, dca ? 4 : undefined)

const order = netOrder([first, second, third])

describe("the order by net output", () => {
  it("puts the most output first, even where a double cannot tell two apart", () => {
    const less = quoteOf(first, 2n ** 53n)
    const more = quoteOf(third, 2n ** 53n + 1n, 4)
    assert.deepStrictEqual(Array.sort([less, more], order), [more, less])
  })

  it("puts a regular quote before a DCA quote of the same output, whoever offers it", () => {
    const dca = quoteOf(first, 7n, 4)
    const regular = quoteOf(third, 7n)
    assert.deepStrictEqual(Array.sort([dca, regular], order), [regular, dca])
  })

  it("then follows the operator's preference", () => {
    const quotes = [quoteOf(third, 7n), quoteOf(first, 7n), quoteOf(second, 7n)]
    const names = Array.sort(quotes, netOrder([second, third, first])).map(({ platform }) => platform)
    assert.deepStrictEqual(names, [second, third, first])
  })

  it("keeps the order in which one provider gave equal quotes", () => {
    const four = quoteOf(first, 7n, 4)
    const eight = quoteOf(first, 7n, 8)
    assert.deepStrictEqual(Array.sort([eight, four], order), [eight, four])
    assert.deepStrictEqual(Array.sort([four, eight], order), [four, eight])
  })

  it.prop("is a total order: antisymmetric and transitive", [Ranked, Ranked, Ranked], ([a, b, c]) => {
    const [left, middle, right] = [quoteFrom(a), quoteFrom(b), quoteFrom(c)]
    assert.strictEqual(order(left, middle) + order(middle, left), 0)
    assert.strictEqual(order(left, left), 0)
    if (order(left, middle) <= 0 && order(middle, right) <= 0) assert.isAtMost(order(left, right), 0)
  })

  it.prop("ranks by output, then kind, then provider, and by nothing else", [Ranked, Ranked], ([a, b]) => {
    const platforms = ["first", "second", "third"]
    const expected = a.egress !== b.egress
      ? (a.egress > b.egress ? -1 : 1)
      : a.dca !== b.dca
      ? (a.dca ? 1 : -1)
      : Math.sign(platforms.indexOf(a.platform) - platforms.indexOf(b.platform))
    assert.strictEqual(order(quoteFrom(a), quoteFrom(b)) - expected, 0)
  })
})
