import type { AccountSwap, UnknownOpening } from "#domain/operations/Business.ts"
import { stalledPhase } from "#application/guidance/guidanceOf.ts"
import { receivedOf, sentOf } from "#domain/quotes/ExactOutput.ts"
import type { UsdValue } from "#domain/money/UsdValue.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Viewer } from "#domain/accounts/Viewer.ts"
import { age, dollars, unpaidDollars } from "../../pages/values.tsx"
import { type Html, path } from "../../pages/jsx-runtime.ts"
import { type Column, known, table, untrusted } from "../../pages/parts.tsx"
import { durationText } from "#domain/durationText.ts"
import { providerTitle } from "#providers/Contacts.ts"
import { depositCell, payoutCell, pillOf, requestedCell, swapBadge, valueCell } from "./describeSwap.tsx"

const earned: Column<AccountSwap> = [
  "Commission ≈",
  ({ commissionValue }) => known(commissionValue, (value) => dollars(value, "cents")),
  "number x",
]

const stuckAt = (now: EpochMillis): Column<AccountSwap> => [
  "Stuck at",
  ({ record: { status }, stalledSince = now }) =>
    `${stalledPhase(status).replace("_stalled", "")}, for ${durationText(now - stalledSince)}`,
]

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
    /** Of stalled swaps: where and for how long, in place of a commission that none has yet. */
    readonly isStalled?: boolean
  },
): Html =>
  table({
    caption,
    look: "swaps",
    columns: [
      ["Swap", ({ record: { id } }) => numberOf(id), "ci"],
      ["State", swapBadge, "cs"],
      ["Deposit", ({ record }) => depositCell(record.status), "cp"],
      ["Payout", ({ record }) => payoutCell(record.status), "cp cq"],
      ["Value ≈ USD", valueCell, "number cv"],
      ...(isShort ? [] : [
        isStalled ? stuckAt(now) : earned,
        by,
        ...(viewer._tag === "Operator" ? [whose] : []),
      ]),
      ["Opened", ({ createdAt }) => age(createdAt, now), "number ct"],
    ],
    rows: swaps,
    empty,
  })

/** An opening with an unknown outcome, what its deposit is worth now, and by when it is checked again. */
export interface ListedOpening extends UnknownOpening {
  readonly value?: UsdValue
  readonly nextBy: EpochMillis | undefined
}

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
          <span class="soft">→</span> {requestedCell(destinationAsset, receivedOf(amount))}
        </>
      ), "cp cq"],
      ["Value ≈ USD", ({ value }) => known(value, unpaidDollars), "number cv"],
      ["Reason", ({ reason }) => untrusted(reason, 120)],
      ["Provider", ({ platform }) => providerTitle(platform), "cw"],
      ["Account", ({ account }) => account, "x"],
      ["Next check", ({ nextBy }) => known(nextBy, (at) => age(at, now)) ?? "no further checks", "number"],
      ["Opened", ({ createdAt }) => age(createdAt, now), "number ct"],
    ],
    rows: openings,
    empty: "No openings with an unknown outcome.",
  })
