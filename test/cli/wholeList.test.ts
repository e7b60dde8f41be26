import { assert, describe, it } from "@effect/vitest"
import { Array, Effect } from "effect"
import { mostListed } from "../../src/api/OperatorBodies.ts"
import { wholeList } from "../../src/cli/OperatorClient.ts"
import type { PageQuery } from "../../src/domain/Page.ts"

/** A service with so many items in its list, the numbers from 1 on, and how often it was asked. */
const serviceWith = (count: number) => {
  const items = Array.makeBy(count, (index) => index + 1)
  let asked = 0
  const ask = ({ limit, offset = 1 }: PageQuery<number>) =>
    Effect.sync(() => {
      asked += 1
      return items.filter((item) => item >= offset).slice(0, limit)
    })
  return { items, ask, asked: () => asked }
}

const same = (item: number) => item

describe("a whole list", () => {
  const counts = [0, 1, mostListed - 1, mostListed, mostListed + 1, 2 * mostListed - 1, 2 * mostListed, 1_777]
  it.effect.each(counts)("of %s has each item once, in order", (count) =>
    Effect.gen(function* () {
      const { ask, items } = serviceWith(count)
      assert.deepStrictEqual(yield* wholeList(ask, same), items)
    }))

  it.effect("of one part is asked for once", () =>
    Effect.gen(function* () {
      const { ask, asked } = serviceWith(mostListed - 1)
      yield* wholeList(ask, same)
      assert.strictEqual(asked(), 1)
    }))
})
