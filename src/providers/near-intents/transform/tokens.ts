import { BigDecimal, Result, Schema } from "effect"
import { type AssetId, assetIds, factsOf } from "../../../domain/Asset.ts"
import { MalformedBody } from "../../../domain/ProviderError.ts"
import { decode } from "../../upstream/decode.ts"
import type { Noticed } from "../../upstream/notices.ts"
import { upstreamText } from "../../upstream/upstreamText.ts"
import { readDecimal, WrittenDecimal } from "../../upstream/values.ts"
import { findServedChain, isSameAddress, type ServedChain } from "../chains.ts"
import { WireToken, WireTokens } from "../wire/tokens.ts"

/** An asset of ours on the upstream's wire. Its id is opaque and has changed its form before. */
export interface Token {
  readonly asset: AssetId
  readonly chain: ServedChain
  readonly id: string
  /** US dollars for one whole unit, where the upstream states it. */
  readonly usdPrice?: BigDecimal.BigDecimal
}

/** The assets that the upstream serves. */
export type Tokens = ReadonlyMap<AssetId, Token>

/** The tokens, and a line for the log about each row that was left out. */
export interface ReadTokens extends Noticed {
  readonly tokens: Tokens
}

/** Tokens are known by their contract, a chain's own coin by having none and by its ticker. */
const isRowOf = (asset: AssetId, chain: ServedChain, row: WireToken): boolean => {
  const facts = factsOf(asset)
  if (facts.chain !== chain) return false
  return facts.contractAddress === undefined || row.contractAddress === undefined
    ? facts.contractAddress === row.contractAddress && facts.ticker === row.symbol
    : isSameAddress(chain, facts.contractAddress, row.contractAddress)
}

const isDecimal = Schema.is(WrittenDecimal)

/** Nothing is worth 0 dollars: that stands for a price that nobody knows. */
const usdPriceOf = ({ price }: WireToken): Pick<Token, "usdPrice"> => {
  if (!isDecimal(price)) return {}
  const usdPrice = readDecimal(price)
  return BigDecimal.isPositive(usdPrice) ? { usdPrice } : {}
}

/** The asset of a row of one of our chains: nothing, a token, or why it is none. */
const readRow = (row: WireToken, chain: ServedChain): Token | string | undefined => {
  const asset = assetIds.find((asset) => isRowOf(asset, chain, row))
  if (asset === undefined) return undefined
  const { decimals } = factsOf(asset)
  return decimals === row.decimals
    ? { asset, chain, id: row.assetId, ...usdPriceOf(row) }
    : `Left out ${asset}: it has ${decimals} decimals, but the 1Click service says ${row.decimals}`
}

/**
 * Finds our assets in the answer of `GET /v0/tokens`; rows of other chains and assets are passed over. Of
 * several rows of one asset the first counts.
 */
export const readTokens = (body: unknown): Result.Result<ReadTokens, MalformedBody> =>
  Result.gen(function* () {
    const rows = yield* decode(WireTokens, body)
    const tokens = new Map<AssetId, Token>()
    const notices: Array<string> = []
    for (const [index, row] of rows.entries()) {
      const chain = findServedChain(row.blockchain)
      if (chain === undefined) continue
      const read = Result.match(decode(WireToken, row, [index]), {
        onFailure: ({ detail }) => `Left out a token of the 1Click service: ${upstreamText(detail)}`,
        onSuccess: (row) => readRow(row, chain),
      })
      if (typeof read === "string") notices.push(read)
      else if (read !== undefined && !tokens.has(read.asset)) tokens.set(read.asset, read)
    }
    if (tokens.size > 0) return { tokens, notices }
    return yield* Result.fail(
      new MalformedBody({
        detail: `body: expected tokens of known assets, got ${rows.length} of others`,
        reached: true,
      }),
    )
  })
