import { Duration, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  allTypes,
  type WebhookBody,
  type WebhookChangesBody,
  type WebhookWithSecretBody,
} from "../api/WebhookBodies.ts"
import type { AccountName } from "../domain/Account.ts"
import { SwapEventId } from "../domain/SwapEvent.ts"
import { type Attempt, type Delivery, DeliveryId, DeliveryState, WebhookId } from "../domain/Webhook.ts"
import { defaultOverlap } from "../webhooks/Webhooks.ts"
import { CommandFailed } from "./failures.ts"
import { OperatorClient } from "./OperatorClient.ts"
import { type Columns, print, printOne, printRows, table, timeCell } from "./output.ts"
import { account, date, eventTypes, limit } from "./parameters.ts"

const columns: Columns<WebhookBody> = {
  "webhook id": ({ id }) => id,
  url: ({ url }) => url,
  types: ({ types }) => types === undefined ? allTypes : types.join(","),
  enabled: ({ enabled }) => enabled,
  because: ({ disabledReason }) => disabledReason,
  "failing since": ({ failingSince }) => timeCell(failingSince),
  created: ({ createdAt }) => timeCell(createdAt),
}

const deliveryColumns: Columns<Delivery> = {
  id: ({ id }) => id,
  "message id": ({ messageId }) => messageId,
  type: ({ type }) => type,
  swap: ({ swapId }) => swapId,
  state: ({ state }) => state,
  attempts: ({ attempts }) => attempts,
  next: ({ nextAttemptAt }) => timeCell(nextAttemptAt),
  ended: ({ endedAt }) => timeCell(endedAt),
}

const attemptColumns: Columns<Attempt> = {
  at: ({ at }) => timeCell(at),
  millis: ({ durationMillis }) => durationMillis,
  outcome: ({ failure, status }) => status ?? failure,
  answer: ({ excerpt }) => excerpt,
}

const webhookId = Argument.String("webhook-id").pipe(
  Argument.withDescription("Id of a webhook, as `webhooks list` shows it"),
  Argument.withSchema(WebhookId.annotate({ message: "must be whk_ and the 16 characters after it" })),
)

const one = { account, webhookId }

const acts = Effect.map(OperatorClient, ({ operatorWebhooks }) => operatorWebhooks)

const paramsOf = (account: AccountName, id: WebhookId) => ({ name: account, id })

const printSecret = (made: WebhookWithSecretBody) =>
  print(made, `${table(columns, [made])}\n\nSecret (shown only now): ${made.secret}`)

const list = Command.make(
  "list",
  { account },
  Effect.fnUntraced(function* ({ account }) {
    yield* printRows(
      columns,
      yield* (yield* acts).list({ params: { name: account } }),
      "The account has no webhook",
    )
  }),
).pipe(Command.withDescription("List the webhooks of an account"))

const url = Argument.String("url").pipe(Argument.withDescription("Where messages are posted to"))

const create = Command.make(
  "create",
  { account, url, types: eventTypes },
  Effect.fnUntraced(function* ({ account, types, url }) {
    const payload = { url, ...(Option.isSome(types) ? { types: types.value } : {}) }
    yield* printSecret(yield* (yield* acts).create({ params: { name: account }, payload }))
  }),
).pipe(
  Command.withDescription("Create a webhook, and show its secret this once"),
  Command.withExamples([{ command: "webhooks create wallet-one https://example.com/webhooks" }]),
)

const change = Effect.fnUntraced(function* (
  account: AccountName,
  id: WebhookId,
  payload: typeof WebhookChangesBody.Type,
) {
  yield* printOne(columns, yield* (yield* acts).change({ params: paramsOf(account, id), payload }))
})

const set = Command.make(
  "set",
  { ...one, types: eventTypes },
  Effect.fnUntraced(function* ({ account, types, webhookId }) {
    if (Option.isNone(types)) {
      return yield* new CommandFailed({ kind: "usage", detail: "Nothing to change: give --types" })
    }
    yield* change(account, webhookId, { types: types.value })
  }),
).pipe(Command.withDescription("Change what a webhook is told of"))

const switched = (name: string, enabled: boolean, description: string) =>
  Command.make(
    name,
    one,
    ({ account, webhookId }) => change(account, webhookId, { enabled }),
  ).pipe(Command.withDescription(description))

const remove = Command.make(
  "delete",
  one,
  Effect.fnUntraced(function* ({ account, webhookId }) {
    yield* printOne(columns, yield* (yield* acts).remove({ params: paramsOf(account, webhookId) }))
  }),
).pipe(Command.withDescription("Delete a webhook with its deliveries"))

const overlap = Flag.Int("overlap").pipe(
  Flag.withDescription(
    "Seconds for which messages are signed with the old secret as well; 86400 when not given",
  ),
  Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 604_800 }))),
  Flag.withDefault(Duration.toSeconds(defaultOverlap)),
)

const rotate = Command.make(
  "rotate",
  { ...one, overlap },
  Effect.fnUntraced(function* ({ account, overlap, webhookId }) {
    const payload = { overlapSeconds: overlap }
    yield* printSecret(yield* (yield* acts).rotate({ params: paramsOf(account, webhookId), payload }))
  }),
).pipe(Command.withDescription("Give a webhook a new secret, and show it this once"))

const test = Command.make(
  "test",
  one,
  Effect.fnUntraced(function* ({ account, webhookId }) {
    yield* printOne(deliveryColumns, yield* (yield* acts).test({ params: paramsOf(account, webhookId) }))
  }),
).pipe(Command.withDescription("Have a message of the type webhook.test sent"))

const event = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.withSchema(SwapEventId), Flag.optional)

const replay = Command.make(
  "replay",
  {
    ...one,
    event: event("event", "Only this event: the number in its webhook-id"),
    from: event("from", "From this event on"),
    to: event("to", "Up to this event"),
    since: date("since", "Events from this time on, such as 2030-01-31"),
    until: date("until", "Events up to this time"),
  },
  Effect.fnUntraced(function* ({ account, event, from, since, to, until, webhookId }) {
    const payload = {
      ...(Option.isSome(event) ? { eventId: event.value } : {}),
      ...(Option.isSome(from) ? { fromEventId: from.value } : {}),
      ...(Option.isSome(to) ? { toEventId: to.value } : {}),
      ...(Option.isSome(since) ? { since: since.value } : {}),
      ...(Option.isSome(until) ? { until: until.value } : {}),
    }
    const replayed = yield* (yield* acts).replay({ params: paramsOf(account, webhookId), payload })
    yield* print(replayed, `Events that are told again: ${replayed.events}`)
  }),
).pipe(
  Command.withDescription("Tell a webhook again of one event, or of a range"),
  Command.withExamples([{ command: "webhooks replay wallet-one whk_7f3kq2mzr5xwa6hd --since 2030-01-31" }]),
)

const state = Flag.String("state").pipe(
  Flag.withDescription(`Only those that are ${DeliveryState.literals.join(", ")}`),
  Flag.withSchema(Schema.String.pipe(Schema.decodeTo(DeliveryState))),
  Flag.optional,
)

const fromDelivery = Flag.Int("from").pipe(
  Flag.withDescription("Id of the latest delivery to list; the latest of all when not given"),
  Flag.withSchema(DeliveryId),
  Flag.optional,
)

const deliveries = Command.make(
  "deliveries",
  { ...one, limit: limit("deliveries"), state, from: fromDelivery },
  Effect.fnUntraced(function* ({ account, from, limit, state, webhookId }) {
    const query = {
      limit,
      ...(Option.isSome(state) ? { state: state.value } : {}),
      ...(Option.isSome(from) ? { offset: from.value } : {}),
    }
    const found = yield* (yield* acts).deliveries({ params: paramsOf(account, webhookId), query })
    yield* printRows(deliveryColumns, found, "The webhook was told of nothing yet")
  }),
).pipe(Command.withDescription("List the deliveries of a webhook, the latest first"))

const deliveryId = Argument.Int("delivery").pipe(
  Argument.withDescription("Id of a delivery, as `webhooks deliveries` shows it"),
  Argument.withSchema(DeliveryId),
)

const attempts = Command.make(
  "attempts",
  { ...one, delivery: deliveryId },
  Effect.fnUntraced(function* ({ account, delivery, webhookId }) {
    const params = { ...paramsOf(account, webhookId), delivery: `${delivery}` }
    const story = yield* (yield* acts).delivery({ params })
    const rows = story.attempts.length === 0 ? "No attempt yet" : table(attemptColumns, story.attempts)
    yield* print(story, `${table(deliveryColumns, [story.delivery])}\n\n${rows}`)
  }),
).pipe(Command.withDescription("Every attempt of a delivery, with what the receiver answered"))

/** `webhooks …` */
export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Where an account is told of its swaps"),
  Command.withSubcommands([
    list,
    create,
    set,
    switched("disable", false, "Tell a webhook of nothing until it is enabled; nothing is lost"),
    switched("enable", true, "Let a webhook go on where it was"),
    remove,
    rotate,
    test,
    replay,
    deliveries,
    attempts,
  ]),
)
