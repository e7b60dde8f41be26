import { Schema } from "effect"

/** All facts of an asset that do not depend on an upstream. */
export const AssetRow = Schema.Struct({
  chain: Schema.NonEmptyString,
  /** The ticker, which several chains may share. It decides nothing: chain and contract name an asset. */
  ticker: Schema.String.check(
    Schema.isPattern(/^[A-Z0-9]{2,10}$/, { expected: "2 to 10 capital letters and digits" }),
  ),
  name: Schema.NonEmptyString,
  /** The number of decimals between the native unit and the human amount. */
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 18 })),
  /** Token contract, mint or asset number on the main network; absent for the chain's own coin. */
  contractAddress: Schema.optionalKey(Schema.NonEmptyString),
  /** The number of a chain's own coin in SLIP-44, which names it in CAIP-19: a coin needs it, a token has none. */
  slip44: Schema.optionalKey(Schema.Int),
})
export type AssetRow = typeof AssetRow.Type
