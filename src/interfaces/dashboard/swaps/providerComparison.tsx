import type { AssetId } from "#domain/chains/Asset.ts"
import { counted } from "#domain/figures.ts"
import { commissionsOf } from "#domain/money/Commission.ts"
import { hasFreshStatus } from "#domain/swaps/Guidance.ts"
import { amount, clock } from "../../pages/values.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { pill, section, table, untrusted, type Value } from "../../pages/parts.tsx"
import { upperFirst } from "../providers/providerParts.tsx"
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

const marksOf = (name: string): Readonly<Record<Match, Html>> => ({
  same: pill("Same", "good"),
  open: pill("Open", "wait"),
  stale: pill("Stale", "bad"),
  differs: pill("Differs", "bad"),
  extra: pill(`Only at ${name}`, "bad"),
  unknown: pill("Unknown state", "warn"),
})

interface Row {
  readonly figure: string
  readonly reported: Value
  readonly held: Value
  readonly mark?: Match
}

/** A figure of both. What one of them lacks is markup, as a card leaves out a plain "none". */
const row = <F extends bigint | string>(
  figure: string,
  reported: F | undefined,
  held: F | undefined,
  show: (value: F) => Html,
): Row => {
  const [theirs, ours] = [reported, held].map((value) => value === undefined ? <>none</> : show(value))
  return { figure, reported: theirs, held: ours, mark: figureMatch(reported, held) }
}

const rowsOf = (facts: SwapFacts, report: UpstreamReport): ReadonlyArray<Row> => {
  const { now, swap: { record: { standing, status } } } = facts
  const { entry, status: reported } = report
  const { destinationAsset, sourceAsset } = status
  const [reportedFee, heldFee] = [commissionsOf(reported)[0], commissionsOf(status)[0]]
  const feeAsset = heldFee?.asset ?? reportedFee?.asset
  const word = stateWordIn(report.body)
  const isStale = !hasFreshStatus(facts.guidance.phase) && !isDisputed(facts.swap)
  const isExpired = reported.state === "waiting" && isClosed(reported)
  const amountRow = (figure: string, asset: AssetId, theirs: bigint | undefined, ours: bigint | undefined) =>
    row(figure, theirs, ours, (native) => amount(asset, native))
  const paymentRows = (name: "payout" | "refund", asset: AssetId): ReadonlyArray<Row> => {
    const [theirs, ours] = [reported, status].map((of) => name === "payout" ? of.swapEgress : of.refundEgress)
    const [hash, ourHash] = [theirs?.transactionReference, ours?.transactionReference]
    const figure =
      status.state === "sending" && hash === undefined && ours !== undefined && ourHash === undefined
        ? `Scheduled ${name}`
        : upperFirst(name)
    return [
      amountRow(figure, asset, theirs?.amount, ours?.amount),
      ...(hash === ourHash
        ? []
        : [row(`${figure} transaction`, hash, ourHash, (text) => transaction(facts, asset, text, name))]),
    ]
  }
  return [
    {
      figure: "State",
      reported: word === undefined
        ? stateBadge(reported)
        : <>{untrusted(word, 40)}{isExpired && ", channel expired"}</>,
      held: stateBadge(status),
      mark: stateMatch(report, status, isStale),
    },
    amountRow("Deposit", sourceAsset, reported.deposit?.amount, status.deposit?.amount),
    ...paymentRows("payout", destinationAsset),
    ...paymentRows("refund", sourceAsset),
    ...(feeAsset === undefined
      ? []
      : [amountRow("Commission", feeAsset, reportedFee?.amount, heldFee?.amount)]),
    {
      figure: "Last change",
      reported: <>{clock(entry.at, now)} UTC</>,
      held: <>{clock(standing.changedAt, now)} UTC</>,
    },
    // The callout about a dispute has the checks.
    ...(isDisputed(facts.swap) ? [] : [{
      figure: "Last checked",
      reported: <>{clock(standing.lookedUpAt, now)} UTC</>,
      held: standing.lookupFailures > 0
        ? `${counted(standing.lookupFailures, "failed check")} since`
        : undefined,
    }]),
  ]
}

/** The upstream's latest response beside our record, figure by figure; nothing where the journal keeps no response. */
export const comparedSection = (facts: SwapFacts): Html => {
  const { contact: { name }, newest, swap } = facts
  const report = latestReport(newest, swap.record)
  if (report === undefined) return nothing
  const marks = marksOf(name)
  return section({ title: `${name} compared with our record`, id: "compared", live: !isDisputed(swap) }, [
    table({
      caption: `Each figure in the latest response of ${name} and in our record`,
      columns: [
        ["Figure", ({ figure }) => figure, "a"],
        [name, ({ reported }) => reported, undefined, name],
        ["Our record", ({ held }) => held],
        ["Compared", ({ mark }) => mark === undefined ? "" : marks[mark], "number b"],
      ],
      // What neither has is nothing to compare.
      rows: rowsOf(facts, report).filter(({ mark }) => mark !== "open"),
      empty: "",
    }),
  ])
}
