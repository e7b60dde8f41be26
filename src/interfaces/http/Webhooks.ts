import { Duration, Effect, Option } from "effect"
import { Accounts } from "#application/accounts/Accounts.ts"
import type { AccountUnknown } from "#application/accounts/failures.ts"
import * as Bodies from "#api/WebhookBodies.ts"
import { CurrentAccount, CurrentActor } from "#api/Authorization.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { DeliveryId, type WebhookId } from "#domain/accounts/Webhook.ts"
import { Deliveries } from "#application/webhooks/Deliveries.ts"
import { rangeOf } from "#application/webhooks/replayRange.ts"
import { defaultOverlap, type Owner, Webhooks } from "#application/webhooks/Webhooks.ts"
import { listed, pageQuery } from "./pages.ts"
import { failAsProblem, handlersOf } from "../requests/failedRequests.ts"
import { accept } from "../requests/parameterIssues.ts"

/** A request for a part of the deliveries to a webhook. */
interface Narrowed {
  readonly query: typeof Bodies.DeliveryParameters.Type
}

const deliveryQuery = ({ limit, offset, state }: Narrowed["query"]) => ({
  ...pageQuery({ limit, offset: offset === undefined ? offset : DeliveryId.make(offset) }, 50),
  ...defined({ state }),
})

/** A request about webhooks, of whom its path names. */
interface Asked<Path> {
  readonly params: Path
}

interface Sent<Path, Body extends { readonly Type: unknown }> extends Asked<Path> {
  readonly payload: Body["Type"]
}

/** The path of one webhook. */
interface One {
  readonly id: WebhookId
}

/** Finds the account whose webhooks a request is about. */
type WhoseIn<Path, R> = (path: Path) => Effect.Effect<Owner, AccountUnknown | StoreUnavailable, R>

/** The handlers of requests about webhooks: an account's own, and those that the operator names by account. */
const handlersFor = Effect.fnUntraced(function* <Path, R>(whose: WhoseIn<Path, R>) {
  const webhooks = yield* Webhooks
  const deliveries = yield* Deliveries

  return {
    list: ({ params }: Asked<Path>) => failAsProblem(Effect.flatMap(whose(params), webhooks.ofAccount)),
    create: Effect.fnUntraced(function* ({ params, payload }: Sent<Path, typeof Bodies.NewWebhookBody>) {
      const { language, types, url } = payload
      const terms = {
        url,
        ...defined({ language }),
        ...(types === undefined || types === Bodies.allTypes ? {} : { types }),
      }
      return Bodies.presentSecret(yield* webhooks.create(yield* whose(params), terms, yield* CurrentActor))
    }, failAsProblem),
    get: Effect.fnUntraced(function* ({ params }: Asked<Path & One>) {
      return yield* webhooks.find(yield* whose(params), params.id)
    }, failAsProblem),
    change: Effect.fnUntraced(
      function* ({ params, payload }: Sent<Path & One, typeof Bodies.WebhookChangesBody>) {
        const { types, ...change } = payload
        const wanted = optionalMembers(types, (types) => ({
          types: types === Bodies.allTypes ? Option.none() : Option.some(types),
        }))
        const owner = yield* whose(params)
        return yield* webhooks.change(owner, params.id, { ...change, ...wanted }, yield* CurrentActor)
      },
      failAsProblem,
    ),
    remove: Effect.fnUntraced(function* ({ params }: Asked<Path & One>) {
      return yield* webhooks.remove(yield* whose(params), params.id, yield* CurrentActor)
    }, failAsProblem),
    rotate: Effect.fnUntraced(function* ({ params, payload }: Sent<Path & One, typeof Bodies.RotationBody>) {
      const { overlapSeconds } = payload
      const overlap = overlapSeconds === undefined ? defaultOverlap : Duration.seconds(overlapSeconds)
      const owner = yield* whose(params)
      return Bodies.presentSecret(yield* webhooks.rotate(owner, params.id, overlap, yield* CurrentActor))
    }, failAsProblem),
    test: Effect.fnUntraced(function* ({ params }: Asked<Path & One>) {
      return yield* deliveries.test(yield* whose(params), params.id)
    }, failAsProblem),
    replay: Effect.fnUntraced(function* ({ params, payload }: Sent<Path & One, typeof Bodies.ReplayBody>) {
      const owner = yield* whose(params)
      const range = yield* accept([], rangeOf(payload))
      return { events: yield* deliveries.replay(owner, params.id, range, yield* CurrentActor) }
    }, failAsProblem),
    deliveries: Effect.fnUntraced(function* ({ params, query }: Asked<Path & One> & Narrowed) {
      const page = yield* deliveries.page(yield* whose(params), params.id, deliveryQuery(query))
      return yield* listed(page)
    }, failAsProblem),
    delivery: Effect.fnUntraced(
      function* ({ params }: Asked<Path & One & { readonly delivery: DeliveryId }>) {
        return yield* deliveries.find(yield* whose(params), params.id, params.delivery)
      },
      failAsProblem,
    ),
  }
})

const ownHandlers = handlersFor(() => CurrentAccount)

export const WebhooksHandlers = handlersOf("webhooks")(Effect.fnUntraced(function* (handlers) {
  const { deliveries, delivery, get, list } = yield* ownHandlers
  return handlers.handleAll({ deliveries, delivery, get, list })
}))

export const WebhookChangesHandlers = handlersOf("webhookChanges")(Effect.fnUntraced(function* (handlers) {
  const { deliveries: _deliveries, delivery: _delivery, get: _get, list: _list, ...changes } =
    yield* ownHandlers
  return handlers.handleAll(changes)
}))

export const OperatorWebhooksHandlers = handlersOf("operatorWebhooks")(
  Effect.fnUntraced(function* (handlers) {
    const { find } = yield* Accounts
    return handlers.handleAll(yield* handlersFor(({ name }: { readonly name: AccountName }) => find(name)))
  }),
)
