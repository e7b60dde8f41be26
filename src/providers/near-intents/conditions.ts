import { BigDecimal, Duration, Effect, Result, Schema } from "effect"
import { NativeAmount } from "../../domain/Amount.ts"
import { type AssetId, assetIds, factsOf } from "../../domain/Asset.ts"
import { AssetNotListed, type MalformedBody, type ProviderErrorReason } from "../../domain/ProviderError.ts"
import { type Capabilities } from "../Capabilities.ts"
import type { AssetSupport } from "../Provider.ts"
import { Count, maybe, readDecimal, WrittenDecimal } from "../upstream/values.ts"
import { isSameAddress } from "../upstream/coordinates.ts"
import { makeKept } from "../upstream/kept.ts"
import type { ServedChain } from "../upstream/servedChains.ts"
import { findServedChain, servedChains } from "./chains.ts"
import type { Client } from "./client.ts"
import { endpoint } from "./errors.ts"
import { askedFor, type CommissionTerms } from "./settings.ts"
import { decode, logged, malformed, type Noticed } from "../upstream/decode.ts"
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

/** An asset of ours on the upstream's wire. */
export interface Token {
  readonly asset: AssetId
  readonly chain: ServedChain
  /** The id to ask with: the newest of those that the upstream lists, as market makers leave the older ones. */
  readonly id: string
  /** All ids that the upstream lists for the same chain and contract. */
  readonly listed: ReadonlyArray<string>
  /** US dollars for one whole unit, where the upstream states it. */
  readonly usdPrice?: BigDecimal.BigDecimal
}

/** The assets that the upstream serves. */
export type Tokens = ReadonlyMap<AssetId, Token>

/** The tokens, and a line for the log about each row that was left out. */
interface ReadTokens extends Noticed {
  readonly tokens: Tokens
}

/** Ids that name chain, kind and contract: `1cs_v1:btc:native:coin`, `1cs_v1:eth:erc20:0x…`. */
const namingId = /^1cs_v1:([a-z0-9]+):([a-z0-9]+):(.+)$/

/** Whether an id names an asset by itself. */
const names = (id: string, asset: AssetId, chain: ServedChain): boolean => {
  const [, blockchain, kind, contract = ""] = namingId.exec(id) ?? []
  if (blockchain !== servedChains[chain].blockchain) return false
  const { contractAddress } = factsOf(asset)
  return contractAddress === undefined
    ? kind === "native" && contract === "coin"
    : isSameAddress(chain, contractAddress, contract)
}

/**
 * Whether an id of an answer is the asset's: the upstream rewrites ids, so that one of another form is as good where
 * chain and contract are the same (near-intents/wire.md 1, asset ids).
 */
export const isIdOf = ({ asset, chain, listed }: Token, id: string): boolean =>
  listed.includes(id) || names(id, asset, chain) ||
  factsOf(asset).contractAddress === undefined && id === servedChains[chain].coinId

/** A ticker, with a word in brackets where the upstream has several rows of a coin: `BTC(OMNI)`. */
const tickerOf = (symbol: string): string => symbol.replace(/_?\(.*\)$/, "")

/**
 * Whether a row is of an asset: tokens match by contract, a chain's own coin by its ticker and the lack of a
 * contract, or by an id that names it.
 */
const isRowOf = (asset: AssetId, chain: ServedChain, row: WireToken): boolean => {
  const facts = factsOf(asset)
  if (facts.chain !== chain) return false
  if (facts.contractAddress !== undefined && row.contractAddress !== undefined) {
    return isSameAddress(chain, facts.contractAddress, row.contractAddress)
  }
  if (facts.contractAddress !== undefined) return false
  return names(row.assetId, asset, chain) ||
    row.contractAddress === undefined && facts.ticker === tickerOf(row.symbol)
}

/** Forms of ids, the newest first. */
const forms = [/^1cs_v1:/, /^nep141:.*\.omdep\.near$/, /^nep141:/, /^nep245:/]

/** How old a row's id is: that of a row that is going is older than all others. */
const ageOf = ({ assetId, symbol }: WireToken): number => {
  const form = forms.findIndex((form) => form.test(assetId))
  return (form === -1 ? forms.length : form) + (/deprecated/i.test(symbol) ? forms.length + 1 : 0)
}

/** The price of a row. A price of 0 dollars means that the upstream knows none. */
const usdPriceOf = ({ price }: WireToken, index: number): Pick<Token, "usdPrice"> => {
  if (price === undefined) return {}
  const written = decode(WrittenDecimal, price, [index, "price"])
  if (Result.isFailure(written)) return {}
  const usdPrice = readDecimal(written.success)
  return BigDecimal.isPositive(usdPrice) ? { usdPrice } : {}
}

/** A row of an asset of ours, as a token of this row alone. */
interface Row {
  readonly token: Token
  readonly age: number
}

/**
 * A row of one of our chains; nothing for an asset that is not ours; a log line where the row contradicts our facts.
 */
const readRow = (row: WireToken, chain: ServedChain, index: number): Row | string | undefined => {
  const asset = assetIds.find((asset) => isRowOf(asset, chain, row))
  if (asset === undefined) return undefined
  const { decimals } = factsOf(asset)
  const id = row.assetId
  return decimals === row.decimals
    ? { token: { asset, chain, id, listed: [id], ...usdPriceOf(row, index) }, age: ageOf(row) }
    : `Left out ${asset}: it has ${decimals} decimals, but the 1Click service says ${row.decimals}`
}

/** One token of several rows of an asset: the newest, with the ids of all. Of equally new ones the first counts. */
const together = (one: Row | undefined, other: Row): Row => {
  if (one === undefined) return other
  const newest = other.age < one.age ? other : one
  return { ...newest, token: { ...newest.token, listed: [...one.token.listed, ...other.token.listed] } }
}

/** Finds our assets in the answer of `GET /v0/tokens`. Rows of other chains and assets are passed over. */
export const readTokens = (body: unknown): Result.Result<ReadTokens, MalformedBody> =>
  Result.gen(function* () {
    const rows = yield* decode(WireTokens, body)
    const found = new Map<AssetId, Row>()
    const notices: Array<string> = []
    for (const [index, row] of rows.entries()) {
      const chain = findServedChain(row.blockchain)
      if (chain === undefined) continue
      const read = Result.match(decode(WireToken, row, [index]), {
        onFailure: ({ detail }) => `Left out a token of the 1Click service: ${upstreamText(detail)}`,
        onSuccess: (row) => readRow(row, chain, index),
      })
      if (typeof read === "string") notices.push(read)
      else if (read !== undefined) found.set(read.token.asset, together(found.get(read.token.asset), read))
    }
    if (found.size === 0) {
      return yield* malformed(`body: expected tokens of known assets, got ${rows.length} of others`)
    }
    return { tokens: new Map([...found].map(([asset, { token }]) => [asset, token])), notices }
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
    what: `The tokens of the ${endpoint}`,
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

/** The most basis points that the service takes as the operator's. */
const mostAskedBps = 500

/** The capabilities of 1Click (near-intents/wire.md 1). Every order needs an amount, which it prices. */
export const capabilitiesOf = (terms: CommissionTerms): Capabilities => ({
  maximumCommissionBps: mostAskedBps / askedFor(1, terms),
  affiliates: false,
  boost: false,
  dca: false,
  ccm: false,
  needsAmount: true,
  retry: true,
  lateDeposit: "refunded",
  ends: { limit: "as ordered", deposit: "ordered", paysByDeposit: true, pays: "several" },
  addsDeposits: true,
  exactOutput: true,
})

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
