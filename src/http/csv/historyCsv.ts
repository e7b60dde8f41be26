import { Effect, Option, Stream } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { SwapRecordId } from "../../domain/SwapRecord.ts"
import { warnSparsely } from "../../platform/sparseLog.ts"
import type { HistoryPage } from "../../swapping/Swaps.ts"
import { swapLine, swapsHead } from "./swapColumns.ts"

/** Gives the part of a history that begins at an id. */
type PageFrom = (offset: SwapRecordId) => Effect.Effect<HistoryPage, StoreUnavailable>

const linesOf = ({ records }: HistoryPage): string => records.map(swapLine).join("")

const nextOf = ({ next }: HistoryPage): Option.Option<SwapRecordId> => Option.fromUndefinedOr(next)

/** What comes after the first page, page by page: each is asked for when the one before has been taken. */
const rest = (
  first: HistoryPage,
  pageFrom: PageFrom | undefined,
): Stream.Stream<string, StoreUnavailable> =>
  first.next === undefined || pageFrom === undefined ? Stream.empty : Stream.paginate(
    first.next,
    (offset) => Effect.map(pageFrom(offset), (page) => [[linesOf(page)], nextOf(page)] as const),
  )

/**
 * A history as CSV, which goes out while it is read: however long it is, one page is in memory. A caller that
 * goes away ends the reading. Where the database fails meanwhile the answer is broken off, so that nobody takes
 * a part for the whole. Without `pageFrom` it is the first page alone.
 */
export const historyCsv = (first: HistoryPage, pageFrom?: PageFrom): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(
    Stream.concat(Stream.succeed(swapsHead + linesOf(first)), rest(first, pageFrom)).pipe(
      Stream.tapError((error) => warnSparsely("list of swaps", 1, "A list of swaps was broken off", error)),
      Stream.encodeText,
    ),
    {
      contentType: "text/csv; charset=utf-8; header=present",
      headers: { "content-disposition": 'attachment; filename="swaps.csv"' },
    },
  )
