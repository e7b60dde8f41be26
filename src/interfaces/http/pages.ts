import { Effect } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { JournalEntryId } from "#domain/swaps/Journal.ts"
import type { Page, PageQuery } from "#domain/Page.ts"

/** Adds a `Link` to the rest of a list: the same request from the next id on. The URL holds no API key. */
export const linkToNext = Effect.fnUntraced(function* (next: number | string) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const url = new URL(request.url, "http://localhost")
  url.searchParams.set("offset", `${next}`)
  yield* HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(
      HttpServerResponse.setHeader(response, "link", `<${url.pathname}${url.search}>; rel="next"`),
    )
  )
})

/** The parameters of a query that ask for a part of a list. */
interface PageParameters<Id> {
  readonly offset?: Id | undefined
  readonly limit?: number | undefined
}

/** The part of a list that a query asks for; without a limit it has at most `most` items. */
export const pageQuery = <Id>({ offset, limit }: PageParameters<Id>, most: number): PageQuery<Id> => ({
  limit: limit ?? most,
  ...(offset === undefined ? {} : { offset }),
})

/** The part of a journal that a query asks for. An offset of 0 means the beginning, as no entry has an id below 1. */
export const journalQuery = ({ offset, limit }: PageParameters<number>): PageQuery<JournalEntryId> =>
  pageQuery(
    { limit, offset: offset === undefined || offset === 0 ? undefined : JournalEntryId.make(offset) },
    100,
  )

/** The items of a page. Adds a `Link` to the rest of the list, if there is more. */
export const listed = Effect.fnUntraced(
  function* <Item, Id extends number | string>({ items, next }: Page<Item, Id>) {
    if (next !== undefined) yield* linkToNext(next)
    return items
  },
)

/** A response with JSON that was written before. */
export const jsonResponse = (text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { contentType: "application/json" })
