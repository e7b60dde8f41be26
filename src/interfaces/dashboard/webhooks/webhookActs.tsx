import { Duration, Effect, Option, Redacted } from "effect"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { allTypes, NewWebhookBody, ReplayBody, RotationBody, WebhookChangesBody } from "#api/WebhookBodies.ts"
import { issuesOf } from "#domain/Issues.ts"
import { SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { type Webhook, WebhookId, type WebhookSecret } from "#domain/accounts/Webhook.ts"
import { accept, readerOf } from "../../requests/parameterIssues.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { copyable, section } from "../../pages/parts.tsx"
import type { Url } from "../../pages/Url.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { Deliveries } from "#application/webhooks/Deliveries.ts"
import { WebhookUnknown } from "#application/webhooks/failures.ts"
import { rangeOf } from "#application/webhooks/replayRange.ts"
import { defaultOverlap, Webhooks } from "#application/webhooks/Webhooks.ts"
import { accountOf } from "../accounts/account.tsx"
import { webhookPath, webhooksPath } from "../accounts/paths.ts"
import {
  boxes,
  choice,
  filled,
  fixed,
  formAction,
  given,
  moment,
  numberOr,
  readEntered,
  type Submitted,
  text,
  truth,
} from "../formAction.tsx"
import type { Shown, SubmittedForm } from "../Page.ts"

const sentPath = ({ param }: SubmittedForm): Url => webhookPath(param("name"), param("id"))

/** The webhook that a path names. */
export const webhookIdOf = (text: string) =>
  Effect.mapError(Effect.fromOption(WebhookId.makeOption(text)), () => new WebhookUnknown())

/** The account and the webhook of the path. */
const subject = Effect.fnUntraced(function* (sent: SubmittedForm) {
  const owner = yield* accountOf(sent)
  return { owner, id: yield* webhookIdOf(sent.param("id")) }
})

/** A webhook with its new secret, which is shown this once. */
const showSecret = (
  name: string,
  { secret, webhook }: { readonly webhook: Webhook; readonly secret: WebhookSecret },
): Shown => ({
  title: "A new secret",
  crumb: <a href={webhookPath(name, webhook.id)}>{webhook.id}</a>,
  body: section({ title: `Secret of ${webhook.id}`, id: "secret" }, [
    <p class="secret">{copyable(Redacted.value(secret), "secret")}</p>,
    <p class="soft">Shown this once. Messages are signed with it: the receiver checks them with it.</p>,
  ]),
})

/** The types that were ticked, as a body of the API has them. */
const wanted = (ticked: ReadonlyArray<string>) => ticked.length === 0 ? allTypes : ticked

/** Boxes for the types of events; none ticked stands for all. */
const types = boxes({
  legend: "Events",
  choices: SwapEventType.literals,
  hint: "Without any: all, also those of later versions.",
  as: wanted,
})

const readCreateWebhook = readEntered(readerOf(NewWebhookBody), ({ url }) => [heldKeyIssues("url", url, [])])

/** Creates a webhook, and shows its secret this once. */
export const createWebhook = formAction({
  path: "/dashboard/accounts/:name/webhooks",
  button: "Create the webhook",
  tone: "go",
  once: true,
  fields: {
    url: text({
      label: "URL",
      required: true,
      hint: "https, to a host on the internet. Whoever knows it can send to it; messages are signed.",
    }),
    types,
  },
  again: { title: "Another webhook", back: "Webhooks", backTo: ({ param }) => webhooksPath(param("name")) },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const account = yield* accountOf(sent)
    const { types, url } = yield* readCreateWebhook(sent.entered)
    const terms = { url, ...(types === undefined || types === allTypes ? {} : { types }) }
    return showSecret(account.name, yield* (yield* Webhooks).create(account, terms, sent.by))
  }),
})

const readChanges = readEntered(readerOf(WebhookChangesBody))

/** Disables or enables a webhook, or changes what it is told of. */
const changeWebhook = formAction({
  path: "/dashboard/accounts/:name/webhooks/:id/change",
  button: "Change the events",
  fields: { change: fixed(), types },
  done: { webhookChanged: "The webhook is changed." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { id, owner } = yield* subject(sent)
    const { types, ...change } = yield* readChanges(
      sent.field("change") === "types"
        ? { types: wanted(sent.fields("types")) }
        : given({ enabled: truth(sent.field("enabled")) }),
    )
    const changes = {
      ...change,
      ...optionalMembers(
        types,
        (types) => ({ types: types === allTypes ? Option.none() : Option.some(types) }),
      ),
    }
    yield* (yield* Webhooks).change(owner, id, changes, sent.by)
    return { to: sentPath(sent), said: "webhookChanged" } as const
  }),
})

/** Deletes a webhook with its deliveries. */
const removeWebhook = formAction({
  path: "/dashboard/accounts/:name/webhooks/:id/remove",
  button: "Delete with its deliveries",
  tone: "stop",
  confirm: {
    title: "Delete this webhook?",
    lead:
      "The webhook and the list of its deliveries are deleted. Events of the past cannot be sent to it any more.",
    back: "Webhooks",
    backTo: ({ param }) => webhooksPath(param("name")),
  },
  done: { webhookRemoved: "The webhook is gone, with its deliveries." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { id, owner } = yield* subject(sent)
    yield* (yield* Webhooks).remove(owner, id, sent.by)
    return { to: webhooksPath(owner.name), said: "webhookRemoved" } as const
  }),
})

const readRotateSecret = readEntered(readerOf(RotationBody))

/** Makes a new secret, and shows it this once. */
const rotateSecret = formAction({
  path: "/dashboard/accounts/:name/webhooks/:id/rotate",
  button: "Make a new secret",
  once: true,
  fields: {
    overlapSeconds: text({
      label: "Earlier secrets sign for",
      usual: "86400",
      hint: "Seconds, at most a week; 0 ends them at once.",
      as: numberOr,
    }),
  },
  again: { title: "A new secret", back: "Back to the webhook", backTo: sentPath },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { id, owner } = yield* subject(sent)
    const { overlapSeconds } = yield* readRotateSecret(sent.entered)
    const overlap = overlapSeconds === undefined ? defaultOverlap : Duration.seconds(overlapSeconds)
    return showSecret(owner.name, yield* (yield* Webhooks).rotate(owner, id, overlap, sent.by))
  }),
})

/** Sends a test message, at once. */
const testWebhook = formAction({
  path: "/dashboard/accounts/:name/webhooks/:id/test",
  button: "Send a test",
  once: true,
  done: { testSent: "The test is on its way: its message below says what became of it." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { id, owner } = yield* subject(sent)
    yield* (yield* Deliveries).test(owner, id)
    return { to: sentPath(sent), said: "testSent" } as const
  }),
})

/** Sends at once what waits for its next attempt. */
export const retryNow = formAction({
  path: "/dashboard/accounts/:name/webhooks/:id/retry",
  button: "Try now",
  tone: "go",
  once: true,
  done: { retried: "It is tried now: the messages below say what came of it." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { id, owner } = yield* subject(sent)
    yield* (yield* Deliveries).hasten(owner, id)
    return { to: sentPath(sent), said: "retried" } as const
  }),
})

const readReplayEvents = readEntered(readerOf(ReplayBody), (range) => [issuesOf([rangeOf(range)])])

/** Sends a webhook its events of a time once more, or one of them. */
export const replayEvents = formAction({
  path: "/dashboard/accounts/:name/webhooks/:id/replay",
  button: "Send again",
  once: true,
  fields: {
    since: moment({ label: "From (UTC)", required: true }),
    until: moment({ label: "Until (UTC)", hint: "Empty: until now." }),
    which: choice({
      label: "Which",
      choices: [{ value: "undelivered", label: "What never arrived" }, { value: "all", label: "Everything" }],
      usual: "undelivered",
    }),
  },
  also: { eventId: fixed(numberOr) },
  done: { replayed: "Sent again: the messages below say what becomes of them." },
  again: { title: "Send events again", back: "Back to the webhook", backTo: sentPath },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { id, owner } = yield* subject(sent)
    yield* (yield* Deliveries).replay(
      owner,
      id,
      yield* accept([], rangeOf(yield* readReplayEvents(sent.entered))),
      sent.by,
    )
    return { to: sentPath(sent), said: "replayed" } as const
  }),
})

/** Every act on webhooks. */
export const webhookActs = [
  createWebhook,
  changeWebhook,
  removeWebhook,
  rotateSecret,
  testWebhook,
  retryNow,
  replayEvents,
] as const

/** What can be done with a webhook, for the head of its page. */
export const headActs = (name: string, { enabled, id }: Webhook): ReadonlyArray<Html> => [
  testWebhook.form({ name, id }),
  changeWebhook.form({ name, id }, {
    button: enabled ? "Switch off" : "Switch on",
    tone: enabled ? "stop" : "go",
    fields: { change: fixed(), enabled: fixed() },
    entered: filled({ change: "enabled", enabled: enabled ? "false" : "true" }),
  }),
]

/** The forms that change a webhook, each closed until it is wanted. */
export const settingForms = (name: string, { id, types }: Webhook): Html => {
  const at = { name, id }
  return (
    <>
      <details>
        <summary>Change the events</summary>
        {changeWebhook.form(at, {
          entered: filled({ change: "types", types: types ?? [] }),
        })}
      </details>
      <details>
        <summary>A new secret</summary>
        {rotateSecret.form(at)}
      </details>
      <details>
        <summary>Delete it</summary>
        {removeWebhook.form(at)}
      </details>
    </>
  )
}
