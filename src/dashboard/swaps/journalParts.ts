import type { ChangeKind, JournalEntry, KeptBody } from "../../domain/Journal.ts"
import { JournalNote } from "../../domain/Journal.ts"
import type { SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { type Html, html } from "../../pages/html.ts"
import { folded, foreign, type Step, type StepState, timeline, verbatim } from "../../pages/parts.ts"
import { time } from "../../pages/times.ts"
import { path } from "../../pages/Url.ts"
import { failuresOf, failureText, stateBadge } from "./describeSwap.ts"

const words: Readonly<Record<ChangeKind, string>> = {
  opened: "The channel was opened",
  found: "The swap was found by its transaction",
  imported: "The swap was known when its journal began",
  changed: "The upstream reports a change",
  expired: "The channel takes no more deposits",
}

/** The most characters of an upstream's answer that stand in a timeline; the rest is on a page of its own. */
const mostInTimeline = 1_000

const answerOf = (swap: SwapRecordId, { id }: JournalEntry, body: KeptBody): Html =>
  folded(
    "What the upstream said",
    html`${verbatim(body.text, `What the upstream said in entry ${id}`, mostInTimeline)}${
      body.text.length > mostInTimeline &&
      html`<p><a href="${path`/dashboard/swaps/${swap}/journal/${id}`}">All ${body.length} characters of it</a></p>`
    }`,
    `entry-${id}`,
  )

interface Line extends Pick<Step, "title" | "texts"> {
  readonly state?: StepState
  readonly body?: KeptBody
}

const lineOf = JournalNote.$match({
  Change: ({ body, detail, kind, status }): Line => ({
    ...(status.state === "failed" ? { state: "no" } : status.state === "completed" ? { state: "ok" } : {}),
    title: html`${detail ?? words[kind]} ${stateBadge(status)}`,
    texts: failuresOf(status).map(([of, failure]) => html`${of} failed. ${failureText(failure)}.`),
    ...(body === undefined ? {} : { body }),
  }),
  Contradiction: ({ detail, status, body }): Line => ({
    state: "no",
    title: "A contradiction, which was not taken over",
    texts: [html`${foreign(detail)}. It said ${stateBadge(status)}`],
    body,
  }),
  Stall: ({ detail }): Line => ({
    state: "no",
    title: "The swap stalls",
    texts: [html`${foreign(detail)}.`],
  }),
})

/** The entries of a journal as a timeline. Integrators are told what happened, and not what an upstream said of it. */
export const journalTimeline = (
  { swap, entries, now, hasAnswers }: {
    readonly swap: SwapRecordId
    readonly entries: ReadonlyArray<JournalEntry>
    readonly now: EpochMillis
    readonly hasAnswers: boolean
  },
): Html =>
  timeline(entries.map((entry) => {
    const { body, state, texts = [], title } = lineOf(entry.note)
    const answer = hasAnswers && body !== undefined ? [answerOf(swap, entry, body)] : []
    return { state, title, at: time(entry.at, now), texts: [...texts, ...answer] }
  }))
