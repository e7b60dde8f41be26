import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AssetId } from "#domain/chains/Asset.ts"
import { Chain } from "#domain/chains/Chain.ts"
import { Contact } from "#domain/operations/Contact.ts"
import { EndpointEnding } from "#domain/operations/EndpointEnding.ts"
import { LateDeposit } from "#domain/swaps/Channel.ts"
import { ToldPart } from "#domain/operations/ProviderHistory.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwitchOperation } from "#domain/operations/ProviderSwitch.ts"
import { EpochMillis } from "#domain/Time.ts"
import { WireRound } from "#domain/operations/WireRound.ts"
import { about, ofOne, reading, writing } from "./endpoint.ts"
import { needsScope, OperatorAuthorization, ParameterFaults } from "./Authorization.ts"
import { integer, knownAsset, note, time } from "./parameterKinds.ts"
import { swapPath } from "./SwapRecord.ts"
import { BadRequest, Conflict, Forbidden, InternalServerError, NotFound } from "./Problems.ts"
import { maybe, member } from "./shape.ts"
import { optional } from "#domain/optional.ts"

export const ReindexedBody = Schema.Struct({
  found: Schema.Array(Schema.Struct({
    asset: optional(AssetId.annotate({ description: "Absent if the asset is none of the service's." })),
    symbol: Schema.String.annotate({ description: "As the provider calls the asset.", examples: ["BTC"] }),
    amountNative: Schema.String.annotate({
      description: "Smallest units of the asset.",
      examples: ["10000000"],
    }),
  })).annotate({ description: "Balances that the provider takes up now; empty if there are none." }),
}).annotate({ identifier: "Reindexed" })
export type ReindexedBody = typeof ReindexedBody.Type

const Count = Schema.Int

const succeeded = member.count("Calls that succeeded.")

const OperationBody = Schema.Struct({
  circuit: member.of(
    Schema.Literals(["closed", "open", "halfOpen"]),
    "`closed` lets calls through, `open` none, `halfOpen` one to see whether it responds again.",
  ),
  window: member.of(
    Schema.Struct({ succeeded, failed: Count }),
    "The latest calls that count for the circuit.",
  ),
  nextProbeAt: maybe.time("When the circuit lets a call through."),
  lastError: maybe.of(
    Schema.Struct({ at: EpochMillis, reason: Schema.String, detail: Schema.String }),
    "The latest failure.",
  ),
  calls: Schema.Struct({
    succeeded,
    refused: member.count("Calls that the upstream refused for a reason of the request."),
    failed: Count,
    cancelled: member.count("Calls that were abandoned, as no caller waited any more."),
    rejected: member.count(
      "Calls that were not made, because the circuit breaker was open or too many calls were in flight.",
    ),
  }).annotate({ description: "Numbers of calls by outcome, since this process started." }),
  averageMillis: maybe.count("Mean time to a response of the latest calls, in milliseconds."),
}).annotate({ identifier: "ProviderOperation" })
export type OperationBody = typeof OperationBody.Type

export const ProviderBody = Schema.Struct({
  name: ProviderName,
  contact: Contact.annotate({ description: "How people call it, and where they ask for help." }),
  registered: member.yesOrNo("Whether the provider is part of this service and has its settings."),
  enabled: Schema.Boolean,
  disabledReason: maybe.text("Why the provider is not enabled."),
  capabilities: optional(Schema.Struct({
    maximumCommissionBps: member.count(
      "The highest commission that the provider can charge, with affiliates, in basis points. A request can name 995.",
    ),
    affiliates: Schema.Boolean,
    boost: member.yesOrNo("Whether Bitcoin deposits can be boosted."),
    dca: member.yesOrNo("Whether swaps can be split into chunks."),
    ccm: member.yesOrNo("Whether the provider takes messages for receiving contracts."),
    needsAmount: member.yesOrNo("Whether the provider opens channels for a known amount only."),
    retry: member.yesOrNo(
      "Whether the provider waits for the requested price, up to `retryDurationInBlocks`.",
    ),
    lateDeposit: LateDeposit.annotate({
      description: "What happens to a deposit after its channel has expired; `untold` if unknown.",
    }),
    channels: member.yesOrNo("Whether `/swap` can open channels with it."),
    vaultSwaps: Schema.Array(Chain).annotate({
      description: "The chains whose transactions the provider encodes for `/tx-payload/*`.",
    }),
  })),
  circuits: optional(
    Schema.Struct({
      scope: member.of(
        Schema.Literals(["process", "shared"]),
        "Whether the circuits are of this process or shared by the replicas.",
      ),
      reason: optional(Schema.String),
    })
      .annotate({
        description:
          "Whose calls decide about `circuit` of the operations: those of this process, or of all " +
          "replicas. `reason` says why the circuits are not shared although they are to be.",
      }),
  ),
  operations: maybe.of(
    Schema.Struct({
      quote: OperationBody,
      open: member.of(OperationBody, "Openings of channels."),
      status: member.of(OperationBody, "Look-ups of swaps."),
      node: member.of(OperationBody, "Methods of the node, on `/rpc`."),
      treasury: member.of(OperationBody, "Looks at the operator's account, and orders from it."),
    }),
    "State of each group of calls.",
  ),
  stalledSwaps: member.count("Number of stalled swaps: they are over their usual time."),
  stalledSince: maybe.time("When the first of them stalled."),
  wire: optional(WireRound.annotate({
    identifier: "WireRound",
    description:
      "The last check of the provider's wire: everything that opens nothing was asked for, and the responses " +
      "compared with the expected form. Absent before the first check, and without `WIRE_WITNESS_INTERVAL`.",
  })),
  endings: Schema.Array(EndpointEnding).annotate({
    description: "The upstream's endpoints whose end was announced, or has come.",
  }),
  switches: Schema.Array(Schema.Struct({
    operation: optional(SwitchOperation),
    asset: optional(AssetId),
    reason: Schema.String,
    changedBy: member.text("The actor who set the switch."),
    changedAt: EpochMillis,
  })).annotate({ description: "The operator's switches that are off." }),
}).annotate({ identifier: "Provider" })
export type ProviderBody = typeof ProviderBody.Type

/** The shortest and the longest part of the history, in minutes. */
const shortestPart = 5
const longestPart = 1_440

export const ProviderHistoryParameters = Schema.Struct({
  from: optional(time("Epoch milliseconds of the beginning; 24 hours before `to` when absent.")),
  to: optional(time("Epoch milliseconds of the end, which is not included; now when absent.")),
  partMinutes: optional(integer({
    description: `Length of each part: a multiple of ${shortestPart} up to ${longestPart}; 60 when absent.`,
    example: "60",
    issue: `must be a whole number of minutes from ${shortestPart} to ${longestPart}`,
    within: [shortestPart, longestPart],
  })),
})
export type ProviderHistoryParameters = typeof ProviderHistoryParameters.Type

export const SwitchReason = note("Why; callers read it.", 500)

export const SwitchBody = Schema.Struct({
  operation: optional(SwitchOperation.annotate({
    description:
      "Only this operation; quotes, openings, payloads and node calls when absent. Open swaps are followed until " +
      "`status` is switched off.",
    message: `must be one of ${SwitchOperation.literals.join(", ")}`,
  })),
  asset: optional(knownAsset.annotate({ description: "Only swaps of or to this asset." })),
  enabled: Schema.Boolean.annotate({ message: "must be true or false" }),
  reason: SwitchReason,
}).annotate({ identifier: "ProviderSwitch" })

/** Endpoints for the operator: the state of the providers, and the kill switch. */
export class ProvidersGroup extends HttpApiGroup.make("providers").add(
  HttpApiEndpoint.get("providers", "/providers", {
    success: Schema.Array(ProviderBody),
    error: [Forbidden, ...reading],
  }).annotateMerge(about(
    "listProviders",
    "Status of each provider",
    "For each provider: whether it is registered, enabled and switched off, the state of its " +
      "circuits, its latest calls and errors, and stalled swaps.",
  )),
  HttpApiEndpoint.post("switch", "/providers/:name/switch", {
    params: { name: Schema.String.annotate({ description: "Name of a provider.", examples: ["chainflip"] }) },
    payload: SwitchBody,
    success: ProviderBody,
    error: [Forbidden, NotFound, ...writing],
  }).annotateMerge(about(
    "switchProvider",
    "Switch a provider, an operation or an asset off or on",
    "Takes effect at once on every replica and stays over restarts. Swaps that are open go on and " +
      "are followed, unless `status` itself is switched off.",
  )),
  HttpApiEndpoint.post("reindexSwap", "/operator/swaps/:id/reindex", {
    params: swapPath,
    success: ReindexedBody,
    error: [Forbidden, Conflict, ...ofOne],
  }).annotateMerge(about(
    "reindexSwap",
    "Have a provider look again for deposits to a swap",
    "For a deposit that is on its chain, and that the provider has overlooked. The provider then finds the deposit, " +
      "and the swap continues. You get a 409 if this is not possible, or if the last check was a short time ago.",
  )),
  HttpApiEndpoint.get("history", "/operator/providers/:name/history", {
    params: { name: Schema.String.annotate({ description: "Name of a provider.", examples: ["chainflip"] }) },
    query: ProviderHistoryParameters,
    success: Schema.Array(ToldPart.annotate({ identifier: "ProviderHistoryPart" })).annotate({
      description: "By operation and time; parts without anything are left out.",
    }),
    error: [BadRequest, Forbidden, ...ofOne],
  }).annotateMerge(about(
    "getProviderHistory",
    "Outcomes of the calls of a provider, over time",
    "How many calls ended how, what the failures were, how long calls took and how long circuits were open, over all " +
      "replicas, kept for `PROVIDER_HISTORY_KEEP`. The last five seconds may be missing. At most 2,016 parts: a week " +
      "of five minutes.",
  )),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(
  needsScope("operate", { title: "Providers", description: "For the operator." }),
) {}

/** Whether the providers are healthy, for anyone. No key needed. */
export class ProviderHealthGroup extends HttpApiGroup.make("providerHealth").add(
  HttpApiEndpoint.get("health", "/health/providers", {
    success: Schema.Array(
      Schema.Struct({ name: ProviderName, status: Schema.Literals(["up", "degraded", "down"]) }),
    ),
    error: InternalServerError,
  }).annotateMerge(about(
    "getProviderHealth",
    "Get the health of the providers",
    "For status pages: `up` takes everything, `degraded` is slow or refuses some of it, `down` " +
      "does not respond. Needs no key.",
  )),
).middleware(ParameterFaults).annotateMerge(
  OpenApi.annotations({ title: "Health", description: "Health of the providers." }),
) {}
