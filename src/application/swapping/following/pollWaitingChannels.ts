import { Array, Effect, type Scope } from "effect"
import { TokenBuckets } from "../../limits/TokenBucket.ts"
import type { Account } from "#domain/accounts/Account.ts"
import { type Chain, chains } from "#domain/chains/Chain.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { isWrittenAsOn, referenceOn } from "#domain/chains/TransactionReference.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { SwapsRepo } from "#infrastructure/store/swaps/SwapsRepo.ts"
import { makeShareWork } from "./shareWork.ts"
import type { Refresh } from "./Freshness.ts"

/** The most channels that are asked for in one round. */
const perRound = 16

/** One round a second, however many transactions an account asks for. */
const oneASecond = { tokens: 1, windowMillis: 1_000 }

/** The chains that a transaction may be of; its exact spelling decides if it fits the spelling of any chain. */
const chainsOf = (reference: string): ReadonlyArray<Chain> => {
  const asWritten = chains().filter((chain) => isWrittenAsOn(chain, reference))
  return asWritten.length > 0
    ? asWritten
    : chains().filter((chain) => referenceOn(chain, reference) !== undefined)
}

/**
 * Asks upstreams about channels of the account that wait for a deposit, because a caller asks for an unknown
 * transaction, which may be a deposit to one of them. Only channels at `platforms` are asked for; other providers are
 * asked by the transaction. The channels are of the chains that the transaction may be of, the least recently asked
 * first. Returns whether any of them may have changed.
 */
export type PollWaitingChannels = (
  account: Account,
  reference: string,
) => Effect.Effect<boolean, StoreUnavailable>

export const makePollWaitingChannels = (
  swaps: SwapsRepo["Service"],
  platforms: Effect.Effect<ReadonlyArray<ProviderName>>,
  refresh: Refresh,
): Effect.Effect<PollWaitingChannels, never, Scope.Scope> =>
  Effect.map(makeShareWork<string, boolean, StoreUnavailable>(), (rounds) => {
    const buckets = new TokenBuckets(oneASecond)

    const round = Effect.fnUntraced(function* (name: string, { id }: Account, chains: ReadonlyArray<Chain>) {
      const asked = yield* platforms
      if (!Array.isReadonlyArrayNonEmpty(asked)) return false
      const now = yield* currentMillis
      if (!buckets.of(name, now).take(now)) return false
      const waiting = yield* swaps.waiting(id, asked, chains, perRound)
      const changed = yield* Effect.forEach(waiting, refresh, { concurrency: "unbounded" })
      return changed.includes(true)
    })

    return (account, reference) => {
      const chains = chainsOf(reference)
      if (!Array.isReadonlyArrayNonEmpty(chains)) return Effect.succeed(false)
      const name = `${account.id} ${chains.join()}`
      return rounds.share(name, round(name, account, chains))
    }
  })
