import { Effect, Option, Result, Schema } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { accountText } from "#domain/chains/address/accountBytes.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import type { MalformedBody, ProviderErrorReason } from "#domain/ProviderError.ts"
import { PaymentStanding, type TakenWithdrawal, type WithdrawalOrder } from "#domain/operations/Treasury.ts"
import type { Withdrawals } from "../Treasury.ts"
import { decode, malformed } from "../upstream/decode.ts"
import { Amount, Count } from "../upstream/values.ts"
import { orderReason } from "./accountErrors.ts"
import type { JsonRpc } from "./client.ts"
import { failAs, type UpstreamCall } from "./errors.ts"
import { makeFind } from "./orderEvents.ts"
import type { Options } from "./settings.ts"

/** The result of `broker_withdraw_fees` and of `broker_affiliate_withdrawal_request` (chainflip/wire.md 2.7). */
const WireWithdrawal = Schema.Struct({
  tx_hash: Schema.NonEmptyString,
  egress_id: Schema.Tuple([Schema.String, Count]),
  egress_amount: Amount,
  egress_fee: Amount,
  destination_address: Address,
})

const wireAsset = (asset: AssetId): Schema.Json => {
  const { chain, ticker } = factsOf(asset)
  return { chain, asset: ticker }
}

/** The upstream's name of a payment: `Ethereum-103`. */
export const referenceOf = (chain: string, number: number | bigint): string => `${chain}-${number}`

/** The context of a transaction of the operator's; its outcome is unknown if the answer is lost. */
export const ordering: UpstreamCall = { endpoint: "broker", opening: true, pair: {} }

/** The address in the form of the order, where it is the same one: the network may spell it otherwise. */
const sameAddress = (
  { asset, destination }: WithdrawalOrder,
  told: Address,
): Address =>
  accountText(chainOf(asset), spelled(told)) === accountText(chainOf(asset), destination) ? destination : told

/** Hexadecimal with `0x`, which the network leaves out at times. */
const spelled = (address: Address): string => /^[0-9a-fA-F]{40}$/.test(address) ? `0x${address}` : address

/** What the answer says of the order; a payment on another chain than the asset's is no answer to it. */
const toTaken = (
  order: WithdrawalOrder,
  result: unknown,
): Result.Result<TakenWithdrawal, MalformedBody> =>
  Result.flatMap(decode(WireWithdrawal, result, ["result"]), (wire) => {
    const [chain, number] = wire.egress_id
    return chain === chainOf(order.asset)
      ? Result.succeed({
        reference: referenceOf(chain, number),
        transaction: wire.tx_hash,
        amount: wire.egress_amount,
        fee: wire.egress_fee,
        destination: sameAddress(order, wire.destination_address),
      })
      : malformed(`result.egress_id: expected a payment on ${chainOf(order.asset)}`)
  })

export interface Endpoints {
  readonly broker: JsonRpc
  readonly node: JsonRpc
}

/** Makes the withdrawals. The broker is called once for an order, and never again. */
export const makeWithdrawals = ({ broker, node }: Endpoints, options: Options): Withdrawals => {
  const call = ({ affiliate, asset, destination }: WithdrawalOrder) =>
    affiliate === undefined
      ? broker.call("broker_withdraw_fees", [wireAsset(asset), destination], ordering)
      : broker.call("broker_affiliate_withdrawal_request", [affiliate], ordering)
  return {
    withdraw: Effect.fn("Chainflip.withdraw")(
      function* (order): Effect.fn.Return<TakenWithdrawal, ProviderErrorReason> {
        const result = yield* call(order).pipe(
          Effect.catchTag("RpcError", (error) => Effect.fail(orderReason(error))),
        )
        return yield* Effect.fromResult(toTaken(order, result))
      },
      failAs("withdraw"),
    ),
    find: makeFind(node, options),
    // Validators sign and send payments within a few blocks, and no node tells of one by its number
    // (chainflip/wire.md 2.8).
    standing: () => Effect.succeed(Option.some(PaymentStanding.Sent({}))),
  }
}
