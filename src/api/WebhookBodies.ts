import { Redacted, Schema } from "effect"
import { SwapEventId, SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { Language } from "#domain/Language.ts"
import { EpochMillis } from "#domain/Time.ts"
import {
  Attempt,
  Delivery,
  DeliveryState,
  Replayed,
  WantedTypes,
  Webhook,
  type WebhookSecret,
} from "#domain/accounts/Webhook.ts"
import { firstRow, isKept, rowLimit } from "./parameterKinds.ts"
import { member } from "./shape.ts"
import { optional } from "#domain/optional.ts"

/** The text that stands for every type. */
export const allTypes = "*"

const types = Schema.Union([Schema.Literal(allTypes), WantedTypes]).annotate({
  description: `Types of events to send, or \`${allTypes}\` (the default) for all.`,
  message: `must be "${allTypes}" or a list of some of ${SwapEventType.literals.join(", ")}, each once`,
})

/** A language, for who chooses it. */
export const ChosenLanguage = Language.annotate({
  description: "Language of `guidance`: English (the default), German or Spanish.",
  examples: ["de"],
  message: `must be one of ${Language.literals.join(", ")}`,
})

export const NewWebhookBody = Schema.Struct({
  url: Schema.String.annotate({
    description:
      "Where messages are posted to: https, without user name and fragment, port 443 or one of 1024 and above, " +
      "and a host on the internet. In sandbox mode also http:// to this machine.",
    examples: ["https://example.com/webhooks"],
    message: "must be a URL, such as https://example.com/webhooks",
    [isKept]: true,
  }),
  types: optional(types),
  language: optional(ChosenLanguage),
}).annotate({ identifier: "NewWebhook" })

/** A change of a webhook; absent members stay as they are. */
export const WebhookChangesBody = Schema.Struct({
  enabled: optional(Schema.Boolean.annotate({
    description:
      "A webhook that is enabled again continues where it stopped: the events in between are sent then.",
    message: "must be true or false",
  })),
  types: optional(types),
  language: optional(ChosenLanguage),
}).annotate({ identifier: "WebhookChanges" })

const webhook = {
  ...Webhook.fields,
  language: ChosenLanguage,
  types: optional(Schema.Array(SwapEventType).annotate({ description: "Absent: all types." })),
}

export const WebhookBody = Schema.Struct(webhook).annotate({ identifier: "Webhook" })

export const WebhookWithSecretBody = Schema.Struct({
  ...webhook,
  secret: member.text("Secret that signs the messages, `whsec_` and base64: shown now and never again."),
}).annotate({ identifier: "WebhookWithSecret" })
export type WebhookWithSecretBody = typeof WebhookWithSecretBody.Type

const longestOverlapSeconds = 7 * 86_400

export const RotationBody = Schema.Struct({
  overlapSeconds: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: longestOverlapSeconds })).annotate({
      description: "Seconds for which the earlier secrets sign, too; 86400, a day, when absent.",
      message: `must be a whole number of seconds from 0 to ${longestOverlapSeconds}`,
    }),
  ),
}).annotate({ identifier: "WebhookRotation" })

const eventId = (description: string) =>
  SwapEventId.annotate({ description, message: "must be the number of an event, such as 42 of evt_42" })

const time = (description: string) =>
  EpochMillis.annotate({ description, message: "must be a time in milliseconds since 1970" })

export const ReplayBody = Schema.Struct({
  eventId: optional(eventId("Only this event: the number in its `webhook-id`. Without any other member.")),
  fromEventId: optional(eventId("From this event on, itself included.")),
  toEventId: optional(eventId("Up to this event, itself included.")),
  since: optional(time("Events from this time on, in milliseconds since 1970.")),
  until: optional(time("Events up to this time.")),
  which: optional(Replayed.annotate({
    description:
      "`undelivered`: only those that the receiver is not known to have taken; else all. What it has taken is known for as " +
      "long as its delivery is listed.",
    message: `must be one of ${Replayed.literals.join(", ")}`,
  })),
}).annotate({ identifier: "WebhookReplay" })

export const ReplayedBody = Schema.Struct({
  events: member.count("Events that are sent again, at most 10000 at once."),
}).annotate({ identifier: "WebhookReplayed" })

export const DeliveryBody = Delivery.annotate({ identifier: "WebhookDelivery" })

export const DeliveryStoryBody = Schema.Struct({
  delivery: DeliveryBody,
  attempts: Schema.Array(Attempt.annotate({ identifier: "WebhookAttempt" })).annotate({
    description: "The attempts, the first one first; also those before a replay.",
  }),
}).annotate({ identifier: "WebhookDeliveryStory" })

export const DeliveryParameters = Schema.Struct({
  offset: optional(firstRow("delivery")),
  limit: optional(rowLimit("deliveries to list", { most: 500, usual: 50 })),
  state: optional(DeliveryState.annotate({
    description: "Only deliveries in this state.",
    examples: ["failed"],
    message: `must be one of ${DeliveryState.literals.join(", ")}`,
  })),
})

/** The webhook with its secret in clear: only for the answer that creates the secret. */
export const presentSecret = (
  { secret, webhook }: { readonly webhook: Webhook; readonly secret: WebhookSecret },
): WebhookWithSecretBody => ({ ...webhook, secret: Redacted.value(secret) })
