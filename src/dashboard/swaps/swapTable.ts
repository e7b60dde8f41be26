import type { AccountSwap } from "../../domain/Business.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import type { Viewer } from "../../domain/Viewer.ts"
import { type Html, html } from "../../pages/html.ts"
import { type Column, table } from "../../pages/table.ts"
import { time } from "../../pages/times.ts"
import { path } from "../../pages/Url.ts"
import { amountIn, amountOut, pair, stalledBadge, stateBadge } from "./describeSwap.ts"

const whose: Column<AccountSwap> = ["Account", ({ account }) => account]

/** A table of swaps, each of which leads to its page. An integrator is not told whose they are: they are all its own. */
export const swapTable = (
  { caption, viewer, swaps, now, empty }: {
    readonly caption: string
    readonly viewer: Viewer
    readonly swaps: ReadonlyArray<AccountSwap>
    readonly now: EpochMillis
    readonly empty: Html | string
  },
): Html =>
  table({
    caption,
    columns: [
      ["Swap", ({ record: { id } }) => html`<a href="${path`/dashboard/swaps/${id}`}">${id}</a>`],
      ["State", (swap) => html`${stateBadge(swap.record.status)} ${stalledBadge(swap)}`],
      ["Pair", ({ record }) => pair(record.status)],
      ["In", ({ record }) => amountIn(record.status) ?? "", "number"],
      ["Out", ({ record }) => amountOut(record.status) ?? "", "number"],
      ["Provider", ({ record }) => record.platform],
      ...(viewer._tag === "Operator" ? [whose] : []),
      ["Recorded", ({ createdAt }) => time(createdAt, now)],
    ],
    rows: swaps,
    empty,
  })
