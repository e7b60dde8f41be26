import { base58 } from "@scure/base"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { type AssetId, assetIds, chainOf, factsOf } from "../../../domain/Asset.ts"
import type { Chain } from "../../../domain/Chain.ts"
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
}

const gwei = 1_000_000_000n

/** The fee of sending each asset, of the order of the real fees; assets without a fee are not traded. */
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
}

/** A chain in the catalogue: its name, and the ids of its coin and of its tokens. */
interface Place {
  readonly blockchain: string
  readonly coinId: string
  readonly tokenId: (contractAddress: string) => string
  /** Former ids of coin and tokens, where they have moved. */
  readonly former?: Pick<Place, "coinId" | "tokenId">
}

/** Tokens of chains unlike Ethereum are identified by twenty bytes that only 1Click can read. */
const hashed = (contractAddress: string): string =>
  bytesToHex(digest("near-intents token", contractAddress).slice(0, 20))

const bridged = (blockchain: string, tokenName: (contractAddress: string) => string): Place => ({
  blockchain,
  coinId: `nep141:${blockchain}.omft.near`,
  tokenId: (contractAddress) => `nep141:${blockchain}-${tokenName(contractAddress)}.omft.near`,
})

const lowerCase = (contractAddress: string): string => contractAddress.toLowerCase()

/** The word for a coin in ids that name chain and contract. */
export const coinWord = "coin"

/** Bitcoin, whose coin alone has moved to an id that names it. */
const bitcoin: Place = {
  ...bridged("btc", lowerCase),
  coinId: `1cs_v1:btc:native:${coinWord}`,
  former: bridged("btc", lowerCase),
}

/** Binance's chain, which has moved from another bridge with ids such as `56_<base58 of the contract>`. */
const bsc: Place = {
  blockchain: "bsc",
  coinId: "nep141:bsc.omdep.near",
  tokenId: (contractAddress) => `nep141:bsc-${lowerCase(contractAddress)}.omdep.near`,
  former: {
    coinId: "nep245:v2_1.omni.hot.tg:56_11111111111111111111",
    tokenId: (contractAddress) =>
      `nep245:v2_1.omni.hot.tg:56_${base58.encode(hexToBytes(contractAddress.slice(2)))}`,
  },
}

/** The chains that are served; Polkadot and Assethub are not. */
const places: Partial<Readonly<Record<Chain, Place>>> = {
  Bitcoin: bitcoin,
  Ethereum: bridged("eth", lowerCase),
  Arbitrum: bridged("arb", lowerCase),
  Solana: bridged("sol", hashed),
  Tron: bridged("tron", hashed),
  Bsc: bsc,
}

const toToken = (asset: AssetId): ReadonlyArray<Token> => {
  const place = places[chainOf(asset)]
  const transferFee = transferFees[asset]
  if (place === undefined || transferFee === undefined) return []
  const { contractAddress } = factsOf(asset)
  const idIn = ({ coinId, tokenId }: Pick<Place, "coinId" | "tokenId">) =>
    contractAddress === undefined ? coinId : tokenId(contractAddress)
  return [{
    asset,
    assetId: idIn(place),
    ...(place.former === undefined ? {} : { formerId: idIn(place.former) }),
    blockchain: place.blockchain,
    ...(contractAddress === undefined ? {} : { contractAddress }),
    transferFee,
  }]
}

/** The catalogue, in the order of the assets. */
export const tokens: ReadonlyArray<Token> = assetIds.flatMap(toToken)

const tokensById: ReadonlyMap<string, Token> = new Map(
  tokens.flatMap((token) =>
    [token.assetId, token.formerId].flatMap((id) => id === undefined ? [] : [[id, token] as const])
  ),
)

/** The asset with this id of 1Click, be it the former one. */
export const findToken = (assetId: string): Token | undefined => tokensById.get(assetId)
