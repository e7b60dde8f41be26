import { Context, Duration, Effect, Layer, Metric, Option, Semaphore } from "effect"
import type { AccountId, AccountName } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { DepositChannelFailed, mayHaveOpened, ProviderError, TooManyChannels } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { service } from "#infrastructure/platform/service.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { Funding } from "#domain/operations/Treasury.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { type Spending, SpendingRepo } from "#infrastructure/store/treasury/SpendingRepo.ts"
import { Guard } from "./guard/Guard.ts"
import type { Channels, Provider, Treasury } from "./Provider.ts"
import type { Chain } from "#domain/chains/Chain.ts"

/** How many of the latest prices of transactions are remembered. */
const remembered = 10

/** What an opening takes from the account, until a look shows it. */
interface Reservation {
  readonly amount: bigint
  /** What the channel itself cost; absent while it is not open. */
  fee?: bigint
  isOver: boolean
}

interface ReservationLedger {
  /** Absent where the account could not be looked at. */
  funding?: Funding
  /** The same, where no opening was under way when they were looked at. */
  settled?: Funding | undefined
  lookedAt?: number
  /** Openings that `funding` does not show yet. */
  readonly reservations: Set<Reservation>
  /** What each of the latest transactions cost besides the fee of its channel. */
  costs: ReadonlyArray<bigint>
  /** Whether there are others to share the funds with. */
  isShared: boolean
  /** What each account had taken within the window, and `funding` is without. */
  taken: ReadonlyArray<Spending>
  /** Who has opened, or was refused its share, since `taken` was looked at. */
  readonly unseen: Set<AccountId | undefined>
}

/** How the funds at a provider are shared by the accounts. */
interface Share {
  /** The largest part of what an account has taken within the window and of what is left, above 0 and up to 1. */
  readonly accountShare: number
  /** So many channels are left to accounts that have taken none within the window. */
  readonly reserve: number
}

const sum = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** The least that a transaction was seen to cost: others than openings may have cost more meanwhile. */
const costOf = ({ costs }: ReservationLedger): bigint =>
  costs.reduce((least, cost) => cost < least ? cost : least, costs[0] ?? 0n)

/** What a channel from this chain costs with its transaction; undefined where that is not known. */
const priceOf = (purse: ReservationLedger, chain: Chain): bigint | undefined => {
  const fee = purse.funding?.openingFees[chain]
  return fee === undefined ? undefined : fee + costOf(purse)
}

/** What is left of the funds after the openings that they do not show yet. */
const leftIn = ({ funding, reservations }: ReservationLedger): bigint =>
  (funding?.free ?? 0n) - sum([...reservations].map(({ amount }) => amount))

/** What these openings have cost; one whose price is not known counts as the dearest. */
const spentOn = (purse: ReservationLedger, { channels, fees, unpriced }: Spending): bigint => {
  const dearest = Object.values(purse.funding?.openingFees ?? {})
    .reduce<bigint>((most, fee) => fee > most ? fee : most, 0n)
  return fees + BigInt(unpriced) * dearest + BigInt(channels) * costOf(purse)
}

/** With so many channels left it makes no difference what openings of some seconds take. */
const plenty = 1_000n

const isPlenty = (purse: ReservationLedger, price: bigint): boolean => leftIn(purse) >= plenty * price

/** Why an opening is refused: the operator's `funds` do not cover it, or the account has had its `share` of them. */
type Unaffordable =
  & { readonly error: ProviderError; readonly price: bigint; readonly left: bigint }
  & ({ readonly cause: "funds"; readonly taker?: never } | {
    readonly cause: "share"
    readonly taker: Spending
  })

const unit = 10_000

/**
 * Why an opening is refused, if it is; nothing where the funds are not known. `taken` is what its account has taken within
 * the window before it, if that is known.
 *
 * The share is of what the account has taken and of what is left: so none is refused while more is left than
 * it has taken (with a share of a half), and however much one takes, another that comes later finds its own share. The
 * first channel of an account is never refused while the funds pay for it.
 */
const unaffordable = (
  purse: ReservationLedger,
  { accountShare, reserve }: Share,
  { name, operation, sourceAsset }: {
    readonly name: ProviderName
    readonly operation: "open" | "quote"
    readonly sourceAsset: AssetId
  },
  taken: Spending | undefined,
): Unaffordable | undefined => {
  const price = priceOf(purse, chainOf(sourceAsset))
  if (price === undefined) return undefined
  const left = leftIn(purse)
  const failed = (reason: DepositChannelFailed | TooManyChannels) =>
    new ProviderError({ provider: name, operation, reason })
  if (left < price) {
    // The caller learns that it failed, and not how much the operator has.
    const reason = new DepositChannelFailed({ detail: "The provider cannot open a channel for now" })
    return { cause: "funds", error: failed(reason), price, left }
  }
  if (taken === undefined || taken.channels === 0) return undefined
  const spent = spentOn(purse, taken)
  const known = purse.taken.find(({ accountId }) => accountId === taken.accountId)
  // What the account took since the look, by any replica, is missing in the funds.
  const unseen = spent - (known === undefined ? 0n : spentOn(purse, known))
  const free = purse.funding?.free ?? 0n
  const rest = unseen > 0n && free - unseen < left ? free - unseen : left
  const isKept = rest < price * BigInt(reserve + 1)
  const isTooMuch = (spent + price) * BigInt(unit) > (spent + rest) * BigInt(Math.round(accountShare * unit))
  if (!isKept && !isTooMuch) return undefined
  const detail = "The account has opened as many channels with this provider as it may for now"
  return { cause: "share", error: failed(new TooManyChannels({ detail })), price, left: rest, taker: taken }
}

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

/** Refuses openings that an account cannot pay for, or whose caller had its share. */
export class BrokerBalance extends service<BrokerBalance>()(
  "swap-broker/providers/BrokerBalance",
  ({ maxAge, window, ...share }: FundsOptions) =>
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

      return {
        window,
        /** The provider, which refuses openings that its account cannot pay for. */
        wrap: (provider: Provider): Provider => {
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
        /** What a transaction costs the account besides the fee of a channel, as far as that was seen; native units. */
        transactionCost: (provider: ProviderName) =>
          Effect.sync(() => NativeAmount.make(costOf(purseOf(provider)))),
        /** Who has taken how much of the funds within the window, the most channels first. */
        takers: (provider: ProviderName): StoreEffect<ReadonlyArray<FundsUser>> =>
          Duration.isZero(window)
            ? Effect.succeed([])
            : Effect.map(takenAt(provider), (taken) =>
              taken.map((one) => ({
                account: one.account,
                channels: one.channels,
                spent: spentOn(purseOf(provider), one),
              }))),
      }
    }),
) {
  /** The guard whose providers keep their openings within the funds. */
  static readonly layerGuarding = (options: FundsOptions) =>
    Layer.effect(
      Guard,
      Effect.gen(function* () {
        const guard = yield* Guard
        const funds = yield* BrokerBalance
        return Guard.of({ ...guard, wrap: (provider) => funds.wrap(guard.wrap(provider)) })
      }),
    ).pipe(Layer.provideMerge(BrokerBalance.layer(options)))
}
