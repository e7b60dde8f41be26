import { Effect, Result, Schema } from "effect"
import { chainOf } from "../../domain/Asset.ts"
import type { FaultOperation } from "../../api/SandboxFaults.ts"
import { brokerAccount } from "../engine/figures.ts"
import type { OperatorRefusal } from "../engine/Refusal.ts"
import type { Affiliate, Withdrawal } from "../engine/State.ts"
import type { UnusableLog } from "../EventLog.ts"
import { World } from "../World.ts"
import { AccountInput, affiliatesOf } from "./accounts.ts"
import { brokerRefusal, type Hosting, type RpcError } from "./refusals.ts"
import { type Method, method, type Methods } from "./rpc.ts"
import { AssetInput, hex, U16 } from "./values.ts"

/** The broker's JSON-RPC methods about the operator's own account (chainflip/wire.md 2.7). */

type Accepted<Value> = Effect.Effect<Result.Result<Value, OperatorRefusal>, UnusableLog>

/** The result of a withdrawal. */
const toWithdrawal = ({ fee, payment, transactionHash }: Withdrawal) => ({
  tx_hash: transactionHash,
  egress_id: [chainOf(payment.asset), payment.number],
  egress_amount: hex(payment.egress.amount),
  egress_fee: hex(fee),
  destination_address: payment.destination,
})

const toDeregistered = ({ account, shortId }: Affiliate) => ({ account_id: account, short_id: shortId })
const itself = <Value>(value: Value): Value => value

/** `broker_get_affiliates`. */
const getAffiliates = method(
  Schema.Struct({ affiliate: Schema.optionalKey(AccountInput) }),
  ({ affiliate }) =>
    Effect.flatMap(
      World,
      (world) => world.read(({ network }) => affiliatesOf(network, brokerAccount, affiliate)),
    ),
  "treasury",
)

/** The methods, each under its snake_case name and its camelCase alias. */
export const operatorMethods = (hosting: Hosting): Methods => {
  /** A method that is a transaction of the operator's. */
  const transaction = <Params, Value>(
    schema: Schema.ConstraintDecoder<Params> & { readonly fields: Readonly<Record<string, unknown>> },
    act: (world: World["Service"], params: Params) => Accepted<Value>,
    write: (value: Value) => unknown,
    operation: FaultOperation,
  ): Method =>
    method(
      schema,
      Effect.fnUntraced(function* (params): Effect.fn.Return<unknown, RpcError | UnusableLog, World> {
        const outcome = yield* act(yield* World, params)
        return Result.isSuccess(outcome)
          ? write(outcome.success)
          : yield* brokerRefusal(hosting, outcome.failure)
      }),
      operation,
    )
  const affiliate = Schema.Struct({ affiliate_account_id: AccountInput })

  const withdraw = transaction(
    Schema.Struct({ asset: AssetInput, destination_address: Schema.String }),
    (world, { asset, destination_address: destination }) =>
      world.withdrawFees({ _tag: "WithdrawFees", asset, destination }),
    toWithdrawal,
    "withdraw",
  )
  const withdrawAffiliate = transaction(
    affiliate,
    (world, { affiliate_account_id: account }) =>
      world.withdrawAffiliate({ _tag: "WithdrawAffiliate", account }),
    toWithdrawal,
    "withdraw",
  )
  const register = transaction(
    Schema.Struct({ withdrawal_address: Schema.String }),
    (world, { withdrawal_address: withdrawalAddress }) =>
      world.addAffiliate({ _tag: "AddAffiliate", withdrawalAddress }),
    ({ account }) => account,
    "withdraw",
  )
  const deregister = transaction(
    affiliate,
    (world, { affiliate_account_id: account }) => world.removeAffiliate({ _tag: "RemoveAffiliate", account }),
    toDeregistered,
    "withdraw",
  )
  const bind = transaction(
    Schema.Struct({ address: Schema.String }),
    (world, { address }) => world.bindAddress({ _tag: "BindAddress", address }),
    itself,
    "withdraw",
  )
  const minimum = transaction(
    Schema.Struct({ minimum_fee_bps: U16 }),
    (world, { minimum_fee_bps: bps }) => world.setMinimumFee({ _tag: "SetMinimumFee", bps }),
    itself,
    "withdraw",
  )
  const none = Schema.Struct({})
  const openChannel = transaction(none, (world) => world.openPrivateChannel, itself, "withdraw")
  const closeChannel = transaction(none, (world) => world.closePrivateChannel, itself, "withdraw")
  return new Map([
    ["broker_withdraw_fees", withdraw],
    ["broker_withdrawFees", withdraw],
    ["broker_affiliate_withdrawal_request", withdrawAffiliate],
    ["broker_affiliateWithdrawalRequest", withdrawAffiliate],
    ["broker_register_affiliate", register],
    ["broker_registerAffiliate", register],
    ["broker_deregister_affiliate", deregister],
    ["broker_deregisterAffiliate", deregister],
    ["broker_get_affiliates", getAffiliates],
    ["broker_getAffiliates", getAffiliates],
    ["broker_bind_fee_withdrawal_address", bind],
    ["broker_bindFeeWithdrawalAddress", bind],
    ["broker_set_vault_swap_minimum_broker_fee", minimum],
    ["broker_setVaultSwapMinimumBrokerFee", minimum],
    ["broker_open_private_btc_channel", openChannel],
    ["broker_openPrivateBtcChannel", openChannel],
    ["broker_close_private_btc_channel", closeChannel],
    ["broker_closePrivateBtcChannel", closeChannel],
  ])
}
