import { Effect, Match, Result, Schema } from "effect"
import { chainOf } from "#domain/chains/Asset.ts"
import { maximumSolanaNumber } from "#domain/chains/payload/swapInstruction.ts"
import { noAmount } from "#domain/money/Amount.ts"
import type { UnusableLog } from "../EventLog.ts"
import { Faults } from "../Faults.ts"
import { World } from "../World.ts"
import type { OpenChannel, RequestedSwap } from "../engine/Command.ts"
import * as Network from "../engine/Network.ts"
import {
  moduleError as moduleRefusal,
  type OperatorRefusal,
  type VaultSwapRefusal,
} from "../engine/Refusal.ts"
import type { Affiliate, Operator, Withdrawal } from "../engine/State.ts"
import type { ChannelOpened } from "../engine/View.ts"
import { brokerAccount } from "../engine/figures.ts"
import { isAddressOn } from "../engine/identifiers.ts"
import { vaultSwapRefusal } from "../engine/vaultSwaps.ts"
import { AccountInput, affiliatesOf } from "./accounts.ts"
import { listing } from "./chain.ts"
import {
  brokerRefusal,
  dispatchError,
  type Hosting,
  invalidParams,
  moduleError,
  type RpcError,
} from "./refusals.ts"
import { type Method, method, type Methods } from "./rpc.ts"
import {
  EncodeParams,
  type Extra,
  messageRefusal,
  refundOf,
  RefundParams,
  swapEnd,
  swapExtras,
  swapHead,
  toRefund,
  toRequestedSwap,
} from "./swapParams.ts"
import { AssetInput, hex, numberOrHex, U16 } from "./values.ts"
import { encodeBitcoin } from "./vault/bitcoin.ts"
import { encodeEvm } from "./vault/evm.ts"
import { encodeSolana } from "./vault/solana.ts"
import { encodeTron } from "./vault/tron.ts"

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
