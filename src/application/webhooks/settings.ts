import { mostOf } from "#domain/accounts/OwnTerms.ts"
import { Option, Schema } from "effect"
import {
  aRandomKey,
  count,
  duration,
  durationWithin,
  listOf,
  makeKey,
  numberBetween,
} from "#infrastructure/config/kinds.ts"
import { mode } from "#infrastructure/config/common.ts"
import { derived, optionalSetting, struct } from "#infrastructure/config/Setting.ts"
import { PrivateDestination } from "./destination.ts"
import { EncryptionKey } from "./SecretBox.ts"

/** The destinations that a webhook may have although they are not on the internet. */
export const privateDestinations = (name: string, whose: string, isTuning = true) =>
  derived(
    optionalSetting({
      name,
      isTuning,
      unset: "none: only the internet",
      schema: listOf(PrivateDestination),
      expected:
        "host names, addresses or blocks, such as alertmanager.lan, 10.0.0.0/8, with commas between them",
      meaning: `Hosts and addresses in your own network that ${whose} may use, also with http://`,
    }),
    Option.getOrElse((): ReadonlyArray<PrivateDestination> => []),
  )

export const encryptionKey = optionalSetting({
  name: "WEBHOOK_ENCRYPTION_KEY",
  isTuning: false,
  unset: "none: not encrypted",
  schema: Schema.RedactedFromValue(EncryptionKey),
  expected: aRandomKey,
  madeWith: makeKey,
  meaning: "Key that encrypts webhook secrets in the database; the same on every replica",
})

/** How endpoints are kept, and how messages are signed and sent: for the service and for the commands. */
export const webhookSettings = struct({
  mode,
  encryptionKey,
  privateDestinations: privateDestinations("WEBHOOK_PRIVATE_DESTINATIONS", "webhooks of accounts"),
  most: count(1, mostOf.maximumWebhooks, {
    name: "WEBHOOKS_MOST",
    default: 10,
    meaning: "Maximum number of webhooks of one account",
  }),
  timeout: durationWithin("1 millis", "1 minute", {
    name: "WEBHOOK_TIMEOUT",
    default: "10 seconds",
    meaning: "Timeout of one delivery attempt",
  }),
})

/** How deliveries are made in the background. */
export const dispatchSettings = struct({
  concurrency: count(1, 1_000, {
    name: "WEBHOOK_CONCURRENCY",
    default: 32,
    meaning: "Deliveries in progress in this process",
  }),
  endpointConcurrency: count(1, 100, {
    name: "WEBHOOK_ENDPOINT_CONCURRENCY",
    default: 4,
    meaning: "Deliveries in progress to one webhook, so that a slow one does not delay others",
  }),
  accountShare: numberBetween(0.01, 1, {
    name: "WEBHOOK_ACCOUNT_SHARE",
    default: "0.5",
    meaning: "Maximum share of WEBHOOK_CONCURRENCY for one account; always at least one",
  }),
  interval: duration({
    name: "WEBHOOK_INTERVAL",
    default: { live: "1 second", sandbox: "200 millis" },
    meaning: "Interval at which due deliveries start",
  }),
  keep: durationWithin("1 day", "3650 days", {
    name: "WEBHOOK_KEEP",
    default: "30 days",
    meaning: "How long finished deliveries and their attempts are listed",
  }),
})
