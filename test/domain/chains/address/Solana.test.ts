import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"

const faultOf = (text: string): string =>
  Result.match(checkAddress("Solana", ["mainnet"], text), {
    onFailure: (fault) => fault,
    onSuccess: () => "none",
  })

describe("Solana address", () => {
  it.effect.each([
    "11111111111111111111111111111111",
    "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    "So11111111111111111111111111111111111111112",
  ])("accepts the published %s", (text) => Effect.sync(() => assert.strictEqual(faultOf(text), "none")))

  it.effect.each(
    [
      ["1111111111111111111111111111111", "length"],
      ["111111111111111111111111111111111", "length"],
      ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5D", "length"],
      ["1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo", "length"],
      ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DI", 'contains "I"'],
      ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", 'contains "0"'],
    ] as const,
  )("refuses %s", ([text, fault]) => Effect.sync(() => assert.include(faultOf(text), fault)))
})
