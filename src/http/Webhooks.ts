import { Duration, Effect, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Accounts } from "../accounts/Accounts.ts"
import { heldKeyIssues } from "../accounts/ApiKey.ts"
import type { AccountUnknown } from "../accounts/failures.ts"
import { Api } from "../api/Api.ts"
import {
  allTypes,
  type DeliveryParameters,
  NewWebhookBody,
  presentSecret,
  ReplayBody,
  RotationBody,
  WebhookChangesBody,
} from "../api/WebhookBodies.ts"
import { CurrentAccount, CurrentActor } from "../api/Authorization.ts"
import { issuesOf } from "../domain/Issues.ts"
import { spread } from "../platform/spread.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { DeliveryId, WebhookId } from "../domain/Webhook.ts"
import { Deliveries } from "../webhooks/Deliveries.ts"
import { DeliveryUnknown, WebhookUnknown } from "../webhooks/failures.ts"
import { rangeOf } from "../webhooks/replayRange.ts"
import { defaultOverlap, type Owner, Webhooks } from "../webhooks/Webhooks.ts"
import { listed, pageQuery } from "./pages.ts"
import { namedAccount } from "../requests/pathNames.ts"
import { orProblem } from "../requests/orProblem.ts"
import { accept, readerOf } from "../requests/parameterIssues.ts"
import { bodyBy } from "../requests/rawParameters.ts"

const webhookId = (path: string): Effect.Effect<WebhookId, WebhookUnknown> =>
  Effect.mapError(Effect.fromOption(WebhookId.makeOption(path)), () => new WebhookUnknown())

const digits = /^[1-9][0-9]{0,15}$/

const deliveryId = (path: string): Effect.Effect<DeliveryId, DeliveryUnknown> =>
  Option.match(digits.test(path) ? DeliveryId.makeOption(Number(path)) : Option.none(), {
    onNone: () => Effect.fail(new DeliveryUnknown()),
    onSome: Effect.succeed,
  })

const deliveryQuery = ({ limit, offset }: Pick<typeof DeliveryParameters.Type, "limit" | "offset">) =>
  pageQuery({ limit, offset: offset === undefined ? offset : DeliveryId.make(offset) }, 50)

const readNewWebhook = bodyBy(readerOf(NewWebhookBody), ({ url }, keys) => [heldKeyIssues("url", url, keys)])
const readChanges = bodyBy(readerOf(WebhookChangesBody))
const readRotation = bodyBy(readerOf(RotationBody))
const readReplay = bodyBy(readerOf(ReplayBody), (range) => [issuesOf([rangeOf(range)])])

/** Finds the account whose webhooks a request is about. */
type Whose<R> = Effect.Effect<Owner, AccountUnknown | StoreUnavailable, R>

/** The answers to requests about webhooks: an account's own, and those that the operator names by account. */
const makeAnswers = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const deliveries = yield* Deliveries

  return {
    list: <R>(whose: Whose<R>) => orProblem(Effect.flatMap(whose, webhooks.ofAccount)),
    create: <R>(whose: Whose<R>) =>
      Effect.gen(function* () {
        const owner = yield* whose
        const { types, url } = yield* readNewWebhook
        const terms = { url, ...(types === undefined || types === allTypes ? {} : { types }) }
        return presentSecret(yield* webhooks.create(owner, terms, yield* CurrentActor))
      }).pipe(orProblem),
    get: <R>(whose: Whose<R>, id: string) =>
      Effect.gen(function* () {
        return yield* webhooks.find(yield* whose, yield* webhookId(id))
      }).pipe(orProblem),
    change: <R>(whose: Whose<R>, id: string) =>
      Effect.gen(function* () {
        const owner = yield* whose
        const webhook = yield* webhookId(id)
        const { types, ...change } = yield* readChanges
        return yield* webhooks.change(
          owner,
          webhook,
          {
            ...change,
            ...spread(types, (types) => ({
              types: types === allTypes ? Option.none() : Option.some(types),
            })),
          },
          yield* CurrentActor,
        )
      }).pipe(orProblem),
    remove: <R>(whose: Whose<R>, id: string) =>
      Effect.gen(function* () {
        return yield* webhooks.remove(yield* whose, yield* webhookId(id), yield* CurrentActor)
      }).pipe(orProblem),
    rotate: <R>(whose: Whose<R>, id: string) =>
      Effect.gen(function* () {
        const owner = yield* whose
        const webhook = yield* webhookId(id)
        const { overlapSeconds } = yield* readRotation
        const overlap = overlapSeconds === undefined ? defaultOverlap : Duration.seconds(overlapSeconds)
        return presentSecret(yield* webhooks.rotate(owner, webhook, overlap, yield* CurrentActor))
      }).pipe(orProblem),
    test: <R>(whose: Whose<R>, id: string) =>
      Effect.gen(function* () {
        return yield* deliveries.test(yield* whose, yield* webhookId(id))
      }).pipe(orProblem),
    replay: <R>(whose: Whose<R>, id: string) =>
      Effect.gen(function* () {
        const owner = yield* whose
        const webhook = yield* webhookId(id)
        const range = yield* accept([], rangeOf(yield* readReplay))
        return { events: yield* deliveries.replay(owner, webhook, range, yield* CurrentActor) }
      }).pipe(orProblem),
    deliveries: <R>(whose: Whose<R>, id: string, { state, ...query }: typeof DeliveryParameters.Type) =>
      Effect.gen(function* () {
        const owner = yield* whose
        const page = yield* deliveries.page(owner, yield* webhookId(id), {
          ...deliveryQuery(query),
          ...(state === undefined ? {} : { state }),
        })
        return yield* listed(page)
      }).pipe(orProblem),
    delivery: <R>(whose: Whose<R>, id: string, delivery: string) =>
      Effect.gen(function* () {
        return yield* deliveries.find(yield* whose, yield* webhookId(id), yield* deliveryId(delivery))
      }).pipe(orProblem),
  }
})

export const WebhooksHandlers = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const answers = yield* makeAnswers
    return handlers
      .handle("list", () => answers.list(CurrentAccount))
      .handle("get", ({ params: { id } }) => answers.get(CurrentAccount, id))
      .handle("deliveries", ({ params: { id }, query }) => answers.deliveries(CurrentAccount, id, query))
      .handle("delivery", ({ params: { delivery, id } }) => answers.delivery(CurrentAccount, id, delivery))
  }),
)

export const WebhookChangesHandlers = HttpApiBuilder.group(
  Api,
  "webhookChanges",
  Effect.fnUntraced(function* (handlers) {
    const answers = yield* makeAnswers
    return handlers
      .handleRaw("create", () => answers.create(CurrentAccount))
      .handleRaw("change", ({ params: { id } }) => answers.change(CurrentAccount, id))
      .handle("remove", ({ params: { id } }) => answers.remove(CurrentAccount, id))
      .handleRaw("rotate", ({ params: { id } }) => answers.rotate(CurrentAccount, id))
      .handle("test", ({ params: { id } }) => answers.test(CurrentAccount, id))
      .handleRaw("replay", ({ params: { id } }) => answers.replay(CurrentAccount, id))
  }),
)

export const OperatorWebhooksHandlers = HttpApiBuilder.group(
  Api,
  "operatorWebhooks",
  Effect.fnUntraced(function* (handlers) {
    const answers = yield* makeAnswers
    const accounts = yield* Accounts
    const of = (name: string) => Effect.flatMap(namedAccount(name), accounts.find)
    return handlers
      .handle("list", ({ params: { name } }) => answers.list(of(name)))
      .handleRaw("create", ({ params: { name } }) => answers.create(of(name)))
      .handle("get", ({ params: { id, name } }) => answers.get(of(name), id))
      .handleRaw("change", ({ params: { id, name } }) => answers.change(of(name), id))
      .handle("remove", ({ params: { id, name } }) => answers.remove(of(name), id))
      .handleRaw("rotate", ({ params: { id, name } }) => answers.rotate(of(name), id))
      .handle("test", ({ params: { id, name } }) => answers.test(of(name), id))
      .handleRaw("replay", ({ params: { id, name } }) => answers.replay(of(name), id))
      .handle("deliveries", ({ params: { id, name }, query }) => answers.deliveries(of(name), id, query))
      .handle("delivery", ({ params: { delivery, id, name } }) => answers.delivery(of(name), id, delivery))
  }),
)
