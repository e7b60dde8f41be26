import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"
import { assetIds, factsOf } from "#domain/chains/Asset.ts"
import { Chain, chainFacts, chains, Network } from "#domain/chains/Chain.ts"

const faultOf = (chain: Chain, text: string): string =>
  Result.match(checkAddress(chain, ["mainnet"], text), {
    onFailure: (fault) => fault,
    onSuccess: () => "none",
  })

/** The contracts and mints of the asset table; Asset Hub's tokens have numbers instead. */
const contracts = assetIds().flatMap((asset) => {
  const { chain, contractAddress } = factsOf(asset)
  return contractAddress === undefined || chain === "Assethub" ? [] : [[chain, contractAddress] as const]
})

describe("checkAddress", () => {
  it.effect.each(contracts)(
    "accepts the %s token contract %s of the asset table",
    ([chain, text]) =>
      Effect.sync(() => {
        for (const network of Network.literals) {
          assert.deepStrictEqual(
            Result.map(checkAddress(chain, [network], text), String),
            Result.succeed(text),
          )
        }
      }),
  )

  it.effect.each(chains())(
    "says on %s that an address is empty, padded or endless, and trims nothing",
    (chain) =>
      Effect.sync(() => {
        const beginning = `cannot be used on ${chainFacts(chain).title}, because `
        assert.strictEqual(faultOf(chain, ""), `${beginning}it is empty`)
        assert.strictEqual(faultOf(chain, " \t"), `${beginning}it is empty`)
        for (const padded of [" 1", "1 ", "1\n", "\u00a01"]) {
          assert.strictEqual(faultOf(chain, padded), `${beginning}there are spaces around it; remove them`)
        }
        assert.strictEqual(faultOf(chain, "x".repeat(100_000)), `${beginning}it is longer than any address`)
      }),
  )

  it.effect.each(chains())(
    "refuses on %s text that is no address of any chain",
    (chain) =>
      Effect.sync(() => {
        for (
          const text of ["0", "-", "null", "١٢٣", "bc1", "0x", "T", "🦊".repeat(10), "\u0000", "__proto__"]
        ) {
          assert.isTrue(Option.isSome(Result.getFailure(checkAddress(chain, Network.literals, text))), text)
        }
      }),
  )
})
