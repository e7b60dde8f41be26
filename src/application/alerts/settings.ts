import { Option, Redacted, Result, Schema } from "effect"
import { mode } from "#infrastructure/config/common.ts"
import { count, duration, durationOrNone, durationWithin } from "#infrastructure/config/kinds.ts"
import { type FoundSetting, optionalSetting, type Setting, struct } from "#infrastructure/config/Setting.ts"
import { issueAbout } from "#domain/Issues.ts"
import { WebhookSecret } from "#domain/accounts/Webhook.ts"
import { type PrivateDestination, readUrl } from "../webhooks/destination.ts"
import { privateDestinations } from "../webhooks/settings.ts"

/** When alerts begin and end. */
export const alertSettings = struct({
  interval: duration({
    name: "ALERT_INTERVAL",
    default: { live: "5 seconds", sandbox: "1 second" },
    meaning: "Interval of the checks behind alerts",
  }),
  after: durationOrNone({
    name: "ALERT_AFTER",
    default: "20 seconds",
    meaning: "How long a fault lasts before its alert becomes active",
  }),
  overAfter: durationOrNone({
    name: "ALERT_OVER_AFTER",
    default: "1 minute",
    meaning:
      "How long a fault is gone before its alert is resolved. Doubles each time the fault recurs within a day, up to an hour",
  }),
  swapsStalled: count(1, 1_000_000, {
    name: "ALERT_SWAPS_STALLED",
    default: 1,
    meaning: "Number of stalled swaps at one provider that raises an alert",
  }),
  channelsLeft: count(1, 1_000_000, {
    name: "ALERT_CHANNELS_LEFT",
    default: 100,
    meaning: "Alert when the account at a provider can pay for fewer channels than this",
  }),
  webhookFailing: durationOrNone({
    name: "ALERT_WEBHOOK_FAILING",
    default: "15 minutes",
    meaning: "How long every attempt at a webhook fails before an alert",
  }),
  databaseSlow: duration({
    name: "ALERT_DATABASE_SLOW",
    default: "250 millis",
    meaning: "Alert when the median of the latest 12 trivial statements takes this long",
  }),
  keep: durationWithin("1 day", "3650 days", {
    name: "ALERT_KEEP",
    default: "90 days",
    meaning: "How long resolved alerts are listed",
  }),
})

/** Where the operator is told of alerts, and what the messages are signed with. */
export interface OperatorWebhook {
  readonly url: Redacted.Redacted<string>
  readonly secret: WebhookSecret
  readonly privateDestinations: ReadonlyArray<PrivateDestination>
}

const urlSetting = optionalSetting({
  name: "OPERATOR_WEBHOOK_URL",
  isTuning: false,
  unset: "none: no messages",
  schema: Schema.RedactedFromValue(Schema.String.check(
    Schema.makeFilter((text) =>
      Result.isSuccess(readUrl(text, { mode: "sandbox", privateDestinations: [] }))
    ),
  )),
  expected: "a URL on the internet that begins with https://; in the sandbox also http:// to this machine",
  meaning: "URL that receives alerts, signed as in Standard Webhooks: https:// on the internet, or one of " +
    "OPERATOR_WEBHOOK_PRIVATE_DESTINATIONS",
})

const secretSetting = optionalSetting({
  name: "OPERATOR_WEBHOOK_SECRET",
  isTuning: false,
  unset: "none: no messages",
  schema: WebhookSecret,
  expected: "whsec_ and 24 to 64 bytes in base64, as `echo whsec_$(openssl rand -base64 32)` prints them",
  meaning: "Secret that signs these alerts; required with OPERATOR_WEBHOOK_URL",
})

const privateSetting = privateDestinations(
  "OPERATOR_WEBHOOK_PRIVATE_DESTINATIONS",
  "OPERATOR_WEBHOOK_URL",
  false,
)

const parts = struct({ mode, url: urlSetting, secret: secretSetting, privateDestinations: privateSetting })

/** Both settings or neither. The URL has the form of an account's webhook; where it leads is checked at each attempt. */
export const operatorWebhook: Setting<Option.Option<OperatorWebhook>> = {
  variables: [...urlSetting.variables, ...secretSetting.variables, ...privateSetting.variables],
  read: (found: FoundSetting) =>
    Result.flatMap(parts.read(found), ({ mode, privateDestinations, secret, url }) => {
      if (Option.isNone(url) && Option.isNone(secret)) return Result.succeed(Option.none())
      if (Option.isNone(url)) {
        return Result.fail(issueAbout(urlSetting.name, `is required with ${secretSetting.name}`))
      }
      if (Option.isNone(secret)) {
        return Result.fail(issueAbout(secretSetting.name, `is required with ${urlSetting.name}`))
      }
      return Result.mapBoth(readUrl(Redacted.value(url.value), { mode, privateDestinations }), {
        onSuccess: ({ href }) =>
          Option.some({ url: Redacted.make(href), secret: secret.value, privateDestinations }),
        onFailure: (predicate) => issueAbout(urlSetting.name, predicate),
      })
    }),
}
