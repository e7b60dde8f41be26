import { Duration, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Account, Caller } from "#domain/accounts/Account.ts"
import {
  Fingerprint,
  IdempotencyKey,
  type KeyedRequest,
  type WrittenAnswer,
} from "#domain/swaps/Idempotency.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import {
  type IdempotencyClaim,
  leaseFrom,
  type OpenedSwap,
  type OutcomeUnknown,
} from "#application/swapping/opening/OpeningRecord.ts"
import { Idempotency, KeyState, type RecallFailed } from "#application/swapping/opening/Idempotency.ts"
import type { OpenFailed } from "#application/swapping/opening/Openings.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { IdempotencyRepo } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import { openingAsked } from "./account.ts"
import type { ScriptedProvider } from "./provider.ts"
import { swapRequest } from "./swap.ts"
import { openingOptions } from "./swapping.ts"

let keyCount = 0

/** A request under a key that no other test uses; `print` tells different requests apart. */
export const keyedRequest = (account: Account, print = "0"): KeyedRequest => ({
  accountId: account.id,
  key: IdempotencyKey.make(`key ${++keyCount}`),
  fingerprint: Fingerprint.make(print.repeat(64)),
})

/** How the tests write answers: as little as tells them apart. */
export const writing = {
  success: ({ id, platform, channel }: OpenedSwap): WrittenAnswer => ({
    status: 200,
    body: `${id} at ${platform}: ${channel.depositAddress}`,
  }),
  failure: ({ reason }: { readonly reason: { readonly _tag: string } }): WrittenAnswer => ({
    status: reason._tag === "DepositBelowMinimum" ? 400 : 503,
    body: reason._tag,
  }),
}

/** A claim on a key that nothing stands under. */
export const claimOn = (keyed: KeyedRequest): IdempotencyClaim<OpenedSwap> => ({
  keyed,
  undecided: Option.none(),
  write: writing,
})

/** Why there is no answer that would be written down as a success. */
export type SendFailed = RecallFailed | OpenFailed | OutcomeUnknown

/** Sends a request that opens a channel, as the HTTP face does: what its caller gets to read. */
export const sendOpening = (
  account: Caller,
  keyed: KeyedRequest,
  request: SwapRequest = swapRequest,
): Effect.Effect<WrittenAnswer, SendFailed, Idempotency | Swaps> =>
  Effect.gen(function* () {
    const standing = yield* (yield* Idempotency).recall(keyed)
    if (KeyState.$is("Answered")(standing)) return standing.answer
    const undecided = KeyState.$is("Undecided")(standing) ? Option.some(standing.opening) : Option.none()
    const claim = { ...claimOn(keyed), undecided }
    return writing.success(yield* (yield* Swaps).open(account, { request, platform: undefined }, { claim }))
  }).pipe(Effect.catchTag("KeyTaken", () => sendOpening(account, keyed, request)))

/** How the database has an account's openings, in their order. */
export const openings = (account: Account) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ opening: string }>`SELECT opening FROM swaps WHERE account_id = ${account.id} ORDER BY id`,
      (rows) => rows.map(({ opening }) => opening),
    ))

/** What an effect fails with. */
export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

/** What a process leaves behind that dies while it asks: everything but its end. */
export const dyingWhileAsking = Effect.fnUntraced(
  function* (account: Account, keyed: KeyedRequest, provider: ScriptedProvider) {
    const at = yield* currentMillis
    const leaseUntil = leaseFrom(at, openingOptions)
    const opening = {
      accountId: account.id,
      platform: provider.name,
      request: swapRequest,
      ...openingAsked,
      at,
      leaseUntil,
      openChannelsMost: openingOptions.openChannelsMost,
    }
    const expiresAt = EpochMillis.make(at + Duration.toMillis(openingOptions.keyLifetime))
    return yield* Effect.flatMap(
      IdempotencyRepo,
      (repo) => repo.takeForOpening({ keyed, at, expiresAt }, opening),
    )
  },
)

/** Until what a process was at can only be left behind. */
export const untilLapsed = TestClock.adjust("75 seconds")
