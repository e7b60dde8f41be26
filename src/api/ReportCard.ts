import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AssetId } from "#domain/chains/Asset.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { mostCardDays } from "#domain/operations/ReportCard.ts"
import { ParameterFaults, ReportCardAuthorization } from "./Authorization.ts"
import { about } from "./endpoint.ts"
import { day } from "./History.ts"
import { BadRequest, InternalServerError, NotFound, ServiceUnavailable } from "./Problems.ts"
import { maybe, member } from "./shape.ts"
import { optional } from "#domain/optional.ts"

export const ReportCardParameters = Schema.Struct({
  from: optional(day("First day (UTC); 29 days before the last one when absent.", "2026-07-01")),
  to: optional(day(
    `Last day (UTC), itself included; today when absent. The first may lie ${
      mostCardDays - 1
    } days before today.`,
    "2026-07-30",
  )),
})
export type ReportCardParameters = typeof ReportCardParameters.Type

const report = {
  calls: member.count(
    "Calls that swaps need: for quotes, openings and statuses. With those that were not made, as the " +
      "provider was known to be down.",
  ),
  uptimePercent: maybe.decimal(
    "Of these calls, those with a response; a refusal is a response. Absent without calls.",
  ),
  p50Millis: maybe.count(
    "Half of its quotes took at most about this long; 30000 stands for everything longer, too.",
  ),
  p90Millis: maybe.count("Nine in ten of its quotes took this long at most."),
  offered: member.count(
    "Lists of quotes with a quote of this provider, where several were asked. Of a stream the " +
      "last list of each round counts.",
  ),
  bestPercent: maybe.decimal("Of these lists, those in which its quote paid the most. Absent without any."),
  swaps: Schema.Struct({
    completed: member.count("Swaps whose output was paid, though perhaps not all of it."),
    refunded: member.count("Swaps whose whole deposit was refunded."),
    failed: member.count("Swaps that ended otherwise."),
  }).annotate({ description: "Its swaps that ended, by how they did." }),
  stalls: member.count("How often one of its swaps stalled."),
  kept: Schema.Array(
    Schema.Struct({
      asset: AssetId,
      percent: member.decimal("Of what payers were charged with commission, what the provider kept."),
      isEstimate: member.yesOrNo(
        "Whether the figure is calculated, because the provider does not report it.",
      ),
    }).annotate({ identifier: "KeptShare" }),
  ).annotate({ description: "Of its swaps that paid out, by the asset that commission was taken in." }),
}

export const ReportCardBody = Schema.Struct({
  provider: ProviderName.annotate({ description: "Whose card it is." }),
  from: member.text("First day (UTC)."),
  to: member.text("Last day (UTC), itself included."),
  total: Schema.Struct(report).annotate({
    identifier: "ReportCardTotal",
    description: "Over all these days together.",
  }),
  days: Schema.Array(
    Schema.Struct({ day: member.text("YYYY-MM-DD (UTC)."), ...report }).annotate({
      identifier: "ReportCardDay",
    }),
  ).annotate({ description: "Every day, the first one first." }),
}).annotate({ identifier: "ReportCard" })
export type ReportCardBody = typeof ReportCardBody.Type

export class ReportCardGroup extends HttpApiGroup.make("reportCards").add(
  HttpApiEndpoint.get("reportCard", "/providers/:name/history", {
    params: { name: Schema.String.annotate({ description: "Name of a provider.", examples: ["chainflip"] }) },
    query: ReportCardParameters,
    success: ReportCardBody,
    error: [BadRequest, NotFound, InternalServerError, ServiceUnavailable],
  }).annotateMerge(about(
    "getReportCard",
    "Get a report card of a provider",
    "Uptime, times of quotes, how often its quote was the best, and how its swaps ended, from what this installation " +
      "recorded over all accounts. A minute old at most. Needs any key, or none where the operator says so " +
      "(`PROVIDER_HISTORY_PUBLIC`).",
  )),
).middleware(ParameterFaults).middleware(ReportCardAuthorization).annotateMerge(OpenApi.annotations({
  title: "Report cards",
  description: "How each provider did. Needs any key, unless `PROVIDER_HISTORY_PUBLIC` is on.",
})) {}
