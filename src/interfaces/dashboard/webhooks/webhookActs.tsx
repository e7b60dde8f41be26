import { Duration, Effect, Option, Redacted } from "effect"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { allTypes, NewWebhookBody, ReplayBody, RotationBody, WebhookChangesBody } from "#api/WebhookBodies.ts"
import { issuesOf } from "#domain/Issues.ts"
import { Language, notations, usualLanguage } from "#domain/Language.ts"
import { SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { type Webhook, WebhookId, type WebhookSecret } from "#domain/accounts/Webhook.ts"
import { accept, readerOf } from "../../requests/parameterIssues.ts"
import type { Html, Url } from "../../pages/jsx-runtime.ts"
import { copyable, section } from "../../pages/parts.tsx"
import { shortened } from "./deliveryText.tsx"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
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
  momentOr,
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

/** A webhook with its new secret, which is shown only now. */
const showSecret = (
  name: string,
  { secret, webhook }: { readonly webhook: Webhook; readonly secret: WebhookSecret },
): Shown => ({
  title: "Webhook secret",
  crumb: <a href={webhookPath(name, webhook.id)}>{webhook.id}</a>,
  body: section({ title: shortened(webhook.url), id: "secret" }, [
    <p class="secret">{copyable(Redacted.value(secret), "secret")}</p>,
    <p class="soft">
      Copy it now. You won’t see it again. Deliveries are signed with it, and the receiver checks the
      signature.
    </p>,
  ]),
})

/** The types that were ticked, as a body of the API has them. */
const wanted = (ticked: ReadonlyArray<string>) => ticked.length === 0 ? allTypes : ticked

/** Boxes for the types of events; none ticked stands for all. */
const types = boxes({
  legend: "Events",
  choices: SwapEventType.literals,
  hint: "Select none to receive every event, including future ones.",
  as: wanted,
})

const language = choice({
  label: "Language",
  choices: Language.literals.map((value) => ({ value, label: notations[value].name })),
  usual: usualLanguage,
  hint: "Each delivery explains the swap in this language.",
})

const readCreateWebhook = readEntered(readerOf(NewWebhookBody), ({ url }) => [heldKeyIssues("url", url, [])])

/** Creates a webhook, and shows its secret only now. */
export const createWebhook = formAction({
  path: "/dashboard/accounts/:name/webhooks",
  button: "Create webhook",
  tone: "go",
  once: true,
  fields: {
    url: text({
      label: "URL",
      required: true,
      hint: "An https URL of a public host. Check the signature of each delivery.",
    }),
    types,
    language,
  },
  again: { title: "New webhook", back: "Webhooks", backTo: ({ param }) => webhooksPath(param("name")) },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const account = yield* accountOf(sent)
    const { language, types, url } = yield* readCreateWebhook(sent.entered)
    const terms = {
      url,
      ...defined({ language }),
      ...(types === undefined || types === allTypes ? {} : { types }),
    }
    return showSecret(account.name, yield* (yield* Webhooks).create(account, terms, sent.by))
  }),
})

const readChanges = readEntered(readerOf(WebhookChangesBody))

/** Disables or enables a webhook, or changes its types of events and its language. */
const changeWebhook = formAction({
  path: "/dashboard/accounts/:name/webhooks/:id/change",
  button: "Save",
  fields: { change: fixed(), types, language },
  done: { webhookChanged: "Webhook changed." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { id, owner } = yield* subject(sent)
    const { types, ...change } = yield* readChanges(
      sent.field("change") === "types"
        ? { types: wanted(sent.fields("types")), language: sent.field("language") }
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
  button: "Delete webhook",
  tone: "stop",
  confirm: {
    title: "Delete this webhook?",
    lead:
      "This deletes the webhook and the list of its deliveries. Past events can no longer be resent to it.",
    back: "Webhooks",
    backTo: ({ param }) => webhooksPath(param("name")),
  },
  done: { webhookRemoved: "Webhook deleted, with its deliveries." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { id, owner } = yield* subject(sent)
    yield* (yield* Webhooks).remove(owner, id, sent.by)
    return { to: webhooksPath(owner.name), said: "webhookRemoved" } as const
  }),
})

const readRotateSecret = readEntered(readerOf(RotationBody))

/** Makes a new secret, and shows it only now. */
const rotateSecret = formAction({
  path: "/dashboard/accounts/:name/webhooks/:id/rotate",
  button: "Create secret",
  once: true,
  fields: {
    overlapSeconds: text({
      label: "Keep earlier secrets for (seconds)",
      usual: "86400",
      hint: "At most a week; 0 ends them now.",
      as: numberOr,
    }),
  },
  again: { title: "New secret", back: "Webhook", backTo: sentPath },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { id, owner } = yield* subject(sent)
    const { overlapSeconds } = yield* readRotateSecret(sent.entered)
    const overlap = overlapSeconds === undefined ? defaultOverlap : Duration.seconds(overlapSeconds)
    return showSecret(owner.name, yield* (yield* Webhooks).rotate(owner, id, overlap, sent.by))
  }),
})

/** Sends a test, at once. */
const testWebhook = formAction({
  path: "/dashboard/accounts/:name/webhooks/:id/test",
  button: "Send test",
  once: true,
  done: { testSent: "Test sent. See the result below." },
  run: Effect.fnUntraced(function* (sent: Submitted) {
    const { id, owner } = yield* subject(sent)
    yield* (yield* Deliveries).test(owner, id)
    return { to: sentPath(sent), said: "testSent" } as const
  }),
})

/** Retries at once what waits for its next attempt. */
export const retryNow = formAction({
  path: "/dashboard/accounts/:name/webhooks/:id/retry",
  button: "Retry now",
  tone: "go",
  once: true,
  done: { retried: "Retrying the delivery. See the result below." },
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
  button: "Resend",
  once: true,
  fields: {
    since: text({
      label: "From (UTC)",
      required: true,
      hint: "Such as 2026-01-31 or 2026-01-31 12:00.",
      as: momentOr,
    }),
    until: text({ label: "Until (UTC)", hint: "Leave empty for the current time.", as: momentOr }),
    which: choice({
      label: "Deliveries",
      choices: [{ value: "undelivered", label: "Undelivered only" }, { value: "all", label: "All" }],
      usual: "undelivered",
    }),
  },
  also: { eventId: fixed(numberOr) },
  done: { replayed: "Resending. See the result below." },
  again: { title: "Resend events", back: "Webhook", backTo: sentPath },
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
export const settingForms = (name: string, { id, language, types }: Webhook): Html => {
  const at = { name, id }
  return (
    <>
      <details>
        <summary>Events and language</summary>
        {changeWebhook.form(at, { entered: filled({ change: "types", types: types ?? [], language }) })}
      </details>
      <details>
        <summary>New secret</summary>
        {rotateSecret.form(at)}
      </details>
      <details>
        <summary>Delete webhook</summary>
        {removeWebhook.form(at)}
      </details>
    </>
  )
}
