import { bytesToHex } from "@noble/hashes/utils.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"
import { checkTron } from "#domain/chains/address/Base58.ts"

const faultOf = (text: string): string =>
  Result.match(checkAddress("Tron", ["mainnet"], text), {
    onFailure: (fault) => fault,
    onSuccess: () => "none",
  })

describe("Tron address", () => {
  it.effect.each([
    "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej",
    "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
    "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  ])("accepts the published %s", (text) => Effect.sync(() => assert.strictEqual(faultOf(text), "none")))

  it.effect.each(
    [
      ["TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnek", "checksum"],
      ["TQNPGpohiZLiWQvc6wTWjHCae8VoxaX", "length"],
      ["TQNPGpohiZLiWQvc6wTWjHCae8VoxaXne0", 'contains "0"'],
      ["1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo", "belongs to another chain"],
      ["419df3e70fc7ea8128d6d0634664118d16bc856e1c", 'contains "0"'],
    ] as const,
  )("refuses %s", ([text, fault]) => Effect.sync(() => assert.include(faultOf(text), fault)))

  it.effect("reads the account behind the published address", () =>
    Effect.sync(() =>
      assert.deepStrictEqual(
        Result.map(checkTron("TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej"), bytesToHex),
        Result.succeed("419df3e70fc7ea8128d6d0634664118d16bc856e1c"),
      )
    ))
})
