import { Context, Duration, Effect, Layer, Metric, Option, Semaphore } from "effect"
import { NativeAmount } from "../domain/Amount.ts"
import { chainOf } from "../domain/Asset.ts"
import type { Chain } from "../domain/Chain.ts"
import { DepositChannelFailed, mayHaveOpened, ProviderError } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import type { Funding } from "../domain/Treasury.ts"
import { metrics } from "../ops/Metrics.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { warnSparsely } from "../platform/sparseLog.ts"
import { Guard } from "./Guard.ts"
import type { Channels, Provider } from "./Provider.ts"
import type { Treasury } from "./Treasury.ts"

/** Options of keeping openings within the operator's funds. */
export interface FundsOptions {
  /** The funds known may be this old when an opening is weighed against them; none: openings are never weighed. */
  readonly maxAge: Duration.Duration
}

/** The longest that an opening waits for a look at the account: what is not known blocks nothing. */
const patience = Duration.seconds(2)

/** How many of the latest prices of transactions are remembered. */
const remembered = 10

/** What an opening takes from the account, until a look shows it. */
interface Reservation {
  readonly amount: bigint
  /** What the channel itself cost; absent while it is not open. */
  fee?: bigint
  isOver: boolean
}

/** What is known of the funds at one provider. */
interface Purse {
  /** Absent where the account could not be looked at. */
  funding?: Funding
  lookedAt?: number
  /** Openings that `funding` does not show yet. */
  readonly reservations: Set<Reservation>
  /** What each of the latest transactions cost besides the fee of its channel. */
  costs: ReadonlyArray<bigint>
}

const sum = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** The least that a transaction was seen to cost: others than openings may have cost more meanwhile. */
const costOf = ({ costs }: Purse): bigint =>
  costs.reduce((least, cost) => cost < least ? cost : least, costs[0] ?? 0n)

/** What each of these openings cost besides its fee, by how much less is there; none where other money came or went. */
const observedCost = (
  before: Funding | undefined,
  now: Funding,
  over: ReadonlyArray<Reservation>,
): Option.Option<bigint> => {
  const fees = over.flatMap(({ fee }) => fee === undefined ? [] : [fee])
  const count = BigInt(fees.length)
  if (before === undefined || count === 0n) return Option.none()
  const beside = before.free - now.free - sum(fees)
  return beside < 0n ? Option.none() : Option.some((beside + count - 1n) / count)
}

/** The price of a channel from this chain that the funds do not cover, with what is there; none where they may. */
const shortage = (
  purse: Purse,
  chain: Chain,
): { readonly price: bigint; readonly left: bigint } | undefined => {
  const fee = purse.funding?.openingFees[chain]
  if (purse.funding === undefined || fee === undefined) return undefined
  const price = fee + costOf(purse)
  const left = purse.funding.free - sum([...purse.reservations].map(({ amount }) => amount))
  return left < price ? { price, left } : undefined
}

/**
 * Keeps openings within what the operator's accounts can pay: one that an account cannot pay for is refused before the
 * upstream is asked. Openings under way count. What is not known never refuses anything.
 */
export class Funds extends Context.Service<Funds, {
  /** The provider, which refuses openings that its account cannot pay for. */
  readonly wrap: (provider: Provider) => Provider
  /** What a transaction costs the account besides the fee of a channel, as far as that was seen; native units. */
  readonly transactionCost: (provider: ProviderName) => Effect.Effect<NativeAmount>
}>()("swap-broker/providers/Funds") {
  static readonly layer = ({ maxAge }: FundsOptions): Layer.Layer<Funds> =>
    Layer.sync(Funds, () => {
      const purses = new Map<string, Purse>()
      const purseOf = (name: string): Purse => {
        const purse = purses.get(name) ?? { reservations: new Set<Reservation>(), costs: [] }
        purses.set(name, purse)
        return purse
      }

      const look = Effect.fnUntraced(function* (purse: Purse, { account }: Treasury) {
        const over = [...purse.reservations].filter(({ isOver }) => isOver)
        const seen = yield* Effect.option(account.pipe(Effect.timeout(patience)))
        purse.lookedAt = yield* currentMillis
        for (const reservation of over) purse.reservations.delete(reservation)
        const funding = Option.getOrUndefined(seen)?.funding
        if (funding === undefined) {
          delete purse.funding
          return
        }
        const cost = observedCost(purse.funding, funding, over)
        if (Option.isSome(cost)) purse.costs = [cost.value, ...purse.costs].slice(0, remembered)
        purse.funding = funding
      })

      const refresh = (purse: Purse, treasury: Treasury, one: Semaphore.Semaphore) =>
        one.withPermits(1)(
          Effect.flatMap(currentMillis, (now) => {
            const { lookedAt } = purse
            const isKnown = lookedAt !== undefined && now - lookedAt < Duration.toMillis(maxAge)
            return isKnown ? Effect.void : look(purse, treasury)
          }),
        )

      const refuse = Effect.fnUntraced(function* (
        provider: ProviderName,
        chain: Chain,
        { left, price }: { readonly price: bigint; readonly left: bigint },
      ) {
        yield* Metric.update(metrics.openingsUnfunded({ provider }), 1)
        yield* warnSparsely(
          `unfunded ${provider}`,
          1,
          `${provider}: a channel on ${chain} was not opened, as the account cannot pay for it`,
          { price: `${price}`, left: `${left}` },
        )
        // The caller learns that it failed, and not how much the operator has.
        const reason = new DepositChannelFailed({ detail: "The provider cannot open a channel for now" })
        return yield* new ProviderError({ provider, operation: "open", reason })
      })

      const payingFor = (
        name: ProviderName,
        treasury: Treasury,
        open: Channels["open"],
      ): Channels["open"] => {
        const purse = purseOf(name)
        const one = Semaphore.makeUnsafe(1)
        const pay = (reservation: Reservation, request: SwapRequest) =>
          open(request).pipe(
            Effect.onExit((exit) =>
              Effect.sync(() => {
                reservation.isOver = true
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
            yield* refresh(purse, treasury, one)
            const chain = chainOf(request.sourceAsset)
            const short = shortage(purse, chain)
            if (short !== undefined) return yield* refuse(name, chain, short)
            const fee = purse.funding?.openingFees[chain] ?? 0n
            const reservation: Reservation = { amount: fee + costOf(purse), isOver: false }
            purse.reservations.add(reservation)
            return yield* pay(reservation, request)
          })
      }

      return Funds.of({
        wrap: (provider) => {
          const { channels, name, treasury } = provider
          if (channels === undefined || treasury === undefined || Duration.isZero(maxAge)) return provider
          const open = payingFor(name, treasury, channels.open)
          return { ...provider, channels: { ...channels, open } }
        },
        transactionCost: (provider) => Effect.sync(() => NativeAmount.make(costOf(purseOf(provider)))),
      })
    })

  /** The guard whose providers keep their openings within the funds. */
  static readonly layerGuarding = (options: FundsOptions): Layer.Layer<Guard | Funds, never, Guard> =>
    Layer.effect(
      Guard,
      Effect.gen(function* () {
        const guard = yield* Guard
        const funds = yield* Funds
        return Guard.of({ ...guard, wrap: (provider) => funds.wrap(guard.wrap(provider)) })
      }),
    ).pipe(Layer.provideMerge(Funds.layer(options)))
}
