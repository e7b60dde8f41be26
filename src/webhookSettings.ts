import { Duration, Schema } from "effect"
import { optionalSetting, setting } from "./Setting.ts"
import { aDuration, between, integer, PositiveDuration } from "./settingKinds.ts"
import { EncryptionKey } from "./webhooks/SecretBox.ts"

/** How webhooks are delivered. */
export const webhookSettings = {
  webhookTimeout: setting({
    name: "WEBHOOK_TIMEOUT",
    default: "10 seconds",
    schema: between(Duration.millis(1), Duration.minutes(1)),
    expected: 'a duration from 1 millis to 1 minute, such as "10 seconds"',
    meaning: "Longest that one attempt to deliver a message to a webhook takes",
  }),
  webhookConcurrency: setting({
    name: "WEBHOOK_CONCURRENCY",
    default: "32",
    schema: integer(1, 1_000),
    expected: "a number from 1 to 1000",
    meaning: "Deliveries to webhooks that are under way in this process at the same time",
  }),
  webhookEndpointConcurrency: setting({
    name: "WEBHOOK_ENDPOINT_CONCURRENCY",
    default: "4",
    schema: integer(1, 100),
    expected: "a number from 1 to 100",
    meaning: "Those of them to one webhook, so that a slow one does not hold up the others",
  }),
  webhookInterval: optionalSetting({
    name: "WEBHOOK_INTERVAL",
    defaultNote: "live: 1 second; sandbox: 200 millis",
    schema: PositiveDuration,
    expected: aDuration,
    meaning: "How often it is looked for deliveries that are due",
  }),
  webhooksMost: setting({
    name: "WEBHOOKS_MOST",
    default: "10",
    schema: integer(1, 1_000),
    expected: "a number from 1 to 1000",
    meaning: "Webhooks that one account may have",
  }),
  webhookKeep: setting({
    name: "WEBHOOK_KEEP",
    default: "30 days",
    schema: between(Duration.days(1), Duration.days(3_650)),
    expected: 'a duration from 1 day to 3650 days, such as "30 days"',
    meaning: "How long deliveries and their attempts are listed once they ended",
  }),
  webhookEncryptionKey: optionalSetting({
    name: "WEBHOOK_ENCRYPTION_KEY",
    defaultNote: "secrets of webhooks are kept as they are",
    schema: Schema.RedactedFromValue(EncryptionKey),
    expected: "32 random bytes in base64, as `openssl rand -base64 32` prints them",
    meaning: "What the secrets of webhooks are encrypted with in the database; the same on every replica",
  }),
}
