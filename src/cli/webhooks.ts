import { Schema } from "effect"
import * as Bodies from "#api/WebhookBodies.ts"
import { OperatorWebhooksGroup } from "#api/Webhooks.ts"
import { counted } from "#domain/figures.ts"
import { Language } from "#domain/Language.ts"
import { type Attempt, type Delivery, DeliveryId, DeliveryState, Replayed } from "#domain/accounts/Webhook.ts"
import { act, group, rows, view } from "./act.ts"
import { type Columns, table, together } from "./output.ts"
import {
  account,
  argument,
  date,
  eventTypes,
  flag,
  flagOf,
  limit,
  numberArgument,
  numberOf,
  webhookId,
} from "./parameters.ts"

const { endpoints } = OperatorWebhooksGroup

const columns: Columns<typeof Bodies.WebhookBody.Type> = [
  ["webhook id", "id"],
  "url",
  ["types", ({ types }) => types === undefined ? Bodies.allTypes : types.join(", ")],
  ["enabled", ({ disabledReason, enabled }) => together(enabled ? "yes" : "no", disabledReason)],
  "failingSince",
  "createdAt",
]

const deliveryColumns: Columns<Delivery> = [
  "id",
  "messageId",
  "type",
  ["swap", "swapId"],
  "state",
  "attempts",
  ["next", "nextAttemptAt"],
  "endedAt",
]

const attemptColumns: Columns<Attempt> = [
  "at",
  ["millis", "durationMillis"],
  ["outcome", ({ failure, status }) => status ?? failure],
  ["response", "excerpt"],
]

const standing = rows(Bodies.WebhookBody, columns, "The account has no webhooks")

const withSecret = view(
  Bodies.WebhookWithSecretBody,
  (made) => `${table(columns, [made])}\n\nSecret (shown only now): ${made.secret}`,
)

const deliveries = rows(Bodies.DeliveryBody, deliveryColumns, "No deliveries yet")

const story = view(Bodies.DeliveryStoryBody, ({ attempts, delivery }) => {
  const all = attempts.length === 0 ? "No attempts yet" : table(attemptColumns, attempts)
  return `${table(deliveryColumns, [delivery])}\n\n${all}`
})

const one = { name: account, id: webhookId }

export const webhooks = group("webhooks", "The webhooks of an account", [
  act("list", endpoints.list, { takes: { name: account }, shows: standing }),
  act("create", endpoints.create, {
    takes: {
      name: account,
      url: argument("url", "URL that receives the events", Schema.String),
      types: eventTypes.optional,
      language: flagOf("language", Bodies.NewWebhookBody.fields.language),
    },
    shows: withSecret,
    examples: ["webhooks create wallet-one https://example.com/webhooks"],
  }),
  act("set", endpoints.change, {
    takes: { ...one, types: eventTypes.given },
    shows: standing,
    about: "Change the event types of a webhook",
  }),
  act("language", endpoints.change, {
    takes: { ...one, language: argument("language", "Language of `guidance`: en, de or es", Language) },
    shows: standing,
    about: "Change the language of a webhook",
  }),
  act("disable", endpoints.change, {
    takes: one,
    always: { enabled: false },
    shows: standing,
    about: "Stop the deliveries to a webhook until it is enabled. Its events are kept",
  }),
  act("enable", endpoints.change, {
    takes: one,
    always: { enabled: true },
    shows: standing,
    about: "Resume the deliveries to a webhook, from the event at which they stopped",
  }),
  act("delete", endpoints.remove, { takes: one, shows: standing }),
  act("rotate", endpoints.rotate, {
    takes: { ...one, overlapSeconds: numberOf("overlap", Bodies.RotationBody.fields.overlapSeconds) },
    shows: withSecret,
  }),
  act("test", endpoints.test, { takes: one, shows: deliveries }),
  act("replay", endpoints.replay, {
    takes: {
      ...one,
      eventId: numberOf("event", Bodies.ReplayBody.fields.eventId),
      fromEventId: numberOf("from", Bodies.ReplayBody.fields.fromEventId),
      toEventId: numberOf("to", Bodies.ReplayBody.fields.toEventId),
      since: date("since", "Events from this time on, such as 2030-01-31"),
      until: date("until", "Events up to this time"),
      which: flag("which", "all, or undelivered: only events that the receiver has not accepted", Replayed),
    },
    shows: view(Bodies.ReplayedBody, ({ events }) => `${counted(events, "event")} queued to be resent`),
    examples: ["webhooks replay wallet-one whk_7f3kq2mzr5xwa6hd --since 2030-01-31"],
  }),
  act("deliveries", endpoints.deliveries, {
    takes: {
      ...one,
      limit: limit("deliveries"),
      state: flag(
        "state",
        `Only deliveries in this state: ${DeliveryState.literals.join(", ")}`,
        DeliveryState,
      ),
      offset: flagOf("from", Bodies.DeliveryParameters.fields.offset),
    },
    shows: deliveries,
    about: "List the deliveries of a webhook, newest first",
  }),
  act("attempts", endpoints.delivery, {
    takes: {
      ...one,
      delivery: numberArgument("delivery", "Id of a delivery, as `webhooks deliveries` shows it", DeliveryId),
    },
    shows: story,
  }),
])
