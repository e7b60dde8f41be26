import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { SwapState } from "../domain/Swap.ts"
import { about } from "./about.ts"
import { Authorization, needsScope, ParameterFaults } from "./Authorization.ts"
import { CommissionBody, CommissionParameters } from "./Commission.ts"
import { HistoryLimit, Identifier, Platform } from "./Parameters.ts"
import { BadRequest, InternalServerError, ServiceUnavailable } from "./Problems.ts"
import { SwapRecordBody } from "./SwapRecord.ts"

const optional = Schema.optionalKey

/** Parameters of `/swaps`. */
export const HistoryParameters = Schema.Struct({
  offset: optional(
    Identifier("Swap id to start from, itself included; descending goes down from it, ascending up.", "100"),
  ),
  limit: optional(HistoryLimit),
  status: optional(
    Schema.Array(SwapState).annotate({
      description: "States to list; repeat the parameter for several. Only `completed` when absent.",
      examples: [["completed", "failed"]],
      message: `must be one of ${SwapState.literals.join(", ")}; repeat the parameter for several`,
    }),
  ),
  sort: optional(
    Schema.Literals(["ascending", "descending"]).annotate({
      description: "By id; descending when absent.",
      examples: ["descending"],
      message: "must be ascending or descending",
    }),
  ),
  platform: optional(Platform),
})

/** The list for a spreadsheet. */
const SwapsCsv = Schema.String.annotate({
  description: "With `Accept: text/csv`: a line with the names of the columns, then one line for each swap " +
    "(RFC 4180). The same filters, but without `limit` every swap that fits is listed. Amounts are in both " +
    "forms, times in ISO 8601; what was charged for the broker is in `commissionAsset`, `commissionAmount` " +
    "and `commissionAmountNative`. Text that a spreadsheet would run as a formula has an apostrophe " +
    "before it.",
}).pipe(HttpApiSchema.asText({ contentType: "text/csv" }))

const error = [BadRequest, InternalServerError, ServiceUnavailable] as const

/** The swaps of the account (decision 24). `Link: rel="next"` leads on when there is more. */
export class HistoryGroup extends HttpApiGroup.make("history").add(
  HttpApiEndpoint.get("swaps", "/swaps", {
    query: HistoryParameters,
    success: [Schema.Array(SwapRecordBody), SwapsCsv],
    error,
  }).annotateMerge(
    about(
      "listSwaps",
      "List swaps",
      'The account\'s swaps, by default the latest 50 that are completed. `Link: rel="next"` leads on when there is more. With `Accept: text/csv` they come as a table.',
    ),
  ),
  HttpApiEndpoint.get("commission", "/commission", {
    query: CommissionParameters,
    success: CommissionBody,
    error,
  }).annotateMerge(
    about(
      "getCommission",
      "Earned commission by asset and day",
      "Sums of the broker fees of the account's completed swaps that paid out, as the upstream reports them: " +
        "what was charged, with what affiliates and the provider get of it. A swap counts on the day (UTC) on " +
        "which its payment was seen on the destination chain. Refunded and failed swaps earn nothing; a swap " +
        "that was refunded in part counts with what was charged of the rest.",
    ),
  ),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope("history", { title: "History", description: "The account's swaps, and what they earned." }),
) {}
