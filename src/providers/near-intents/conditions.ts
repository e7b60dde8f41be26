import { BigDecimal, Duration, Effect, Result, Schema } from "effect"
import { NativeAmount } from "../../domain/Amount.ts"
import { type AssetId, assetIds, factsOf } from "../../domain/Asset.ts"
import { AssetNotListed, MalformedBody, type ProviderErrorReason } from "../../domain/ProviderError.ts"

import { type Capabilities } from "../Capabilities.ts"
import type { AssetSupport } from "../Provider.ts"
import { Count, maybe, readDecimal, WrittenDecimal } from "../upstream/values.ts"
import { isSameAddress } from "../upstream/coordinates.ts"
import { makeKept } from "../upstream/kept.ts"
import { findServedChain, type ServedChain } from "./chains.ts"
import type { Client } from "./client.ts"
import { endpoint } from "./errors.ts"
import { decode, logged, type Noticed } from "../upstream/decode.ts"
import { upstreamText } from "../upstream/failures.ts"

/** The part of the answer of `GET /v0/tokens` that tells which rows are of our chains. */
const WireTokens = Schema.Array(Schema.StructWithRest(
  Schema.Struct({ blockchain: Schema.String }),
  [Schema.Record(Schema.String, Schema.Unknown)],
))

/**
 * A row of the answer. A chain's own coin has no contract (near-intents/wire.md 1). An unreadable price must not cost
 * the row, as prices are for information only.
 */
const WireToken = Schema.Struct({
  assetId: Schema.NonEmptyString,
  decimals: Count,
  symbol: Schema.String,
  contractAddress: maybe(Schema.String),
  price: maybe(Schema.Unknown),
})
type WireToken = typeof WireToken.Type

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
interface ReadTokens extends Noticed {
  readonly tokens: Tokens
}

/**
 * Whether a row is of an asset: tokens match by contract, a chain's own coin by its ticker and the lack of a
 * contract.
 */
const isRowOf = (asset: AssetId, chain: ServedChain, row: WireToken): boolean => {
  const facts = factsOf(asset)
  if (facts.chain !== chain) return false
  return facts.contractAddress === undefined || row.contractAddress === undefined
    ? facts.contractAddress === row.contractAddress && facts.ticker === row.symbol
    : isSameAddress(chain, facts.contractAddress, row.contractAddress)
}

/** The price of a row. A price of 0 dollars means that the upstream knows none. */
const usdPriceOf = ({ price }: WireToken, index: number): Pick<Token, "usdPrice"> => {
  if (price === undefined) return {}
  const written = decode(WrittenDecimal, price, [index, "price"])
  if (Result.isFailure(written)) return {}
  const usdPrice = readDecimal(written.success)
  return BigDecimal.isPositive(usdPrice) ? { usdPrice } : {}
}

/**
 * The token of a row of one of our chains; nothing for an asset that is not ours; a log line where the row
 * contradicts our facts.
 */
const readRow = (row: WireToken, chain: ServedChain, index: number): Token | string | undefined => {
  const asset = assetIds.find((asset) => isRowOf(asset, chain, row))
  if (asset === undefined) return undefined
  const { decimals } = factsOf(asset)
  return decimals === row.decimals
    ? { asset, chain, id: row.assetId, ...usdPriceOf(row, index) }
    : `Left out ${asset}: it has ${decimals} decimals, but the 1Click service says ${row.decimals}`
}

/**
 * Finds our assets in the answer of `GET /v0/tokens`. Rows of other chains and assets are passed over. Of several
 * rows of an asset the first counts.
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
        onSuccess: (row) => readRow(row, chain, index),
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

/** The pair of a request. Fails where the upstream does not serve both assets. */
export const toPair = (
  tokens: Tokens,
  request: { readonly sourceAsset: AssetId; readonly destinationAsset: AssetId },
): Result.Result<Pair, AssetNotListed> =>
  Result.all({
    source: tokenOf(tokens, request.sourceAsset),
    destination: tokenOf(tokens, request.destinationAsset),
  })

/** The upstream's tokens, found anew from time to time because their ids can change. */
export interface Conditions {
  /** The tokens of the last fetch. Where there was none yet, they are fetched once for all who wait. */
  readonly tokens: Effect.Effect<Tokens, ProviderErrorReason>
  /** Whether the last fetch is so recent that its prices still mean something. */
  readonly arePricesFresh: Effect.Effect<boolean>
  /** Fetches the tokens now and again, for ever. A failure is logged and tried again; the last tokens stay. */
  readonly keepFresh: Effect.Effect<never>
}

const defaultMaxAge = Duration.minutes(10)
/** The age from which prices are not shown any more: two fetches may fail before. */
const pricesLast = Duration.minutes(30)

/** Makes the conditions, with nothing fetched yet. */
export const makeConditions = (
  client: Client,
  maxAge: Duration.Input = defaultMaxAge,
  lookupTimeout?: Duration.Input,
): Effect.Effect<Conditions> =>
  makeKept({
    endpoint,
    what: "tokens",
    ask: Effect.map(
      Effect.flatMap(client.tokens, ({ body }) => logged(readTokens(body))),
      ({ tokens }) => tokens,
    ),
    maxAge,
    lookupTimeout,
  }).pipe(
    Effect.map(({ isYoungerThan, keepFresh, latest }) => ({
      tokens: latest,
      arePricesFresh: isYoungerThan(pricesLast),
      keepFresh,
    })),
  )

/** The capabilities of 1Click (near-intents/wire.md 1). Every order needs an amount, which it prices. */
export const capabilities: Capabilities = {
  maximumCommissionBps: 500,
  affiliates: false,
  boost: false,
  dca: false,
  ccm: false,
  needsAmount: true,
  retry: true,
  lateDeposit: "refunded",
  addsDeposits: true,
}

/** The least deposit that is shown. The service publishes no minimums, and refuses too little only when it is asked. */
const leastDeposit = NativeAmount.make(1n)

const toSupport = (tokens: Tokens, arePricesFresh: boolean): ReadonlyArray<AssetSupport> =>
  [...tokens.values()].map(({ asset, usdPrice }) => ({
    asset,
    ingress: true,
    egress: true,
    minimumDeposit: leastDeposit,
    ...(arePricesFresh && usdPrice !== undefined ? { usdPrice } : {}),
  }))

/** The support of every asset that the upstream serves. */
export const assetSupport = ({ arePricesFresh, tokens }: Conditions) =>
  Effect.zipWith(tokens, arePricesFresh, toSupport)
