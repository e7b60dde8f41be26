import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { feel } from "#providers/thorchain/vaults.ts"

const last = Option.some({ height: 21_000_000, since: 1_000 })

describe("what a height says", () => {
  it("is a new block where it is higher", () =>
    assert.deepStrictEqual(feel(last, 21_000_001, 2_000), { height: 21_000_001, since: 2_000 }))

  it("is nothing where a node is behind", () =>
    assert.deepStrictEqual(feel(last, 20_999_400, 2_000), { height: 21_000_000, since: 1_000 }))

  it("is that the last one was false where it is far lower: the network does not stand still for that", () =>
    assert.deepStrictEqual(feel(last, 20_999_399, 2_000), { height: 20_999_399, since: 2_000 }))
})
