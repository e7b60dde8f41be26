import type { AccountSwap } from "../../domain/Business.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import type { Viewer } from "../../domain/Viewer.ts"
import { type Html, html } from "../../pages/html.ts"
import { table, time } from "../../pages/parts.ts"
import { path } from "../../pages/Url.ts"
import { amountIn, amountOut, pair, stalledBadge, stateBadge } from "./describeSwap.ts"

/** A table of swaps, each of which leads to its page. An integrator is not told whose they are: they are all its own. */
export const swapTable = (
  { caption, viewer, swaps, now, empty }: {
    readonly caption: string
    readonly viewer: Viewer
    readonly swaps: ReadonlyArray<AccountSwap>
    readonly now: EpochMillis
    readonly empty: Html | string
  },
): Html => {
  const isOperator = viewer._tag === "Operator"
  return table({
    caption,
    columns: [
      { label: "Swap" },
      { label: "State" },
      { label: "Pair" },
      { label: "In", kind: "number" },
      { label: "Out", kind: "number" },
      { label: "Provider" },
      ...(isOperator ? [{ label: "Account" }] : []),
      { label: "Recorded" },
    ],
    rows: swaps.map((swap) => {
      const { account, createdAt, record: { id, platform, status } } = swap
      return [
        html`<a href="${path`/dashboard/swaps/${id}`}">${id}</a>`,
        html`${stateBadge(status)} ${stalledBadge(swap)}`,
        pair(status),
        amountIn(status) ?? "",
        amountOut(status) ?? "",
        platform,
        ...(isOperator ? [account] : []),
        time(createdAt, now),
      ]
    }),
    empty,
  })
}
