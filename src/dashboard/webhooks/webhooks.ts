import { Effect, Redacted } from "effect"
import type { Accounts } from "../../accounts/Accounts.ts"
import { heldKeyIssues } from "../../accounts/ApiKey.ts"
import { allTypes, NewWebhookBody } from "../../api/WebhookBodies.ts"
import { actorOf } from "../../domain/Audit.ts"
import { SwapEventType } from "../../domain/SwapEvent.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import type { Webhook, WebhookSecret } from "../../domain/Webhook.ts"
import { readerOf } from "../../requests/parameterIssues.ts"
import { actForm, checkboxes, field } from "../../pages/forms.ts"
import { type Html, html } from "../../pages/html.ts"
import { badge, copyable, foreign, section, table, time } from "../../pages/parts.ts"
import { path, type Url } from "../../pages/Url.ts"
import { type Owner, Webhooks } from "../../webhooks/Webhooks.ts"
import { accountOf, backToAccount } from "../accounts/account.ts"
import { again, type Entered, given, once, readEntered, untouched } from "../entered.ts"
import type { Act, Page, Shown } from "../Page.ts"

/** The page of an account's webhooks; the operator's. */
export const webhooksPath = (name: string): Url => path`/dashboard/accounts/${name}/webhooks`

const reasons = {
  asked: "disabled on request",
  gone: "disabled: the receiver answered 410",
  failing: "disabled: every attempt failed for days",
  secret_missing: "disabled: it has no secret, as after an import",
} as const

/** Whether a webhook is told, and since when not. */
export const webhookState = (webhook: Webhook, now: EpochMillis): Html => {
  const { disabledAt, disabledReason, enabled, failingSince } = webhook
  if (!enabled) {
    return html`${badge(disabledReason === undefined ? "disabled" : reasons[disabledReason], "warn")}${
      disabledAt !== undefined && html`
        ${time(disabledAt, now)}
      `
    }`
  }
  return failingSince === undefined
    ? badge("told", "good")
    : html`${badge("failing", "bad")} since ${time(failingSince, now)}`
}

/** The types that a webhook wants. */
export const typesText = ({ types }: Webhook): string => types === undefined ? "all" : types.join(", ")

const webhooksTable = (
  webhooks: ReadonlyArray<Webhook>,
  now: EpochMillis,
  to: (webhook: Webhook) => Url,
): Html =>
  table({
    caption: "Webhooks",
    columns: [{ label: "Webhook" }, { label: "URL" }, { label: "Events" }, { label: "State" }],
    rows: webhooks.map((webhook) => [
      html`<a href="${to(webhook)}">${webhook.id}</a>`,
      html`<code>${foreign(webhook.url, 120)}</code>`,
      typesText(webhook),
      webhookState(webhook, now),
    ]),
    empty: "There is no webhook: nobody is told of the swaps by messages.",
  })

const typeChoices = SwapEventType.literals.map((value) => ({ value, label: value }))

/** Boxes for the types of events; none ticked stands for all. */
export const typeBoxes = (present: ReadonlyArray<string>, { fault, values }: Entered): Html =>
  checkboxes({
    legend: "Events",
    name: "types",
    choices: typeChoices,
    checked: values("types", present),
    hint: "Without any: all, also those of later versions.",
    fault: fault("types"),
  })

/** The types that were ticked, as a body of the API has them. */
export const enteredTypes = (ticked: ReadonlyArray<string>) => ticked.length === 0 ? allTypes : ticked

const newForm = (name: string, entered: Entered): Html =>
  actForm({ to: webhooksPath(name), button: "Create the webhook", tone: "info" }, [
    field({
      label: "URL",
      name: "url",
      value: entered.value("url"),
      required: true,
      hint: "https, to a host on the internet. Whoever knows it can send to it; messages are signed.",
      fault: entered.fault("url"),
    }),
    typeBoxes([], entered),
    once(),
  ])

/** The webhooks of an account, and a form for another. */
export const webhooksPage: Page<Accounts | Webhooks> = {
  path: "/dashboard/accounts/:name/webhooks",
  operator: Effect.fnUntraced(function* (asked) {
    const account = yield* accountOf(asked)
    const { name } = account
    const all = yield* (yield* Webhooks).ofAccount(account)
    return {
      title: "Webhooks",
      above: backToAccount(name),
      body: [
        section(
          { title: "All webhooks", id: "webhooks" },
          webhooksTable(all, asked.now, ({ id }) => path`/dashboard/accounts/${name}/webhooks/${id}`),
        ),
        section({ title: "Another webhook", id: "new" }, newForm(name, untouched)),
      ],
    }
  }),
}

const showOwn = Effect.fnUntraced(function* (owner: Owner, now: EpochMillis) {
  const all = yield* (yield* Webhooks).ofAccount(owner)
  return {
    title: "Webhooks",
    body: section({ title: "All webhooks", id: "webhooks" }, [
      webhooksTable(all, now, ({ id }) => path`/dashboard/webhooks/${id}`),
      html`<p class="empty">They are made and changed with a key: <code>POST /webhooks</code>.</p>`,
    ]),
  }
})

/** The webhooks of the viewer's own account. */
export const ownWebhooksPage: Page<Webhooks> = {
  path: "/dashboard/webhooks",
  nav: "Webhooks",
  navOfIntegrators: true,
  operator: ({ now, viewer }) => showOwn(viewer.caller, now),
  integrator: ({ now, viewer }) => showOwn(viewer.account, now),
}

/** A webhook with its new secret, which is shown this once. */
export const showSecret = (
  name: string,
  { secret, webhook }: { readonly webhook: Webhook; readonly secret: WebhookSecret },
): Shown => ({
  title: "A new secret",
  above: html`<a href="${path`/dashboard/accounts/${name}/webhooks/${webhook.id}`}">${webhook.id}</a>`,
  body: section({ title: `Secret of ${webhook.id}`, id: "secret" }, [
    html`<p class="secret">${copyable(Redacted.value(secret), "secret")}</p>`,
    html`<p class="empty">Shown this once. Messages are signed with it: the receiver checks them with it.</p>`,
  ]),
})

const readNewWebhook = readEntered(readerOf(NewWebhookBody), ({ url }) => [heldKeyIssues("url", url, [])])

/** Creates a webhook, and shows its secret this once. */
export const createWebhook: Act<Accounts | Webhooks> = {
  path: "/dashboard/accounts/:name/webhooks",
  run: Effect.fnUntraced(function* (sent) {
    const account = yield* accountOf(sent)
    const { types, url } = yield* readNewWebhook(
      given({ url: sent.field("url"), types: enteredTypes(sent.fields("types")) }),
    )
    const terms = { url, ...(types === undefined || types === allTypes ? {} : { types }) }
    const made = yield* (yield* Webhooks).create(account, terms, actorOf(sent.viewer.caller))
    return showSecret(account.name, made)
  }),
  again: again({
    title: "Another webhook",
    back: "Webhooks",
    backTo: ({ param }) => webhooksPath(param("name")),
    form: ({ param }, entered) => newForm(param("name"), entered),
  }),
}
