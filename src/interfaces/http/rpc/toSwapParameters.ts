import type { EncodeParams, ExtraParameters, OpenChannelParams } from "#api/RpcParameters.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { fromX128 } from "#domain/money/Price.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { RawParameters } from "../../requests/parameterIssues.ts"
import { sha256 } from "@noble/hashes/sha2.js"
import { base58, createBase58check } from "@scure/base"
import { Option } from "effect"
import { Hex } from "effect/encoding"
import type { Chain } from "#domain/chains/Chain.ts"

const base58check = createBase58check(sha256)

/** The first byte of every Tron account, in hex. */
const tronVersion = "41"

/** The hex digits of a text, with or without 0x, if there are exactly `digits` of them. */
const hexOf = (text: string, digits: number): Option.Option<string> =>
  Option.filter(
    Option.some(text.replace(/^0x/, "")),
    (hex) => hex.length === digits && /^[0-9a-fA-F]+$/.test(hex),
  )

const bytesOf = (hex: Option.Option<string>) =>
  Option.flatMap(hex, (text) => Option.getSuccess(Hex.decode(text)))

const evm = (text: string) => Option.map(hexOf(text, 40), (hex) => `0x${hex}`)

const solana = (text: string) => Option.map(bytesOf(hexOf(text, 64)), (bytes) => base58.encode(bytes))

const tron = (text: string) =>
  hexOf(text, 40).pipe(
    Option.map((account) => `${tronVersion}${account}`),
    Option.orElse(() => hexOf(text, 42)),
    bytesOf,
    Option.map((bytes) => base58check.encode(bytes)),
  )

const spellings: { readonly [Key in Chain]?: (text: string) => Option.Option<string> } = {
  Ethereum: evm,
  Arbitrum: evm,
  Bsc: evm,
  Solana: solana,
  Tron: tron,
}

/**
 * An address as its chain writes it, where the upstream takes hexadecimal (chainflip/wire.md 2.2, 5); any other text
 * unchanged. The rules of `/swap` check whether it is an address.
 */
export const addressText = (chain: Chain, text: string): string =>
  Option.getOrElse(spellings[chain]?.(text) ?? Option.none(), () => text)

// Calls are translated into bodies of our own endpoints, so that each of their rules holds here without being written
// again. Numbers are text of digits in those bodies.

type Params = OpenChannelParams | EncodeParams
type Refund = OpenChannelParams["refund_parameters"]

const affiliates = (fees: Params["affiliate_fees"]): RawParameters =>
  Object.fromEntries(
    (fees ?? []).flatMap(({ account, bps }, index) => [
      [`affiliate${index + 1}`, account],
      [`affiliate${index + 1}CommissionBps`, `${bps}`],
    ]),
  )

const dca = (parameters: Params["dca_parameters"]): RawParameters =>
  parameters === undefined || parameters === null ? {} : {
    numberOfChunks: `${parameters.number_of_chunks}`,
    chunkIntervalBlocks: `${parameters.chunk_interval}`,
  }

const ccm = (metadata: Params["channel_metadata"]): RawParameters =>
  metadata === undefined || metadata === null
    ? {}
    : { ccmPayload: { gasBudget: `${metadata.gas_budget}`, message: metadata.message } }

const boost = (fee: Params["boost_fee"]): RawParameters =>
  fee === undefined || fee === null ? {} : { boostFee: `${fee}` }

const swapParameters = (params: Params, refund: Refund, platform: ProviderName): RawParameters => {
  const { destination_asset: destination, source_asset: source } = params
  return {
    platform,
    sourceAsset: source,
    destinationAsset: destination,
    destinationAddress: addressText(chainOf(destination), params.destination_address),
    commissionBps: `${params.broker_commission}`,
    refundAddress: addressText(chainOf(source), refund.refund_address),
    minimumPrice: formatDecimal(fromX128(refund.min_price, source, destination)),
    retryDurationInBlocks: `${refund.retry_duration}`,
    ...boost(params.boost_fee),
    ...affiliates(params.affiliate_fees),
    ...dca(params.dca_parameters),
    ...ccm(params.channel_metadata),
  }
}

/** The body of `POST /swap` that stands for a call. */
export const toSwapParameters = (params: OpenChannelParams, platform: ProviderName): RawParameters =>
  swapParameters(params, params.refund_parameters, platform)

/** The limit on slippage from the oracle's price, which only this protocol has. */
export const oracleLimit = (
  { max_oracle_price_slippage: slippage }: Refund,
): Pick<SwapRequest, "maximumOraclePriceSlippageBps"> =>
  slippage === undefined || slippage === null
    ? {}
    : { maximumOraclePriceSlippageBps: Bps.make(Number(slippage)) }

const sender = (extra: ExtraParameters): RawParameters =>
  extra.chain !== "Solana" ? {} : {
    sourceAddress: addressText("Solana", extra.from),
    seed: extra.seed,
    ...(typeof extra.from_token_account === "string"
      ? { sourceTokenAccount: addressText("Solana", extra.from_token_account) }
      : {}),
  }

/** The body of `POST /tx-payload/*` that stands for a call. */
export const toPayloadParameters = (
  params: EncodeParams,
  extra: ExtraParameters,
  platform: ProviderName,
): RawParameters => ({
  ...swapParameters(params, extra.refund_parameters, platform),
  amountNative: `${extra.input_amount}`,
  ...sender(extra),
})
