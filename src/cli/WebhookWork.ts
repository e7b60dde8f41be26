import type { Effect, Schema } from "effect"
import type {
  DeliveryBody,
  DeliveryStoryBody,
  NewWebhookBody,
  ReplayBody,
  ReplayedBody,
  WebhookBody,
  WebhookChangesBody,
  WebhookWithSecretBody,
} from "../api/WebhookBodies.ts"
import type { AccountName } from "../domain/Account.ts"
import type { DeliveryId, DeliveryState, WebhookId } from "../domain/Webhook.ts"
import type { CommandFailed } from "./CommandFailed.ts"

type Type<S extends Schema.Top> = S["Type"]
type Doing<A> = Effect.Effect<A, CommandFailed>

/** Which deliveries: the latest first, from `offset` on, itself included. */
export interface DeliveryPart {
  readonly offset?: DeliveryId
  readonly state?: DeliveryState
  readonly limit: number
}

/** What the operator can do with the webhooks of an account, wherever it is done. */
export interface WebhookWork {
  readonly list: (account: AccountName) => Doing<ReadonlyArray<WebhookBody>>
  readonly create: (account: AccountName, terms: Type<typeof NewWebhookBody>) => Doing<WebhookWithSecretBody>
  readonly get: (account: AccountName, id: WebhookId) => Doing<WebhookBody>
  readonly change: (
    account: AccountName,
    id: WebhookId,
    changes: Type<typeof WebhookChangesBody>,
  ) => Doing<WebhookBody>
  readonly remove: (account: AccountName, id: WebhookId) => Doing<WebhookBody>
  readonly rotate: (
    account: AccountName,
    id: WebhookId,
    overlapSeconds: number,
  ) => Doing<WebhookWithSecretBody>
  readonly test: (account: AccountName, id: WebhookId) => Doing<Type<typeof DeliveryBody>>
  readonly replay: (
    account: AccountName,
    id: WebhookId,
    range: Type<typeof ReplayBody>,
  ) => Doing<Type<typeof ReplayedBody>>
  readonly deliveries: (
    account: AccountName,
    id: WebhookId,
    part: DeliveryPart,
  ) => Doing<ReadonlyArray<Type<typeof DeliveryBody>>>
  readonly delivery: (
    account: AccountName,
    id: WebhookId,
    delivery: DeliveryId,
  ) => Doing<Type<typeof DeliveryStoryBody>>
}
