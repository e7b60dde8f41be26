import { Effect, Match, Result, Schema } from "effect"
import { chainOf } from "#domain/chains/Asset.ts"
import { maximumSolanaNumber } from "#domain/chains/payload/swapInstruction.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type UnusableLog, World } from "../World.ts"
import { Faults } from "../Faults.ts"
import type { OpenChannel, RequestedSwap } from "../engine/Command.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import * as Network from "../engine/Network.ts"
import {
  moduleError as moduleRefusal,
  type OperatorRefusal,
  type VaultSwapRefusal,
} from "../engine/Refusal.ts"
import type { Affiliate, ChannelOpened, Operator, Withdrawal } from "../engine/State.ts"
import { brokerAccount } from "../engine/figures.ts"
import { isAddressOn, vaultAddress } from "../engine/identifiers.ts"
import { vaultSwapRefusal } from "../engine/deposits.ts"
import { AccountInput, affiliatesOf, listing } from "./chain.ts"
import {
  brokerRefusal,
  dispatchError,
  type Hosting,
  invalidParams,
  moduleError,
  type RpcError,
} from "./refusals.ts"
import { type Method, method, type Methods } from "./rpc.ts"
import { AssetInput, hex, HexInput, numberOrHex, NumberOrHexInput, U16, U32 } from "./values.ts"
import { encodeBitcoin, encodeSolana } from "./vault/decode.ts"
import { encodeEvm, encodeTron } from "./vault/evm.ts"

/** The broker's JSON-RPC methods about the operator's own account (chainflip/wire.md 2.7). */

type Accepted<Value> = Effect.Effect<Result.Result<Value, OperatorRefusal>, UnusableLog, World>

const toWithdrawal = ({ fee, payment, transactionHash }: Withdrawal) => ({
  tx_hash: transactionHash,
  egress_id: [chainOf(payment.asset), payment.number],
  egress_amount: hex(payment.egress.amount),
  egress_fee: hex(fee),
  destination_address: payment.destination,
})

const none = Schema.Struct({})
const affiliate = Schema.Struct({ affiliate_account_id: AccountInput })

const operatorMethods = (hosting: Hosting): Readonly<Record<string, Method>> => {
  const transaction = <Params, Value>(
    schema: Schema.ConstraintDecoder<Params> & { readonly fields: Readonly<Record<string, unknown>> },
    act: (params: Params) => Accepted<Value>,
    write: (value: Value) => unknown = (value) => value,
  ): Method =>
    method(
      schema,
      Effect.fnUntraced(function* (params): Effect.fn.Return<unknown, RpcError | UnusableLog, World> {
        const outcome = yield* act(params)
        return Result.isSuccess(outcome)
          ? write(outcome.success)
          : yield* brokerRefusal(hosting, outcome.failure)
      }),
      "withdraw",
    )
  return {
    broker_withdraw_fees: transaction(
      Schema.Struct({ asset: AssetInput, destination_address: Schema.String }),
      ({ asset, destination_address: destination }) =>
        World.perform({ _tag: "WithdrawFees", asset, destination }),
      toWithdrawal,
    ),
    broker_affiliate_withdrawal_request: transaction(
      affiliate,
      ({ affiliate_account_id: account }) => World.perform({ _tag: "WithdrawAffiliate", account }),
      toWithdrawal,
    ),
    broker_register_affiliate: transaction(
      Schema.Struct({ withdrawal_address: Schema.String }),
      ({ withdrawal_address: withdrawalAddress }) =>
        World.perform({ _tag: "AddAffiliate", withdrawalAddress }),
      ({ account }) => account,
    ),
    broker_deregister_affiliate: transaction(
      affiliate,
      ({ affiliate_account_id: account }) => World.perform({ _tag: "RemoveAffiliate", account }),
      ({ account, shortId }: Affiliate) => ({ account_id: account, short_id: shortId }),
    ),
    broker_get_affiliates: method(
      Schema.Struct({ affiliate: Schema.optionalKey(AccountInput) }),
      ({ affiliate }) => World.read(({ network }) => affiliatesOf(network, brokerAccount, affiliate)),
      "treasury",
    ),
    broker_bind_fee_withdrawal_address: transaction(
      Schema.Struct({ address: Schema.String }),
      ({ address }) => World.perform({ _tag: "BindAddress", address }),
    ),
    broker_set_vault_swap_minimum_broker_fee: transaction(
      Schema.Struct({ minimum_fee_bps: U16 }),
      ({ minimum_fee_bps: bps }) => World.perform({ _tag: "SetMinimumFee", bps }),
    ),
    broker_open_private_btc_channel: transaction(none, () => World.perform({ _tag: "OpenPrivateChannel" })),
    broker_close_private_btc_channel: transaction(none, () => World.perform({ _tag: "ClosePrivateChannel" })),
  }
}

/** The broker's JSON-RPC methods (chainflip/wire.md 2.2, 2.3). */

/** The parameters that the broker's methods for swaps share (chainflip/wire.md 2.2, 2.3). */

/** 0x and two hexadecimal digits for each byte. */
const HexBytes = Schema.String.check(Schema.isPattern(/^0x([0-9a-fA-F]{2})*$/, { expected: "0x-hex bytes" }))

const ChannelMetadata = Schema.Struct({
  message: HexBytes,
  gas_budget: NumberOrHexInput,
  ccm_additional_data: Schema.optionalKey(HexBytes),
})

/** The parameters before the method's own. */
const swapHead = {
  source_asset: AssetInput,
  destination_asset: AssetInput,
  destination_address: Schema.String,
  broker_commission: U16,
}

/** The parameters after the method's own. */
const swapExtras = {
  channel_metadata: Schema.optionalKey(ChannelMetadata),
  boost_fee: Schema.optionalKey(U16),
  affiliate_fees: Schema.optionalKey(Schema.Array(Schema.Struct({ account: Schema.String, bps: U16 }))),
}

const swapEnd = {
  dca_parameters: Schema.optionalKey(Schema.Struct({ number_of_chunks: U32, chunk_interval: U32 })),
}

/** The price limit, and the address that the deposit is refunded to. */
const RefundParams = Schema.Struct({
  retry_duration: U32,
  refund_address: Schema.String,
  min_price: HexInput,
  refund_ccm_metadata: Schema.optionalKey(ChannelMetadata),
  max_oracle_price_slippage: Schema.optionalKey(U16),
})
type RefundParams = typeof RefundParams.Type

const SwapParams = Schema.Struct({ ...swapHead, ...swapExtras, ...swapEnd })
type SwapParams = typeof SwapParams.Type

/** The longest message and additional data, in bytes (chainflip/wire.md 2.2). */
const maximumMessageBytes = 15_000
const maximumAdditionalDataBytes = 3_000

const byteLength = (bytes: string): number => (bytes.length - 2) / 2

/** The refusal of a message by the wire itself, before the network gets it. */
const messageRefusal = ({ channel_metadata: ccm }: SwapParams): RpcError | undefined => {
  if (ccm === undefined) return undefined
  if (byteLength(ccm.message) > maximumMessageBytes) {
    return invalidParams("Invalid params: CCM message size too large.")
  }
  return ccm.ccm_additional_data !== undefined &&
      byteLength(ccm.ccm_additional_data) > maximumAdditionalDataBytes
    ? invalidParams("Invalid params: CCM additional data too large.")
    : undefined
}

const toRefund = (refund: RefundParams): RequestedSwap["refund"] => ({
  retryDurationBlocks: refund.retry_duration,
  refundAddress: refund.refund_address,
  minimumPriceX128: refund.min_price,
  ...defined({ maximumOraclePriceSlippageBps: refund.max_oracle_price_slippage }),
})

const toRequestedSwap = (params: SwapParams, refund: RequestedSwap["refund"]): RequestedSwap => {
  const { channel_metadata: ccm, dca_parameters: dca } = params
  return {
    sourceAsset: params.source_asset,
    destinationAsset: params.destination_asset,
    destinationAddress: params.destination_address,
    brokerCommissionBps: params.broker_commission,
    boostFeeBps: params.boost_fee ?? 0,
    affiliates: (params.affiliate_fees ?? []).map(({ account, bps }) => ({ account, commissionBps: bps })),
    refund,
    ...(dca === undefined
      ? {}
      : { dca: { numberOfChunks: dca.number_of_chunks, chunkIntervalBlocks: dca.chunk_interval } }),
    ...(ccm === undefined ? {} : { ccm: { gasBudget: ccm.gas_budget, message: ccm.message } }),
  }
}

/** The parameters of `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */

/** The oracle limit in a payload, which is one byte. */
const U8 = U16.check(
  Schema.isBetween({ minimum: 0, maximum: 255 }, { expected: "an unsigned 8-bit integer" }),
)

const Refund = Schema.Struct({ ...RefundParams.fields, max_oracle_price_slippage: Schema.optionalKey(U8) })

const amounts = { input_amount: NumberOrHexInput, refund_parameters: Refund }

/** The parameters that depend on the source chain. */
const Extra = Schema.Union([
  Schema.Struct({
    chain: Schema.Literal("Bitcoin"),
    min_output_amount: HexInput.pipe(Schema.decodeTo(NativeAmount)),
    retry_duration: U16,
    max_oracle_price_slippage: Schema.optionalKey(U8),
  }),
  Schema.Struct({ chain: Schema.Literals(["Ethereum", "Arbitrum", "Bsc"]), ...amounts }),
  Schema.Struct({ chain: Schema.Literal("Tron"), ...amounts }),
  Schema.Struct({
    chain: Schema.Literal("Solana"),
    from: Schema.String,
    seed: HexBytes.check(Schema.isMaxLength(2 + 2 * 32, { expected: "at most 32 bytes" })),
    ...amounts,
    from_token_account: Schema.optionalKey(Schema.String),
  }),
])
type Extra = typeof Extra.Type

const EncodeParams = Schema.Struct({ ...swapHead, extra_parameters: Extra, ...swapExtras, ...swapEnd })
type EncodeParams = typeof EncodeParams.Type

/** The refund address of a Bitcoin transaction, which is that of its change and not known before it is sent. */
const changeNotKnown = vaultAddress("Bitcoin")

/** The refund parameters of a payload. Bitcoin's have no price limit, but one on the whole output. */
const refundOf = (extra: Extra): RequestedSwap["refund"] =>
  extra.chain === "Bitcoin"
    ? {
      retryDurationBlocks: extra.retry_duration,
      refundAddress: changeNotKnown,
      minimumPriceX128: 0n,
      ...defined({ maximumOraclePriceSlippageBps: extra.max_oracle_price_slippage }),
    }
    : toRefund(extra.refund_parameters)

const OpenParams = Schema.Struct({ ...swapHead, ...swapExtras, refund_parameters: RefundParams, ...swapEnd })
type OpenParams = typeof OpenParams.Type

/** The refusal of a request by the wire itself, before the network gets it. */
const wireRefusal = (hosting: Hosting, params: OpenParams): RpcError | undefined => {
  const refused = messageRefusal(params)
  if (refused !== undefined || params.refund_parameters.refund_ccm_metadata === undefined) return refused
  return moduleError(hosting, {
    name: "CcmUnsupportedForRefundChain",
    pallet: "Swapping",
    docs: "The refund chain does not support messages.",
  })
}

const toCommand = (params: OpenParams): OpenChannel => ({
  _tag: "OpenChannel",
  ...toRequestedSwap(params, toRefund(params.refund_parameters)),
  openedThroughBackend: false,
})

const toResult = (opened: ChannelOpened, { refund_parameters: refund }: OpenParams) => ({
  address: opened.depositAddress,
  issued_block: opened.id.issuedBlock,
  channel_id: opened.id.channelId,
  source_chain_expiry_block: numberOrHex(BigInt(opened.sourceExpiryBlock)),
  channel_opening_fee: hex(opened.openingFee),
  refund_parameters: {
    retry_duration: refund.retry_duration,
    refund_address: refund.refund_address,
    min_price: hex(refund.min_price),
    refund_ccm_metadata: null,
    max_oracle_price_slippage: refund.max_oracle_price_slippage ?? null,
  },
})

const openChannel = (hosting: Hosting) =>
  Effect.fn("sandbox.broker.openChannel")(function* (params: OpenParams) {
    const refused = wireRefusal(hosting, params)
    if (refused !== undefined) return yield* refused
    const outcome = yield* World.perform(toCommand(params))
    if (Result.isFailure(outcome)) return yield* brokerRefusal(hosting, outcome.failure)
    return toResult(outcome.success, params)
  })

/** `broker_withdraw_fees` is `broker_withdrawFees`, too. */
const aliasOf = (name: string): string =>
  name.replace(/(?<=[a-z]_.*)_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The methods of a broker, each under its snake_case name and its camelCase alias. */
export const brokerMethods = (hosting: Hosting): Methods => {
  const methods = Object.entries({
    ...operatorMethods(hosting),
    broker_request_swap_deposit_address: method(OpenParams, openChannel(hosting), "open"),
    broker_all_open_deposit_channels: listing,
    broker_request_swap_parameter_encoding: method(EncodeParams, run, "encode"),
  })
  return new Map(methods.flatMap(([name, method]) => [[name, method], [aliasOf(name), method]] as const))
}

/** `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */

const incompatible = dispatchError("Incompatible or unsupported source_asset and extra_parameters")

/** The error of the runtime, by its name alone: without an extrinsic there is no module error (chainflip/wire.md 2.3). */
const refusalError = (refusal: VaultSwapRefusal): RpcError =>
  "pallet" in refusal ? dispatchError(refusal._tag) : Match.valueTags(refusal, {
    NoVault: () => incompatible,
    ZeroAmount: () => dispatchError("The input amount is zero."),
    TooManyAffiliates: () => dispatchError("Too many affiliates."),
    TooManyChannels: () => incompatible,
    InvalidAffiliateAccount: ({ account }) => invalidParams(`Invalid params: invalid account "${account}"`),
    InvalidBps: ({ bps }) => invalidParams(`Invalid params: invalid value: integer \`${bps}\`, expected u16`),
  })

/** The affiliates after the request's were added: the sandbox registers an account when first named. */
const withAffiliates = Effect.fnUntraced(function* (request: RequestedSwap) {
  const known = yield* World.read(({ network }) => Network.affiliates(network))
  for (const { account } of request.affiliates) {
    if (known.some((affiliate) => affiliate.account === account)) continue
    const registered = yield* World.perform({ _tag: "RegisterAffiliate", account })
    if (Result.isFailure(registered)) return yield* refusalError(registered.failure)
  }
  return yield* World.read(({ network }) => Network.affiliates(network))
})

const isSolanaAddress = (address: string | undefined): boolean =>
  address === undefined || isAddressOn("Solana", address)

const solanaRefusal = (extra: Extract<Extra, { readonly chain: "Solana" }>, { ccm }: RequestedSwap) => {
  if (!isSolanaAddress(extra.from) || !isSolanaAddress(extra.from_token_account)) {
    return invalidParams("Invalid params: invalid Solana address")
  }
  return [extra.input_amount, ccm?.gasBudget ?? 0n].some((number) => number > maximumSolanaNumber)
    ? dispatchError("The amount does not fit into 64 bits.")
    : undefined
}

const encode = (
  extra: Extra,
  request: RequestedSwap,
  registered: ReadonlyArray<Affiliate>,
  isNewest: boolean,
): Effect.Effect<unknown, RpcError> => {
  if (extra.chain === "Bitcoin") {
    return Effect.succeed(encodeBitcoin(request, extra.min_output_amount, registered, isNewest))
  }
  if (extra.input_amount === noAmount) return Effect.fail(refusalError({ _tag: "ZeroAmount" }))
  if (extra.chain === "Tron") return Effect.succeed(encodeTron(request, extra.input_amount, registered))
  if (extra.chain !== "Solana") return Effect.succeed(encodeEvm(request, extra.input_amount, registered))
  const refused = solanaRefusal(extra, request)
  if (refused !== undefined) return Effect.fail(refused)
  const tokenAccount = extra.from_token_account
  const sender = {
    from: extra.from,
    seed: extra.seed,
    ...(tokenAccount === undefined ? {} : { tokenAccount }),
  }
  return Effect.succeed(encodeSolana(request, extra.input_amount, sender, registered))
}

/** The refusal of a payload that the operator's account is not ready for (chainflip/wire.md 2.7). */
const operatorRefusal = (
  { minimumVaultFeeBps, privateChannel }: Operator,
  { chain }: Extra,
  { brokerCommissionBps }: RequestedSwap,
  mayHavePrivateChannel: boolean,
): RpcError | undefined => {
  if (brokerCommissionBps < minimumVaultFeeBps) return dispatchError("Broker commission is too low")
  return chain === "Bitcoin" && (privateChannel === undefined || !mayHavePrivateChannel)
    ? refusalError(moduleRefusal("NoPrivateChannelExistsForBroker"))
    : undefined
}

const run = Effect.fn("sandbox.broker.encodeVaultSwap")(function* (params: EncodeParams) {
  const { extra_parameters: extra } = params
  if (extra.chain !== chainOf(params.source_asset)) return yield* incompatible
  const refused = messageRefusal(params)
  if (refused !== undefined) return yield* refused
  if ("refund_parameters" in extra && extra.refund_parameters.refund_ccm_metadata !== undefined) {
    return yield* dispatchError("The refund chain does not support messages.")
  }
  const request = toRequestedSwap(params, refundOf(extra))
  const mayHaveChannel = yield* Faults.does("privateChannel")
  const unready = yield* World.read(({ network }) =>
    operatorRefusal(network.operator, extra, request, mayHaveChannel)
  )
  if (unready !== undefined) return yield* unready
  const refusal = yield* World.read(({ network }) => vaultSwapRefusal(network, request))
  if (refusal !== undefined) return yield* refusalError(refusal)
  const registered = yield* withAffiliates(request)
  return yield* encode(extra, request, registered, yield* Faults.does("nullDataVersion1"))
})
