import { Duration, Effect, Fiber, FiberSet, Option, RcMap, Semaphore } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type Actor, actorName } from "#domain/operations/Audit.ts"
import type { IdempotencyKey } from "#domain/swaps/Idempotency.ts"
import { pageOf } from "#domain/Page.ts"
import type { StoreEffect, StoreUnavailable } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { OperatorAccount } from "#domain/operations/Treasury.ts"
import type {
  Withdrawal,
  WithdrawalId,
  WithdrawalsQuery,
  WithdrawalStep,
  WithdrawalSubject,
} from "#domain/operations/Withdrawal.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { AffiliatesRepo } from "#infrastructure/store/treasury/AffiliatesRepo.ts"
import { BalanceReadsRepo } from "#infrastructure/store/treasury/BalanceReadsRepo.ts"
import { type NewWithdrawal, WithdrawalsRepo } from "#infrastructure/store/treasury/WithdrawalsRepo.ts"
import { type Destination, destinationOf, isSameAddress, type WithdrawalAddresses } from "./destination.ts"
import {
  AffiliateUnknown,
  BalanceUnavailable,
  CannotOrder,
  type OrderFailed,
  OrderKeyReused,
  TreasuryUnknown,
  WithdrawalOpen,
  WithdrawalUnknown,
} from "./failures.ts"
import { BalanceReads, type TreasuryProvider } from "./BalanceReads.ts"
import { Orders } from "./Orders.ts"
import type { AffiliateName, NamedAffiliate } from "#domain/accounts/Affiliate.ts"

/** What the operator wants withdrawn. */
export interface WithdrawalInput {
  readonly provider: string
  readonly asset: AssetId
}

/** Where an order goes, and how much there is: once the account was seen. */
interface WithdrawalTerms extends Destination {
  readonly earned: NativeAmount
}

/** What an order is of, before the account is looked at. */
interface Subject {
  readonly treasurer: TreasuryProvider
  readonly asset: AssetId
  readonly affiliate?: string
  readonly terms: (account: OperatorAccount) => StoreEffect<WithdrawalTerms, CannotOrder>
}

const recordedAs = ({ affiliate, asset, treasurer }: Subject): WithdrawalSubject => ({
  platform: treasurer.name,
  asset,
  ...defined({ affiliate }),
})

const refuse = (detail: string) => new CannotOrder({ detail })

const heldOf = (holdings: OperatorAccount["earned"], asset: AssetId): NativeAmount =>
  holdings.find((holding) => holding.asset === asset)?.amount ?? noAmount

/** The affiliate's share, which goes where the affiliate was registered with: upstream and records have to agree. */
const shareTerms =
  ({ account, name, withdrawalAddress: registered }: NamedAffiliate, asset: AssetId) =>
  ({ affiliates }: OperatorAccount) => {
    const known = affiliates.find((one) => one.account === account)
    if (known === undefined) return Effect.fail(refuse(`The upstream does not know the account of ${name}`))
    const { earned, withdrawalAddress } = known
    return isSameAddress(chainOf(asset), withdrawalAddress, registered)
      ? Effect.succeed({
        destination: registered,
        namedBy: "registration" as const,
        earned: heldOf(earned, asset),
      })
      : Effect.fail(
        refuse(`${name} was registered with ${registered}, and the upstream says ${withdrawalAddress}`),
      )
  }

/** Makes the subjects of orders: what is meant, and the only place where it goes. */
const makeSubjects = (
  { treasurers }: BalanceReads["Service"],
  looks: BalanceReadsRepo["Service"],
  affiliates: AffiliatesRepo["Service"],
  addresses: WithdrawalAddresses,
) => {
  const treasurerOf = Effect.fnUntraced(function* (provider: string) {
    const found = (yield* treasurers).find(({ name }) => name === provider)
    if (found === undefined) return yield* new TreasuryUnknown()
    return found.treasury.withdrawals === undefined
      ? yield* refuse(`${provider} takes no orders to withdraw: use its own means`)
      : found
  })

  /** The operator's own earnings in an asset. */
  const own = Effect.fnUntraced(function* ({ asset, provider }: WithdrawalInput) {
    const treasurer = yield* treasurerOf(provider)
    const terms = Effect.fnUntraced(function* (account: OperatorAccount) {
      const pinned = yield* looks.bound(treasurer.name, account.account)
      const named = yield* Effect.fromResult(destinationOf(asset, addresses, account, pinned))
      return { ...named, earned: heldOf(account.earned, asset) }
    })
    return { treasurer, asset, terms } satisfies Subject
  })

  const share = Effect.fnUntraced(function* (name: AffiliateName) {
    const found = yield* affiliates.find(name)
    if (Option.isNone(found)) return yield* new AffiliateUnknown()
    const { account, platform } = found.value
    const treasurer = yield* treasurerOf(platform)
    const asset = treasurer.treasury.affiliates?.asset
    if (asset === undefined) return yield* refuse(`${platform} has no affiliates`)
    if (account === undefined) return yield* refuse(`It is not known whether ${name} was registered`)
    return { treasurer, asset, affiliate: account, terms: shareTerms(found.value, asset) } satisfies Subject
  })

  return { own, share }
}

export interface WithdrawalOptions {
  /** Where earnings go, by chain. */
  readonly addresses: WithdrawalAddresses
  /** The longest that an upstream may take to answer an order. */
  readonly deadline: Duration.Duration
  /** Whether no other process can be working on the same records. */
  readonly soleProcess: boolean
}

/** What an order would withdraw now, and where to. */
export interface WithdrawalOffer extends WithdrawalTerms {
  readonly platform: ProviderName
  readonly asset: AssetId
}

/** A withdrawal, and whether the request was answered with one that had been recorded before. */
export interface Ordered {
  readonly withdrawal: Withdrawal
  readonly isReplayed: boolean
}

/** A withdrawal with everything that happened to it. */
export interface WithdrawalDetails {
  readonly withdrawal: Withdrawal
  readonly steps: ReadonlyArray<WithdrawalStep>
}

/** The time that a lease outlasts the deadline of an order: for the work before and after it. */
const leaseMargin = Duration.seconds(10)

/** Requests without a key in this time are one. */
const oneClick = Duration.minutes(1)

/** What a request is answered with, once it is there. */
type Answer = StoreEffect<Ordered>

const overtaken = refuse("Another withdrawal of the same was under way at the same moment: try again")

/** Whether another attempt may be made under the same key: nothing was ordered, provably. */
const wasNeverOrdered = (one: Withdrawal): boolean =>
  one.state === "failed" && one.taken === undefined && !one.isContradicted

/** Withdrawals of earnings, each recorded first and ordered once, to set or bound addresses alone. */
export class Withdrawals extends service<Withdrawals>()(
  "swap-broker/treasury/Withdrawals",
  (options: WithdrawalOptions) =>
    Effect.gen(function* () {
      const looks = yield* BalanceReads
      const orders = yield* Orders
      const audit = yield* AuditRepo
      const repo = yield* WithdrawalsRepo
      const subjects = makeSubjects(looks, yield* BalanceReadsRepo, yield* AffiliatesRepo, options.addresses)
      const underWay = yield* FiberSet.make<Withdrawal, StoreUnavailable>()
      // Runs before the set's own finalizer, which would interrupt the orders.
      yield* Effect.addFinalizer(() => FiberSet.awaitEmpty(underWay))
      if (options.soleProcess) yield* Effect.flatMap(currentMillis, repo.release)
      // Equal requests come one after the other: to look at the account is refused to many at once (decision 43).
      const turns = yield* RcMap.make({ lookup: (_: string) => Semaphore.make(1) })

      /** A withdrawal that a request is answered with instead of ordering another. */
      const standing = Effect.fnUntraced(function* (
        subject: Subject,
        key: Option.Option<IdempotencyKey>,
        by: string,
      ) {
        const { affiliate, asset, treasurer: { name } } = subject
        const now = yield* currentMillis
        const since = Option.isSome(key) ? now : Math.max(0, now - Duration.toMillis(oneClick))
        // Read before the key: what another request under this key records in between is then found by its key.
        const open = yield* repo.findOpen(recordedAs(subject), EpochMillis.make(since))
        const known = Option.isNone(key) ? Option.none() : yield* repo.findByKey(by, key.value)
        if (Option.isSome(known)) {
          const { asset: knownAsset, affiliate: knownAffiliate, id, platform } = known.value
          const isSame = platform === name && knownAsset === asset && knownAffiliate === affiliate
          return isSame ? known : yield* new OrderKeyReused({ id })
        }
        if (Option.isNone(open) || Option.isNone(key)) return open
        return yield* new WithdrawalOpen({ id: open.value.id, provider: name, asset })
      })

      const requireOpenDoor = ({ inSync, withdrawalsEnabled }: OperatorAccount) => {
        if (withdrawalsEnabled === false) {
          return Effect.fail(refuse("The upstream pays no withdrawals out for now: try again later"))
        }
        return inSync === false
          ? Effect.fail(refuse("The upstream's node is behind, so its view of the account is out of date"))
          : Effect.void
      }

      /** Records it, unless a withdrawal of the same has changed since `changes` were counted. */
      const record = Effect.fnUntraced(function* (
        row: NewWithdrawal,
        changes: number,
        earlier: Option.Option<Withdrawal>,
        actor: Actor,
      ) {
        return yield* audit.recorded("Withdrawals.request", { actor, at: row.at }, function* () {
          // One process at a time is here: nobody can come between this and the row.
          if ((yield* repo.changeCount(row)) !== changes) return { value: Option.none(), changes: [] }
          const written = yield* Option.match(earlier, {
            onNone: () => repo.request(row),
            onSome: ({ id }) => repo.again(id, row),
          })
          return {
            value: written,
            changes: Option.toArray(written).map(({ affiliate, asset, destination, id, platform }) => ({
              action: "withdrawal.requested",
              platform,
              after: { withdrawalId: id, asset, destination, ...defined({ affiliate }) },
            })),
          }
        })
      })

      /** Looks at the account. */
      const offerOf = Effect.fnUntraced(function* (
        { asset, terms, treasurer }: Subject,
      ): Effect.fn.Return<WithdrawalOffer, OrderFailed> {
        const account = yield* Effect.catchTag(
          looks.look(treasurer),
          "ProviderError",
          () => new BalanceUnavailable({ provider: treasurer.name }),
        )
        yield* requireOpenDoor(account)
        const { destination, earned, namedBy } = yield* terms(account)
        if (earned === noAmount) return yield* refuse(`There is no ${asset} to withdraw`)
        return { destination, earned, namedBy, platform: treasurer.name, asset }
      })

      const replayed = (withdrawal: Withdrawal): Answer => Effect.succeed({ withdrawal, isReplayed: true })

      /** Records a withdrawal and sets its order going, unless an earlier one is the answer. */
      const begin = Effect.fnUntraced(function* (
        subject: Subject,
        key: Option.Option<IdempotencyKey>,
        actor: Actor,
        confirmed: string | undefined,
      ): Effect.fn.Return<Answer, OrderFailed> {
        const by = actorName(actor)
        // What another request orders from here on takes what this one is about to see.
        const changes = yield* repo.changeCount(recordedAs(subject))
        const known = yield* standing(subject, key, by)
        if (Option.isSome(known) && !wasNeverOrdered(known.value)) return replayed(known.value)
        const { destination, earned } = yield* offerOf(subject)
        if (confirmed !== undefined && confirmed !== destination) {
          return yield* refuse(`It would go to ${destination} now, not to ${confirmed}: look at it again`)
        }
        const at = yield* currentMillis
        const lease = Duration.toMillis(Duration.sum(options.deadline, leaseMargin))
        const recorded = yield* record(
          {
            ...recordedAs(subject),
            destination,
            earned,
            by,
            ...Option.match(key, { onNone: () => ({}), onSome: (key) => ({ key }) }),
            at,
            leaseUntil: EpochMillis.make(at + lease),
          },
          changes,
          known,
          actor,
        )
        if (Option.isNone(recorded)) return yield* overtaken
        // Goes on when the caller is gone: an order is followed to its answer.
        const fiber = yield* FiberSet.run(underWay, orders.send(subject.treasurer, recorded.value))
        return Effect.map(Fiber.join(fiber), (withdrawal) => ({ withdrawal, isReplayed: false }))
      }, (begun, subject, key, actor) =>
        Effect.retry(begun, {
          while: (error) => error === overtaken,
          times: 3,
        }).pipe(
          // Another request that was faster may have taken what this one saw: it is answered as if it came afterwards.
          Effect.catchTag(["CannotOrder", "BalanceUnavailable"], (refused) =>
            Effect.flatMap(
              standing(subject, key, actorName(actor)),
              (other): Effect.Effect<Answer, CannotOrder | BalanceUnavailable> =>
                Option.isNone(other) || wasNeverOrdered(other.value)
                  ? Effect.fail(refused)
                  : Effect.succeed(replayed(other.value)),
            )),
        ))

      const ordering = <Of, E>(operation: string, subjectOf: (of: Of) => Effect.Effect<Subject, E>) =>
        Effect.fn(operation)(function* (
          of: Of,
          key: Option.Option<IdempotencyKey>,
          actor: Actor,
          confirmed?: string,
        ) {
          const subject = yield* subjectOf(of)
          const { platform, asset, affiliate = "" } = recordedAs(subject)
          const name = Option.getOrElse(key, () => `${platform} ${asset} ${affiliate}`)
          return yield* RcMap.get(turns, `${actorName(actor)} ${name}`).pipe(
            Effect.flatMap((turn) => turn.withPermit(begin(subject, key, actor, confirmed))),
            Effect.scoped,
            Effect.flatten,
          )
        })

      /** The latest first; `offset` is included. */
      const page = Effect.fn("Withdrawals.page")(function* (query: WithdrawalsQuery) {
        const found = yield* repo.page({ ...query, limit: query.limit + 1 })
        return pageOf(found, query.limit, ({ id }) => id)
      })

      const find = Effect.fn("Withdrawals.find")(function* (id: WithdrawalId) {
        const found = Effect.fromOption(yield* repo.find(id))
        const withdrawal = yield* Effect.mapError(found, () => new WithdrawalUnknown())
        return { withdrawal, steps: yield* repo.steps(id) }
      })

      const offering = <Of, E>(operation: string, subjectOf: (of: Of) => Effect.Effect<Subject, E>) =>
        Effect.fn(operation)((of: Of) => Effect.flatMap(subjectOf(of), offerOf))

      return {
        /**
         * Orders a withdrawal of the operator's own earnings. A request under a key that stands for one is answered with it, as
         * is one without a key for a minute, or while an order of the same has no answer. `confirmed` is the destination that
         * somebody was shown before: nothing is ordered where it goes elsewhere meanwhile.
         */
        order: ordering("Withdrawals.order", subjects.own),
        /** The same for the share of an affiliate, which goes to its registered address. */
        orderShare: ordering("Withdrawals.orderShare", subjects.share),
        page,
        /** The withdrawals in each state together; states without any are left out. */
        sums: repo.sums,
        find,
        /** What an order would withdraw now, and where to. Orders and records nothing. */
        offer: offering("Withdrawals.offer", subjects.own),
        /** The same for the share of an affiliate. */
        offerShare: offering("Withdrawals.offerShare", subjects.share),
      }
    }),
) {}
