import { Schema, Struct } from "effect"
import { AccountName } from "../accounts/Account.ts"
import { Address } from "../chains/Address.ts"
import { AssetId } from "../chains/Asset.ts"
import { ProviderName } from "../ProviderName.ts"
import { EpochMillis } from "../Time.ts"
import { EndpointEnding } from "./EndpointEnding.ts"
import { WireDrift } from "./WireRound.ts"
import { optional } from "../optional.ts"

/** A native amount as the wire and the database have it; it may be below zero. */
const NativeText = Schema.String.check(Schema.isPattern(/^-?[0-9]+$/))

const provider = { provider: ProviderName.annotate({ description: "Provider that it is about." }) }

/** A row of `Alert`: its type and the figures that belong to it. */
const alert = <const Type extends string, Figures extends Schema.Struct.Fields>(
  type: Type,
  figures: Figures,
) => Schema.Struct({ type: Schema.Literal(type), ...figures })

/** Something that is wrong and that the operator has to know of: its subject, and the latest figures. */
export const Alert = Schema.Union([
  alert("flip_low", {
    ...provider,
    freeNative: NativeText.annotate({ description: "FLIP that the account can spend, in native units." }),
    channelsLeft: Schema.Int.annotate({ description: "Channels that can be opened for it at today's fee." }),
    busiest: optional(
      Schema.Struct({ name: AccountName, channels: Schema.Int }).annotate({
        description: "The account that has opened the most within `FUNDS_WINDOW`, and how many.",
      }),
    ),
  }),
  alert("ledger_mismatch", {
    ...provider,
    asset: AssetId,
    earnedNative: NativeText.annotate({
      description: "What the upstream says was earned since the last withdrawal.",
    }),
    ledgerNative: NativeText.annotate({ description: "What the service's own records say." }),
    differenceNative: NativeText.annotate({ description: "The first less the second." }),
  }),
  alert("withdrawals_disabled", provider),
  alert("node_out_of_sync", provider),
  alert("bond_missing_for_btc_vault_swaps", provider),
  alert("swaps_stalled", {
    ...provider,
    swaps: Schema.Int.annotate({ description: "Stalled swaps." }),
    stalledSince: EpochMillis.annotate({ description: "Since when the first of them has stalled." }),
  }),
  alert("end_disputed", {
    ...provider,
    swaps: Schema.Int.annotate({
      description: "Swaps that it reports as completed in a way that is not possible.",
    }),
    disputedSince: EpochMillis.annotate({ description: "Since when the first of them is disputed." }),
  }),
  alert("channels_unrecorded", {
    ...provider,
    asset: AssetId,
    channels: Schema.Int.annotate({
      description: "Open deposit channels of the account that no record has.",
    }),
    addresses: Schema.Array(Address).annotate({ description: "Their deposit addresses, at most 20." }),
  }),
  alert("outcome_unknown", {
    ...provider,
    openings: Schema.Int.annotate({
      description: "Openings of the last day whose outcome is unknown: each may have opened a channel.",
    }),
    withdrawals: Schema.Int.annotate({
      description: "Withdrawals whose outcome is unknown: each may have been ordered.",
    }),
    unknownSince: EpochMillis.annotate({ description: "When the first of them was asked for." }),
  }),
  alert("provider_down", {
    ...provider,
    operations: Schema.NonEmptyArray(Schema.String).annotate({
      description: "Groups of operations that are paused.",
    }),
    because: optional(
      Schema.Literal("key").annotate({ description: "The upstream rejects the API key, or requires one." }),
    ),
  }),
  alert("wire_drift", { ...provider, ...WireDrift.fields }),
  alert("endpoint_ending", {
    ...provider,
    ...Struct.omit(EndpointEnding.fields, ["references", "firstSeenAt", "lastSeenAt"]),
  }),
  alert("webhook_failing", {
    account: optional(AccountName.annotate({
      description: "Owner of the webhooks; absent for the operator's own.",
    })),
    webhooks: Schema.Int.annotate({ description: "Webhooks that no message has reached since then." }),
    failingSince: EpochMillis.annotate({ description: "Since when every attempt of the first has failed." }),
  }),
  alert("database_slow", {
    medianMillis: Schema.Int.annotate({ description: "Median time of a trivial statement." }),
  }),
])
export type Alert = typeof Alert.Type

export type AlertType = Alert["type"]

/** Every type of alert; `ofProvider` where each alert is about a provider. */
export const alertTypes = {
  flip_low: { ofProvider: true },
  ledger_mismatch: { ofProvider: true },
  withdrawals_disabled: { ofProvider: true },
  node_out_of_sync: { ofProvider: true },
  bond_missing_for_btc_vault_swaps: { ofProvider: true },
  swaps_stalled: { ofProvider: true },
  end_disputed: { ofProvider: true },
  channels_unrecorded: { ofProvider: true },
  outcome_unknown: { ofProvider: true },
  provider_down: { ofProvider: true },
  wire_drift: { ofProvider: true },
  endpoint_ending: { ofProvider: true },
  webhook_failing: { ofProvider: false },
  database_slow: { ofProvider: false },
} as const satisfies Readonly<Record<AlertType, { readonly ofProvider: boolean }>>

/** The provider that an alert is about, if it is about one. */
export const providerOf = (alert: Alert): ProviderName | undefined =>
  "provider" in alert ? alert.provider : undefined

/** What an alert is about, as text; of a type and a subject no more than one alert is active. */
export const subjectOf = (alert: Alert): string =>
  [
    ...("provider" in alert ? [alert.provider] : []),
    ...("asset" in alert ? [alert.asset] : []),
    ...("endpoint" in alert ? [alert.endpoint] : []),
    ...(alert.type === "wire_drift"
      ? [alert.operation, ...[alert.call, alert.member].filter((place) => place !== undefined)]
      : []),
    ...("account" in alert && alert.account !== undefined ? [alert.account] : []),
  ].join("/")

/** The number of an alert; later ones have higher numbers. */
export const AlertId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("AlertId"))
export type AlertId = typeof AlertId.Type

/** An alert that began, and its end. */
export const AlertEntry = Schema.Struct({
  id: AlertId,
  alert: Alert.annotate({ description: "Its type, what it is about, and the latest figures." }),
  since: EpochMillis.annotate({ description: "When the fault was seen first." }),
  beganAt: EpochMillis.annotate({ description: "When it had lasted long enough for an alert." }),
  endedAt: optional(
    EpochMillis.annotate({ description: "When the alert ended; absent while it is active." }),
  ),
})
export type AlertEntry = typeof AlertEntry.Type

export const ToldAlert = Schema.Struct({
  ...AlertEntry.fields,
  state: Schema.Literals(["active", "ended"]),
  problem: Schema.String.annotate({ description: "What is wrong, in words." }),
  action: Schema.String.annotate({ description: "What to do about it." }),
})
export type ToldAlert = typeof ToldAlert.Type

export const AlertEvent = Schema.Literals(["alert.began", "alert.ended"])
export type AlertEvent = typeof AlertEvent.Type

/** The place of an alert in the list, which has the active ones first, each part with the latest first. */
export const AlertPlace = Schema.String
  .check(Schema.isPattern(/^(?:active|ended)-[1-9][0-9]{0,14}$/))
  .pipe(Schema.brand("AlertPlace"))
export type AlertPlace = typeof AlertPlace.Type

export const placeOf = ({ endedAt, id }: Pick<AlertEntry, "id" | "endedAt">): AlertPlace =>
  AlertPlace.make(`${endedAt === undefined ? "active" : "ended"}-${id}`)
