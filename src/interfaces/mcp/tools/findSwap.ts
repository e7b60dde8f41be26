import { Effect, Option, Schema } from "effect"
import { CurrentAccount } from "#api/Authorization.ts"
import { Identifier, TransactionHash } from "#api/Parameters.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import { SwapNotFound, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { parameter } from "#api/parameterKinds.ts"
import { findChain } from "#domain/chains/Chain.ts"

const channelForm = /^([0-9]{1,15})-([A-Za-z]+)-([0-9]{1,15})$/

/** The three ways to name a swap, of which a call uses one. */
export const swapNames = {
  swapId: Schema.optionalKey(Identifier("Number of the swap.", "7")),
  depositChannel: Schema.optionalKey(parameter(
    {
      description: "Or its deposit channel: <issued block>-<network>-<channel id>.",
      example: "14138313-Bitcoin-77",
      issue: "must be a deposit channel: <issued block>-<network>-<channel id>",
    },
    Schema.NonEmptyString,
    (text) => channelForm.test(text) ? Option.some(text) : Option.none(),
  )),
  transaction: Schema.optionalKey(TransactionHash),
}

export type SwapNames = Partial<Readonly<Record<"depositChannel" | "transaction", string>>> & {
  readonly swapId?: number
}

const channelOf = (text: string): Option.Option<ChannelId> => {
  const [, issuedBlock, network = "", channelId] = channelForm.exec(text) ?? []
  const chain = findChain(network)
  return chain === undefined
    ? Option.none()
    : Option.some({ issuedBlock: Number(issuedBlock), network: chain, channelId: Number(channelId) })
}

const notOne = new InvalidRequest({
  errors: issueAbout("swapId", "or depositChannel or transaction is required, and only one of them"),
})

const notFound = Effect.fail(new SwapNotFound())

/** The caller's swap with one of its names. Another account's swap looks as if it did not exist. */
export const findSwap = Effect.fnUntraced(function* ({ depositChannel, swapId, transaction }: SwapNames) {
  const account = yield* CurrentAccount
  const given = [depositChannel, swapId, transaction].filter((name) => name !== undefined)
  if (given.length !== 1) return yield* notOne
  if (transaction !== undefined) return yield* (yield* VaultSwaps).byTransaction(account, transaction)
  const swaps = yield* Swaps
  return depositChannel === undefined
    ? yield* Option.match(SwapRecordId.makeOption(swapId ?? 0), {
      onNone: () => notFound,
      onSome: (id) => swaps.byId(account, id),
    })
    : yield* Option.match(channelOf(depositChannel), {
      onNone: () => notFound,
      onSome: (channel) => swaps.byChannel(account, channel),
    })
})
