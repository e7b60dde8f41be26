import { Option, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { SwapResult, SwapState } from "#domain/swaps/Swap.ts"
import { UtcDay } from "#domain/money/Commission.ts"
import { DayOrMoment } from "#domain/Period.ts"
import { Authorization, needsScope, RuleFaults } from "./Authorization.ts"
import { DestinationAsset, HistoryLimit, Identifier, Platform, SourceAsset } from "./Parameters.ts"
import { BadRequest, InternalServerError, ServiceUnavailable } from "./Problems.ts"
import { SwapRecordBody } from "./SwapRecord.ts"
import { sumFields } from "./commissionFigures.ts"
import { about } from "./endpoint.ts"
import { asset, parameter, text } from "./parameterKinds.ts"
import { member } from "./shape.ts"
import { optional } from "#domain/optional.ts"

export const day = (description: string, example: string) =>
  parameter(
    {
      description,
      example,
      jsonSchema: { type: "string", format: "date" },
      issue: "must be a day of the calendar, such as 2026-07-29",
    },
    UtcDay,
    (text) => Option.map(UtcDay.makeOption(text), String),
  )

export const mostDays = 366

/** Parameters of `/commission`. */
export const CommissionParameters = Schema.Struct({
  from: day("First day (UTC).", "2026-07-01"),
  to: day(`Last day (UTC), itself included; at most ${mostDays} days with the first one.`, "2026-07-31"),
  asset: Schema.optionalKey(asset("Only commission in this asset.", "usdc.eth")),
})

const CommissionDayBody = Schema.Struct({
  day: member.text("YYYY-MM-DD (UTC), on which the swaps paid out."),
  ...sumFields,
}).annotate({ identifier: "CommissionOfDay" })

export const CommissionTotalBody = Schema.Struct(sumFields).annotate({ identifier: "CommissionTotal" })

export const CommissionBody = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  totals: Schema.Array(CommissionTotalBody),
  days: Schema.Array(CommissionDayBody).annotate({
    description: "By day, then by asset; days without any are left out.",
  }),
}).annotate({ identifier: "Commission" })
export type CommissionBody = typeof CommissionBody.Type

/** A plus of an offset that is not escaped comes as a blank. */
const dayOrMoment = (description: string, example: string) =>
  parameter(
    {
      description,
      example,
      issue: "must be a day, such as 2026-07-29, or a moment with its offset, such as 2026-07-29T14:04:24Z",
    },
    DayOrMoment,
    (text) => Option.map(DayOrMoment.makeOption(text.replace(" ", "+")), String),
  )

/** Parameters of `/swaps`. */
export const HistoryParameters = Schema.Struct({
  offset: optional(
    Identifier("Swap id to start from, itself included; descending goes down from it, ascending up.", "100"),
  ),
  limit: optional(HistoryLimit),
  status: optional(
    Schema.Array(SwapState).annotate({
      description:
        "States to list; repeat the parameter for several. Only `completed` when this and `result` are absent.",
      examples: [["completed", "failed"]],
      message: `must be one of ${SwapState.literals.join(", ")}; repeat the parameter for several`,
    }),
  ),
  result: optional(
    Schema.Array(SwapResult).annotate({
      description:
        "Results to list, of swaps in every state unless `status` is given; repeat the parameter for several. " +
        "`refunded` has the refunds that `status=completed` has, too.",
      examples: [["refunded"]],
      message: `must be one of ${SwapResult.literals.join(", ")}; repeat the parameter for several`,
    }),
  ),
  sort: optional(
    Schema.Literals(["ascending", "descending"]).annotate({
      description: "By id; descending when absent.",
      examples: ["descending"],
      message: "must be ascending or descending",
    }),
  ),
  platform: optional(
    Platform.pipe(Schema.annotateEncoded({ description: "List the swaps of this provider alone." })),
  ),
  from: optional(dayOrMoment("First day (UTC) or moment (ISO 8601) of recording.", "2026-07-01")),
  to: optional(dayOrMoment("Last one, included.", "2026-07-31")),
  address: optional(text({
    description: "Recipient, refund or deposit address.",
    example: "0x2222222222222222222222222222222222222222",
    issue: "must be an address",
  })),
  sourceAsset: optional(SourceAsset),
  destinationAsset: optional(DestinationAsset),
})

const SwapsCsv = member.text(
  "With `Accept: text/csv`: a line with the names of the columns, then one line for each swap " +
    "(RFC 4180). The same filters, but without `limit` every swap that fits is listed. Amounts are in both " +
    "forms, times in ISO 8601; what the operator receives is in `commissionAsset`, `commissionAmount` and " +
    "`commissionAmountNative`, what the payer was charged, what the provider keeps of it and whether these are estimates in " +
    "`commissionCharged` to `commissionIsEstimate`, the swap compared with its quote in `outcomeQuoted` to `outcomeBps`, " +
    "how it ended in `result`. Text that " +
    "a spreadsheet would run as a formula has an apostrophe before it. New columns are added at the end.",
).pipe(HttpApiSchema.asText({ contentType: "text/csv" }))

const error = [BadRequest, InternalServerError, ServiceUnavailable] as const

/** The swaps of the account (decision 24). `Link: rel="next"` leads to the next page, if there is one. */
export class HistoryGroup extends HttpApiGroup.make("history").add(
  HttpApiEndpoint.get("swaps", "/swaps", {
    query: HistoryParameters,
    success: [Schema.Array(SwapRecordBody), SwapsCsv],
    error,
  }).annotateMerge(about(
    "listSwaps",
    "List swaps",
    'The account\'s swaps, by default the latest 50 that are completed. `Link: rel="next"` has the next page. With `Accept: text/csv` they come as a table.',
  )),
  HttpApiEndpoint.get("commission", "/commission", {
    query: CommissionParameters,
    success: CommissionBody,
    error,
  }).annotateMerge(about(
    "getCommission",
    "Get earned commission",
    "Sums of the commission of the account's completed swaps that paid out, as the providers report it: `amount` is what " +
      "was received, with what affiliates get of it, `charged` what the payers paid, and `kept` what the provider keeps " +
      "of that, also where no commission was asked for. A swap counts on the day (UTC) on " +
      "which its payment was seen on the destination chain, at the latest on that on which the service knew of it. Refunded and failed swaps earn nothing; a swap " +
      "that was refunded in part counts with what was charged of the rest.",
  )),
).middleware(RuleFaults).middleware(Authorization).annotateMerge(
  needsScope("history", { title: "History", description: "The account's swaps and earned commission." }),
) {}
