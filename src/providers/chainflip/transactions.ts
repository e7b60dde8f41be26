import { Effect, Option } from "effect"
import type { BrokerAccount } from "../../domain/Address.ts"
import type { SwapState, SwapStatus } from "../../domain/Swap.ts"
import { type Observed, type Provider, TransactionTrace, type VaultSwaps } from "../Provider.ts"
import { failAs as failuresOf } from "../upstream/failures.ts"
import { logged } from "../upstream/notices.ts"
import type { Backend } from "./client/Backend.ts"
import { name } from "./name.ts"
import type { Options } from "./Options.ts"
import { readStatus } from "./transform/status.ts"

const failAs = failuresOf(name)

/** Until the upstream says more, a transaction of which it knows is one that it receives. */
const firstState: SwapState = "receiving"

/** A swap through another broker is none of ours. */
const isOurs = (account: BrokerAccount, { brokers }: SwapStatus): boolean =>
  brokers.length === 0 || brokers.some((broker) => broker.account === account)

/** What the backend says of transactions: it finds the latest swap of each, with a channel or without. */
export interface Transactions {
  readonly find: NonNullable<Provider["findTransaction"]>
  readonly vaultSwapStatus: VaultSwaps["status"]
}

export const make = (backend: Backend, options: Options): Transactions => {
  const read = Effect.fnUntraced(function* (transaction: string, lastKnown: SwapState) {
    const heard = yield* backend.swap(encodeURIComponent(transaction))
    if (Option.isNone(heard)) return Option.none()
    const { body, text } = heard.value
    const { status } = yield* logged(readStatus(body, { lastKnown, ourAccount: options.brokerAccount }))
    return Option.some<Observed>({ status, body: text })
  })

  const traceOf = (said: Observed): Option.Option<TransactionTrace> => {
    const { depositChannel } = said.status
    if (depositChannel !== undefined) {
      return Option.some(TransactionTrace.Deposit({ channel: depositChannel.id }))
    }
    return isOurs(options.brokerAccount, said.status)
      ? Option.some(TransactionTrace.VaultSwap({ said }))
      : Option.none()
  }

  return {
    find: Effect.fn("Chainflip.findTransaction")(function* (transaction) {
      return Option.flatMap(yield* read(transaction, firstState), traceOf)
    }, failAs("status")),
    vaultSwapStatus: Effect.fn("Chainflip.vaultSwapStatus")(function* (transaction, known) {
      const lastKnown = Option.match(known, { onNone: () => firstState, onSome: ({ state }) => state })
      const trace = Option.flatMap(yield* read(transaction, lastKnown), traceOf)
      return Option.flatMap(
        trace,
        TransactionTrace.$match({
          Deposit: () => Option.none(),
          VaultSwap: ({ said }) => Option.some(said),
        }),
      )
    }, failAs("status")),
  }
}
