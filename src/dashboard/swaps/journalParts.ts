import type { ChangeKind, JournalEntry, KeptBody } from "../../domain/Journal.ts"
import { JournalNote } from "../../domain/Journal.ts"
import type { SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { type Html, html } from "../../pages/html.ts"
import { folded, foreign, time, type Tone, verbatim } from "../../pages/parts.ts"
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

interface Line {
  readonly tone: Tone
  readonly said: Html
  readonly body?: KeptBody
}

const lineOf = JournalNote.$match({
  Change: ({ body, detail, kind, status }): Line => ({
    tone: status.state === "failed" ? "bad" : status.state === "completed" ? "good" : "info",
    said: html`<h3>${detail ?? words[kind]} ${stateBadge(status)}</h3>${
      failuresOf(status).map(([of, failure]) => html`<p>${of} failed. ${failureText(failure)}.</p>`)
    }`,
    ...(body === undefined ? {} : { body }),
  }),
  Contradiction: ({ detail, status, body }): Line => ({
    tone: "bad",
    said: html`
      <h3>A contradiction, which was not taken over</h3>
      <p>${foreign(detail)}. It said ${stateBadge(status)}</p>
    `,
    body,
  }),
  Stall: ({ detail }): Line => ({
    tone: "warn",
    said: html`
      <h3>The swap stalls</h3>
      <p>${foreign(detail)}.</p>
    `,
  }),
})

/** The entries of a journal as a timeline. Integrators are told what happened, and not what an upstream said of it. */
export const timeline = (
  { swap, entries, now, hasAnswers }: {
    readonly swap: SwapRecordId
    readonly entries: ReadonlyArray<JournalEntry>
    readonly now: EpochMillis
    readonly hasAnswers: boolean
  },
): Html =>
  html`<ol class="timeline">${
    entries.map((entry) => {
      const { tone, said, body } = lineOf(entry.note)
      return html`<li class="${tone}">${said}<div class="at">${time(entry.at, now)}</div>${
        hasAnswers && body !== undefined && answerOf(swap, entry, body)
      }</li>`
    })
  }</ol>`
