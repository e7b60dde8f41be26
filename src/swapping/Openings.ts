import { Duration, Effect, Fiber, FiberSet, Option, type Scope } from "effect"
import { requireRoute, type RouteDenied } from "../accounts/RouteAccess.ts"
import type { Caller } from "../domain/Account.ts"
import type { InvalidRequest } from "../domain/Issues.ts"
import type { TooManyOpenChannels } from "../domain/OpenChannels.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
import { EpochMillis } from "../domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { Registry } from "../providers/Registry.ts"
import { IdempotencyRepo } from "../store/swaps/IdempotencyRepo.ts"
import type { NewOpening } from "../store/swaps/newOpening.ts"
import { OpeningsRepo } from "../store/swaps/OpeningsRepo.ts"
import { candidatesFor, type PairNotServed } from "./candidates.ts"
import { type Claim, type KeyTaken, orTaken, type OutcomeUnknown } from "./Claim.ts"
import type { FirstLook } from "./firstLook.ts"
import { findOpened } from "./findOpened.ts"
import { openChannel, type OpeningFailed } from "./Opening.ts"
import { type EntryOptions, leaseFrom, type OpenedSwap, openingEntry } from "./OpeningEntry.ts"
import type { SwapOrder } from "./SwapRules.ts"

/** How channels are opened. */
export interface OpeningOptions extends EntryOptions {
  /** How long an `Idempotency-Key` is kept at least. */
  readonly keyLifetime: Duration.Duration
  /** How many channels each account may have open at the same time. */
  readonly openChannelsMost: number
}

/** Why a channel was not opened. */
export type OpenFailed = RouteDenied | PairNotServed | InvalidRequest | TooManyOpenChannels | OpeningFailed

type Order = Pick<SwapOrder, "request" | "platform">

/** Opening channels, on each request or once for each key. */
export interface Openings {
  readonly open: (
    caller: Caller,
    order: Order,
  ) => Effect.Effect<OpenedSwap, OpenFailed>
  readonly openOnce: (
    caller: Caller,
    order: Order,
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
      caller: Caller,
      { platform, request }: Order,
      claim?: Claim<OpenedSwap>,
    ) {
      const candidates = yield* candidatesFor(registry, request, platform)
      const opening = Effect.gen(function* () {
        const at = yield* currentMillis
        const leaseUntil = leaseFrom(at, options)
        const [{ name }] = candidates
        const id = yield* begin(
          { accountId: caller.id, platform: name, request, at, leaseUntil, openChannelsMost },
          claim,
        )
        return yield* openChannel(entry(id, leaseUntil, claim), request, candidates, firstLook)
      })
      return yield* Fiber.join(yield* FiberSet.run(underWay, opening))
    })

    const open = Effect.fn("Swaps.open")(
      function* (caller: Caller, order: Order) {
        yield* requireRoute(caller, "open", order.request)
        return yield* perform(caller, order).pipe(Effect.catchTag("KeyTaken", Effect.die))
      },
    )

    const openOnce: Openings["openOnce"] = Effect.fn("Swaps.openOnce")(
      function* (caller, order, claim) {
        yield* requireRoute(caller, "open", order.request)
        const found = yield* Option.match(claim.undecided, {
          onNone: () => Effect.succeedNone,
          onSome: (earlier) => findOpened(registry, earlier, entry(earlier.id, earlier.requestedAt, claim)),
        })
        return yield* Option.match(found, {
          onNone: () => perform(caller, order, claim),
          onSome: Effect.succeed,
        })
      },
    )

    return { open, openOnce }
  })
