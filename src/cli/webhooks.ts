import { Schema } from "effect"
import { Argument, Command } from "effect/cli"
import {
  allTypes,
  DeliveryBody,
  DeliveryParameters,
  DeliveryStoryBody,
  ReplayBody,
  ReplayedBody,
  RotationBody,
  WebhookBody,
  WebhookWithSecretBody,
} from "#api/WebhookBodies.ts"
import { OperatorWebhooksGroup } from "#api/Webhooks.ts"
import { type Attempt, type Delivery, DeliveryId, DeliveryState, Replayed } from "#domain/accounts/Webhook.ts"
import { act, rows, view } from "./act.ts"
import { type Columns, table, together } from "./output.ts"
import {
  account,
  argument,
  date,
  eventTypes,
  flag,
  flagOf,
  limit,
  numberOf,
  webhookId,
} from "./parameters.ts"

const { endpoints } = OperatorWebhooksGroup

const columns: Columns<typeof WebhookBody.Type> = [
  ["webhook id", "id"],
  "url",
  ["types", ({ types }) => types === undefined ? allTypes : types.join(", ")],
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
  ["answer", "excerpt"],
]

const standing = rows(WebhookBody, columns, "The account has no webhooks")

const withSecret = view(
  WebhookWithSecretBody,
  (made) => `${table(columns, [made])}\n\nSecret (shown only now): ${made.secret}`,
)

const deliveries = rows(DeliveryBody, deliveryColumns, "No deliveries yet")

const story = view(DeliveryStoryBody, ({ attempts, delivery }) => {
  const all = attempts.length === 0 ? "No attempts yet" : table(attemptColumns, attempts)
  return `${table(deliveryColumns, [delivery])}\n\n${all}`
})

const one = { name: account, id: webhookId }

/** `webhooks …` */
export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("The webhooks of an account"),
  Command.withSubcommands([
    act("list", endpoints.list, { takes: { name: account }, shows: standing }),
    act("create", endpoints.create, {
      takes: {
        name: account,
        url: argument("url", "Where messages are posted to", Schema.String),
        types: eventTypes.optional,
      },
      shows: withSecret,
      examples: ["webhooks create wallet-one https://example.com/webhooks"],
    }),
    act("set", endpoints.change, {
      takes: { ...one, types: eventTypes.given },
      shows: standing,
      about: "Change the types of events that a webhook gets",
    }),
    act("disable", endpoints.change, {
      takes: one,
      always: { enabled: false },
      shows: standing,
      about: "Stop sending to a webhook until it is enabled; events are kept for it",
    }),
    act("enable", endpoints.change, {
      takes: one,
      always: { enabled: true },
      shows: standing,
      about: "Send to a webhook again, from the event at which it stopped",
    }),
    act("delete", endpoints.remove, { takes: one, shows: standing }),
    act("rotate", endpoints.rotate, {
      takes: { ...one, overlapSeconds: numberOf("overlap", RotationBody.fields.overlapSeconds) },
      shows: withSecret,
    }),
    act("test", endpoints.test, { takes: one, shows: deliveries }),
    act("replay", endpoints.replay, {
      takes: {
        ...one,
        eventId: numberOf("event", ReplayBody.fields.eventId),
        fromEventId: numberOf("from", ReplayBody.fields.fromEventId),
        toEventId: numberOf("to", ReplayBody.fields.toEventId),
        since: date("since", "Events from this time on, such as 2030-01-31"),
        until: date("until", "Events up to this time"),
        which: flag("which", "all, or undelivered: those that the receiver has not taken", Replayed),
      },
      shows: view(ReplayedBody, ({ events }) => `Events that are sent again: ${events}`),
      examples: ["webhooks replay wallet-one whk_7f3kq2mzr5xwa6hd --since 2030-01-31"],
    }),
    act("deliveries", endpoints.deliveries, {
      takes: {
        ...one,
        limit: limit("deliveries"),
        state: flag("state", `Only those that are ${DeliveryState.literals.join(", ")}`, DeliveryState),
        offset: flagOf("from", DeliveryParameters.fields.offset),
      },
      shows: deliveries,
      about: "List the deliveries of a webhook, the latest first",
    }),
    act("attempts", endpoints.delivery, {
      takes: {
        ...one,
        delivery: Argument.Int("delivery").pipe(
          Argument.withDescription("Id of a delivery, as `webhooks deliveries` shows it"),
          Argument.withSchema(DeliveryId),
        ),
      },
      shows: story,
    }),
  ]),
)
