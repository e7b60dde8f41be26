import type { AssetId } from "#domain/chains/Asset.ts"
import { counted } from "#domain/figures.ts"
import { askedBpsOf, commissionsOf } from "#domain/money/Commission.ts"
import { hasFreshStatus } from "#domain/swaps/Guidance.ts"
import { amount } from "../../pages/amounts.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { pill, section, untrusted } from "../../pages/parts.tsx"
import { table, type Value } from "../../pages/table.tsx"
import { clock } from "../../pages/times.tsx"
import { isClosed, isDisputed, stateBadge } from "./describeSwap.tsx"
import type { SwapFacts } from "./SwapFacts.ts"
import { transaction } from "./transactionsSection.tsx"
import {
  figureMatch,
  latestReport,
  type Match,
  stateMatch,
  stateWordIn,
  type UpstreamReport,
} from "./upstreamReport.ts"

const marks: Readonly<Record<Match, Html>> = {
  same: pill("Same", "good"),
  open: pill("Open", "wait"),
  stale: pill("Stale", "bad"),
  differs: pill("Differs", "bad"),
  unknown: pill("Unknown state", "warn"),
}

interface Row {
  readonly figure: string
  readonly reported: Value
  readonly held: Value
  readonly mark: Html
}

const amountRow = (
  figure: string,
  asset: AssetId,
  reported: bigint | undefined,
  held: bigint | undefined,
): Row => {
  const shown = (native: bigint | undefined) => native === undefined ? "none" : amount(asset, native)
  return { figure, reported: shown(reported), held: shown(held), mark: marks[figureMatch(reported, held)] }
}

const rowsOf = (facts: SwapFacts, report: UpstreamReport): ReadonlyArray<Row> => {
  const { now, swap: { record: { standing, status } } } = facts
  const { entry, status: reported } = report
  const { destinationAsset, sourceAsset } = status
  const [reportedFee, heldFee] = [commissionsOf(reported)[0], commissionsOf(status)[0]]
  const feeAsset = heldFee?.asset ?? reportedFee?.asset
  const word = stateWordIn(report.body)
  const isStale = !hasFreshStatus(facts.guidance.phase) && !isDisputed(facts.swap)
  const transactionRow = (
    figure: string,
    asset: AssetId,
    payment: "swapEgress" | "refundEgress",
  ): ReadonlyArray<Row> => {
    const [theirs, ours] = [reported[payment]?.transactionReference, status[payment]?.transactionReference]
    const shown = (hash: string | undefined) =>
      hash === undefined ? "none" : transaction(facts, asset, hash, figure.toLowerCase())
    if (theirs === ours) return []
    return [{ figure, reported: shown(theirs), held: shown(ours), mark: marks[figureMatch(theirs, ours)] }]
  }
  return [
    {
      figure: "State",
      reported: word === undefined ? stateBadge(reported) : untrusted(word, 40),
      held: stateBadge(status),
      mark: marks[stateMatch(report, status, isStale)],
    },
    amountRow("Deposit", sourceAsset, reported.deposit?.amount, status.deposit?.amount),
    amountRow("Payout", destinationAsset, reported.swapEgress?.amount, status.swapEgress?.amount),
    ...(reported.refundEgress === undefined && status.refundEgress === undefined
      ? []
      : [amountRow("Refund", sourceAsset, reported.refundEgress?.amount, status.refundEgress?.amount)]),
    ...transactionRow("Payout transaction", destinationAsset, "swapEgress"),
    ...transactionRow("Refund transaction", sourceAsset, "refundEgress"),
    feeAsset === undefined
      ? {
        figure: "Commission",
        reported: "none",
        held: `${askedBpsOf(status)} bps asked for`,
        mark: marks.open,
      }
      : amountRow("Commission", feeAsset, reportedFee?.amount, heldFee?.amount),
    {
      figure: "Reported at",
      reported: <>{clock(entry.at, now)} UTC</>,
      held: isDisputed(facts.swap)
        ? <>unchanged since {clock(standing.changedAt, now)} UTC</>
        : standing.lookupFailures > 0
        ? (
          <>
            last response at {clock(standing.lookedUpAt, now)} UTC,{" "}
            {counted(standing.lookupFailures, "failed check")} since
          </>
        )
        : <>unchanged at {clock(standing.lookedUpAt, now)} UTC</>,
      mark: nothing,
    },
  ]
}

/** The upstream's latest response beside our record, figure by figure; nothing where the journal keeps no response. */
export const comparedSection = (facts: SwapFacts): Html => {
  const { contact: { name }, newest, swap } = facts
  const report = latestReport(newest, swap.record)
  if (report === undefined) return nothing
  return section({ title: `${name} compared with our record`, id: "compared", live: !isDisputed(swap) }, [
    table({
      caption: `Each figure in the latest response of ${name} and in our record`,
      columns: [
        ["Figure", ({ figure }) => figure, "a"],
        [name, ({ reported }) => reported, undefined, name],
        ["Our record", ({ held }) => held],
        ["Compared", ({ mark }) => mark, "number b"],
      ],
      // What neither has may still come, but not after the end.
      rows: rowsOf(facts, report).filter(({ mark }) => !isClosed(swap.record.status) || mark !== marks.open),
      empty: "",
    }),
  ])
}
