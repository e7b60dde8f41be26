import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AccountName } from "#domain/accounts/Account.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { CommissionKey } from "#domain/operations/Business.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { Guidance } from "#domain/swaps/Guidance.ts"
import { SwapResult, SwapState } from "#domain/swaps/Swap.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import {
  needsScope,
  OperatorAuthorization,
  ParameterFaults,
  ReportCardAuthorization,
} from "./Authorization.ts"
import { CommissionParameters, CommissionTotalBody, day, HistoryParameters, mostDays } from "./History.ts"
import { sumFields } from "./commissionFigures.ts"
import { HistoryLimit } from "./Parameters.ts"
import { BadRequest, InternalServerError, NotFound, ServiceUnavailable } from "./Problems.ts"
import { SwapRecordBody } from "./SwapRecord.ts"
import { about, reading } from "./endpoint.ts"
import * as kinds from "./parameterKinds.ts"
import { maybe, member } from "./shape.ts"
import { optional } from "#domain/optional.ts"
import { mostCardDays } from "#domain/operations/ReportCard.ts"

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

const time = (description: string) => kinds.time(description, "1785283200000")

const whose = {
  account: optional(AccountName.annotate({
    description: "Only this account; a 404 where there is none of the name.",
    examples: [AccountName.make("wallet-one")],
    message: "must be the name of an account",
  })),
  platform: optional(ProviderName.annotate({
    description: "Only this provider, also one that is no longer enabled.",
    examples: [ProviderName.make("chainflip")],
    message: "must be the name of a provider",
  })),
}

/** Parameters of `/operator/swaps`. */
export const AccountSwapsParameters = Schema.Struct({
  offset: HistoryParameters.fields.offset,
  limit: HistoryParameters.fields.limit,
  sort: HistoryParameters.fields.sort,
  ...whose,
  status: optional(
    Schema.Array(SwapState).annotate({
      description: "States to list; repeat the parameter for several. Every state when absent.",
      examples: [["failed"]],
      message: `must be one of ${SwapState.literals.join(", ")}; repeat the parameter for several`,
    }),
  ),
  result: optional(
    Schema.Array(SwapResult).annotate({
      description:
        "Results to list; repeat the parameter for several. With any result, or none, when absent.",
      examples: [["refunded"]],
      message: `must be one of ${SwapResult.literals.join(", ")}; repeat the parameter for several`,
    }),
  ),
  asset: optional(kinds.asset("Only swaps from or to this asset.", "btc.btc")),
  sourceAsset: optional(kinds.asset("Only swaps from this asset.", "btc.btc")),
  destinationAsset: optional(kinds.asset("Only swaps to this asset.", "eth.eth")),
  createdFrom: optional(time("Only swaps that were recorded at this time or later, in epoch milliseconds.")),
  createdBefore: optional(time("Only swaps that were recorded before this time, in epoch milliseconds.")),
  stalled: optional(
    Schema.Literals(["true", "false"]).annotate({
      description: "Only swaps that stay in their state for longer than it may last, or only others.",
      examples: ["true"],
      message: "must be true or false",
    }),
  ),
  disputed: optional(
    Schema.Literals(["true"]).annotate({
      description: "`true`: only swaps whose provider's latest word contradicts the record.",
      examples: ["true"],
      message: "must be true",
    }),
  ),
  expired: optional(
    Schema.Literals(["true", "false"]).annotate({
      description: "Only swaps that wait on a channel that has expired, or only others.",
      examples: ["true"],
      message: "must be true or false",
    }),
  ),
  opening: optional(
    Schema.Literals(["unknown"]).annotate({
      description:
        "`unknown`: instead of swaps, the openings whose outcome is unknown. Not with `status`, `result`, " +
        "`stalled`, `disputed`, `expired` or `find`.",
      examples: ["unknown"],
      message: "must be unknown",
    }),
  ),
  find: optional(kinds.text({
    description:
      "What names the swap: our `id` or the upstream's, the deposit, destination or refund address, the hash " +
      "of a deposit or a payment, or the channel as `<issued block>-<network>-<id>`; in any spelling.",
    example: "0x2222222222222222222222222222222222222222",
    issue: "must be text of 1 to 256 characters, without control characters",
  })),
})

export const AccountSwapBody = Schema.Struct({
  account: AccountName.annotate({ description: "Name of the account that the swap belongs to." }),
  ...SwapRecordBody.fields,
  createdAt: member.time(
    "When the service recorded the swap: before its channel was asked for, or when a swap without one was found.",
  ),
  stalledSince: maybe.time(
    "Since when the swap has been stalled, which is in its state for longer than expected; absent if it is not.",
  ),
  valueUsd: maybe.decimal(
    "What the deposit was worth in US dollars when the swap ended, by a price of that hour, which does not change later; " +
      "before that, what the deposit, or the expected one, is worth now. An estimate; absent where no price is known.",
  ),
  guidance: optional(
    Guidance.annotate({ description: "Where the swap stands, in words; only in a list of one swap." }),
  ),
}).annotate({ identifier: "AccountSwap" })
export type AccountSwapBody = typeof AccountSwapBody.Type

export const UnknownOpeningBody = Schema.Struct({
  id: SwapRecordId.annotate({ description: "The `id` of the swap, as its account received it." }),
  account: AccountName,
  platform: ProviderName,
  opening: Schema.Literal("unknown").annotate({
    description: "The outcome: a channel may or may not have been opened.",
  }),
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  destinationAddress: Schema.String,
  reason: member.text("Why the outcome is unknown."),
  createdAt: member.time("When the service recorded it, before it asked the provider."),
}).annotate({ identifier: "UnknownOpening" })
export type UnknownOpeningBody = typeof UnknownOpeningBody.Type

const csv = (description: string) =>
  Schema.String.annotate({ description }).pipe(HttpApiSchema.asText({ contentType: "text/csv" }))

/** Parameters of `/operator/commission`. */
export const CommissionSumsParameters = Schema.Struct({
  ...CommissionParameters.fields,
  ...whose,
  by: optional(
    Schema.Array(CommissionKey).annotate({
      description:
        "What the sums are grouped by; repeat the parameter for several. By account when absent. They are " +
        "always by asset, too, as amounts of two assets do not add up.",
      examples: [["account", "day"]],
      message: `must be one of ${CommissionKey.literals.join(", ")}; repeat the parameter for several`,
    }),
  ),
})

export const CommissionSumBody = Schema.Struct({
  day: maybe.text("YYYY-MM-DD (UTC), on which the swaps paid out."),
  account: optional(AccountName),
  platform: optional(ProviderName),
  ...sumFields,
}).annotate({ identifier: "CommissionSum" })

export const CommissionSumsBody = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  totals: Schema.Array(CommissionTotalBody),
  sums: Schema.Array(CommissionSumBody).annotate({
    description:
      "By day, account, provider and asset, as far as these are asked for; sums without a swap are left out.",
  }),
}).annotate({ identifier: "CommissionSums" })
export type CommissionSumsBody = typeof CommissionSumsBody.Type

/** Parameters of `/operator/channels`. */
export const OpenChannelsParameters = Schema.Struct({
  offset: optional(kinds.firstRow("swap", { example: "1", goes: "up" })),
  limit: optional(HistoryLimit),
  ...whose,
})

export const OpenChannelBody = Schema.Struct({
  id: SwapRecordId.annotate({ description: "The `id` of the swap." }),
  account: AccountName,
  platform: ProviderName,
  channel: member.text("<issued_block>-<network>-<channel_id>"),
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  depositAddress: Schema.String,
  state: SwapState,
  createdAt: member.time("When the upstream opened it."),
  expiresAt: member.time("When it expires, as the upstream estimates."),
}).annotate({ identifier: "OpenChannel" })
export type OpenChannelBody = typeof OpenChannelBody.Type

/** How many channels an account has open at a provider. */
export const ChannelCountBody = Schema.Struct({
  account: AccountName,
  platform: ProviderName,
  channels: member.count("Number of open channels."),
  unknown: member.count(
    "Openings whose outcome is unknown: each may have opened a channel that no record has.",
  ),
}).annotate({ identifier: "ChannelCount" })

const filtered = [BadRequest, NotFound, ...reading] as const

/** What was swapped and earned over all accounts. */
export class BusinessGroup extends HttpApiGroup.make("business").add(
  HttpApiEndpoint.get("accountSwaps", "/operator/swaps", {
    query: AccountSwapsParameters,
    success: [
      Schema.Array(Schema.Union([AccountSwapBody, UnknownOpeningBody])),
      csv(
        "With `Accept: text/csv`: as `GET /swaps`, with the account first, and when the service recorded the swap, since " +
          "when it is stalled, and its value last.",
      ),
    ],
    error: filtered,
  }).annotateMerge(about(
    "listAccountSwaps",
    "List the swaps of all accounts",
    "Every filter narrows the list. A page looks at a bounded number of swaps: where few of them fit all filters it has " +
      'fewer than `limit`, even none, and `Link: rel="next"` still leads on. A swap whose opening failed, or may have, is ' +
      "not among them: `opening=unknown` lists those whose outcome is unknown, always as JSON. With " +
      "`Accept: text/csv` swaps come as a table.",
  )),
  HttpApiEndpoint.get("accountsCommission", "/operator/commission", {
    query: CommissionSumsParameters,
    success: [
      CommissionSumsBody,
      csv("With `Accept: text/csv`: a line for each sum; without a key its column is empty."),
    ],
    error: filtered,
  }).annotateMerge(about(
    "sumCommission",
    "Earned commission of all accounts",
    `The sums that each account sees at \`GET /commission\`, over all of them or some, of at most ${mostDays} days: equal to ` +
      "them to the unit at every moment. A swap that is moved to another account takes its commission along.",
  )),
  HttpApiEndpoint.get("openChannels", "/operator/channels", {
    query: OpenChannelsParameters,
    success: Schema.Array(OpenChannelBody).annotate({
      description: 'Oldest first. `Link: rel="next"` has the next page.',
    }),
    error: filtered,
  }).annotateMerge(about(
    "listOpenChannels",
    "List the open deposit channels of all accounts",
    "Those that take one of the `OPEN_CHANNELS_MOST` places of an account: a channel is open until its swap has completed " +
      "or failed, or it has expired without a deposit. One that a provider is just being asked for is not listed yet.",
  )),
  HttpApiEndpoint.get("channelCounts", "/operator/channels/counts", {
    success: Schema.Array(ChannelCountBody).annotate({ description: "By account, then by provider." }),
    error: reading,
  }).annotateMerge(about(
    "countOpenChannels",
    "Count the open deposit channels by account and provider",
    "Of the channels that `GET /operator/channels` lists; and of the openings that may have opened one, which " +
      "`GET /operator/swaps?opening=unknown` lists.",
  )),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(needsScope("operate", {
  title: "Reporting",
  description: "What was swapped and earned over all accounts, and which channels are open.",
})) {}
