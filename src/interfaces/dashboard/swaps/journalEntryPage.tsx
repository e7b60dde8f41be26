import { Effect, Option } from "effect"
import { JournalEntryId } from "#domain/swaps/Journal.ts"
import { SwapNotFound } from "#domain/swaps/SwapRecord.ts"
import { swapId } from "../../requests/pathNames.ts"
import { EpochMillis } from "#domain/Time.ts"
import { providerTitle } from "#providers/Registry.ts"
import { Journals } from "#application/swapping/Journals.ts"
import { button, copyableText, kv, section } from "../../pages/parts.tsx"
import { moment } from "../../pages/values.tsx"
import { path, withQuery } from "../../pages/jsx-runtime.ts"
import { indented } from "../../pages/visibleText.ts"
import { page } from "../Page.ts"
import { stateBadge } from "./describeSwap.tsx"
import { eventOf } from "./money.tsx"
import words from "../words.json" with { type: "json" }

/** A response of a provider about a swap, beside what the journal records of it. */
export const journalEntryPage = page({
  path: "/dashboard/swaps/:id/journal/:entry",
  operator: Effect.fnUntraced(function* ({ param }) {
    const id = yield* swapId(param("id"))
    const entryId = Option.getOrUndefined(JournalEntryId.makeOption(Number(param("entry"))))
    if (entryId === undefined) return yield* new SwapNotFound()
    const { items: [entry] } = yield* (yield* Journals).pageOfAny(id, { offset: entryId, limit: 1 })
    if (entry?.id !== entryId || entry.note._tag === "Stall" || entry.note.body === undefined) {
      return yield* new SwapNotFound()
    }
    const { at, note, platform } = entry
    const { body: { text }, status } = entry.note
    const times = [...text.matchAll(/"(\w{1,40})": ?(1\d{12})\b/g)]
    return {
      title: `${providerTitle(platform)}’s response`,
      crumb: <a href={path`/dashboard/swaps/${id}`}>Swap {id}</a>,
      line: (
        <>
          {note._tag === "Contradiction" ? "Result disputed" : words.moneyEvents[eventOf(note.kind, status)]}
          {" "}
          · {moment(at)} · state then: {stateBadge(status)}
        </>
      ),
      acts: button("Case file", withQuery(path`/dashboard/swaps/${id}`, { format: "json" })),
      body: section({ title: "Response body", id: "body" }, [
        copyableText(indented(text), "JSON"),
        <small>Indented here. The case file has the response as it came.</small>,
        kv(times.map(([, name = "", at]) => [name, moment(EpochMillis.make(Number(at)))])),
      ]),
    }
  }),
})
