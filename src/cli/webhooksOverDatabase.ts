import { Duration, Effect, Option, Result } from "effect"
import { Accounts } from "../accounts/Accounts.ts"
import { heldKeyIssues } from "../accounts/heldKey.ts"
import { presentSecret } from "../api/present/webhook.ts"
import { allTypes } from "../api/WebhookBodies.ts"
import type { Actor } from "../domain/Audit.ts"
import { hasIssues, InvalidRequest } from "../domain/Issues.ts"
import { Deliveries } from "../webhooks/Deliveries.ts"
import { rangeOf } from "../webhooks/replayRange.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import type { CommandFailed } from "./CommandFailed.ts"
import type { Failure } from "./overDatabase.ts"
import type { WebhookWork } from "./WebhookWork.ts"

/** The work with webhooks in the database; a service that runs on it delivers. */
export const webhooksOverDatabase = Effect.fnUntraced(function* (
  actor: Actor,
  orFailed: <A>(effect: Effect.Effect<A, Failure>) => Effect.Effect<A, CommandFailed>,
) {
  const accounts = yield* Accounts
  const webhooks = yield* Webhooks
  const deliveries = yield* Deliveries

  const work: WebhookWork = {
    list: (name) => orFailed(Effect.flatMap(accounts.find(name), webhooks.ofAccount)),
    create: (name, { types, url }) =>
      orFailed(Effect.gen(function* () {
        const errors = heldKeyIssues("url", url, [])
        if (hasIssues(errors)) return yield* new InvalidRequest({ errors })
        const terms = types === undefined || types === allTypes ? { url } : { url, types }
        return presentSecret(yield* webhooks.create(yield* accounts.find(name), terms, actor))
      })),
    get: (name, id) => orFailed(Effect.flatMap(accounts.find(name), (owner) => webhooks.find(owner, id))),
    change: (name, id, { enabled, types }) =>
      orFailed(Effect.flatMap(accounts.find(name), (owner) =>
        webhooks.change(owner, id, {
          ...(enabled === undefined ? {} : { enabled }),
          ...(types === undefined ? {} : { types: types === allTypes ? Option.none() : Option.some(types) }),
        }, actor))),
    remove: (name, id) =>
      orFailed(Effect.flatMap(accounts.find(name), (owner) => webhooks.remove(owner, id, actor))),
    rotate: (name, id, overlapSeconds) =>
      orFailed(Effect.gen(function* () {
        const owner = yield* accounts.find(name)
        return presentSecret(yield* webhooks.rotate(owner, id, Duration.seconds(overlapSeconds), actor))
      })),
    test: (name, id) => orFailed(Effect.flatMap(accounts.find(name), (owner) => deliveries.test(owner, id))),
    replay: (name, id, wanted) =>
      orFailed(Effect.gen(function* () {
        const range = yield* Effect.fromResult(
          Result.mapError(rangeOf(wanted), (errors) => new InvalidRequest({ errors })),
        )
        return { events: yield* deliveries.replay(yield* accounts.find(name), id, range, actor) }
      })),
    deliveries: (name, id, part) =>
      orFailed(Effect.gen(function* () {
        return (yield* deliveries.page(yield* accounts.find(name), id, part)).items
      })),
    delivery: (name, id, number) =>
      orFailed(Effect.flatMap(accounts.find(name), (owner) => deliveries.find(owner, id, number))),
  }
  return work
})
