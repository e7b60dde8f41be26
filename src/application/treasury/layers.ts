import { Duration, Layer } from "effect"
import type { Network } from "#domain/chains/Chain.ts"
import { BrokerBalance } from "#providers/BrokerBalance.ts"
import { Registry } from "#providers/Registry.ts"
import { Affiliates } from "./Affiliates.ts"
import { Decisions } from "./Decisions.ts"
import { BalanceReads, type LookOptions } from "./BalanceReads.ts"
import { type FollowOptions, Orders } from "./Orders.ts"
import { Treasury } from "./Treasury.ts"
import { type WithdrawalOptions, Withdrawals } from "./Withdrawals.ts"

/** Options of the whole room. */
export interface TreasuryOptions extends LookOptions, FollowOptions, WithdrawalOptions {
  /** The networks whose addresses are accepted. */
  readonly networks: ReadonlyArray<Network>
}

/** The treasury with its background work: looks at the accounts, and withdrawals that are followed. */
export const treasury = (options: TreasuryOptions) =>
  Layer.mergeAll(Treasury.layer, Decisions.layer, Withdrawals.layer(options), Affiliates.layer(options)).pipe(
    Layer.provideMerge(Orders.layerRunning(options)),
    Layer.provideMerge(BalanceReads.layerRunning(options)),
  )

/** Commands open nothing. */
const notWeighed = { maxAge: Duration.zero, window: Duration.zero, accountShare: 1, reserve: 0 }

/** The treasury over the records alone, which asks no provider: for commands on a database. */
export const treasuryOfRecords = Layer.mergeAll(
  Treasury.layer,
  Decisions.layer,
  Withdrawals.layer({ addresses: {}, deadline: Duration.zero, soleProcess: false }),
  Affiliates.layer({ networks: [] }),
).pipe(
  Layer.provide(Orders.layer({ followInterval: Duration.zero })),
  Layer.provide(
    BalanceReads.layer({ lookInterval: Duration.zero, ledgerPatience: Duration.zero, sharedAccounts: [] }),
  ),
  Layer.provide([Registry.layerEmpty, BrokerBalance.layer(notWeighed)]),
  // Nothing is read while the layer is built, as another process may be at work.
  Layer.orDie,
)
