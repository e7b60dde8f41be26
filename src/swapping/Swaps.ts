import { Context, Effect, Fiber, FiberSet, Layer, Option } from "effect"
import type { Account } from "../domain/Account.ts"
import type { ChannelId } from "../domain/Channel.ts"
import type { InvalidRequest } from "../domain/Faults.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { SwapNotFound, type SwapRecord, type SwapRecordId } from "../domain/SwapRecord.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { Registry } from "../providers/Registry.ts"
import { OpeningsRepo } from "../store/OpeningsRepo.ts"
import { type HistoryQuery, type StoredSwap, SwapsRepo } from "../store/SwapsRepo.ts"
import { candidatesFor, type PairNotServed } from "./candidates.ts"
import type { LookupPace } from "./LookupPolicy.ts"
import { Lookups } from "./Lookups.ts"
import { openChannel, type OpenedSwap, type OpeningFailed } from "./Opening.ts"
import { makeRefresh, type RefreshOptions } from "./Refresh.ts"

/** How swaps are opened and shown. */
export interface SwapsOptions extends LookupPace, RefreshOptions {}

/** A part of an account's history. */
export interface HistoryPage {
  readonly records: ReadonlyArray<SwapRecord>
  /** The offset of the next part; absent when there is none. */
  readonly next?: SwapRecordId
}

type FoundSwap = Effect.Effect<SwapRecord, SwapNotFound | StoreUnavailable>

/** The swaps of the accounts: opening channels, and showing what became of them. */
export class Swaps extends Context.Service<Swaps, {
  /**
   * Opens a deposit channel with the named provider, or with the first of the operator's preference that
   * opens one. Goes on to its end when the caller is interrupted: an opened channel is never lost.
   */
  readonly open: (
    account: Account,
    request: SwapRequest,
    platform: Option.Option<ProviderName>,
  ) => Effect.Effect<OpenedSwap, PairNotServed | InvalidRequest | OpeningFailed>
  /** The swap of an `id` that `open` gave. */
  readonly byId: (account: Account, id: SwapRecordId) => FoundSwap
  /** The swap of a deposit channel. */
  readonly byChannel: (account: Account, channel: ChannelId) => FoundSwap
  /** The latest swap with this deposit transaction; hexadecimal in either case, with or without 0x. */
  readonly byTransaction: (account: Account, reference: string) => FoundSwap
  /** The account's swaps in the wanted states, as they are stored; `offset` is included (decision 24). */
  readonly history: (account: Account, query: HistoryQuery) => Effect.Effect<HistoryPage, StoreUnavailable>
}>()("swap-broker/swapping/Swaps") {
  static readonly layer = (
    options: SwapsOptions,
  ): Layer.Layer<Swaps, StoreUnavailable, SwapsRepo | OpeningsRepo | Lookups | Registry> =>
    Layer.effect(
      Swaps,
      Effect.gen(function* () {
        const swaps = yield* SwapsRepo
        const openings = yield* OpeningsRepo
        const registry = yield* Registry
        const refresh = yield* makeRefresh(yield* Lookups, options)

        yield* giveUpEarlier(openings)

        const underWay = yield* FiberSet.make<OpenedSwap, OpeningFailed>()
        // Runs before the set's own finalizer, which would interrupt them.
        yield* Effect.addFinalizer(() => FiberSet.awaitEmpty(underWay))

        const open = Effect.fn("Swaps.open")(
          function* (account: Account, request: SwapRequest, platform: Option.Option<ProviderName>) {
            const candidates = yield* candidatesFor(registry, request, platform)
            const opening = openChannel(openings, options, account, request, candidates)
            return yield* Fiber.join(yield* FiberSet.run(underWay, opening))
          },
        )

        const show = Effect.fnUntraced(function* (account: Account, found: Option.Option<StoredSwap>) {
          const stored = yield* Effect.mapError(Effect.fromOption(found), () => new SwapNotFound())
          if (!(yield* refresh(stored))) return stored.record
          const newest = yield* swaps.byId(account.id, stored.record.id)
          return Option.getOrElse(newest, () => stored).record
        })

        const byId = Effect.fn("Swaps.byId")(function* (account: Account, id: SwapRecordId) {
          return yield* show(account, yield* swaps.byId(account.id, id))
        })
        const byChannel = Effect.fn("Swaps.byChannel")(function* (account: Account, channel: ChannelId) {
          return yield* show(account, yield* swaps.byChannel(account.id, channel))
        })
        const byTransaction = Effect.fn("Swaps.byTransaction")(
          function* (account: Account, reference: string) {
            return yield* show(account, yield* swaps.byTransaction(account.id, reference))
          },
        )

        const history = Effect.fn("Swaps.history")(function* (account: Account, query: HistoryQuery) {
          const found = yield* swaps.history(account.id, { ...query, limit: query.limit + 1 })
          const records = found.slice(0, query.limit).map((stored) => stored.record)
          const next = found[query.limit]
          return next === undefined ? { records } : { records, next: next.record.id }
        })

        return Swaps.of({ open, byId, byChannel, byTransaction, history })
      }),
    )
}

/** Openings that an earlier process did not finish may have opened channels: the operator must know. */
const giveUpEarlier = Effect.fnUntraced(function* (openings: OpeningsRepo["Service"]) {
  const ids = yield* openings.giveUpBefore(yield* currentMillis)
  yield* Effect.forEach(
    ids,
    (id) =>
      Effect.logWarning("An earlier process ended while this swap was opened; a channel may exist").pipe(
        Effect.annotateLogs({ swap: id }),
      ),
    { discard: true },
  )
})
