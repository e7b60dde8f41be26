import type { AssetId } from "#domain/chains/Asset.ts"
import { commissionsOf } from "#domain/money/Commission.ts"
import { hasFreshStatus } from "#domain/swaps/Guidance.ts"
import { amount, clock } from "../../pages/values.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { pill, section, table, untrusted, type Value } from "../../pages/parts.tsx"
import { upperFirst } from "../providers/providerParts.tsx"
import { isClosed, isDisputed, stateBadge } from "./describeSwap.tsx"
import type { SwapFacts } from "./loadSwap.ts"
import { transaction } from "./money.tsx"
import type { JournalEntry, KeptBody } from "#domain/swaps/Journal.ts"
import { hasRefunded, resultOf, SwapState, type SwapStatus } from "#domain/swaps/Swap.ts"
import type { StandingSwap } from "#domain/swaps/SwapRecord.ts"
import { tellTheSame } from "#application/swapping/following/Progress.ts"
import words from "../words.json" with { type: "json" }

/** A response of the upstream. The journal keeps one only where it brought something new, or was refused. */
interface UpstreamReport {
  readonly entry: JournalEntry
  readonly status: SwapStatus
  readonly body: KeptBody
}

/** The responses that the journal keeps, newest first as its entries are. */
const reportsIn = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<UpstreamReport> =>
  entries.flatMap((entry) =>
    entry.note._tag === "Stall" || entry.note.body === undefined
      ? []
      : [{ entry, status: entry.note.status, body: entry.note.body }]
  )

/**
 * The upstream's latest word. A refused one that no longer stands was followed by responses that agree with our record
 * and are not kept, unless the operator has accepted it: then it is our record.
 */
export const latestReport = (
  entries: ReadonlyArray<JournalEntry>,
  { standing, status }: Pick<StandingSwap, "standing" | "status">,
): UpstreamReport | undefined =>
  reportsIn(entries).find(({ entry: { note }, status: reported }) =>
    note._tag !== "Contradiction" || standing.contradictedAt !== undefined || tellTheSame(reported, status)
  )

/** The upstream's own word of the state, where its response has one at its top. */
export const stateWordIn = ({ text }: KeptBody): string | undefined => {
  try {
    const response: unknown = JSON.parse(text)
    if (typeof response !== "object" || response === null) return undefined
    const word = Object.entries(response).find(([name]) => name === "state" || name === "status")?.[1]
    return typeof word === "string" ? word : undefined
  } catch {
    return undefined
  }
}

/** Every word of a state that an adapter reads, besides ours (near-intents/wire.md 1, relay/wire.md 1). */
const knownWords: ReadonlySet<string> = new Set([...SwapState.literals, ...words.upstreamStates])

/** How a figure of the upstream compares with that of our record. `open`: neither has it yet; `extra`: our record has none. */
type Match = "same" | "open" | "stale" | "extra" | "differs" | "unknown"

/** Compares amounts, or transactions. */
export const figureMatch = <F extends bigint | string>(reported: F | undefined, held: F | undefined): Match =>
  reported !== held ? (held === undefined ? "extra" : "differs") : held === undefined ? "open" : "same"

/** Compares states. An adapter keeps our state where it does not know the upstream's, so that equality says nothing. */
export const stateMatch = (
  { body, status: reported }: Pick<UpstreamReport, "body" | "status">,
  held: SwapStatus,
  isStale: boolean,
): Match => {
  const word = stateWordIn(body)
  if (word !== undefined && !knownWords.has(word.toLowerCase())) return "unknown"
  if (reported.state !== held.state || resultOf(reported) !== resultOf(held)) return "differs"
  return isStale ? "stale" : "same"
}

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
  readonly mark: Match
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
  const { status } = facts.swap.record
  const { status: reported } = report
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
        : <>{untrusted(word, 40)}{isExpired && ", channel expired"}{hasRefunded(reported) && ", refunded"}</>,
      held: stateBadge(status),
      mark: stateMatch(report, status, isStale),
    },
    amountRow("Deposit", sourceAsset, reported.deposit?.amount, status.deposit?.amount),
    ...paymentRows("payout", destinationAsset),
    ...paymentRows("refund", sourceAsset),
    ...(feeAsset === undefined
      ? []
      : [amountRow("Commission", feeAsset, reportedFee?.amount, heldFee?.amount)]),
  ]
}

/** The upstream's latest response beside our record, figure by figure; nothing where the journal keeps no response. */
export const comparedSection = (facts: SwapFacts): Html => {
  const { contact: { name }, newest, now, swap } = facts
  const { changedAt, lookedUpAt } = swap.record.standing
  const report = latestReport(newest, swap.record)
  if (report === undefined) return nothing
  const marks = marksOf(name)
  return section({
    title: `${name} compared with our record`,
    id: "compared",
    live: !isDisputed(swap),
    aside: <>last changed {clock(changedAt, now)}, last checked {clock(lookedUpAt, now)} UTC</>,
  }, [
    table({
      caption: `Each figure in the latest response of ${name} and in our record`,
      columns: [
        ["Figure", ({ figure }) => figure, "a"],
        [name, ({ reported }) => reported, undefined, name],
        ["Our record", ({ held }) => held],
        ["Compared", ({ mark }) => marks[mark], "number b"],
      ],
      // What neither has is nothing to compare.
      rows: rowsOf(facts, report).filter(({ mark }) => mark !== "open"),
      empty: "",
    }),
  ])
}
