import { Result } from "effect"
import type { AssetId } from "../../../domain/Asset.ts"
import { AssetNotListed } from "../../../domain/ProviderError.ts"
import type { Token, Tokens } from "./tokens.ts"

/** Both sides of a swap on the upstream's wire. */
export interface Pair {
  readonly source: Token
  readonly destination: Token
}

const tokenOf = (tokens: Tokens, asset: AssetId): Result.Result<Token, AssetNotListed> => {
  const token = tokens.get(asset)
  return token === undefined
    ? Result.fail(new AssetNotListed({ detail: `The provider does not list ${asset}` }))
    : Result.succeed(token)
}

/** The pair, where the upstream serves both assets. */
export const toPair = (
  tokens: Tokens,
  request: { readonly sourceAsset: AssetId; readonly destinationAsset: AssetId },
): Result.Result<Pair, AssetNotListed> =>
  Result.all({
    source: tokenOf(tokens, request.sourceAsset),
    destination: tokenOf(tokens, request.destinationAsset),
  })
