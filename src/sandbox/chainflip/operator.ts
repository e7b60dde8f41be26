import { Effect, Result, Schema } from "effect"
import { chainOf } from "#domain/chains/Asset.ts"
import { brokerAccount } from "../engine/figures.ts"
import type { OperatorRefusal } from "../engine/Refusal.ts"
import type { Affiliate, Withdrawal } from "../engine/State.ts"
import type { UnusableLog } from "../EventLog.ts"
import { World } from "../World.ts"
import { AccountInput, affiliatesOf } from "./accounts.ts"
import { brokerRefusal, type Hosting, type RpcError } from "./refusals.ts"
import { type Method, method } from "./rpc.ts"
import { AssetInput, hex, U16 } from "./values.ts"

/** The broker's JSON-RPC methods about the operator's own account (chainflip/wire.md 2.7). */

type Accepted<Value> = Effect.Effect<Result.Result<Value, OperatorRefusal>, UnusableLog, World>

const toWithdrawal = ({ fee, payment, transactionHash }: Withdrawal) => ({
  tx_hash: transactionHash,
  egress_id: [chainOf(payment.asset), payment.number],
  egress_amount: hex(payment.egress.amount),
  egress_fee: hex(fee),
  destination_address: payment.destination,
})

const toDeregistered = ({ account, shortId }: Affiliate) => ({ account_id: account, short_id: shortId })
const itself = <Value>(value: Value): Value => value

const getAffiliates = method(
  Schema.Struct({ affiliate: Schema.optionalKey(AccountInput) }),
  ({ affiliate }) => World.read(({ network }) => affiliatesOf(network, brokerAccount, affiliate)),
  "treasury",
)

const none = Schema.Struct({})
const affiliate = Schema.Struct({ affiliate_account_id: AccountInput })

/** The methods by their snake_case names. */
export const operatorMethods = (hosting: Hosting): Readonly<Record<string, Method>> => {
  /** A method that is a transaction of the operator's. */
  const transaction = <Params, Value>(
    schema: Schema.ConstraintDecoder<Params> & { readonly fields: Readonly<Record<string, unknown>> },
    act: (params: Params) => Accepted<Value>,
    write: (value: Value) => unknown,
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
      toDeregistered,
    ),
    broker_get_affiliates: getAffiliates,
    broker_bind_fee_withdrawal_address: transaction(
      Schema.Struct({ address: Schema.String }),
      ({ address }) => World.perform({ _tag: "BindAddress", address }),
      itself,
    ),
    broker_set_vault_swap_minimum_broker_fee: transaction(
      Schema.Struct({ minimum_fee_bps: U16 }),
      ({ minimum_fee_bps: bps }) => World.perform({ _tag: "SetMinimumFee", bps }),
      itself,
    ),
    broker_open_private_btc_channel: transaction(
      none,
      () => World.perform({ _tag: "OpenPrivateChannel" }),
      itself,
    ),
    broker_close_private_btc_channel: transaction(
      none,
      () => World.perform({ _tag: "ClosePrivateChannel" }),
      itself,
    ),
  }
}
