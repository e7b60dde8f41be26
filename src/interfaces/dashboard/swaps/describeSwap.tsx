import type { AssetId } from "#domain/chains/Asset.ts"
import type { AccountSwap, UnknownOpening } from "#domain/operations/Business.ts"
import {
  type Deposit,
  type Egress,
  type Failure,
  isOver,
  isSettled,
  resultOf,
  type SwapStatus,
} from "#domain/swaps/Swap.ts"
import { type StateWord, stateWordOf } from "#domain/swaps/StateWord.ts"
import { promiseOf } from "#domain/swaps/OutputPromise.ts"
import { addValues, type UsdValue } from "#domain/money/UsdValue.ts"
import { type Html, nothing, path } from "../../pages/jsx-runtime.ts"
import { age, amount, assetName, coin, dollars, unpaidDollars } from "../../pages/values.tsx"
import { code, type Column, known, pill, table, type Tone, untrusted } from "../../pages/parts.tsx"
import { endOf } from "#application/swapping/following/Progress.ts"
import { receivedOf, sentOf } from "#domain/quotes/ExactOutput.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import { minutesText } from "#domain/durationText.ts"
import { providerTitle } from "#providers/Registry.ts"
import { spoken } from "../accounts/causes.tsx"

/** The words as people read them, each with the look of its pill. */
const looks: Readonly<Record<StateWord, readonly [title: string, tone: Tone | "wait"]>> = {
  waiting: ["Waiting", "wait"],
  receiving: ["Receiving", "info"],
  swapping: ["Swapping", "info"],
  sending: ["Sending", "info"],
  sent: ["Sent", "info"],
  completed: ["Completed", "good"],
  refunded: ["Refunded", "warn"],
  partlyRefunded: ["Partly refunded", "warn"],
  failed: ["Failed", "bad"],
  expired: ["Expired", "plain"],
  stalled: ["Stalled", "bad"],
  disputed: ["Disputed", "warn"],
  unknown: ["Opening unknown", "warn"],
}

/** A word as people read it. */
export const titleOfWord = (word: StateWord): string => looks[word][0]

export const pillOf = (word: StateWord): Html => pill(...looks[word])

export const factsOfState = (status: SwapStatus) => ({
  state: status.state,
  result: resultOf(status),
  isExpired: status.depositChannel?.isExpired,
})

/** The pill of a status, whatever else is known of its swap. */
export const stateBadge = (status: SwapStatus): Html => pillOf(stateWordOf(factsOfState(status)))

/** Whether the latest status from the provider contradicts our record. */
export const isDisputed = ({ record: { standing, status } }: AccountSwap): boolean =>
  standing.contradictedAt !== undefined && !isSettled(status)

/** Whether a swap is over its usual time. */
export const isStalled = ({ record: { status }, stalledSince }: AccountSwap): boolean =>
  stalledSince !== undefined && !isOver(status)

/** Whether the deposit is on its way back, and nothing is to be paid out. */
const isRefunding = (status: SwapStatus): boolean =>
  !isSettled(status) && status.refundEgress !== undefined && status.swapEgress === undefined

/** Whether no payout is to come: the swap is over or being refunded, or its channel has expired. */
export const isClosed = (status: SwapStatus): boolean =>
  isOver(status) || isRefunding(status) || stateWordOf(factsOfState(status)) === "expired"

export const swapBadge = (swap: AccountSwap): Html =>
  pillOf(stateWordOf({
    ...factsOfState(swap.record.status),
    isDisputed: isDisputed(swap),
    isStalled: isStalled(swap),
  }))

/** An amount as lists have it, with the picture of its asset. */
const listed = (asset: AssetId, native: bigint): Html => <>{coin(asset)}{amount(asset, native, "list")}</>

const nothingOf = (word: string, asset: AssetId): Html =>
  <>
    <span class="soft">{word}</span> <span class="am">{assetName(asset)}</span>
  </>

/** A side of a request in a list: its amount where the request fixes one. */
const requestedCell = (asset: AssetId, native: bigint | undefined): Html =>
  native === undefined ? <>{coin(asset)}{assetName(asset)}</> : listed(asset, native)

/** The deposit, or else the expected one; the asset alone where no amount is known. */
const depositCell = ({ deposit, depositChannel, sourceAsset }: SwapStatus): Html => {
  const native = deposit?.amount ?? depositChannel?.expectedDepositAmount
  return native === undefined
    ? <>{coin(sourceAsset)}{nothingOf("any", sourceAsset)}</>
    : listed(sourceAsset, native)
}

/** The payout or the refund, or the expected payout of a swap under way. */
const payoutCell = (status: SwapStatus): Html => {
  const { destinationAsset, refundEgress, sourceAsset, swapEgress } = status
  const soft = (word: string, rest: Html): Html => (
    <>
      <span class="soft">{word}</span> {rest}
    </>
  )
  const end = endOf(status)
  if (refundEgress !== undefined && (end === "refunded" || isRefunding(status))) {
    const word = <span class="soft">{end ?? "refunding"}</span>
    return soft("↩", <>{listed(sourceAsset, refundEgress.amount)} {word}</>)
  }
  if (end === "failed") return soft("→", nothingOf("no", destinationAsset))
  if (swapEgress !== undefined) {
    const paid = listed(destinationAsset, swapEgress.amount)
    const isPart = end === "completed" && refundEgress !== undefined
    const rest = isPart
      ? <>{" + "}{amount(sourceAsset, refundEgress.amount, "list")}{" refunded"}</>
      : nothing
    return soft(end === "completed" ? "→" : "≈", <>{paid}{rest}</>)
  }
  if (isClosed(status)) return soft("→", nothingOf("no", destinationAsset))
  const expected = isSettled(status) ? undefined : promiseOf(status)
  return expected === undefined
    ? nothingOf("→", destinationAsset)
    : soft("≈", listed(destinationAsset, expected.native))
}

/** The dollars of a swap, the expected ones before the deposit. */
const valueCell = ({ record: { status }, value }: AccountSwap): Html | undefined =>
  value === undefined ? undefined : status.deposit === undefined ? unpaidDollars(value) : dollars(value)

/** What the swaps of a page are worth together, and how many with a deposit have no price. */
export const sumsOf = (swaps: ReadonlyArray<AccountSwap>) => {
  const paid = swaps.filter(({ record }) => record.status.deposit !== undefined)
  const sum = (values: ReadonlyArray<AccountSwap["value"]>) =>
    values.reduce(
      (sum, value) => sum === undefined ? value : value === undefined ? sum : addValues(sum, value),
      undefined,
    )
  return {
    deposited: sum(paid.map(({ value }) => value)),
    commission: sum(swaps.map(({ commissionValue }) => commissionValue)),
    unvalued: paid.filter(({ value }) => value === undefined).length,
  }
}

/** A payment that has not failed. */
export const arrived = (payment: Egress | undefined): Egress | undefined =>
  payment?.failedAt === undefined && payment?.failure === undefined ? payment : undefined

/** The failures of a swap, with the payment that each is of. */
export const failuresOf = (status: SwapStatus): ReadonlyArray<readonly [of: string, failure: Failure]> => {
  const payments: ReadonlyArray<readonly [string, Pick<Deposit | Egress, "failure"> | undefined]> = [
    ["The deposit", status.deposit],
    ["The payout", status.swapEgress],
    ["The refund", status.refundEgress],
    ["The fallback payout", status.fallbackEgress],
  ]
  return payments.flatMap(([of, payment]) =>
    payment?.failure === undefined ? [] : [[of, payment.failure] as const]
  )
}

/** Why a payment failed, by its provider. */
export const failureText = ({ mode, reason }: Failure): Html => (
  <>
    {untrusted(reason.message, 300)} ({code(`${mode}, ${reason.code}`, 120)})
  </>
)

const earned: Column<AccountSwap> = [
  "Commission ≈",
  ({ commissionValue }) => known(commissionValue, (value) => dollars(value, "cents")),
  "number x",
]

/** What a swap is at, as people read it. */
export const stageOf = (status: SwapStatus): string =>
  isRefunding(status) ? "Refunding" : titleOfWord(stateWordOf(factsOfState(status)))

const stalledFor = (now: EpochMillis): Column<AccountSwap> => [
  "Stalled for",
  ({ stalledSince = now }) => minutesText(now - stalledSince),
  "number",
]

/** The state of a stalled swap in the list of them, whose name says that they are. */
const stalledBadge = ({ record: { status } }: AccountSwap): Html =>
  pill(`Stalled: ${stageOf(status).toLowerCase()}`, "bad")

const by: Column<AccountSwap> = ["Provider", ({ record }) => providerTitle(record.platform), "cw"]

const whose: Column<AccountSwap> = ["Account", ({ account }) => account, "x"]

/** A swap's ID, which leads to its page. */
const numberOf = (id: number): Html => <a href={path`/dashboard/swaps/${id}`}>{id}</a>

/** A table of swaps, each of which leads to its page. The column of accounts is for the operator. */
export const swapTable = (
  { caption, viewer, swaps, now, empty, isShort = false, isStalled = false }: {
    readonly caption: string
    readonly viewer: Viewer
    readonly swaps: ReadonlyArray<AccountSwap>
    readonly now: EpochMillis
    readonly empty: Html | string
    /** Without what a page about an account or a provider has no room for. */
    readonly isShort?: boolean
    /** Of stalled swaps: for how long, in place of a commission that none has yet. */
    readonly isStalled?: boolean
  },
): Html =>
  table({
    caption,
    look: "swaps",
    columns: [
      ["Swap", ({ record: { id } }) => numberOf(id), "ci"],
      ["State", isStalled ? stalledBadge : swapBadge, "cs"],
      ["Deposit", ({ record }) => depositCell(record.status), "cp"],
      ["Payout", ({ record }) => payoutCell(record.status), "cp cq"],
      ["Value ≈ USD", valueCell, "number cv"],
      ...(isShort ? [] : [
        isStalled ? stalledFor(now) : earned,
        by,
        ...(viewer._tag === "Operator" ? [whose] : []),
      ]),
      ["Opened", ({ createdAt }) => age(createdAt, now), "number ct"],
    ],
    rows: !isStalled
      ? swaps
      : swaps.toSorted((one, other) => (one.stalledSince ?? now) - (other.stalledSince ?? now)),
    empty,
  })

/** An opening with an unknown outcome, what its deposit is worth now, and by when it is checked again. */
export interface ListedOpening extends UnknownOpening {
  readonly value?: UsdValue
  readonly nextBy: EpochMillis | undefined
}

/** `Chainflip: unreachable`: why the outcome of an opening is unknown. */
export const openingReason = (platform: ProviderName, reason: string): Html =>
  untrusted(`${providerTitle(platform)}: ${spoken(reason).toLowerCase()}`, 120)

/** A table of openings with an unknown outcome. */
export const openingTable = (openings: ReadonlyArray<ListedOpening>, now: EpochMillis): Html =>
  table({
    caption: "Openings with an unknown outcome, newest first",
    look: "swaps",
    columns: [
      ["Swap", ({ id }) => numberOf(id), "ci"],
      ["State", () => pillOf("unknown"), "cs"],
      ["Deposit", ({ amount, sourceAsset }) => requestedCell(sourceAsset, sentOf(amount)), "cp"],
      ["Payout", ({ amount, destinationAsset }) => (
        <>
          <span class="soft">→</span> {requestedCell(destinationAsset, receivedOf(amount))}{" "}
          {receivedOf(amount) === undefined && <span class="soft">not quoted</span>}
        </>
      ), "cp cq"],
      ["Value ≈ USD", ({ value }) => known(value, unpaidDollars), "number cv"],
      ["Reason", ({ platform, reason }) => openingReason(platform, reason)],
      ["Provider", ({ platform }) => providerTitle(platform), "cw"],
      ["Account", ({ account }) => account, "x"],
      ["Next check", ({ nextBy }) => known(nextBy, (at) => age(at, now)) ?? "no further checks", "number"],
      ["Requested", ({ createdAt }) => age(createdAt, now), "number ct"],
    ],
    rows: openings,
    empty: "No openings with an unknown outcome.",
  })
