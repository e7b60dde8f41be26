import type { AssetId } from "#domain/chains/Asset.ts"
import { askedBpsOf, commissionsOf } from "#domain/money/Commission.ts"
import { hasFreshStatus } from "#domain/swaps/Guidance.ts"
import { type JournalEntry, JournalNote, type KeptBody } from "#domain/swaps/Journal.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { amount } from "../../pages/amounts.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { code, pill, section, untrusted } from "../../pages/parts.tsx"
import { table, type Value } from "../../pages/table.tsx"
import { age, clock } from "../../pages/times.tsx"
import { path, type Url } from "../../pages/Url.ts"
import { isDisputed, stateBadge } from "./describeSwap.tsx"
import type { SwapFacts } from "./SwapFacts.ts"

/** An answer of the upstream that the journal keeps. */
interface Answer {
  readonly entry: JournalEntry
  readonly status: SwapStatus
  readonly body: KeptBody
}

const answersOf = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<Answer> =>
  entries.flatMap((entry) =>
    entry.note._tag === "Stall" || entry.note.body === undefined
      ? []
      : [{ entry, status: entry.note.status, body: entry.note.body }]
  )

/** The upstream's own word of a state, where its answer has one at its top. */
const wordIn = (body: KeptBody): string | undefined => {
  try {
    const told: unknown = JSON.parse(body.text)
    if (typeof told !== "object" || told === null) return undefined
    const word = Object.entries(told).find(([name]) => name === "state" || name === "status")?.[1]
    return typeof word === "string" ? word : undefined
  } catch {
    return undefined
  }
}

const marks = {
  same: pill("Same", "good"),
  open: pill("Open", "wait"),
  stale: pill("Stale", "bad"),
  differs: pill("Differs", "bad"),
} as const

interface Row {
  readonly figure: string
  readonly said: Value
  readonly held: Value
  readonly mark: Html
}

const sumRow = (
  figure: string,
  asset: AssetId,
  said: bigint | undefined,
  held: bigint | undefined,
): Row => {
  // Where both are the same the digits stand elsewhere; where they differ each counts.
  const form = said === held ? "list" as const : "full" as const
  const shown = (native: bigint | undefined) =>
    native === undefined ? "none told" : amount(asset, native, form)
  return {
    figure,
    said: shown(said),
    held: held === undefined ? "none" : amount(asset, held, form),
    mark: said !== held ? marks.differs : held === undefined ? marks.open : marks.same,
  }
}

/** What is believed of the upstream's word, and what is not. */
const rowsOf = (facts: SwapFacts, said: SwapStatus, latest: Answer | undefined): ReadonlyArray<Row> => {
  const { now, swap: { record: { standing, status } } } = facts
  const { destinationAsset, sourceAsset } = status
  const [saidFee, heldFee] = [commissionsOf(said)[0], commissionsOf(status)[0]]
  const feeAsset = heldFee?.asset ?? saidFee?.asset
  const word = latest === undefined ? undefined : wordIn(latest.body)
  const isStale = !hasFreshStatus(facts.guidance.phase) && !isDisputed(facts.swap)
  return [
    sumRow("Deposit", sourceAsset, said.deposit?.amount, status.deposit?.amount),
    sumRow("Payment", destinationAsset, said.swapEgress?.amount, status.swapEgress?.amount),
    ...(said.refundEgress === undefined && status.refundEgress === undefined
      ? []
      : [sumRow("Refund", sourceAsset, said.refundEgress?.amount, status.refundEgress?.amount)]),
    feeAsset === undefined
      ? {
        figure: "Commission",
        said: "not told",
        held: `${askedBpsOf(status)} bps asked for`,
        mark: marks.open,
      }
      : sumRow("Commission", feeAsset, saidFee?.amount, heldFee?.amount),
    {
      figure: "State",
      said: word === undefined ? stateBadge(said) : untrusted(word, 40),
      held: stateBadge(status),
      mark: said.state !== status.state ? marks.differs : isStale ? marks.stale : marks.same,
    },
    {
      figure: "Last answer",
      said: <>{clock(standing.lookedUpAt, now)} UTC</>,
      held: isStale && standing.lookupFailures > 0
        ? `${standing.lookupFailures} questions since then without a usable one`
        : "taken up",
      mark: nothing,
    },
  ]
}

/** What the upstream says beside what is held here, figure by figure. */
export const comparedSection = (facts: SwapFacts): Html => {
  const { contact: { name }, entries, now, swap } = facts
  const { standing, status } = swap.record
  const [latest] = answersOf(entries)
  const refused = isDisputed(swap)
    ? entries.map(({ note }) => note).find(JournalNote.$is("Contradiction"))
    : undefined
  const rows = rowsOf(facts, refused?.status ?? status, latest)
  return section({ title: `What ${name} says, and what we hold`, id: "compared", live: true }, [
    table({
      caption: "Each figure as the upstream tells it and as this service holds it",
      columns: [
        ["Figure", ({ figure }) => figure, "a"],
        [name, ({ said }) => said, "number"],
        ["We hold", ({ held }) => held, "number", "we"],
        ["Compared", ({ mark }) => mark, "number b"],
      ],
      rows,
      empty: "",
    }),
    refused === undefined ? nothing : (
      <p class="soft">
        What {name} said at {clock(standing.contradictedAt ?? now, now)} UTC is not believed:{" "}
        {untrusted(refused.detail)}.
      </p>
    ),
  ])
}

/** The most answers that stand on the page. */
const mostAnswers = 3

const entryPath = ({ swap: { record } }: SwapFacts, { id }: JournalEntry): Url =>
  path`/dashboard/swaps/${record.id}/journal/${id}`

/** The last answers that brought something new, with their beginnings. */
export const answersSection = (facts: SwapFacts): Html => {
  const answers = answersOf(facts.entries).slice(0, mostAnswers)
  const { contact, now } = facts
  return answers.length === 0 ? nothing : section(
    { title: `The last answers of ${contact.name}`, id: "answers", aside: "that brought something new" },
    table({
      caption: "Answers of the upstream about this swap, the latest first",
      columns: [
        ["Answered", ({ entry }) => age(entry.at, now), "a"],
        [
          "Means",
          ({ entry, status }) =>
            entry.note._tag === "Contradiction" ? pill("Not believed", "bad") : stateBadge(status),
          "b",
        ],
        ["Said", ({ body }) => code(body.text, 120), "all", ""],
        [
          "Whole",
          ({ body, entry }) => (
            <a href={entryPath(facts, entry)}>
              All {body
                .length} characters<span class="un">{" of the answer in entry "}{entry.id}</span>
            </a>
          ),
          "number all",
          "",
        ],
      ],
      rows: answers,
      empty: "",
    }),
  )
}
