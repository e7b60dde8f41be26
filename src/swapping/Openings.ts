import { Duration, Effect, Fiber, FiberSet, Option, type Scope } from "effect"
import type { Account } from "../domain/Account.ts"
import type { InvalidRequest } from "../domain/Issues.ts"
import type { TooManyOpenChannels } from "../domain/OpenChannels.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import { EpochMillis } from "../domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { Registry } from "../providers/Registry.ts"
import { IdempotencyRepo } from "../store/IdempotencyRepo.ts"
import type { NewOpening } from "../store/newOpening.ts"
import { OpeningsRepo } from "../store/OpeningsRepo.ts"
import { candidatesFor, type PairNotServed } from "./candidates.ts"
import { type Claim, type KeyTaken, orTaken, type OutcomeUnknown } from "./Claim.ts"
import type { FirstLook } from "./firstLook.ts"
import { findOpened } from "./findOpened.ts"
import { openChannel, type OpeningFailed } from "./Opening.ts"
import { type EntryOptions, leaseFrom, type OpenedSwap, openingEntry } from "./OpeningEntry.ts"

/** How channels are opened. */
export interface OpeningOptions extends EntryOptions {
  /** How long an `Idempotency-Key` is kept at least. */
  readonly keyLifetime: Duration.Duration
  /** How many channels each account may have open at the same time. */
  readonly openChannelsMost: number
}

/** Why a channel was not opened. */
export type OpenFailed = PairNotServed | InvalidRequest | TooManyOpenChannels | OpeningFailed

/** Opening channels, on each request or once for each key. */
export interface Openings {
  readonly open: (
    account: Account,
    request: SwapRequest,
    platform: Option.Option<ProviderName>,
  ) => Effect.Effect<OpenedSwap, OpenFailed>
  readonly openOnce: (
    account: Account,
    request: SwapRequest,
    platform: Option.Option<ProviderName>,
    claim: Claim<OpenedSwap>,
  ) => Effect.Effect<OpenedSwap, OpenFailed | KeyTaken | OutcomeUnknown>
}

/** Lets openings go on when their callers are gone, and the process only end when they have. */
export const makeOpenings = (
  options: OpeningOptions,
  firstLook: FirstLook,
): Effect.Effect<Openings, never, OpeningsRepo | IdempotencyRepo | Registry | Scope.Scope> =>
  Effect.gen(function* () {
    const { openChannelsMost } = options
    const repo = yield* OpeningsRepo
    const keys = yield* IdempotencyRepo
    const registry = yield* Registry

    const background = yield* FiberSet.make<void>()
    const inBackground = (work: Effect.Effect<void>) => Effect.asVoid(FiberSet.run(background, work))
    const underWay = yield* FiberSet.make<OpenedSwap, TooManyOpenChannels | OpeningFailed | KeyTaken>()
    // Runs before the set's own finalizer, which would interrupt them.
    yield* Effect.addFinalizer(() => FiberSet.awaitEmpty(underWay))

    const entry = (id: SwapRecordId, leaseUntil: EpochMillis, claim: Claim<OpenedSwap> | undefined) =>
      openingEntry({ id, leaseUntil, write: claim?.write }, { repo, inBackground, options })

    /** The row, and with a key that as well: from here on the opening is in the records. */
    const begin = (opening: NewOpening, claim: Claim<OpenedSwap> | undefined) => {
      if (claim === undefined) return repo.request(opening)
      const expiresAt = EpochMillis.make(opening.at + Duration.toMillis(options.keyLifetime))
      return orTaken(
        Option.match(claim.undecided, {
          onNone: () => keys.takeForOpening({ keyed: claim.keyed, at: opening.at, expiresAt }, opening),
          onSome: (earlier) => keys.takeOver(earlier.id, opening, expiresAt),
        }),
      )
    }

    const perform = Effect.fnUntraced(function* (
      account: Account,
      request: SwapRequest,
      platform: Option.Option<ProviderName>,
      claim?: Claim<OpenedSwap>,
    ) {
      const candidates = yield* candidatesFor(registry, request, platform)
      const opening = Effect.gen(function* () {
        const at = yield* currentMillis
        const leaseUntil = leaseFrom(at, options)
        const [{ name }] = candidates
        const id = yield* begin(
          { accountId: account.id, platform: name, request, at, leaseUntil, openChannelsMost },
          claim,
        )
        return yield* openChannel(entry(id, leaseUntil, claim), request, candidates, firstLook)
      })
      return yield* Fiber.join(yield* FiberSet.run(underWay, opening))
    })

    const open = Effect.fn("Swaps.open")(
      function* (account: Account, request: SwapRequest, platform: Option.Option<ProviderName>) {
        return yield* perform(account, request, platform).pipe(Effect.catchTag("KeyTaken", Effect.die))
      },
    )

    const openOnce: Openings["openOnce"] = Effect.fn("Swaps.openOnce")(
      function* (account, request, platform, claim) {
        const found = yield* Option.match(claim.undecided, {
          onNone: () => Effect.succeedNone,
          onSome: (earlier) => findOpened(registry, earlier, entry(earlier.id, earlier.requestedAt, claim)),
        })
        return yield* Option.match(found, {
          onNone: () => perform(account, request, platform, claim),
          onSome: Effect.succeed,
        })
      },
    )

    return { open, openOnce }
  })
