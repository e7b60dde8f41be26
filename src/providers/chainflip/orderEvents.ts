import { Effect, Option, Result } from "effect"
import { accountBytes } from "#domain/chains/address/accountBytes.ts"
import { decodeSs58 } from "#domain/chains/address/Ss58.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { assetNumber } from "#domain/chains/payload/contractNumbers.ts"
import { findWithdrawalEvents } from "#domain/chains/payload/withdrawalEvent.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type { EpochMillis } from "#domain/Time.ts"
import {
  type Holding,
  type TakenWithdrawal,
  type WithdrawalOrder,
  WithdrawalTrace,
} from "#domain/operations/Treasury.ts"
import type { Withdrawals } from "../Treasury.ts"
import { type Asking, type JsonRpc, ofNode } from "./client.ts"
import { AmountMap, amountOf } from "./conditions.ts"
import { failAs } from "./errors.ts"
import type { Options } from "./settings.ts"
import { bytesOf, makeState, mortality } from "./state.ts"

/** The storage key of a block's events (chainflip/wire.md 2.8). */
const eventsKey = "0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7"

/** Blocks more, for the time between our clock and theirs, and for blocks that are replaced by others. */
const margin = 12
/** The most blocks whose state nodes keep; the official light node has half as many (chainflip/wire.md 2.8). */
const kept = 256

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => other[index] === byte)

/** The withdrawal among a block's events that the order asked for. */
const matching = (
  order: WithdrawalOrder,
  destination: Uint8Array,
  account: Uint8Array,
  earned: Holding,
  events: string | null,
): TakenWithdrawal | undefined => {
  const chain = chainOf(order.asset)
  const event = findWithdrawalEvents(chain, account, bytesOf(events ?? "0x")).find((event) =>
    event.asset === assetNumber(order.asset) && sameBytes(event.destination, destination) &&
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

/**
 * Makes the look-up of an order whose answer was lost. An order is an event of a block, which names everything; that
 * there is none in all blocks that could have it proves that nothing was ordered. Where the node no longer has them, so
 * does a balance that is not less: orders take the whole of it (chainflip/wire.md 2.8).
 */
export const makeFind = (node: JsonRpc, { brokerAccount }: Options): NonNullable<Withdrawals["find"]> => {
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
