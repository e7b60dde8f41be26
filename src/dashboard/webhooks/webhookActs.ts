import { Duration, Effect, Option } from "effect"
import type { Accounts } from "../../accounts/Accounts.ts"
import { allTypes, ReplayBody, RotationBody, WebhookChangesBody } from "../../api/WebhookBodies.ts"
import { actorOf } from "../../domain/Audit.ts"
import { issuesOf } from "../../domain/Issues.ts"
import { accept, readerOf } from "../../requests/parameterIssues.ts"
import { path, type Url } from "../../pages/Url.ts"
import { spread } from "../../platform/spread.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import { rangeOf } from "../../webhooks/replayRange.ts"
import { defaultOverlap, Webhooks } from "../../webhooks/Webhooks.ts"
import { accountOf } from "../accounts/account.ts"
import { again, given, momentOr, numberOr, readEntered, truth } from "../entered.ts"
import type { Act, Sent } from "../Page.ts"
import { replayForm, rotateForm, webhookIdOf } from "./webhook.ts"
import { enteredTypes, showSecret, webhooksPath } from "./webhooks.ts"

const webhookPath = ({ param }: Sent): Url =>
  path`/dashboard/accounts/${param("name")}/webhooks/${param("id")}`

const back = { back: "Back to the webhook", backTo: webhookPath }

/** The account and the webhook of the path, and who acts. */
const subject = Effect.fnUntraced(function* (sent: Sent) {
  const owner = yield* accountOf(sent)
  return { owner, id: yield* webhookIdOf(sent.param("id")), actor: actorOf(sent.viewer.caller) }
})

const readChanges = readEntered(readerOf(WebhookChangesBody))

/** Disables or enables a webhook, or changes what it is told of. */
export const changeWebhook: Act<Accounts | Webhooks> = {
  path: "/dashboard/accounts/:name/webhooks/:id/change",
  run: Effect.fnUntraced(function* (sent) {
    const { actor, id, owner } = yield* subject(sent)
    const { types, ...change } = yield* readChanges(
      sent.field("change") === "types"
        ? { types: enteredTypes(sent.fields("types")) }
        : given({ enabled: truth(sent.field("enabled")) }),
    )
    const wanted = {
      ...change,
      ...spread(types, (types) => ({ types: types === allTypes ? Option.none() : Option.some(types) })),
    }
    yield* (yield* Webhooks).change(owner, id, wanted, actor)
    return { to: webhookPath(sent), said: "webhookChanged" } as const
  }),
}

/** Deletes a webhook with its deliveries. */
export const removeWebhook: Act<Accounts | Webhooks> = {
  path: "/dashboard/accounts/:name/webhooks/:id/remove",
  run: Effect.fnUntraced(function* (sent) {
    const { actor, id, owner } = yield* subject(sent)
    yield* (yield* Webhooks).remove(owner, id, actor)
    return { to: webhooksPath(owner.name), said: "webhookRemoved" } as const
  }),
}

const readRotation = readEntered(readerOf(RotationBody))

/** Makes a new secret, and shows it this once. */
export const rotateSecret: Act<Accounts | Webhooks> = {
  path: "/dashboard/accounts/:name/webhooks/:id/rotate",
  run: Effect.fnUntraced(function* (sent) {
    const { actor, id, owner } = yield* subject(sent)
    const { overlapSeconds } = yield* readRotation(
      given({
        overlapSeconds: sent.field("overlapSeconds") === ""
          ? undefined
          : numberOr(sent.field("overlapSeconds")),
      }),
    )
    const overlap = overlapSeconds === undefined ? defaultOverlap : Duration.seconds(overlapSeconds)
    return showSecret(owner.name, yield* (yield* Webhooks).rotate(owner, id, overlap, actor))
  }),
  again: again({
    ...back,
    title: "A new secret",
    form: ({ param }, entered) => rotateForm(param("name"), param("id"), entered),
  }),
}

/** Sends a test message, at once. */
export const testWebhook: Act<Accounts | Deliveries> = {
  path: "/dashboard/accounts/:name/webhooks/:id/test",
  run: Effect.fnUntraced(function* (sent) {
    const { id, owner } = yield* subject(sent)
    yield* (yield* Deliveries).test(owner, id)
    return { to: webhookPath(sent), said: "testSent" } as const
  }),
}

const readReplay = readEntered(readerOf(ReplayBody), (range) => [issuesOf([rangeOf(range)])])

const entered = (text: string, read: (text: string) => unknown) => text === "" ? undefined : read(text)

/** Tells a webhook again of one event, or of a range. */
export const replayEvents: Act<Accounts | Deliveries> = {
  path: "/dashboard/accounts/:name/webhooks/:id/replay",
  run: Effect.fnUntraced(function* (sent) {
    const { actor, id, owner } = yield* subject(sent)
    const { field } = sent
    const wanted = yield* readReplay(given({
      eventId: entered(field("eventId"), numberOr),
      fromEventId: entered(field("fromEventId"), numberOr),
      toEventId: entered(field("toEventId"), numberOr),
      since: entered(field("since"), momentOr),
      until: entered(field("until"), momentOr),
    }))
    yield* (yield* Deliveries).replay(owner, id, yield* accept([], rangeOf(wanted)), actor)
    return { to: webhookPath(sent), said: "replayed" } as const
  }),
  again: again({
    ...back,
    title: "Tell events again",
    form: ({ param }, entered) => replayForm(param("name"), param("id"), entered),
  }),
}
