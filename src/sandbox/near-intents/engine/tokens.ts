import { base58 } from "@scure/base"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { type AssetId, assetIds, chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { costOfAdded } from "../../engine/figures.ts"
import { digest } from "../../engine/identifiers.ts"

/** A row of the token catalogue: 1Click's name of an asset, and the cost of sending it. */
export interface Token {
  readonly asset: AssetId
  /** 1Click's own name, opaque to its clients (near-intents/wire.md 1, asset ids). */
  readonly assetId: string
  /** Its former name, which is listed in a row before, and is taken and answered with the newer one. */
  readonly formerId?: string
  readonly blockchain: string
  readonly contractAddress?: string
  /** In smallest units: the withdraw fee of a destination, or the refund fee of an origin. */
  readonly transferFee: bigint
  /** The least deposit and payout, in smallest units. */
  readonly least?: { readonly deposit: bigint; readonly payout: bigint }
}

const gwei = 1_000_000_000n

/** The fee of sending each asset, of the order of the real fees; assets of this build without a fee are not traded. */
const transferFees: Partial<Readonly<Record<AssetId, bigint>>> = {
  "btc.btc": 1_900n,
  "eth.eth": 40_000n * gwei,
  "usdc.eth": 300_000n,
  "usdt.eth": 300_000n,
  "wbtc.eth": 470n,
  "cbbtc.eth": 470n,
  "eth.arb": 3_000n * gwei,
  "usdc.arb": 10_000n,
  "usdt.arb": 10_000n,
  "sol.sol": 60_000n,
  "usdc.sol": 20_000n,
  "usdt.sol": 20_000n,
  "trx.tron": 1_300_000n,
  "usdt.tron": 2_000_000n,
  "bnb.bsc": 10_000n * gwei,
  "usdt.bsc": 15_000_000n * gwei,
  "eth.base": 2_000n * gwei,
  "usdc.base": 8_000n,
  "cbbtc.base": 20n,
  "pol.pol": 60_000_000n * gwei,
  "usdc.pol": 10_000n,
  "usdt.pol": 10_000n,
  "avax.avax": 500_000n * gwei,
  "usdc.avax": 10_000n,
  "usdt.avax": 10_000n,
  "eth.op": 2_000n * gwei,
  "usdc.op": 8_000n,
  "usdt.op": 8_000n,
  // Recorded but for Litecoin and Dash (near-intents/wire.md 1, limits).
  "ltc.ltc": 10_000n,
  "doge.doge": 45_000_000n,
  "bch.bch": 500n,
  "zec.zec": 47_000n,
  "dash.dash": 5_000n,
  "xrp.xrp": 10n,
}

/** The least deposits and payouts of the bridge, where they were recorded (near-intents/wire.md 1, limits). */
const leasts: Partial<Readonly<Record<AssetId, Token["least"]>>> = {
  "doge.doge": { deposit: 1_000_000n, payout: 1_000_000n },
  "zec.zec": { deposit: 10_000n, payout: 5_000n },
  "xrp.xrp": { deposit: 2_000_000n, payout: 1_000_000n },
}

/** A chain in the catalogue: its name, and the ids of its coin and of its tokens. */
interface TokenPlace {
  readonly blockchain: string
  readonly coinId: string
  readonly tokenId: (contractAddress: string) => string
  /** Former ids of coin and tokens, where they have moved. */
  readonly former?: Pick<TokenPlace, "coinId" | "tokenId">
}

/** Tokens of chains unlike Ethereum are identified by twenty bytes that only 1Click can read. */
const hashed = (contractAddress: string): string =>
  bytesToHex(digest("near-intents token", contractAddress).slice(0, 20))

const lowerCase = (contractAddress: string): string => contractAddress.toLowerCase()

const bridged = (
  blockchain: string,
  tokenName: (contractAddress: string) => string = lowerCase,
): TokenPlace => ({
  blockchain,
  coinId: `nep141:${blockchain}.omft.near`,
  tokenId: (contractAddress) => `nep141:${blockchain}-${tokenName(contractAddress)}.omft.near`,
})

/** The word for a coin in ids that name chain and contract. */
export const coinWord = "coin"

/** Bitcoin, whose coin alone has moved to an id that names it. */
const bitcoin: TokenPlace = {
  ...bridged("btc"),
  coinId: `1cs_v1:btc:native:${coinWord}`,
  former: bridged("btc"),
}

/** Ids such as `56_<base58 of the contract>`. */
const hot = (chainId: number): Pick<TokenPlace, "coinId" | "tokenId"> => ({
  coinId: `nep245:v2_1.omni.hot.tg:${chainId}_11111111111111111111`,
  tokenId: (contractAddress) =>
    `nep245:v2_1.omni.hot.tg:${chainId}_${base58.encode(hexToBytes(contractAddress.slice(2)))}`,
})

/** A chain that has moved from one bridge to another, which may have another name for it. */
const moved = (blockchain: string, chainId: number, name = blockchain): TokenPlace => ({
  blockchain,
  coinId: `nep141:${name}.omdep.near`,
  tokenId: (contractAddress) => `nep141:${name}-${lowerCase(contractAddress)}.omdep.near`,
  former: hot(chainId),
})

/** The chains that are served; Polkadot and Assethub are not. */
const places: Partial<Readonly<Record<Chain, TokenPlace>>> = {
  Bitcoin: bitcoin,
  Ethereum: bridged("eth"),
  Arbitrum: bridged("arb"),
  Solana: bridged("sol", hashed),
  Tron: bridged("tron", hashed),
  Bsc: moved("bsc", 56, "bnb"),
  Base: bridged("base"),
  Polygon: moved("pol", 137),
  Avalanche: moved("avax", 43_114),
  Optimism: { blockchain: "op", ...hot(10) },
  Litecoin: bridged("ltc"),
  Dogecoin: bridged("doge"),
  BitcoinCash: bridged("bch"),
  Zcash: bridged("zec"),
  Dash: bridged("dash"),
  XrpLedger: bridged("xrp"),
}

export const tokens: ReadonlyArray<Token> = assetIds().flatMap((asset: AssetId): ReadonlyArray<Token> => {
  const place = places[chainOf(asset)]
  const transferFee = transferFees[asset] ?? costOfAdded(asset)
  if (place === undefined || transferFee === undefined) return []
  const { contractAddress } = factsOf(asset)
  const idIn = ({ coinId, tokenId }: Pick<TokenPlace, "coinId" | "tokenId">) =>
    contractAddress === undefined ? coinId : tokenId(contractAddress)
  return [{
    asset,
    assetId: idIn(place),
    ...(place.former === undefined ? {} : { formerId: idIn(place.former) }),
    blockchain: place.blockchain,
    ...(contractAddress === undefined ? {} : { contractAddress }),
    transferFee,
    ...(leasts[asset] === undefined ? {} : { least: leasts[asset] }),
  }]
})

const tokensById: ReadonlyMap<string, Token> = new Map(
  tokens.flatMap((token) =>
    [token.assetId, token.formerId].flatMap((id) => id === undefined ? [] : [[id, token] as const])
  ),
)

export const findToken = (assetId: string): Token | undefined => tokensById.get(assetId)

/** Rows that are not traded: coins of other chains, namesakes, an unknown chain (near-intents/wire.md 1, asset ids). */
export const otherRows = [
  {
    assetId: "1cs_v1:sol:spl:A7bdiYdS5GjqGFtxf17ppRHtDKPkkRqbKtR27dxvQXaS",
    decimals: 8,
    blockchain: "sol",
    symbol: "ZEC",
    contractAddress: "A7bdiYdS5GjqGFtxf17ppRHtDKPkkRqbKtR27dxvQXaS",
  },
  { assetId: "1cs_v1:near:nep141:zec.omft.near", decimals: 8, blockchain: "near", symbol: "ZEC" },
  { assetId: "nep141:nbtc.bridge.near", decimals: 8, blockchain: "near", symbol: "BTC" },
  {
    assetId: "nep141:pol-0x2791bca1f2de4661ed88a30c99a7a9449aa84174.omft.near",
    decimals: 6,
    blockchain: "pol",
    symbol: "USDC",
    contractAddress: "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
  },
  {
    assetId: "nep141:op-0x01bff41798a0bcf287b996046ca68b395dbc1071.omft.near",
    decimals: 6,
    blockchain: "op",
    symbol: "USDT",
    contractAddress: "0x01bff41798a0bcf287b996046ca68b395dbc1071",
  },
  { assetId: "nep141:hood.omft.near", decimals: 18, blockchain: "hood", symbol: "ETH" },
] as const
