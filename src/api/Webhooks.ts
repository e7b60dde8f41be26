import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authorization, needsScope, ParameterFaults } from "./Authorization.ts"
import { optionalBody } from "./document.ts"
import {
  BadRequest,
  Conflict,
  ContentTooLarge,
  InternalServerError,
  NotFound,
  ServiceUnavailable,
  UnsupportedMediaType,
} from "./Problems.ts"
import {
  DeliveryBody,
  DeliveryParameters,
  DeliveryStoryBody,
  NewWebhookBody,
  ReplayBody,
  ReplayedBody,
  RotationBody,
  WebhookBody,
  WebhookChangesBody,
  WebhookWithSecretBody,
} from "./WebhookBodies.ts"

/** The same of the account's own endpoints, and, for the operator, of those of any account. */

const account = { name: Schema.String.annotate({ description: "Name of an account." }) }
const one = { id: Schema.String.annotate({ description: "Id of a webhook." }) }
const delivery = { ...one, delivery: Schema.String.annotate({ description: "Id of a delivery." }) }

const reading = [InternalServerError, ServiceUnavailable] as const
const ofOne = [NotFound, ...reading] as const
const writing = [BadRequest, ContentTooLarge, UnsupportedMediaType, ...reading] as const

const accepted = HttpApiSchema.status(202)

const list = {
  success: Schema.Array(WebhookBody).annotate({ description: "The oldest first." }),
  error: ofOne,
} as const
const create = {
  payload: NewWebhookBody,
  success: WebhookWithSecretBody.pipe(HttpApiSchema.status(201)),
  error: [NotFound, Conflict, ...writing],
} as const
const get = { success: WebhookBody, error: ofOne } as const
const change = { payload: WebhookChangesBody, success: WebhookBody, error: [NotFound, ...writing] } as const
const remove = { success: WebhookBody, error: ofOne } as const
const rotate = {
  payload: RotationBody,
  success: WebhookWithSecretBody,
  error: [NotFound, Conflict, ...writing],
} as const
const test = { success: DeliveryBody.pipe(accepted), error: [NotFound, Conflict, ...reading] } as const
const replay = {
  payload: ReplayBody,
  success: ReplayedBody.pipe(accepted),
  error: [NotFound, Conflict, ...writing],
} as const
const deliveries = {
  query: DeliveryParameters,
  success: Schema.Array(DeliveryBody).annotate({
    description: 'The latest first. `Link: rel="next"` leads on when there is more.',
  }),
  error: [NotFound, BadRequest, ...reading],
} as const
const deliveryStory = { success: DeliveryStoryBody, error: ofOne } as const

const summaries = {
  list: "List the webhooks",
  create: "Create a webhook; the answer is the only place where its secret is shown",
  get: "One webhook",
  change: "Disable or enable a webhook, or change what it is told of",
  remove: "Delete a webhook with its deliveries",
  rotate: "Give a webhook a new secret; those before it sign as well for a while",
  test: "Send a message of the type webhook.test, at once",
  replay: "Tell a webhook again of one event, or of a range",
  deliveries: "List the deliveries of a webhook",
  delivery: "One delivery, with every attempt",
}

/** What the webhooks of the account are and were told of. */
export class WebhooksGroup extends HttpApiGroup.make("webhooks").add(
  HttpApiEndpoint.get("list", "/webhooks", list).annotate(OpenApi.Summary, summaries.list),
  HttpApiEndpoint.get("get", "/webhooks/:id", { ...get, params: one })
    .annotate(OpenApi.Summary, summaries.get),
  HttpApiEndpoint.get("deliveries", "/webhooks/:id/deliveries", { ...deliveries, params: one })
    .annotate(OpenApi.Summary, summaries.deliveries),
  HttpApiEndpoint.get("delivery", "/webhooks/:id/deliveries/:delivery", {
    ...deliveryStory,
    params: delivery,
  })
    .annotate(OpenApi.Summary, summaries.delivery),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope(["history"], {
    title: "Webhooks",
    description:
      "URLs of the account that are told of its swaps, by signed messages (Standard Webhooks 1.0).",
  }),
) {}

/**
 * Changes of the account's webhooks. They go on telling what the history shows when the key that made them is
 * gone: so a key that may only look must not make one, nor one that may not look.
 */
export class WebhookChangesGroup extends HttpApiGroup.make("webhookChanges").add(
  HttpApiEndpoint.post("create", "/webhooks", create).annotate(OpenApi.Summary, summaries.create),
  HttpApiEndpoint.patch("change", "/webhooks/:id", { ...change, params: one })
    .annotate(OpenApi.Summary, summaries.change).annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.delete("remove", "/webhooks/:id", { ...remove, params: one })
    .annotate(OpenApi.Summary, summaries.remove),
  HttpApiEndpoint.post("rotate", "/webhooks/:id/rotate", { ...rotate, params: one })
    .annotate(OpenApi.Summary, summaries.rotate).annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.post("test", "/webhooks/:id/test", { ...test, params: one })
    .annotate(OpenApi.Summary, summaries.test),
  HttpApiEndpoint.post("replay", "/webhooks/:id/replay", { ...replay, params: one })
    .annotate(OpenApi.Summary, summaries.replay),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope(["swap", "history"], {
    title: "Changes of webhooks",
    description: "Making and keeping webhooks.",
  }),
) {}

const ofAccount = { ...account, ...one }

/** For the operator: the webhooks of any account. */
export class OperatorWebhooksGroup extends HttpApiGroup.make("operatorWebhooks").add(
  HttpApiEndpoint.get("list", "/operator/accounts/:name/webhooks", { ...list, params: account })
    .annotate(OpenApi.Summary, summaries.list),
  HttpApiEndpoint.post("create", "/operator/accounts/:name/webhooks", { ...create, params: account })
    .annotate(OpenApi.Summary, summaries.create),
  HttpApiEndpoint.get("get", "/operator/accounts/:name/webhooks/:id", { ...get, params: ofAccount })
    .annotate(OpenApi.Summary, summaries.get),
  HttpApiEndpoint.patch("change", "/operator/accounts/:name/webhooks/:id", { ...change, params: ofAccount })
    .annotate(OpenApi.Summary, summaries.change).annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.delete("remove", "/operator/accounts/:name/webhooks/:id", { ...remove, params: ofAccount })
    .annotate(OpenApi.Summary, summaries.remove),
  HttpApiEndpoint.post("rotate", "/operator/accounts/:name/webhooks/:id/rotate", {
    ...rotate,
    params: ofAccount,
  }).annotate(OpenApi.Summary, summaries.rotate).annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.post("test", "/operator/accounts/:name/webhooks/:id/test", { ...test, params: ofAccount })
    .annotate(OpenApi.Summary, summaries.test),
  HttpApiEndpoint.post("replay", "/operator/accounts/:name/webhooks/:id/replay", {
    ...replay,
    params: ofAccount,
  }).annotate(OpenApi.Summary, summaries.replay),
  HttpApiEndpoint.get("deliveries", "/operator/accounts/:name/webhooks/:id/deliveries", {
    ...deliveries,
    params: ofAccount,
  }).annotate(OpenApi.Summary, summaries.deliveries),
  HttpApiEndpoint.get("delivery", "/operator/accounts/:name/webhooks/:id/deliveries/:delivery", {
    ...deliveryStory,
    params: { ...account, ...delivery },
  }).annotate(OpenApi.Summary, summaries.delivery),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope(["operate"], { title: "Webhooks of any account", description: "For the operator." }),
) {}
