import { Duration, Effect, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { Account } from "#domain/accounts/Account.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import {
  type HistoryQuery,
  type StandingSwap,
  SwapNotFound,
  type SwapRecordId,
} from "#domain/swaps/SwapRecord.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import { Registry } from "#providers/Registry.ts"
import { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { ValuesRepo } from "#infrastructure/store/business/ValuesRepo.ts"
import { type StoredSwap, SwapsRepo } from "#infrastructure/store/swaps/SwapsRepo.ts"
import {
  makeEndedSwaps,
  makePollWaitingChannels,
  makeRefresh,
  type Refresh,
  type RefreshOptions,
} from "./following/Freshness.ts"
import { abandonAllOpenings, abandonLapsedOpenings } from "./opening/OpeningRecord.ts"
import { makeOpenings, type OpeningOptions } from "./opening/Openings.ts"
import { makeSwapTerms, type SwapInput } from "./opening/OpeningRules.ts"
import { openingRequest } from "./opening/SwapRules.ts"
import { Lookups } from "./following/Lookups.ts"

export interface SwapsOptions extends OpeningOptions, RefreshOptions {
  /** Whether no other process can be working on the same records. */
  readonly soleProcess: boolean
}

export interface HistoryPage {
  readonly records: ReadonlyArray<StandingSwap>
  /** The offset of the next page; absent when there is none. */
  readonly next?: SwapRecordId
}

/** The swaps of the accounts: opens channels, and shows their swaps. */
export class Swaps extends service<Swaps>()(
  "swap-broker/swapping/Swaps",
  (options: SwapsOptions) =>
    Effect.gen(function* () {
      const swaps = yield* SwapsRepo
      const { priced } = yield* ValuesRepo
      const lookups = yield* Lookups
      const refresh = makeRefresh(lookups, options)
      const refreshNow = makeRefresh(lookups, { ...options, statusMaxAge: Duration.zero })
      const registry = yield* Registry
      // Providers that cannot be asked by a transaction, and those that the account may not ask by one for now.
      const askedByChannel = Effect.flatMap(registry.enabled, (providers) =>
        Effect.map(
          Effect.filter(
            providers,
            ({ channels, name }) =>
              channels?.findTransaction === undefined ? Effect.succeed(true) : lookups.isSpent(name),
          ),
          (asked) => asked.map(({ name }) => name),
        ))
      const askWaiting = yield* makePollWaitingChannels(swaps, askedByChannel, refresh)
      const ended = makeEndedSwaps()

      yield* (options.soleProcess ? abandonAllOpenings : abandonLapsedOpenings)(yield* OpeningsRepo)
      const { open, prepare } = yield* makeOpenings(options, lookups)
      const termsOf = yield* makeSwapTerms
      /** What is to be opened for an account's input, by every rule of `/swap`; or all issues of it. */
      const request = (account: Account, input: SwapInput) =>
        Effect.map(termsOf(account), (terms) => openingRequest(input, terms))

      const newest = Effect.fnUntraced(function* (account: Account, stored: StoredSwap, bring: Refresh) {
        if (!(yield* bring(stored))) return stored
        return Option.getOrElse(yield* swaps.byId(account.id, stored.record.id), () => stored)
      })

      const there = <A>(found: Option.Option<A>) =>
        Effect.mapError(Effect.fromOption(found), () => new SwapNotFound())

      const show = Effect.fnUntraced(function* (account: Account, stored: StoredSwap, bring: Refresh) {
        const shown = yield* newest(account, stored, bring)
        ended.keep(account.id, shown, yield* currentMillis)
        return shown.record
      })

      const lookUp = Effect.fnUntraced(
        function* (account: Account, id: SwapRecordId) {
          return yield* show(account, yield* there(yield* swaps.byId(account.id, id)), refresh)
        },
        lightSpan("Swaps.byId"),
      )
      /** The swap with an `id` that `open` returned. */
      const byId = (account: Account, id: SwapRecordId) =>
        Effect.flatMap(currentMillis, (now) => {
          const record = ended.find(account.id, id, now)
          return record === undefined ? lookUp(account, id) : Effect.succeed(record)
        })
      const ofChannel = (account: Account, channel: ChannelId) =>
        Effect.flatMap(swaps.byChannel(account.id, channel), there)
      /** The latest swap of a deposit channel, of which each deposit may be one, and how many there were. */
      const byChannel = Effect.fnUntraced(
        function* (account: Account, channel: ChannelId) {
          const stored = yield* ofChannel(account, channel)
          // The first looks out for further deposits.
          const swapsOf = stored.swapCount === 1 ? [stored.first] : [stored.first, stored.latest]
          const asked = yield* Effect.forEach(swapsOf, refresh)
          const { latest: shown, swapCount } = asked.includes(true)
            ? yield* ofChannel(account, channel)
            : stored
          ended.keep(account.id, shown, yield* currentMillis)
          return { ...shown.record, swapCount }
        },
        lightSpan("Swaps.byChannel"),
      )
      /** The latest swap with this deposit transaction, from the records only. */
      const recorded = Effect.fnUntraced(
        function* (account: Account, reference: string) {
          const found = yield* swaps.byTransaction(account.id, reference)
          return Option.isNone(found)
            ? Option.none()
            : Option.some(yield* show(account, found.value, refresh))
        },
        lightSpan("Swaps.recorded"),
      )
      /** The latest swap of a deposit transaction in any spelling; else waiting channels are looked up first. */
      const byTransaction = Effect.fnUntraced(
        function* (account: Account, reference: string) {
          const known = yield* recorded(account, reference)
          if (Option.isSome(known)) return known.value
          if (!(yield* askWaiting(account, reference))) return yield* new SwapNotFound()
          return (yield* there(yield* swaps.byTransaction(account.id, reference))).record
        },
        lightSpan("Swaps.byTransaction"),
      )
      /**
       * The swap of a deposit to the channel of the swap with this `id`, which its upstream has news of: that one is
       * looked up first, however fresh its status is. It is the swap as long as its record has no other deposit.
       */
      const withDeposit = Effect.fnUntraced(
        function* (account: Account, id: SwapRecordId, reference: string) {
          const opened = yield* show(account, yield* there(yield* swaps.byId(account.id, id)), refreshNow)
          const found = yield* swaps.byTransaction(account.id, reference)
          if (Option.isSome(found)) return found.value.record
          if (opened.status.deposit?.transactionReference === undefined) return opened
          return yield* new SwapNotFound()
        },
        lightSpan("Swaps.withDeposit"),
      )

      /** The account's swaps in the wanted states, as stored; `offset` is included (decision 24). */
      const history = Effect.fnUntraced(
        function* (account: Account, query: HistoryQuery) {
          const found = yield* swaps.history(account.id, { ...query, limit: query.limit + 1 })
          const records = found.slice(0, query.limit).map((stored) => stored.record)
          const next = found[query.limit]
          return next === undefined ? { records } : { records, next: next.record.id }
        },
        lightSpan("Swaps.history"),
      )

      return {
        request,
        /**
         * Opens a deposit channel with the named provider, or with the first of the operator's preference that opens
         * one. Fails with `RouteDenied` where the account may not swap the pair. Goes on to its end when the caller is
         * interrupted: an opened channel is never lost.
         *
         * Under an `Idempotency-Key`, the key is taken together with the record of the opening, and stands for the answer
         * once the outcome is recorded. An earlier opening under the key with an unknown outcome is looked up first, and a
         * new channel is opened only if that one provably opened none.
         */
        open,
        /** The providers that would be asked to open; fails as an opening would. It opens and reserves nothing. */
        prepare,
        byId,
        byChannel,
        byTransaction,
        recorded,
        withDeposit,
        history,
        /** What is made of swaps with the prices of hours, by which their amounts have values. */
        priced,
      }
    }),
) {}
