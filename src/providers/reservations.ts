import type { AccountId } from "#domain/accounts/Account.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { DepositChannelFailed, ProviderError, TooManyChannels } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Funding } from "#domain/operations/Treasury.ts"
import type { Spending } from "#infrastructure/store/treasury/SpendingRepo.ts"

/** How many of the latest prices of transactions are remembered. */
export const remembered = 10

/** What an opening takes from the account, until a look shows it. */
export interface Reservation {
  readonly amount: bigint
  /** What the channel itself cost; absent while it is not open. */
  fee?: bigint
  isOver: boolean
}

export interface ReservationLedger {
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
export interface Share {
  /** The largest part of what an account has taken within the window and of what is left, above 0 and up to 1. */
  readonly accountShare: number
  /** So many channels are left to accounts that have taken none within the window. */
  readonly reserve: number
}

export const sum = (amounts: ReadonlyArray<bigint>): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n)

/** The least that a transaction was seen to cost: others than openings may have cost more meanwhile. */
export const costOf = ({ costs }: ReservationLedger): bigint =>
  costs.reduce((least, cost) => cost < least ? cost : least, costs[0] ?? 0n)

/** What a channel from this chain costs with its transaction; undefined where that is not known. */
export const priceOf = (purse: ReservationLedger, chain: Chain): bigint | undefined => {
  const fee = purse.funding?.openingFees[chain]
  return fee === undefined ? undefined : fee + costOf(purse)
}

/** What is left of the funds after the openings that they do not show yet. */
const leftIn = ({ funding, reservations }: ReservationLedger): bigint =>
  (funding?.free ?? 0n) - sum([...reservations].map(({ amount }) => amount))

/** What these openings have cost; one whose price is not known counts as the dearest. */
export const spentOn = (purse: ReservationLedger, { channels, fees, unpriced }: Spending): bigint => {
  const dearest = Object.values(purse.funding?.openingFees ?? {})
    .reduce<bigint>((most, fee) => fee > most ? fee : most, 0n)
  return fees + BigInt(unpriced) * dearest + BigInt(channels) * costOf(purse)
}

/** With so many channels left it makes no difference what openings of some seconds take. */
const plenty = 1_000n

export const isPlenty = (purse: ReservationLedger, price: bigint): boolean => leftIn(purse) >= plenty * price

/** Why an opening is refused: the operator's `funds` do not cover it, or the account has had its `share` of them. */
export type Unaffordable =
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
export const unaffordable = (
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
