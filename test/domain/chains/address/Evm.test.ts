import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"

const evmChains = ["Ethereum", "Arbitrum", "Bsc"] as const

const accepted = (text: string): ReadonlyArray<boolean> =>
  evmChains.map((chain) => Result.isSuccess(checkAddress(chain, ["mainnet"], text)))

const faultOf = (text: string): string =>
  Result.match(checkAddress("Ethereum", ["mainnet"], text), {
    onFailure: (fault) => fault,
    onSuccess: () => "none",
  })

/** The list of EIP-55: all capitals, all small, and mixed. */
const published = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
]

describe("EVM address", () => {
  it.effect.each(published)(
    "accepts the list of EIP-55 on every EVM chain: %s",
    (text) => Effect.sync(() => assert.deepStrictEqual(accepted(text), [true, true, true])),
  )

  it.effect("accepts any address in one case, which carries no checksum", () =>
    Effect.sync(() => {
      for (const text of published) {
        assert.deepStrictEqual(accepted(text.toLowerCase()), [true, true, true])
        assert.deepStrictEqual(accepted(`0x${text.slice(2).toUpperCase()}`), [true, true, true])
      }
    }))

  it.effect("refuses capitals that are not those of EIP-55", () =>
    Effect.sync(() =>
      assert.strictEqual(
        faultOf("0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
        "cannot be used on Ethereum, because its capital letters do not match its EIP-55 checksum; check it for a typing error",
      )
    ))

  it.effect("refuses the zero address", () =>
    Effect.sync(() => assert.include(faultOf(`0x${"0".repeat(40)}`), "it is the zero address")))

  it.effect.each([
    "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg",
    "XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS",
    "0x",
  ])(
    "refuses what is not 0x and 40 hexadecimal digits: %s",
    (text) =>
      Effect.sync(() => assert.include(faultOf(text), "it must be 0x followed by 40 hexadecimal digits")),
  )
})
