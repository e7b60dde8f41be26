import type { Effect } from "effect"
import type * as HttpApiClient from "effect/http-api/HttpApiClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import type { OperatorWebhooksGroup } from "../api/Webhooks.ts"
import type { CommandFailed } from "./CommandFailed.ts"
import type { Failure } from "./overHttp.ts"
import type { WebhookWork } from "./WebhookWork.ts"

type Client = HttpApiClient.Client.Group<typeof OperatorWebhooksGroup, HttpClientError, never>

/** The work with webhooks by a running service. */
export const webhooksOverHttp = (
  client: Client,
  orFailed: <A>(effect: Effect.Effect<A, Failure>) => Effect.Effect<A, CommandFailed>,
): WebhookWork => ({
  list: (name) => orFailed(client.list({ params: { name } })),
  create: (name, payload) => orFailed(client.create({ params: { name }, payload })),
  get: (name, id) => orFailed(client.get({ params: { name, id } })),
  change: (name, id, payload) => orFailed(client.change({ params: { name, id }, payload })),
  remove: (name, id) => orFailed(client.remove({ params: { name, id } })),
  rotate: (name, id, overlapSeconds) =>
    orFailed(client.rotate({ params: { name, id }, payload: { overlapSeconds } })),
  test: (name, id) => orFailed(client.test({ params: { name, id } })),
  replay: (name, id, payload) => orFailed(client.replay({ params: { name, id }, payload })),
  deliveries: (name, id, query) => orFailed(client.deliveries({ params: { name, id }, query })),
  delivery: (name, id, delivery) =>
    orFailed(client.delivery({ params: { name, id, delivery: `${delivery}` } })),
})
