import { Context, Effect, Layer, Option } from "effect"
import type { Actor } from "#domain/operations/Audit.ts"
import { type Page, pageOf } from "#domain/Page.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type {
  Attempt,
  Delivery,
  DeliveryId,
  DeliveryStanding,
  DeliverySummary,
  SwapDelivery,
  WebhookId,
} from "#domain/accounts/Webhook.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import {
  DeliveryListRepo,
  type DeliveryQuery,
  type EventRange,
} from "#infrastructure/store/webhooks/DeliveryListRepo.ts"
import { DeliveryUnknown, WebhookDisabled, WebhookUnknown } from "./failures.ts"
import { messageBody } from "./message.ts"
import { type Owner, Webhooks } from "./Webhooks.ts"

/** A delivery with all its attempts so far. */
export interface DeliveryDetails {
  readonly delivery: Delivery
  /** The attempts, the first one first, including those before a replay. */
  readonly attempts: ReadonlyArray<Attempt>
}

/** The most events that one replay makes pending; the next replay goes on from there. */
export const mostReplayed = 10_000

type OfOne<A, E = never> = StoreEffect<A, WebhookUnknown | E>

/** The deliveries of endpoints, past and pending. */
export class Deliveries extends Context.Service<Deliveries, {
  /** A page of the deliveries, the latest first; `offset` is included. */
  readonly page: (owner: Owner, id: WebhookId, query: DeliveryQuery) => OfOne<Page<Delivery, DeliveryId>>
  readonly find: (
    owner: Owner,
    id: WebhookId,
    delivery: DeliveryId,
  ) => OfOne<DeliveryDetails, DeliveryUnknown>
  /** The latest deliveries about a swap to any endpoint, for the operator. */
  readonly ofSwap: (id: SwapRecordId, limit: number) => StoreEffect<ReadonlyArray<SwapDelivery>>
  /** The body that a delivery of the endpoint sends; none once its event was deleted. */
  readonly bodyOf: (id: WebhookId, delivery: Delivery) => StoreEffect<Option.Option<string>>
  /** Sends the endpoint a test message, at once. */
  readonly test: (owner: Owner, id: WebhookId) => OfOne<Delivery, WebhookDisabled>
  /** How the endpoint fares, with the hours since a time. */
  readonly summary: (owner: Owner, id: WebhookId, since: EpochMillis) => OfOne<DeliverySummary>
  /** How endpoints of any accounts fare, for the operator's list of them. */
  readonly standings: (ids: ReadonlyArray<WebhookId>) => StoreEffect<ReadonlyArray<DeliveryStanding>>
  /** Makes what waits for its next attempt due at once; returns how many messages. */
  readonly hasten: (owner: Owner, id: WebhookId) => OfOne<number, WebhookDisabled>
  /** Sends the endpoint its events in a range once more; returns how many. Recorded in the audit log. */
  readonly replay: (
    owner: Owner,
    id: WebhookId,
    range: EventRange,
    by: Actor,
  ) => OfOne<number, WebhookDisabled>
}>()("swap-broker/webhooks/Deliveries") {
  static readonly layer = Layer.effect(Deliveries)(Effect.gen(function* () {
    const repo = yield* DeliveryListRepo
    const audit = yield* AuditRepo
    const webhooks = yield* Webhooks

    const enabled = Effect.fnUntraced(function* (owner: Owner, id: WebhookId) {
      const webhook = yield* webhooks.find(owner, id)
      if (!webhook.enabled) return yield* new WebhookDisabled()
    })

    const page = Effect.fn("Deliveries.page")(function* (owner: Owner, id: WebhookId, query: DeliveryQuery) {
      yield* webhooks.find(owner, id)
      const found = yield* repo.page(id, { ...query, limit: query.limit + 1 })
      return pageOf(found, query.limit, (delivery) => delivery.id)
    })

    const find = Effect.fn("Deliveries.find")(function* (owner: Owner, id: WebhookId, number: DeliveryId) {
      yield* webhooks.find(owner, id)
      const delivery = yield* Effect.mapError(
        Effect.flatMap(repo.find(id, number), Effect.fromOption),
        (error) => error._tag === "StoreUnavailable" ? error : new DeliveryUnknown(),
      )
      return { delivery, attempts: yield* repo.attempts(number) }
    })

    const bodyOf = Effect.fn("Deliveries.bodyOf")(
      function* (webhookId: WebhookId, { createdAt, eventId, id, type }: Delivery) {
        if (eventId === undefined) {
          return Option.some(messageBody({ type, at: createdAt, payload: Option.none(), webhookId }))
        }
        return Option.map(
          yield* repo.event(id),
          ({ at, payload }) => messageBody({ type, at, payload: Option.some(payload), webhookId }),
        )
      },
    )

    const test = Effect.fn("Deliveries.test")(function* (owner: Owner, id: WebhookId) {
      yield* enabled(owner, id)
      const added = yield* repo.addTest(id, yield* currentMillis)
      return yield* Effect.mapError(Effect.fromOption(added), () => new WebhookUnknown())
    })

    const summary = Effect.fn("Deliveries.summary")(
      function* (owner: Owner, id: WebhookId, since: EpochMillis) {
        yield* webhooks.find(owner, id)
        return yield* repo.summary(id, since)
      },
    )

    const hasten = Effect.fn("Deliveries.hasten")(function* (owner: Owner, id: WebhookId) {
      yield* enabled(owner, id)
      return yield* repo.hasten(id, yield* currentMillis)
    })

    const replay = Effect.fn("Deliveries.replay")(
      function* (owner: Owner, id: WebhookId, range: EventRange, actor: Actor) {
        const at = yield* currentMillis
        return yield* audit.recorded("Deliveries.replay", { actor, at }, function* () {
          yield* enabled(owner, id)
          const count = yield* repo.replay({ account: owner.id, id }, range, mostReplayed, at)
          return {
            value: count,
            changes: [{
              action: "webhook.replayed",
              account: owner.name,
              webhookId: id,
              after: { events: count },
            }],
          }
        })
      },
    )

    return Deliveries.of({
      page,
      find,
      bodyOf,
      test,
      summary,
      ofSwap: Effect.fn("Deliveries.ofSwap")((id: SwapRecordId, limit: number) => repo.ofSwap(id, limit)),
      standings: Effect.fn("Deliveries.standings")((ids: ReadonlyArray<WebhookId>) => repo.standings(ids)),
      hasten,
      replay,
    })
  }))
}
