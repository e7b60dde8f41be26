import { Effect, Option, Result, Schema } from "effect"
import type { MalformedBody, ProviderErrorReason } from "#domain/ProviderError.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { Address } from "#domain/chains/Address.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { decodeSs58 } from "#domain/chains/address/Ss58.ts"
import { accountBytes, accountText } from "#domain/chains/address/accountBytes.ts"
import { isSameBytes } from "#domain/chains/payload/abi.ts"
import { assetNumber } from "#domain/chains/payload/contractNumbers.ts"
import { findWithdrawalEvents } from "#domain/chains/payload/withdrawalEvent.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import {
  type Holding,
  PaymentStanding,
  type TakenWithdrawal,
  type WithdrawalOrder,
  WithdrawalTrace,
} from "#domain/operations/Treasury.ts"
import type { Withdrawals } from "../Treasury.ts"
import { decode, malformed } from "../upstream/decode.ts"
import { Amount, Count } from "../upstream/values.ts"
import { orderReason } from "./accountErrors.ts"
import { type Asking, type JsonRpc, ofNode } from "./client.ts"
import { AmountMap, amountOf } from "./conditions.ts"
import { failAs, type UpstreamCall } from "./errors.ts"
import type { Options } from "./settings.ts"
import { bytesOf, makeState, mortality } from "./state.ts"

/** The storage key of a block's events (chainflip/wire.md 2.8). */
const eventsKey = "0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7"

/** Blocks more, for the time between our clock and theirs, and for blocks that are replaced by others. */
const margin = 12
/** The most blocks whose state nodes keep; the official light node has half as many (chainflip/wire.md 2.8). */
const kept = 256

const matching = (
  order: WithdrawalOrder,
  destination: Uint8Array,
  account: Uint8Array,
  earned: Holding,
  events: string | null,
): TakenWithdrawal | undefined => {
  const chain = chainOf(order.asset)
  const event = findWithdrawalEvents(chain, account, bytesOf(events ?? "0x")).find((event) =>
    event.asset === assetNumber(order.asset) && isSameBytes(event.destination, destination) &&
    event.amount + event.fee >= earned.amount
  )
  return event === undefined ? undefined : {
    reference: `${chain}-${event.number}`,
    amount: NativeAmount.make(event.amount),
    fee: NativeAmount.make(event.fee),
    destination: order.destination,
  }
}

const makeReads = (node: JsonRpc) => {
  const state = makeState(node)
  return {
    ...state,
    balance: (account: string, { asset }: Holding): Asking<bigint> =>
      Effect.map(
        node.read(AmountMap, "cf_free_balances", account),
        (amounts) => amountOf(amounts, asset) ?? 0n,
      ),
    /** The events of a block, or nothing where the node has no such block or does not keep its state any more. */
    events: (height: number): Effect.Effect<Option.Option<string | null>, ProviderErrorReason> =>
      state.atHeight(height, (hash) => state.storage(eventsKey, hash)),
  }
}

/** Finds a lost order by its event; no event, or the whole balance, proves there is none (chainflip/wire.md 2.8). */
const makeFind = (node: JsonRpc, { brokerAccount }: Options): NonNullable<Withdrawals["find"]> => {
  const { balance, events, height, time } = makeReads(node)

  const look = Effect.fnUntraced(function* (
    order: WithdrawalOrder,
    earned: Holding,
    requestedAt: EpochMillis,
  ): Effect.fn.Return<WithdrawalTrace, Effect.Error<Asking<unknown>>> {
    const account = order.affiliate ?? brokerAccount
    const key = decodeSs58(account)
    const destination = accountBytes(chainOf(order.asset), order.destination)
    // Without both, no event could be told from another, and the order would seem never to have been taken.
    if (Result.isFailure(key) || Result.isFailure(destination)) return WithdrawalTrace.NotKnown()
    // The balance goes first: what is taken after it is found another time.
    const isWhole = (yield* balance(account, earned)) >= earned.amount
    const [head, now] = yield* Effect.all([height(), time()], { concurrency: 2 })
    const passed = Math.ceil((now - requestedAt) / stateChainBlockMillis)
    const isOver = passed > mortality + margin
    if (isWhole && !isOver) return WithdrawalTrace.NotKnown()
    const first = Math.max(0, head - Math.min(kept, Math.max(0, passed) + margin))
    for (let block = head; block > first; block--) {
      const told = yield* events(block)
      if (Option.isNone(told)) return isWhole ? WithdrawalTrace.NothingOrdered() : WithdrawalTrace.NotKnown()
      const taken = matching(order, destination.success, key.success.publicKey, earned, told.value)
      if (taken !== undefined) return WithdrawalTrace.Taken({ taken })
    }
    return isWhole && isOver ? WithdrawalTrace.NothingOrdered() : WithdrawalTrace.NotKnown()
  })

  return Effect.fn("Chainflip.findWithdrawal")(look, ofNode, failAs("treasury"))
}

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
const sameAddress = ({ asset, destination }: WithdrawalOrder, told: Address): Address =>
  accountText(chainOf(asset), spelled(told)) === accountText(chainOf(asset), destination) ? destination : told

/** Hexadecimal with `0x`, which the network leaves out at times. */
const spelled = (address: Address): string => /^[0-9a-fA-F]{40}$/.test(address) ? `0x${address}` : address

/** What the answer says of the order; a payment on another chain than the asset's is no answer to it. */
const toTaken = (order: WithdrawalOrder, result: unknown): Result.Result<TakenWithdrawal, MalformedBody> =>
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
