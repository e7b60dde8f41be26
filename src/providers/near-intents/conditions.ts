import { hexToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { BigDecimal, Duration, Effect, Option, Result, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, assetIds, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { MalformedBody } from "#domain/ProviderError.ts"
import { type Capabilities } from "../Capabilities.ts"
import type { AssetSupport } from "../Provider.ts"
import {
  Count,
  decode,
  logged,
  malformed,
  maybe,
  type Noticed,
  readDecimal,
  WrittenDecimal,
} from "../upstream/values.ts"
import { isSameAddress } from "../upstream/openedOrder.ts"
import { makeRefreshed } from "../upstream/refreshed.ts"
import { findServedChain, type ServedChain, servedChainOf, servedChains } from "./chains.ts"
import { type Client, endpoint } from "./client.ts"
import { askedFor, type CommissionTerms } from "./settings.ts"
import { upstreamText } from "../upstream/failures.ts"

/** The part of the answer of `GET /v0/tokens` that tells which rows are of our chains. */
const WireTokens = Schema.Array(Schema.StructWithRest(
  Schema.Struct({ blockchain: Schema.String }),
  [Schema.Record(Schema.String, Schema.Unknown)],
))

/** A token (near-intents/wire.md 1); a chain's own coin has no contract. Prices are shown only, so any value will do. */
const WireToken = Schema.Struct({
  assetId: Schema.NonEmptyString,
  decimals: Count,
  symbol: Schema.String,
  contractAddress: maybe(Schema.String),
  price: maybe(Schema.Unknown),
})
type WireToken = typeof WireToken.Type

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

export type Tokens = ReadonlyMap<AssetId, Token>

/** Ids that name chain, kind and contract: `1cs_v1:btc:native:coin`, `1cs_v1:eth:erc20:0x…`. */
const namingId = /^1cs_v1:([a-z0-9]+):([a-z0-9]+):(.+)$/
/** The contract of a coin in these ids, and of its row. */
const coinWord = "coin"

const isNamed = (id: string, asset: AssetId, chain: ServedChain): boolean => {
  const [, blockchain, kind, contract = ""] = namingId.exec(id) ?? []
  if (blockchain !== servedChains[chain].blockchain) return false
  const { contractAddress } = factsOf(asset)
  return contractAddress === undefined
    ? kind === "native" && contract === coinWord
    : isSameAddress(chain, contractAddress, contract)
}

/** The ids that three bridges give an asset by rule (near-intents/wire.md 1, asset ids). */
const idsByRule = (asset: AssetId, chain: ServedChain): ReadonlyArray<string> => {
  const { family } = chainFacts(chain)
  const { blockchain, omniName = blockchain } = servedChains[chain]
  const contract = factsOf(asset).contractAddress?.toLowerCase()
  // Tokens of other families have ids that only the upstream can read.
  if (contract !== undefined && family._tag !== "evm") return []
  const ofToken = contract === undefined ? "" : `-${contract}`
  const inBase58 = contract === undefined ? "1".repeat(20) : base58.encode(hexToBytes(contract.slice(2)))
  return [
    `nep141:${blockchain}${ofToken}.omft.near`,
    `nep141:${omniName}${ofToken}.omdep.near`,
    ...(family._tag === "evm" ? [`nep245:v2_1.omni.hot.tg:${family.chainId}_${inBase58}`] : []),
  ]
}

/** Whether an ID of an answer is the asset's, in any form: 1Click rewrites IDs (near-intents/wire.md 1, asset ids). */
export const isIdOf = ({ asset, chain, listed }: Token, id: string): boolean =>
  listed.includes(id) || isNamed(id, asset, chain) || idsByRule(asset, chain).includes(id)

interface Row {
  readonly wire: WireToken
  readonly chain: ServedChain
  readonly index: number
}

/** A ticker, with a word behind it where the upstream has several rows of a coin: `BTC(OMNI)`. */
const tickerOf = (symbol: string): string => {
  const end = symbol.endsWith(")") ? symbol.search(/_?\(/) : -1
  return end < 0 ? symbol : symbol.slice(0, end)
}

/** A coin's rows: without contract, or named by ID. 1Click may name a coin as it likes, but not as another asset. */
const coinRowsOf = (coin: AssetId, chain: ServedChain, rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const { ticker } = factsOf(coin)
  const named = rows.filter(({ wire: { assetId, contractAddress = coinWord } }) =>
    contractAddress === coinWord && isNamed(assetId, coin, chain)
  )
  const bare = rows.filter((row) => row.wire.contractAddress === undefined && !named.includes(row))
  const alike = bare.filter(({ wire }) => tickerOf(wire.symbol) === ticker)
  const [lone, ...others] = bare
  const isCoin = named.length === 0 && alike.length === 0 && lone !== undefined && others.length === 0 &&
    !assetIds().some((asset) => factsOf(asset).ticker === tickerOf(lone.wire.symbol))
  return rows.filter((row) => named.includes(row) || alike.includes(row) || (isCoin && row === lone))
}

const rowsOf = (asset: AssetId, chain: ServedChain, rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const { contractAddress } = factsOf(asset)
  const own = rows.filter((row) => row.chain === chain)
  return contractAddress === undefined
    ? coinRowsOf(asset, chain, own)
    : own.filter(({ wire }) =>
      wire.contractAddress !== undefined && isSameAddress(chain, contractAddress, wire.contractAddress)
    )
}

/** Forms of ids, the newest first. */
const forms = [/^1cs_v1:/, /^nep141:.*\.omdep\.near$/, /^nep141:/, /^nep245:/]

/** How old a row's id is: that of a row that is going is older than all others. */
const ageOf = ({ wire: { assetId, symbol } }: Row): number => {
  const form = forms.findIndex((form) => form.test(assetId))
  return (form === -1 ? forms.length : form) + (/deprecated/i.test(symbol) ? forms.length + 1 : 0)
}

/** The price of a row. A price of 0 dollars means that the upstream knows none. */
const usdPriceOf = ({ index, wire: { price } }: Row): Pick<Token, "usdPrice"> => {
  if (price === undefined) return {}
  const written = decode(WrittenDecimal, price, [index, "price"])
  if (Result.isFailure(written)) return {}
  const usdPrice = readDecimal(written.success)
  return BigDecimal.isPositive(usdPrice) ? { usdPrice } : {}
}

/** The asset of its newest row, with all IDs; a line where a row contradicts our decimals. */
const toToken = (asset: AssetId, chain: ServedChain, rows: ReadonlyArray<Row>) => {
  const [newest] = rows.toSorted((one, other) => ageOf(one) - ageOf(other))
  if (newest === undefined) return undefined
  const { decimals } = factsOf(asset)
  const other = rows.find(({ wire }) => wire.decimals !== decimals)
  return other === undefined
    ? {
      asset,
      chain,
      id: newest.wire.assetId,
      listed: rows.map(({ wire }) => wire.assetId),
      ...usdPriceOf(newest),
    }
    : `Left out ${asset}: it has ${decimals} decimals, but the 1Click service says ${other.wire.decimals}`
}

/** Finds our assets in the answer of `GET /v0/tokens`. Rows of other chains and assets are passed over. */
export const readTokens = (
  body: unknown,
): Result.Result<Noticed & { readonly tokens: Tokens }, MalformedBody> =>
  Result.gen(function* () {
    const all = yield* decode(WireTokens, body)
    const rows: Array<Row> = []
    const notices: Array<string> = []
    for (const [index, row] of all.entries()) {
      const chain = findServedChain(row.blockchain)
      if (chain === undefined) continue
      Result.match(decode(WireToken, row, [index]), {
        onFailure: ({ detail }) =>
          notices.push(`Left out a token of the 1Click service: ${upstreamText(detail)}`),
        onSuccess: (wire) => rows.push({ wire, chain, index }),
      })
    }
    const tokens = new Map<AssetId, Token>()
    const contradictions: Array<string> = []
    for (const asset of assetIds()) {
      const chain = servedChainOf(asset)
      const token = chain === undefined ? undefined : toToken(asset, chain, rowsOf(asset, chain, rows))
      if (typeof token === "string") contradictions.push(token)
      else if (token !== undefined) tokens.set(asset, token)
    }
    return tokens.size > 0
      ? { tokens, notices, contradictions }
      : yield* malformed(`body: expected tokens of known assets, got ${all.length} of others`)
  })

export interface Pair {
  readonly source: Token
  readonly destination: Token
}

/** The upstream's tokens, found anew from time to time because their ids can change. */
export type Conditions = Effect.Success<ReturnType<typeof makeConditions>>

const defaultMaxAge = Duration.minutes(10)
/** The age from which prices are not shown any more: two fetches may fail before. */
const pricesLast = Duration.minutes(30)

export const makeConditions = (
  client: Client,
  maxAge: Duration.Input = defaultMaxAge,
  lookupTimeout?: Duration.Input,
) =>
  makeRefreshed({
    endpoint,
    what: `The tokens of the ${endpoint}`,
    ask: Effect.map(
      Effect.flatMap(client.tokens, ({ body }) => logged(readTokens(body))),
      ({ tokens }) => tokens,
    ),
    maxAge,
    lookupTimeout,
  }).pipe(Effect.map(({ answeredAt, isYoungerThan, keepFresh, latest }) => ({
    tokens: latest,
    /** When the prices were learnt, if they still mean something. */
    pricesAt: Effect.zipWith(isYoungerThan(pricesLast), answeredAt, (isFresh, at) =>
      isFresh ? at : Option.none()),
    keepFresh,
  })))

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
  refusesLimitAbove: true,
  lateDeposit: "refunded",
  ends: { limit: "as ordered", deposit: "ordered", paysByDeposit: true, pays: "several" },
  addsDeposits: true,
  exactOutput: true,
})

/** The least deposit that is shown where the chain needs no more: the service refuses too little only when it is asked. */
const leastShown = NativeAmount.make(1n)

const toSupport = (tokens: Tokens, pricesAt: Option.Option<EpochMillis>): ReadonlyArray<AssetSupport> =>
  [...tokens.values()].map(({ asset, chain, usdPrice }) => ({
    asset,
    ingress: true,
    egress: true,
    minimumDeposit: servedChains[chain].least?.deposit ?? leastShown,
    ...(Option.isSome(pricesAt) && usdPrice !== undefined ? { usdPrice, usdPriceAt: pricesAt.value } : {}),
  }))

export const assetSupport = ({ pricesAt, tokens }: Conditions) => Effect.zipWith(tokens, pricesAt, toSupport)
