import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  about as documented,
  accountPath,
  idIn,
  numberIn,
  ofOne,
  optionalBody,
  reading,
  writing,
} from "./endpoint.ts"
import { DeliveryId, WebhookId } from "#domain/accounts/Webhook.ts"
import { Authorization, needsScope, OperatorAuthorization, ParameterFaults } from "./Authorization.ts"
import { BadRequest, Conflict, NotFound } from "./Problems.ts"
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

const one = {
  id: idIn(WebhookId, { named: "webhook", description: "Id of a webhook.", example: "whk_7f3kq2mzr5xwa6hd" }),
}
const delivery = {
  ...one,
  delivery: numberIn(DeliveryId, { named: "delivery", description: "Id of a delivery.", example: "1" }),
}

const accepted = HttpApiSchema.status(202)

const summaries = {
  list: "List the webhooks",
  create: "Create a webhook",
  get: "Get a webhook",
  change: "Change a webhook",
  remove: "Delete a webhook",
  rotate: "Rotate a webhook's secret",
  test: "Send a test event",
  replay: "Replay events",
  deliveries: "List deliveries",
  delivery: "Get a delivery",
}

/** What is documented of each endpoint: its `operationId`, and what a caller has to know. */
type Says = Readonly<Record<keyof typeof summaries, readonly [identifier: string, description: string]>>

/** The endpoints for the webhooks of whom the parameters `whose` of the path name. */
const endpointsOf = <const Whose extends Schema.Struct.Fields>(whose: Whose, says: Says) => {
  const about = (name: keyof typeof summaries) => documented(says[name][0], summaries[name], says[name][1])
  const params = { ...whose, ...one }
  return {
    list: HttpApiEndpoint.get("list", "/webhooks", {
      params: whose,
      success: Schema.Array(WebhookBody).annotate({ description: "Oldest first." }),
      error: ofOne,
    }).annotateMerge(about("list")),
    create: HttpApiEndpoint.post("create", "/webhooks", {
      params: whose,
      payload: NewWebhookBody,
      success: WebhookWithSecretBody.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict, ...writing],
    }).annotateMerge(about("create")),
    get: HttpApiEndpoint.get("get", "/webhooks/:id", { params, success: WebhookBody, error: ofOne })
      .annotateMerge(about("get")),
    change: HttpApiEndpoint.patch("change", "/webhooks/:id", {
      params,
      payload: WebhookChangesBody,
      success: WebhookBody,
      error: [NotFound, ...writing],
    }).annotateMerge(about("change")).annotate(OpenApi.Transform, optionalBody),
    remove: HttpApiEndpoint.delete("remove", "/webhooks/:id", { params, success: WebhookBody, error: ofOne })
      .annotateMerge(about("remove")),
    rotate: HttpApiEndpoint.post("rotate", "/webhooks/:id/rotate", {
      params,
      payload: RotationBody,
      success: WebhookWithSecretBody,
      error: [NotFound, Conflict, ...writing],
    }).annotateMerge(about("rotate")).annotate(OpenApi.Transform, optionalBody),
    test: HttpApiEndpoint.post("test", "/webhooks/:id/test", {
      params,
      success: DeliveryBody.pipe(accepted),
      error: [NotFound, Conflict, ...reading],
    }).annotateMerge(about("test")),
    replay: HttpApiEndpoint.post("replay", "/webhooks/:id/replay", {
      params,
      payload: ReplayBody,
      success: ReplayedBody.pipe(accepted),
      error: [NotFound, Conflict, ...writing],
    }).annotateMerge(about("replay")),
    deliveries: HttpApiEndpoint.get("deliveries", "/webhooks/:id/deliveries", {
      params,
      query: DeliveryParameters,
      success: Schema.Array(DeliveryBody).annotate({
        description: 'Newest first. `Link: rel="next"` has the next page.',
      }),
      error: [NotFound, BadRequest, ...reading],
    }).annotateMerge(about("deliveries")),
    delivery: HttpApiEndpoint.get("delivery", "/webhooks/:id/deliveries/:delivery", {
      params: { ...whose, ...delivery },
      success: DeliveryStoryBody,
      error: ofOne,
    }).annotateMerge(about("delivery")),
  }
}

const own = endpointsOf({}, {
  list: ["listWebhooks", "All webhooks of the account, disabled ones too. Secrets are not shown again."],
  create: [
    "createWebhook",
    "Messages are signed with the secret of the response (Standard Webhooks 1.0); it is shown once. The webhook " +
    "gets events from now on.",
  ],
  get: ["getWebhook", "One webhook of the account, with why it is disabled where it is."],
  change: ["changeWebhook", "Members that are absent stay as they are."],
  remove: [
    "removeWebhook",
    "Nothing more is sent to it, and its deliveries are deleted. Returns the webhook as it was.",
  ],
  rotate: [
    "rotateWebhookSecret",
    "For the time of the overlap messages carry a signature by each secret, so that receivers can change theirs meanwhile.",
  ],
  test: [
    "testWebhook",
    "Sends an event of the type `webhook.test`. Responds before its delivery; `GET /webhooks/{id}/deliveries/{delivery}` shows its outcome.",
  ],
  replay: [
    "replayWebhook",
    "For a receiver that lost messages: they are sent again under their old `webhook-id`, in order.",
  ],
  deliveries: [
    "listDeliveries",
    'The deliveries of the webhook, made and still to be made. `Link: rel="next"` has the next page.',
  ],
  delivery: ["getDelivery", "One message, with the response to each attempt."],
})

const ofAccount = endpointsOf(accountPath, {
  list: ["listAccountWebhooks", "All webhooks of the account, disabled ones too."],
  create: ["createAccountWebhook", "As `POST /webhooks`, for an account that cannot do it itself."],
  get: ["getAccountWebhook", "As `GET /webhooks/{id}`."],
  change: ["changeAccountWebhook", "As `PATCH /webhooks/{id}`: members that are absent stay as they are."],
  remove: ["removeAccountWebhook", "As `DELETE /webhooks/{id}`. Returns the webhook as it was."],
  rotate: ["rotateAccountWebhookSecret", "As `POST /webhooks/{id}/rotate`."],
  test: ["testAccountWebhook", "As `POST /webhooks/{id}/test`."],
  replay: ["replayAccountWebhook", "As `POST /webhooks/{id}/replay`."],
  deliveries: ["listAccountDeliveries", "As `GET /webhooks/{id}/deliveries`."],
  delivery: ["getAccountDelivery", "As `GET /webhooks/{id}/deliveries/{delivery}`."],
})

export class WebhooksGroup extends HttpApiGroup.make("webhooks")
  .add(own.list, own.get, own.deliveries, own.delivery)
  .middleware(ParameterFaults).middleware(Authorization).annotateMerge(needsScope(["history"], {
    title: "Webhooks",
    description: "URLs of the account that get signed messages about its swaps (Standard Webhooks 1.0).",
  })) {}

/**
 * Changes of the account's webhooks. A webhook goes on reporting the history after the key that created it is gone, so
 * neither a key that may only read nor one that may not read must create one.
 */
export class WebhookChangesGroup extends HttpApiGroup.make("webhookChanges")
  .add(own.create, own.change, own.remove, own.rotate, own.test, own.replay)
  .middleware(ParameterFaults).middleware(Authorization).annotateMerge(needsScope(["swap", "history"], {
    title: "Managing webhooks",
    description: "Making and keeping webhooks.",
  })) {}

/** Endpoints for the operator: the webhooks of any account. */
export class OperatorWebhooksGroup extends HttpApiGroup.make("operatorWebhooks")
  .add(
    ofAccount.list,
    ofAccount.create,
    ofAccount.get,
    ofAccount.change,
    ofAccount.remove,
    ofAccount.rotate,
    ofAccount.test,
    ofAccount.replay,
    ofAccount.deliveries,
    ofAccount.delivery,
  )
  .prefix("/operator/accounts/:name")
  .middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(
    needsScope(["operate"], { title: "Webhooks of any account", description: "For the operator." }),
  ) {}
