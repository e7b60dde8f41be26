import { assert, describe, it } from "#test/support/it.ts"
import { Array, Effect, Schema } from "effect"
import { OperatorGroup } from "#api/Operator.ts"
import { mostListed } from "#api/OperatorBodies.ts"
import { answerTo, OperatorClient, readAs } from "#cli/OperatorClient.ts"

const { accounts } = OperatorGroup.endpoints

const readNumbers = readAs(Schema.Array(Schema.Int))

/** A service with so many items in its list, the numbers from 1 on, and how often it was asked for a part of it. */
const serviceWith = (count: number) => {
  const items = Array.makeBy(count, (index) => index + 1)
  const limits: Array<number> = []
  const ask: OperatorClient["Service"]["ask"] = (_, { limit, offset = 1 }) =>
    Effect.sync(() => {
      limits.push(Number(limit))
      const rest = items.filter((item) => item >= Number(offset))
      const next = rest.at(Number(limit))
      return {
        text: JSON.stringify(rest.slice(0, Number(limit))),
        next: next === undefined ? next : `${next}`,
      }
    })
  const listed = (limit: number, most?: number) =>
    answerTo(accounts, { limit }, most).pipe(
      Effect.flatMap(readNumbers),
      Effect.provideService(OperatorClient, { ask }),
    )
  return { items, listed, limits }
}

describe("a whole list", () => {
  const counts = [0, 1, mostListed - 1, mostListed, mostListed + 1, 2 * mostListed - 1, 2 * mostListed, 1_777]
  it.effect.each(counts)("of %s has each item once, in order", function* (count) {
    const { items, listed } = serviceWith(count)
    assert.deepStrictEqual(yield* listed(mostListed), items)
  })

  it.effect("of one part is asked for once", function* () {
    const { limits, listed } = serviceWith(mostListed)
    yield* listed(mostListed)
    assert.deepStrictEqual(limits, [mostListed])
  })

  it.effect("ends where so many are there as are wanted, however few come at a time", function* () {
    const { items, listed, limits } = serviceWith(10)
    assert.deepStrictEqual(yield* listed(3, 7), items.slice(0, 7))
    assert.deepStrictEqual(limits, [3, 4])
  })

  it.effect("keeps every digit of its numbers", function* () {
    const pages = ["[8.439758519449979758]", "[0.00000001]"]
    const text = yield* answerTo(accounts, {}).pipe(Effect.provideService(OperatorClient, {
      ask: (_, { offset }) =>
        Effect.succeed({
          text: pages[offset === undefined ? 0 : 1] ?? "",
          next: offset === undefined ? "2" : undefined,
        }),
    }))
    assert.strictEqual(text, "[8.439758519449979758,0.00000001]")
  })
})
