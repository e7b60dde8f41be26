import { Duration, Effect, identity, Layer, Option } from "effect"
import { AffiliateNames } from "#application/accounts/AffiliateNames.ts"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { IdempotencyKey } from "#domain/swaps/Idempotency.ts"
import { ProviderError, type ProviderErrorReason } from "#domain/ProviderError.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import {
  type AffiliateAccount,
  Comparison,
  type Holding,
  type OperatorAccount,
  PaymentStanding,
  type TakenWithdrawal,
  type WithdrawalOrder,
  WithdrawalTrace,
} from "#domain/operations/Treasury.ts"
import { BrokerBalance } from "#providers/BrokerBalance.ts"
import { Guard } from "#providers/guard/Guard.ts"
import { Registry } from "#providers/Registry.ts"
import type {
  Affiliates as AffiliatesPort,
  Treasury as Port,
  Withdrawals as WithdrawalsPort,
} from "#providers/Provider.ts"
import { SpendingRepo } from "#infrastructure/store/treasury/SpendingRepo.ts"
import { Affiliates } from "#application/treasury/Affiliates.ts"
import { Decisions } from "#application/treasury/Decisions.ts"
import { BalanceReads } from "#application/treasury/BalanceReads.ts"
import { Orders } from "#application/treasury/Orders.ts"
import { Treasury } from "#application/treasury/Treasury.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"
import { ScriptedProvider } from "./provider.ts"

const usdc: AssetId = "usdc.eth"

/** Where the operator's earnings go by the settings of these tests. */
export const ours = Address.make("0x2222222222222222222222222222222222222222")
/** An address that nobody has set. */
export const theirs = Address.make("0x6666666666666666666666666666666666666666")

export const operator: Actor = { type: "cli", user: "operator" }

const holdings = (earned: ReadonlyMap<AssetId, bigint>): ReadonlyArray<Holding> =>
  [...earned].flatMap(([asset, amount]) =>
    amount === 0n ? [] : [{ asset, amount: NativeAmount.make(amount) }]
  )

/** What a payment costs at the scripted upstream. */
export const paymentFee = 7n

/** An account at an upstream that does what a test tells it to, and remembers what it was asked. */
export class ScriptedTreasury implements Port {
  comparison: Comparison = Comparison.Exact()
  readonly earned = new Map<AssetId, bigint>()
  readonly ofAffiliates: Array<{ readonly account: AffiliateAccount; earned: bigint }> = []
  /** What the account says besides its earnings. */
  more: Partial<Omit<OperatorAccount, "account" | "earned" | "affiliates">> = {}
  /** What looking at the account does besides. */
  looking: Effect.Effect<void, ProviderError> = Effect.void
  looks = 0
  /** What happens before an order is carried out, and after it. */
  before: Effect.Effect<void, ProviderError> = Effect.void
  after: Effect.Effect<void, ProviderError> = Effect.void
  /** What the upstream says of an order that it has carried out; the truth by default. */
  says: (taken: TakenWithdrawal) => TakenWithdrawal = (taken) => taken
  readonly orders: Array<WithdrawalOrder> = []
  /** What it has paid out, truly. */
  readonly paid: Array<TakenWithdrawal> = []
  standingOf: Option.Option<PaymentStanding> = Option.some(PaymentStanding.Paid({ transaction: "0xpaid" }))
  /** What happens before it says something of an order whose answer was lost. */
  finding: (order: WithdrawalOrder) => Effect.Effect<void, ProviderError> = () => Effect.void
  /** What it says of an order whose answer was lost. */
  trace: () => WithdrawalTrace = () => WithdrawalTrace.NotKnown()
  registering: Effect.Effect<void, ProviderError> = Effect.void
  account: Port["account"] = Effect.suspend(() => {
    this.looks++
    const said = {
      account: "operator",
      earned: holdings(this.earned),
      affiliates: this.ofAffiliates.map(({ account, earned }) => ({
        ...account,
        earned: holdings(new Map([[usdc, earned]])),
      })),
      ...this.more,
    }
    return Effect.as(this.looking, said)
  })

  readonly withdrawals: WithdrawalsPort = {
    withdraw: (order) =>
      Effect.gen({ self: this }, function* () {
        this.orders.push(order)
        yield* this.before
        const taken = this.take(order)
        yield* this.after
        return this.says(taken)
      }),
    find: (order) => Effect.andThen(this.finding(order), Effect.sync(() => this.trace())),
    standing: () => Effect.sync(() => this.standingOf),
  }

  readonly affiliates: AffiliatesPort = {
    asset: usdc,
    register: (withdrawalAddress) =>
      Effect.gen({ self: this }, function* () {
        const account: AffiliateAccount = {
          account: `affiliate-${this.ofAffiliates.length + 1}`,
          withdrawalAddress,
          earned: [],
        }
        this.ofAffiliates.push({ account, earned: 0n })
        yield* this.registering
        return account
      }),
  }

  /** Carries an order out. */
  take({ affiliate, asset, destination }: WithdrawalOrder): TakenWithdrawal {
    const share = this.ofAffiliates.find(({ account }) => account.account === affiliate)
    const whole = share === undefined ? this.earned.get(asset) ?? 0n : share.earned
    if (share === undefined) this.earned.set(asset, 0n)
    else share.earned = 0n
    const taken = {
      reference: `egress-${this.paid.length + 1}`,
      amount: NativeAmount.make(whole - paymentFee),
      fee: NativeAmount.make(paymentFee),
      destination,
    }
    this.paid.push(taken)
    return taken
  }

  /** The state of the account's funds. */
  funds(free: bigint, fee: bigint): void {
    this.more = {
      ...this.more,
      funding: {
        asset: "flip.eth",
        free: NativeAmount.make(free),
        bond: noAmount,
        redeemable: noAmount,
        openingFees: { Bitcoin: NativeAmount.make(fee), Ethereum: NativeAmount.make(fee) },
      },
    }
  }
}

/** No share of the funds: each account may take all. */
export const wholeShare = { accountShare: 1, window: Duration.hours(1), reserve: 0 }

/** Records in which nobody has opened anything. */
export const nothingSpent = Layer.succeed(
  SpendingRepo,
  SpendingRepo.of({
    byAccount: () => Effect.succeed([]),
    before: () => Effect.succeedNone,
    accounts: Effect.succeed(1),
  }),
)

/** A failure of an order at the provider `first`. */
export const fails = (reason: ProviderErrorReason) =>
  new ProviderError({ provider: ProviderName.make("first"), operation: "withdraw", reason })

let keyCount = 0

/** A key that no other request has. */
export const freshKey = (): Option.Option<IdempotencyKey> =>
  Option.some(IdempotencyKey.make(`order ${++keyCount}`))

export const treasuryOptions = {
  addresses: { Ethereum: ours },
  networks: ["mainnet"] as const,
  deadline: Duration.seconds(65),
  soleProcess: false,
  lookInterval: Duration.seconds(10),
  followInterval: Duration.seconds(10),
  ledgerPatience: Duration.minutes(15),
  sharedAccounts: [],
}

/** The treasury without its background work, over repositories; its providers are `first` and `second`. */
export const treasuryWith = (
  options: Partial<Parameters<typeof BalanceReads.layer>[0] & Parameters<typeof Withdrawals.layer>[0]> = {},
) =>
  Layer.mergeAll(
    Treasury.layer,
    Decisions.layer,
    Withdrawals.layer({ ...treasuryOptions, ...options }),
    Affiliates.layer(treasuryOptions),
  ).pipe(
    Layer.provideMerge(Orders.layer(treasuryOptions)),
    Layer.provideMerge(BalanceReads.layer({ ...treasuryOptions, ...options })),
    Layer.provideMerge(AffiliateNames.layer),
    Layer.provideMerge(Registry.layer([ProviderName.make("first"), ProviderName.make("second")])),
    Layer.provideMerge(BrokerBalance.layer({ ...wholeShare, maxAge: Duration.seconds(5) })),
    Layer.provide(Layer.mock(Guard, { wrap: identity })),
  )

/** The provider `first` with an account that has earned this much USDC, registered until the test ends. */
export const scriptedTreasury = Effect.fnUntraced(function* (earned = 0n) {
  const registry = yield* Registry
  const provider = new ScriptedProvider("first")
  const treasury = new ScriptedTreasury()
  treasury.earned.set(usdc, earned)
  provider.treasury = treasury
  yield* registry.register(provider)
  return treasury
})

/** Looks at the withdrawals that are due, to the end of each look. */
export const followed = Effect.gen(function* () {
  const { atRest, round } = yield* Orders
  yield* round
  yield* atRest
})
