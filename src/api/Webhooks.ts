import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { about, optionalBody } from "./endpoint.ts"
import { Authorization, needsScope, OperatorAuthorization, ParameterFaults } from "./Authorization.ts"
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

/** Endpoints for the account's own webhooks, and, for the operator, for those of any account. */

const account = {
  name: Schema.String.annotate({ description: "Name of an account.", examples: ["wallet-one"] }),
}
const one = {
  id: Schema.String.annotate({ description: "Id of a webhook.", examples: ["whk_7f3kq2mzr5xwa6hd"] }),
}
const delivery = {
  ...one,
  delivery: Schema.String.annotate({ description: "Id of a delivery.", examples: ["1"] }),
}

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

/** The webhooks of the account, and their messages. */
export class WebhooksGroup extends HttpApiGroup.make("webhooks").add(
  HttpApiEndpoint.get("list", "/webhooks", list).annotateMerge(
    about(
      "listWebhooks",
      summaries.list,
      "All webhooks of the account, disabled ones too. Secrets are not shown again.",
    ),
  ),
  HttpApiEndpoint.get("get", "/webhooks/:id", { ...get, params: one })
    .annotateMerge(
      about("getWebhook", summaries.get, "One webhook of the account, with why it is disabled where it is."),
    ),
  HttpApiEndpoint.get("deliveries", "/webhooks/:id/deliveries", { ...deliveries, params: one })
    .annotateMerge(
      about(
        "listDeliveries",
        summaries.deliveries,
        'What the webhook was and will be told. `Link: rel="next"` leads on when there is more.',
      ),
    ),
  HttpApiEndpoint.get("delivery", "/webhooks/:id/deliveries/:delivery", {
    ...deliveryStory,
    params: delivery,
  })
    .annotateMerge(
      about(
        "getDelivery",
        summaries.delivery,
        "One message, with what the endpoint answered to every attempt.",
      ),
    ),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope(["history"], {
    title: "Webhooks",
    description:
      "URLs of the account that are told of its swaps, by signed messages (Standard Webhooks 1.0).",
  }),
) {}

/**
 * Changes of the account's webhooks. A webhook goes on reporting the history after the key that created it is gone, so
 * neither a key that may only read nor one that may not read must create one.
 */
export class WebhookChangesGroup extends HttpApiGroup.make("webhookChanges").add(
  HttpApiEndpoint.post("create", "/webhooks", create).annotateMerge(
    about(
      "createWebhook",
      summaries.create,
      "Messages are signed with the secret of the answer (Standard Webhooks 1.0); it is shown once. " +
        "The webhook is told of events from now on.",
    ),
  ),
  HttpApiEndpoint.patch("change", "/webhooks/:id", { ...change, params: one })
    .annotateMerge(about("changeWebhook", summaries.change, "Members that are absent stay as they are."))
    .annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.delete("remove", "/webhooks/:id", { ...remove, params: one })
    .annotateMerge(
      about(
        "removeWebhook",
        summaries.remove,
        "Nothing is sent to it any more, and its deliveries are gone. Answers with the webhook as it was.",
      ),
    ),
  HttpApiEndpoint.post("rotate", "/webhooks/:id/rotate", { ...rotate, params: one })
    .annotateMerge(
      about(
        "rotateWebhookSecret",
        summaries.rotate,
        "For the time of the overlap messages carry a signature by each secret, so that receivers can " +
          "change theirs meanwhile.",
      ),
    ).annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.post("test", "/webhooks/:id/test", { ...test, params: one })
    .annotateMerge(
      about(
        "testWebhook",
        summaries.test,
        "Answers as soon as the message is on its way; `GET /webhooks/{id}/deliveries/{delivery}` " +
          "shows what became of it.",
      ),
    ),
  HttpApiEndpoint.post("replay", "/webhooks/:id/replay", { ...replay, params: one })
    .annotateMerge(
      about(
        "replayWebhook",
        summaries.replay,
        "For a receiver that lost messages: they are sent again under their old `webhook-id`, in order.",
      ),
    ),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope(["swap", "history"], {
    title: "Changes of webhooks",
    description: "Making and keeping webhooks.",
  }),
) {}

const ofAccount = { ...account, ...one }

/** Endpoints for the operator: the webhooks of any account. */
export class OperatorWebhooksGroup extends HttpApiGroup.make("operatorWebhooks").add(
  HttpApiEndpoint.get("list", "/operator/accounts/:name/webhooks", { ...list, params: account })
    .annotateMerge(
      about("listAccountWebhooks", summaries.list, "All webhooks of the account, disabled ones too."),
    ),
  HttpApiEndpoint.post("create", "/operator/accounts/:name/webhooks", { ...create, params: account })
    .annotateMerge(
      about(
        "createAccountWebhook",
        summaries.create,
        "As `POST /webhooks`, for an account that cannot do it itself.",
      ),
    ),
  HttpApiEndpoint.get("get", "/operator/accounts/:name/webhooks/:id", { ...get, params: ofAccount })
    .annotateMerge(about("getAccountWebhook", summaries.get, "As `GET /webhooks/{id}`.")),
  HttpApiEndpoint.patch("change", "/operator/accounts/:name/webhooks/:id", { ...change, params: ofAccount })
    .annotateMerge(
      about(
        "changeAccountWebhook",
        summaries.change,
        "As `PATCH /webhooks/{id}`: members that are absent stay as they are.",
      ),
    ).annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.delete("remove", "/operator/accounts/:name/webhooks/:id", { ...remove, params: ofAccount })
    .annotateMerge(
      about(
        "removeAccountWebhook",
        summaries.remove,
        "As `DELETE /webhooks/{id}`. Answers with the webhook as it was.",
      ),
    ),
  HttpApiEndpoint.post("rotate", "/operator/accounts/:name/webhooks/:id/rotate", {
    ...rotate,
    params: ofAccount,
  }).annotateMerge(about("rotateAccountWebhookSecret", summaries.rotate, "As `POST /webhooks/{id}/rotate`."))
    .annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.post("test", "/operator/accounts/:name/webhooks/:id/test", { ...test, params: ofAccount })
    .annotateMerge(about("testAccountWebhook", summaries.test, "As `POST /webhooks/{id}/test`.")),
  HttpApiEndpoint.post("replay", "/operator/accounts/:name/webhooks/:id/replay", {
    ...replay,
    params: ofAccount,
  }).annotateMerge(about("replayAccountWebhook", summaries.replay, "As `POST /webhooks/{id}/replay`.")),
  HttpApiEndpoint.get("deliveries", "/operator/accounts/:name/webhooks/:id/deliveries", {
    ...deliveries,
    params: ofAccount,
  }).annotateMerge(
    about("listAccountDeliveries", summaries.deliveries, "As `GET /webhooks/{id}/deliveries`."),
  ),
  HttpApiEndpoint.get("delivery", "/operator/accounts/:name/webhooks/:id/deliveries/:delivery", {
    ...deliveryStory,
    params: { ...account, ...delivery },
  }).annotateMerge(
    about("getAccountDelivery", summaries.delivery, "As `GET /webhooks/{id}/deliveries/{delivery}`."),
  ),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(
  needsScope(["operate"], { title: "Webhooks of any account", description: "For the operator." }),
) {}
