import type { AccountSwap, UnknownOpening } from "../../domain/Business.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import type { Viewer } from "../../domain/Viewer.ts"
import { assetName, coin, dollars } from "../../pages/amounts.ts"
import { type Html, html } from "../../pages/html.ts"
import { foreign, pill } from "../../pages/parts.ts"
import { type Column, known, table } from "../../pages/table.ts"
import { age } from "../../pages/times.ts"
import { path } from "../../pages/Url.ts"
import { paidIn, paidOut, swapBadge, valueCell } from "./describeSwap.ts"

/** A provider as people call it. */
export type NameOf = (platform: ProviderName) => string

const whose: Column<AccountSwap> = ["Account", ({ account }) => account, "x"]

/** A swap's number, which leads to its page. */
const numberOf = (id: number): Html => html`<a href="${path`/dashboard/swaps/${id}`}">${id}</a>`

/** A table of swaps, each of which leads to its page. An integrator is not told whose they are: they are all its own. */
export const swapTable = (
  { caption, viewer, swaps, now, empty, nameOf = (platform) => platform }: {
    readonly caption: string
    readonly viewer: Viewer
    readonly swaps: ReadonlyArray<AccountSwap>
    readonly now: EpochMillis
    readonly empty: Html | string
    readonly nameOf?: NameOf
  },
): Html =>
  table({
    caption,
    look: "swaps",
    columns: [
      ["Swap", ({ record: { id } }) => numberOf(id), "ci"],
      ["State", swapBadge, "cs"],
      ["Paid in", ({ record }) => paidIn(record.status), "cp"],
      ["Paid out", ({ record }) => paidOut(record.status), "cp cq"],
      ["Value ≈ USD", valueCell, "number cv"],
      [
        "Commission ≈",
        ({ commissionValue }) => known(commissionValue, (value) => dollars(value, "cents")),
        "number x",
      ],
      ["Provider", ({ record }) => nameOf(record.platform), "cw"],
      ...(viewer._tag === "Operator" ? [whose] : []),
      ["Opened", ({ createdAt }) => age(createdAt, now), "number ct"],
    ],
    rows: swaps,
    empty,
  })

/** A table of openings of which nobody knows what came of them. */
export const openingTable = (
  openings: ReadonlyArray<UnknownOpening>,
  nameOf: NameOf,
  now: EpochMillis,
): Html =>
  table({
    caption: "Openings of which nobody knows what came of them, the latest first",
    look: "swaps",
    columns: [
      ["Swap", ({ id }) => numberOf(id), "ci"],
      ["State", () => pill("Opening unknown", "bad"), "cs"],
      ["From", ({ sourceAsset }) => html`${coin(sourceAsset)}${assetName(sourceAsset)}`, "cp"],
      ["To", ({ destinationAsset }) =>
        html`<span class="soft">→</span> ${coin(destinationAsset)}${assetName(destinationAsset)}`, "cp cq"],
      ["Why", ({ reason }) =>
        foreign(reason, 120), "x"],
      ["Provider", ({ platform }) =>
        nameOf(platform), "cw"],
      ["Account", ({ account }) =>
        account, "cv"],
      ["Opened", ({ createdAt }) => age(createdAt, now), "number ct"],
    ],
    rows: openings,
    empty: "Of every opening it is known what came of it.",
  })
