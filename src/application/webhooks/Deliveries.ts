import { Effect, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { pageOf } from "#domain/Page.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Delivery, DeliveryId, Webhook, WebhookId } from "#domain/accounts/Webhook.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import {
  DeliveryListRepo,
  type DeliveryQuery,
  type EventRange,
} from "#infrastructure/store/webhooks/DeliveryListRepo.ts"
import { Guide } from "../guidance/Guide.ts"
import { DeliveryUnknown, WebhookDisabled, WebhookUnknown } from "./failures.ts"
import { messageBody } from "./message.ts"
import { type Owner, Webhooks } from "./Webhooks.ts"

/** The most events that one replay makes pending; the next replay goes on from there. */
export const mostReplayed = 10_000

/** The deliveries of endpoints, past and pending. */
export class Deliveries extends service<Deliveries>()(
  "swap-broker/webhooks/Deliveries",
  Effect.gen(function* () {
    const repo = yield* DeliveryListRepo
    const audit = yield* AuditRepo
    const webhooks = yield* Webhooks
    const guide = yield* Guide

    const enabled = Effect.fnUntraced(function* (owner: Owner, id: WebhookId) {
      const webhook = yield* webhooks.find(owner, id)
      if (!webhook.enabled) return yield* new WebhookDisabled()
    })

    /** A page of the deliveries, the latest first; `offset` is included. */
    const page = Effect.fn("Deliveries.page")(function* (owner: Owner, id: WebhookId, query: DeliveryQuery) {
      yield* webhooks.find(owner, id)
      const found = yield* repo.page(id, { ...query, limit: query.limit + 1 })
      return pageOf(found, query.limit, (delivery) => delivery.id)
    })

    /** A delivery with its attempts, the first one first, including those before a replay. */
    const find = Effect.fn("Deliveries.find")(function* (owner: Owner, id: WebhookId, number: DeliveryId) {
      yield* webhooks.find(owner, id)
      const delivery = yield* Effect.mapError(
        Effect.flatMap(repo.find(id, number), Effect.fromOption),
        (error) => error._tag === "StoreUnavailable" ? error : new DeliveryUnknown(),
      )
      return { delivery, attempts: yield* repo.attempts(number) }
    })

    /** The body that a delivery of the endpoint sends; none once its event was deleted. */
    const bodyOf = Effect.fn("Deliveries.bodyOf")(
      function* ({ id: webhookId, language }: Webhook, { createdAt, eventId, id, type }: Delivery) {
        const test = { type, at: createdAt, payload: Option.none(), webhookId, language }
        if (eventId === undefined) return Option.some(yield* messageBody(guide, test))
        const event = yield* repo.event(id)
        if (Option.isNone(event)) return Option.none()
        const { payload, ...told } = event.value
        return Option.some(yield* messageBody(guide, { ...test, ...told, payload: Option.some(payload) }))
      },
    )

    /** Sends the endpoint a test message, at once. */
    const test = Effect.fn("Deliveries.test")(function* (owner: Owner, id: WebhookId) {
      yield* enabled(owner, id)
      const added = yield* repo.addTest(id, yield* currentMillis)
      return yield* Effect.mapError(Effect.fromOption(added), () => new WebhookUnknown())
    })

    /** How the endpoint fares, with the hours since a time. */
    const summary = Effect.fn("Deliveries.summary")(
      function* (owner: Owner, id: WebhookId, since: EpochMillis) {
        yield* webhooks.find(owner, id)
        return yield* repo.summary(id, since)
      },
    )

    /** Makes what waits for its next attempt due at once; returns how many messages. */
    const hasten = Effect.fn("Deliveries.hasten")(function* (owner: Owner, id: WebhookId) {
      yield* enabled(owner, id)
      return yield* repo.hasten(id, yield* currentMillis)
    })

    /** Sends the endpoint its events in a range once more; returns how many. Recorded in the audit log. */
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

    return {
      page,
      find,
      bodyOf,
      test,
      summary,
      /** The latest deliveries about a swap to any endpoint, for the operator. */
      ofSwap: Effect.fn("Deliveries.ofSwap")((id: SwapRecordId, limit: number) => repo.ofSwap(id, limit)),
      /** How endpoints of any accounts fare, for the operator's list of them. */
      standings: Effect.fn("Deliveries.standings")((ids: ReadonlyArray<WebhookId>) => repo.standings(ids)),
      hasten,
      replay,
    }
  }),
) {}
