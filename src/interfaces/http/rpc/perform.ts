import { Data, Effect, Match, Option, Predicate, Result, Schema, SchemaIssue } from "effect"
import { EncodeParams, type ExtraParameters, OpenChannelParams } from "#api/RpcParameters.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { combineIssues, issueAbout, type Issues } from "#domain/Issues.ts"
import { JsonText, readExactly } from "#domain/JsonText.ts"
import { NodeMethod, NodeReply } from "#domain/operations/NodeCall.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { EvmPayload, PayloadKind, TronPayload, VaultSwapPayload } from "#domain/swaps/VaultSwap.ts"
import { Registry } from "#providers/Registry.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { readPostedPayload, readPostedSwap } from "../../requests/openings.ts"
import { encodeNames, openNames } from "../../requests/rpcNames.ts"
import { invalidParams, methodNotAvailable, orRpcError } from "./toRpcError.ts"
import { fromX128, toX128 } from "#domain/money/Price.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { OpenedSwap } from "#application/swapping/opening/OpeningRecord.ts"
import { meansTag, tagRefusal } from "../../requests/nearNames.ts"
import { Bps } from "#domain/money/Bps.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import type { RawParameters } from "../../requests/parameterIssues.ts"
import { sha256 } from "@noble/hashes/sha2.js"
import { base58, createBase58check } from "@scure/base"
import { Hex } from "effect/encoding"
import type { Chain } from "#domain/chains/Chain.ts"
import { encodeMethod, openMethod } from "#api/Rpc.ts"
import type { Scope } from "#domain/accounts/Key.ts"

/** The methods by purpose. */
type Method = Data.TaggedEnum<{
  /** Opens a deposit channel. */
  Open: object
  /** Encodes the transaction of a vault swap. */
  Encode: object
  /** Is passed on to the upstream's node as it came. */
  Node: { readonly method: NodeMethod }
}>
const Method = Data.taggedEnum<Method>()

/** The methods that are served, by name. A broker's own methods have a second name each (chainflip/wire.md 2.1). */
const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  [openMethod, Method.Open()],
  ["broker_requestSwapDepositAddress", Method.Open()],
  [encodeMethod, Method.Encode()],
  ["broker_requestSwapParameterEncoding", Method.Encode()],
  ...NodeMethod.literals.map((method) => [method, Method.Node({ method })] as const),
])

/** The method of this name, if it is served. */
export const findMethod = (name: string): Option.Option<Method> => Option.fromUndefinedOr(methods.get(name))

const scopes: Readonly<Record<Method["_tag"], Scope>> = { Open: "swap", Encode: "swap", Node: "quote" }

/** The scope that a key needs for a method. */
export const scopeOf = ({ _tag }: Method): Scope => scopes[_tag]

/** The value without members that are null, at any depth: the upstream takes a null for "not given". */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => member === null ? [] : [[name, withoutNulls(member)]]),
  )
}

/** Parameters by name. Those of a list get the names in order, and beyond the last name their place. */
const named = (names: ReadonlyArray<string>, params: unknown): unknown =>
  Array.isArray(params)
    ? Object.fromEntries(params.map((param, index) => [names[index] ?? `params[${index}]`, param]))
    : params

const stranger = "is not a parameter that this broker can do anything with"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is required"
    if (issue._tag === "UnexpectedKey") return stranger
    return SchemaIssue.defaultLeafHook(issue)
  },
})

/** A path as text: `affiliate_fees[0].account`. */
const pathText = (path: ReadonlyArray<unknown>): string =>
  path.reduce<string>((text, key) => {
    if (Predicate.isNumber(key)) return `${text}[${key}]`
    return text === "" ? `${String(key)}` : `${text}.${String(key)}`
  }, "")

const issuesIn = (issue: SchemaIssue.Issue): Issues =>
  combineIssues(
    format(issue).issues.map(({ message, path = [] }) => {
      const name = pathText(path.map((key) => Predicate.hasProperty(key, "key") ? key.key : key))
      return issueAbout(name, message === stranger && meansTag(name) ? tagRefusal(name) : message)
    }),
  )

/**
 * Makes the reader of parameters, given by name or as a list in the order of the schema's fields. The schema also
 * documents them. A parameter that it does not have is an issue, so that nothing is dropped silently.
 */
export const paramsReader = <F extends Schema.Struct.Fields>(
  schema: Schema.ConstraintDecoder<Schema.Struct<F>["Type"]> & { readonly fields: F },
) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const names = Object.keys(schema.fields)
  return (params: JsonText | undefined): Result.Result<Schema.Struct<F>["Type"], Issues> =>
    decode(withoutNulls(named(names, params === undefined ? {} : readExactly(params)))).pipe(
      Result.mapError(({ issue }) => issuesIn(issue)),
    )
}

const hex = (value: bigint): string => `0x${value.toString(16)}`

/** The result of `broker_request_swap_deposit_address` (chainflip/wire.md 2.2). */
const presentOpened = ({ channel }: OpenedSwap, request: SwapRequest) => ({
  address: channel.depositAddress,
  issued_block: channel.id.issuedBlock,
  channel_id: channel.id.channelId,
  source_chain_expiry_block: channel.sourceExpiryBlock,
  channel_opening_fee: hex(channel.openingFee),
  refund_parameters: {
    retry_duration: request.retryDurationBlocks,
    refund_address: request.refundAddress,
    min_price: hex(toX128(request.minimumPrice, request.sourceAsset, request.destinationAsset)),
    refund_ccm_metadata: null,
    max_oracle_price_slippage: request.maximumOraclePriceSlippageBps ?? null,
  },
})

/** The members that calls on EVM chains and on Tron share. */
const evmCall = ({ calldata, network, sourceTokenAddress, to, value }: EvmPayload | TronPayload) => ({
  chain: network,
  calldata,
  value: `0x${value.toString(16)}`,
  to,
  ...(sourceTokenAddress === undefined ? {} : { source_token_address: sourceTokenAddress }),
})

/** The result of `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */
const presentPayload = (payload: VaultSwapPayload): object =>
  Match.value(payload).pipe(
    Match.withReturnType<object>(),
    Match.tagsExhaustive({
      bitcoin: ({ depositAddress, network, nulldataPayload }) => ({
        chain: network,
        nulldata_payload: nulldataPayload,
        deposit_address: depositAddress,
      }),
      evm: evmCall,
      // The protocol has transactions of one instruction only, and its provider makes no others.
      solana: ({ instructions: [{ accounts, data, programId }], network }) => ({
        chain: network,
        program_id: programId,
        data,
        accounts: accounts.map(({ isSigner, isWritable, pubkey }) => ({
          pubkey,
          is_signer: isSigner,
          is_writable: isWritable,
        })),
      }),
      tron: (payload) => ({ ...evmCall(payload), note: payload.note }),
      // The protocol has no such chain, and its provider makes no such payloads.
      xrpl: ({ depositAddress, memoData, network }) => ({
        chain: network,
        deposit_address: depositAddress,
        memo_data: memoData,
      }),
    }),
  )

const readOpenChannel = paramsReader(OpenChannelParams)
const readEncode = paramsReader(EncodeParams)

const orInvalid = <A>(read: Result.Result<A, Issues>) =>
  Effect.mapError(Effect.fromResult(read), invalidParams)

const resultOf = (result: object): NodeReply =>
  NodeReply.Result({ json: JsonText.make(JSON.stringify(result)) })

const notEnabled = methodNotAvailable("no provider that speaks this protocol is enabled on this broker")

/** The enabled provider whose upstream speaks this protocol. */
const findProvider = Effect.flatMap(Registry, ({ enabled }) =>
  Effect.flatMap(enabled, (providers) => {
    const [found] = providers.flatMap(({ name, node }) => node === undefined ? [] : [{ name, node }])
    return found === undefined ? Effect.fail(notEnabled) : Effect.succeed(found)
  }))

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
const oracleLimit = (
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

/** Opens a deposit channel as `/swap` does, with this provider only. */
const open = Effect.fnUntraced(function* (platform: ProviderName, params: JsonText | undefined) {
  const wanted = yield* orInvalid(readOpenChannel(params))
  const order = yield* readPostedSwap(toSwapParameters(wanted, platform))
  const request = { ...order.request, ...oracleLimit(wanted.refund_parameters) }
  const opened = yield* (yield* Swaps).open(yield* CurrentAccount, { request, platform }).pipe(
    Effect.catchTag("KeyTaken", Effect.die),
  )
  return resultOf(presentOpened(opened, request))
}, orRpcError(openNames))

/** The kinds of payloads by the chains that the method takes. */
const kinds = {
  Ethereum: "evm",
  Arbitrum: "evm",
  Solana: "solana",
  Tron: "tron",
} as const satisfies Readonly<Record<ExtraParameters["chain"], PayloadKind>>

const fromBitcoin = issueAbout(
  "extra_parameters.chain",
  "cannot be Bitcoin here: the method tells neither the amount nor the refund address, which this broker has to " +
    "know of a swap; POST /tx-payload/bitcoin takes them",
)

const encodable = (
  { extra_parameters: extra, source_asset: source }: EncodeParams,
): Result.Result<ExtraParameters, Issues> => {
  if (extra.chain === "Bitcoin") return Result.fail(fromBitcoin)
  return extra.chain === chainOf(source) ? Result.succeed(extra) : Result.fail(
    issueAbout("extra_parameters.chain", `is ${extra.chain}, but source_asset is on ${chainOf(source)}`),
  )
}

/** Encodes a transaction as `/tx-payload/*` does, with this provider only. */
const encode = Effect.fnUntraced(function* (platform: ProviderName, params: JsonText | undefined) {
  const wanted = yield* orInvalid(readEncode(params))
  const extra = yield* orInvalid(encodable(wanted))
  const order = yield* readPostedPayload(kinds[extra.chain])(toPayloadParameters(wanted, extra, platform))
  const request = { ...order.request, ...oracleLimit(extra.refund_parameters) }
  const { payload } = yield* (yield* VaultSwaps).encode(yield* CurrentAccount, { request, platform })
  return resultOf(presentPayload(payload))
}, orRpcError(encodeNames))

/** Performs a call, and replies in the upstream's form. */
export const perform = Effect.fn("Rpc.perform")(function* (method: Method, params: JsonText | undefined) {
  const { name, node } = yield* findProvider
  return yield* Method.$match(method, {
    Open: () => open(name, params),
    Encode: () => encode(name, params),
    Node: ({ method }) =>
      node({ method, ...(params === undefined ? {} : { params }) }).pipe(orRpcError(new Map())),
  })
})
