import { Effect, Option } from "effect"
import { JournalEntryId } from "#domain/swaps/Journal.ts"
import { SwapNotFound } from "#domain/swaps/SwapRecord.ts"
import { swapId } from "../../requests/pathNames.ts"
import { grouped } from "#domain/figures.ts"
import { providerTitle } from "#providers/Contacts.ts"
import { Journals } from "#application/swapping/Journals.ts"
import { pager } from "../../pages/links.tsx"
import { section, verbatim } from "../../pages/parts.tsx"
import { path, withQuery } from "../../pages/Url.ts"
import { page } from "../Page.ts"

/** The most characters of a response on a page, which keeps it small. */
const mostShown = 6_000

/** The whole response of a provider about a swap, in parts where it is long. */
export const journalEntryPage = page({
  path: "/dashboard/swaps/:id/journal/:entry",
  operator: Effect.fnUntraced(function* ({ param, query }) {
    const id = yield* swapId(param("id"))
    const entryId = Option.getOrUndefined(JournalEntryId.makeOption(Number(param("entry"))))
    if (entryId === undefined) return yield* new SwapNotFound()
    const { items: [entry] } = yield* (yield* Journals).pageOfAny(id, { offset: entryId, limit: 1 })
    if (entry?.id !== entryId || entry.note._tag === "Stall" || entry.note.body === undefined) {
      return yield* new SwapNotFound()
    }
    const { length, text } = entry.note.body
    const from = Math.max(0, Math.floor(Number(query("from") ?? "0")) || 0)
    const end = from + mostShown
    const here = path`/dashboard/swaps/${id}/journal/${entryId}`
    return {
      title: `Response of ${providerTitle(entry.platform)} about swap ${id}`,
      crumb: <a href={path`/dashboard/swaps/${id}`}>Swap {id}</a>,
      body: section({
        title: `Characters ${grouped(`${from + 1}`)}–${grouped(`${Math.min(end, text.length)}`)} of ${
          grouped(`${length}`)
        }`,
        id: "response",
      }, [
        verbatim(text.slice(from, end), "Response", mostShown),
        pager({
          first: from > 0 ? here : undefined,
          next: end < text.length ? withQuery(here, { from: end }) : undefined,
        }),
      ]),
    }
  }),
})
