import { Context, Duration, Effect, Layer, Metric, Option, Semaphore } from "effect"
import type { AccountId, AccountName } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { mayHaveOpened } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { Funding } from "#domain/operations/Treasury.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { SpendingRepo } from "#infrastructure/store/treasury/SpendingRepo.ts"
import { Guard } from "./guard/Guard.ts"
import type { Channels, Provider } from "./Provider.ts"
import {
  costOf,
  isPlenty,
  priceOf,
  remembered,
  type Reservation,
  type ReservationLedger,
  type Share,
  spentOn,
  sum,
  type Unaffordable,
  unaffordable,
} from "./reservations.ts"
import type { Treasury } from "./Treasury.ts"

export interface FundsOptions extends Share {
  /** The funds known may be this old when an opening is weighed against them; none: openings are never weighed. */
  readonly maxAge: Duration.Duration
  readonly window: Duration.Duration
}

/** The record of the opening that a provider is asked for, by which it is told which openings were before it. */
export const OpeningOnRecord = Context.Reference<SwapRecordId | undefined>(
  "swap-broker/providers/OpeningOnRecord",
  { defaultValue: () => undefined },
)

/** What an account's openings at a provider have taken of the operator's funds within the window; native units. */
export interface FundsUser {
  readonly account: AccountName
  readonly channels: number
  readonly spent: bigint
}

/** The longest that an opening waits for a look at the account: what is not known blocks nothing. */
const patience = Duration.seconds(2)

/** What each of these openings cost besides its fee, by how much less is there; none where other money came or went. */
const observedCost = (before: Funding | undefined, now: Funding, over: ReadonlyArray<Reservation>) => {
  const fees = over.flatMap(({ fee }) => fee === undefined ? [] : [fee])
  const count = BigInt(fees.length)
  if (before === undefined || count === 0n) return Option.none()
  const beside = before.free - now.free - sum(fees)
  return beside < 0n ? Option.none() : Option.some((beside + count - 1n) / count)
}

/** Refuses openings that an account cannot pay for, or whose caller had its share (`reservations.ts`). */
export class BrokerBalance extends Context.Service<BrokerBalance, {
  /** The provider, which refuses openings that its account cannot pay for. */
  readonly wrap: (provider: Provider) => Provider
  /** What a transaction costs the account besides the fee of a channel, as far as that was seen; native units. */
  readonly transactionCost: (provider: ProviderName) => Effect.Effect<NativeAmount>
  /** Who has taken how much of the funds within the window, the most channels first. */
  readonly takers: (provider: ProviderName) => Effect.Effect<ReadonlyArray<FundsUser>, StoreUnavailable>
  readonly window: Duration.Duration
}>()("swap-broker/providers/BrokerBalance") {
  static readonly layer = (
    { maxAge, window, ...share }: FundsOptions,
  ): Layer.Layer<BrokerBalance, never, SpendingRepo> =>
    Layer.effect(
      BrokerBalance,
      Effect.gen(function* () {
        const spending = yield* SpendingRepo
        const purses = new Map<string, ReservationLedger>()
        const purseOf = (name: string): ReservationLedger => {
          const purse = purses.get(name) ??
            { reservations: new Set<Reservation>(), costs: [], isShared: false, taken: [], unseen: new Set() }
          purses.set(name, purse)
          return purse
        }

        const since = Effect.map(
          currentMillis,
          (now) => EpochMillis.make(Math.max(0, now - Duration.toMillis(window))),
        )
        const takenAt = (name: ProviderName) =>
          Effect.flatMap(since, (since) => spending.byAccount(name, since))

        const look = Effect.fnUntraced(
          function* (name: ProviderName, purse: ReservationLedger, { account }: Treasury) {
            const over = [...purse.reservations].filter(({ isOver }) => isOver)
            purse.unseen.clear()
            // Asked for first: what is in here, the account has paid for when it is looked at.
            const taken = yield* Effect.option(takenAt(name))
            const accounts = yield* Effect.option(spending.accounts)
            const seen = yield* Effect.option(account.pipe(Effect.timeout(patience)))
            purse.lookedAt = yield* currentMillis
            purse.taken = Option.getOrElse(taken, () => [])
            purse.isShared = Option.isSome(taken) && Option.exists(accounts, (count) => count > 1)
            // One under way may be paid for or not: funds of then do not tell what openings cost.
            const isSettled = purse.reservations.size === over.length
            for (const reservation of over) purse.reservations.delete(reservation)
            const funding = Option.getOrUndefined(seen)?.funding
            const before = purse.settled
            purse.settled = isSettled ? funding : undefined
            if (funding === undefined) {
              delete purse.funding
              return
            }
            const cost = observedCost(isSettled ? before : undefined, funding, over)
            if (Option.isSome(cost)) purse.costs = [cost.value, ...purse.costs].slice(0, remembered)
            purse.funding = funding
          },
        )

        const refresher = (name: ProviderName, purse: ReservationLedger, treasury: Treasury) =>
          Semaphore.makeUnsafe(1).withPermits(1)(Effect.flatMap(currentMillis, (now) => {
            const { lookedAt } = purse
            const isKnown = lookedAt !== undefined && now - lookedAt < Duration.toMillis(maxAge)
            return isKnown ? Effect.void : look(name, purse, treasury)
          }))

        /** What the account of this opening has taken before it. Where funds are plenty a look of some seconds ago is enough. */
        const takenBefore = Effect.fnUntraced(function* (purse: ReservationLedger, asset: AssetId) {
          const opening = yield* OpeningOnRecord
          const price = priceOf(purse, chainOf(asset)) ?? 0n
          if (opening === undefined || price === 0n || !purse.isShared) return undefined
          if (isPlenty(purse, price)) {
            const caller = yield* OnBehalfOf
            return purse.taken.find(({ accountId }) => accountId === caller)
          }
          const before = yield* Effect.option(
            Effect.flatMap(since, (since) => spending.before(opening, since)),
          )
          return Option.getOrUndefined(Option.flatten(before))
        })

        const tell = ({ cause, error, left, price, taker }: Unaffordable) => {
          const { provider } = error
          const figures = { price: `${price}`, left: `${left}` }
          return cause === "funds"
            ? Effect.andThen(
              Metric.update(metrics.openingsUnfunded({ provider }), 1),
              warnSparsely(
                `unfunded ${provider}`,
                1,
                `${provider}: a channel was not opened, because the account cannot pay for it`,
                figures,
              ),
            )
            : Effect.andThen(
              Metric.update(metrics.openingsOverShare({ provider }), 1),
              warnSparsely(
                `over share ${provider}`,
                1,
                `${provider}: a channel was not opened, because ${taker.account} has used its share of the funds`,
                { ...figures, channels: taker.channels },
              ),
            )
        }

        const payingFor = (
          name: ProviderName,
          purse: ReservationLedger,
          refresh: Effect.Effect<void>,
          open: Channels["open"],
        ): Channels["open"] => {
          const pay = (reservation: Reservation, request: SwapRequest, caller: AccountId | undefined) =>
            open(request).pipe(
              Effect.onExit((exit) =>
                Effect.sync(() => {
                  reservation.isOver = true
                  purse.unseen.add(caller)
                  if (exit._tag === "Success") reservation.fee = exit.value.channel.openingFee
                })
              ),
              Effect.tapError(({ reason }) =>
                Effect.sync(() => {
                  if (!mayHaveOpened(reason)) purse.reservations.delete(reservation)
                })
              ),
            )
          return (request) =>
            Effect.gen(function* () {
              yield* refresh
              const caller = yield* OnBehalfOf
              const taken = yield* takenBefore(purse, request.sourceAsset)
              // From here to the reservation no other opening comes between.
              const refused = unaffordable(purse, share, { name, operation: "open", ...request }, taken)
              if (refused !== undefined) {
                if (refused.cause === "share") purse.unseen.add(caller)
                yield* tell(refused)
                return yield* refused.error
              }
              const amount = priceOf(purse, chainOf(request.sourceAsset)) ?? costOf(purse)
              const reservation: Reservation = { amount, isOver: false }
              purse.reservations.add(reservation)
              return yield* pay(reservation, request, caller)
            })
        }

        /** As `payingFor` would refuse; old funds are looked at again for who would be refused or has opened since. */
        const mayOpen = (name: ProviderName, purse: ReservationLedger, refresh: Effect.Effect<void>) =>
        (
          asset: AssetId,
        ) => {
          const refusal = Effect.map(OnBehalfOf, (caller) => {
            const taken = purse.taken.find(({ accountId }) => purse.isShared && accountId === caller)
            const refused = unaffordable(
              purse,
              share,
              { name, operation: "quote", sourceAsset: asset },
              taken,
            )
            return { isOld: refused !== undefined || purse.unseen.has(caller), refused }
          })
          return Effect.flatMap(refusal, ({ isOld }) =>
            isOld
              ? Effect.flatMap(
                Effect.andThen(refresh, refusal),
                ({ refused }) => refused === undefined ? Effect.void : Effect.fail(refused.error),
              )
              : Effect.void)
        }

        return BrokerBalance.of({
          window,
          wrap: (provider) => {
            const { channels, name, treasury } = provider
            if (channels === undefined || treasury === undefined || Duration.isZero(maxAge)) return provider
            const purse = purseOf(name)
            const refresh = refresher(name, purse, treasury)
            return {
              ...provider,
              channels: {
                ...channels,
                open: payingFor(name, purse, refresh, channels.open),
                mayOpen: mayOpen(name, purse, refresh),
              },
            }
          },
          transactionCost: (provider) => Effect.sync(() => NativeAmount.make(costOf(purseOf(provider)))),
          takers: (provider) =>
            Duration.isZero(window)
              ? Effect.succeed([])
              : Effect.map(takenAt(provider), (taken) =>
                taken.map((one) => ({
                  account: one.account,
                  channels: one.channels,
                  spent: spentOn(purseOf(provider), one),
                }))),
        })
      }),
    )

  /** The guard whose providers keep their openings within the funds. */
  static readonly layerGuarding = (
    options: FundsOptions,
  ): Layer.Layer<Guard | BrokerBalance, never, Guard | SpendingRepo> =>
    Layer.effect(
      Guard,
      Effect.gen(function* () {
        const guard = yield* Guard
        const funds = yield* BrokerBalance
        return Guard.of({ ...guard, wrap: (provider) => funds.wrap(guard.wrap(provider)) })
      }),
    ).pipe(Layer.provideMerge(BrokerBalance.layer(options)))
}
