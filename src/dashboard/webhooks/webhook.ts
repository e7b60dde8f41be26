import { Effect, Option } from "effect"
import type { Accounts } from "../../accounts/Accounts.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import type { Viewer } from "../../domain/Viewer.ts"
import { type Delivery, DeliveryId, DeliveryState, type Webhook, WebhookId } from "../../domain/Webhook.ts"
import { actForm, field, filterForm, hidden, select } from "../../pages/forms.ts"
import { type Html, html } from "../../pages/html.ts"
import { badge, facts, foreign, pager, section, table, time, verbatim } from "../../pages/parts.ts"
import { path, type Url, withQuery } from "../../pages/Url.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import { DeliveryUnknown, WebhookUnknown } from "../../webhooks/failures.ts"
import { type Owner, Webhooks } from "../../webhooks/Webhooks.ts"
import { accountOf } from "../accounts/account.ts"
import { type Entered, once, untouched } from "../entered.ts"
import type { Asked, Page } from "../Page.ts"
import { typeBoxes, typesText, webhooksPath, webhookState } from "./webhooks.ts"

/** The most deliveries on one page. */
const atOnce = 50

const stateTones = { pending: "info", delivered: "good", failed: "bad" } as const

/** Where the pages of a webhook are: below its account for operators, else by themselves. */
interface Place {
  readonly here: Url
  readonly back: Html
  readonly delivery: (id: DeliveryId) => Url
  /** The account whose webhook the operator can change. */
  readonly acting?: string
}

const ofAccount = (name: string, id: string): Place => ({
  here: path`/dashboard/accounts/${name}/webhooks/${id}`,
  back: html`<a href="${webhooksPath(name)}">Webhooks of ${name}</a>`,
  delivery: (delivery) => path`/dashboard/accounts/${name}/webhooks/${id}/deliveries/${delivery}`,
  acting: name,
})

const ofOwn = (id: string): Place => ({
  here: path`/dashboard/webhooks/${id}`,
  back: html`<a href="${path`/dashboard/webhooks`}">Webhooks</a>`,
  delivery: (delivery) => path`/dashboard/webhooks/${id}/deliveries/${delivery}`,
})

/** The webhook that a path names. */
export const webhookIdOf = (text: string) =>
  Effect.mapError(Effect.fromOption(WebhookId.makeOption(text)), () => new WebhookUnknown())

const digits = /^[1-9][0-9]{0,15}$/

const deliveryOf = (text: string) =>
  Effect.mapError(
    Effect.fromOption(digits.test(text) ? DeliveryId.makeOption(Number(text)) : Option.none()),
    () => new DeliveryUnknown(),
  )

const deliveriesTable = (deliveries: ReadonlyArray<Delivery>, now: EpochMillis, place: Place): Html =>
  table({
    caption: "Deliveries, the latest first",
    columns: [
      { label: "Delivery" },
      { label: "Event" },
      { label: "State" },
      { label: "Attempts", kind: "number" },
      { label: "Made" },
      { label: "Next attempt" },
    ],
    rows: deliveries.map((one) => [
      html`<a href="${place.delivery(one.id)}">${one.id}</a>`,
      html`${one.type}${
        one.swapId !== undefined && html`
          <small>swap ${one.swapId}</small>
        `
      }`,
      badge(one.state, stateTones[one.state]),
      `${one.attempts}`,
      time(one.createdAt, now),
      one.nextAttemptAt === undefined ? "–" : time(one.nextAttemptAt, now),
    ]),
    empty: "There is no delivery: it is told of the next event, or of a test.",
  })

const button = (to: Url, words: string, fields: ReadonlyArray<Html>, isDangerous = false): Html =>
  actForm({ to, button: words, tone: isDangerous ? "bad" : "plain" }, fields)

const typesForm = (name: string, id: string, present: ReadonlyArray<string>, entered: Entered): Html =>
  actForm({ to: path`/dashboard/accounts/${name}/webhooks/${id}/change`, button: "Change the events" }, [
    hidden("change", "types"),
    typeBoxes(present, entered),
  ])

/** The form that tells events again. */
export const replayForm = (name: string, id: string, { fault, value }: Entered): Html =>
  actForm({ to: path`/dashboard/accounts/${name}/webhooks/${id}/replay`, button: "Tell again" }, [
    field({
      label: "From event",
      name: "fromEventId",
      value: value("fromEventId"),
      hint: "The number in a webhook-id: 42 of evt_42.",
      fault: fault("fromEventId"),
    }),
    field({ label: "To event", name: "toEventId", value: value("toEventId"), fault: fault("toEventId") }),
    field({
      label: "Since",
      name: "since",
      value: value("since"),
      hint: "A day or a time of UTC, such as 2026-07-29 14:00.",
      fault: fault("since"),
    }),
    field({ label: "Until", name: "until", value: value("until"), fault: fault("until") }),
    once(),
  ])

/** The form that makes a new secret. */
export const rotateForm = (name: string, id: string, { fault, value }: Entered): Html =>
  actForm({ to: path`/dashboard/accounts/${name}/webhooks/${id}/rotate`, button: "Make a new secret" }, [
    field({
      label: "Earlier secrets sign for",
      name: "overlapSeconds",
      value: value("overlapSeconds", "86400"),
      hint: "Seconds, at most a week; 0 ends them at once.",
      fault: fault("overlapSeconds"),
    }),
    once(),
  ])

const actsOn = (name: string, { enabled, id, types }: Webhook): Html => {
  const to = (act: string): Url => path`/dashboard/accounts/${name}/webhooks/${id}/${act}`
  return html`
    <div class="row">${button(to("test"), "Send a test", [once()])}${button(
      to("change"),
      enabled ? "Disable" : "Enable",
      [hidden("change", "enabled"), hidden("enabled", enabled ? "false" : "true")],
    )}${button(to("remove"), "Delete with its deliveries", [], true)}</div>
    <details><summary>Which events</summary>${typesForm(name, id, types ?? [], untouched)}</details>
    <details><summary>Tell events again</summary>${replayForm(name, id, untouched)}</details>
    <details><summary>A new secret</summary>${rotateForm(name, id, untouched)}</details>
  `
}

const stateFrom = (text: string | undefined) =>
  Option.fromUndefinedOr(DeliveryState.literals.find((state) => state === text))

const stateChoices = [
  { value: "", label: "all" },
  ...DeliveryState.literals.map((value) => ({ value, label: value })),
]

const show = Effect.fnUntraced(function* (owner: Owner, place: Place, { now, param, query }: Asked<Viewer>) {
  const webhook = yield* (yield* Webhooks).find(owner, yield* webhookIdOf(param("id")))
  const state = Option.getOrUndefined(stateFrom(query("state")))
  const from = query("from")
  const { items, next } = yield* (yield* Deliveries).page(owner, webhook.id, {
    limit: atOnce,
    ...(state === undefined ? {} : { state }),
    ...(from === undefined ? {} : { offset: yield* deliveryOf(from) }),
  })
  const filtered = withQuery(place.here, { state })
  return {
    title: webhook.id,
    above: place.back,
    body: [
      section({ title: "Webhook", id: "webhook" }, [
        facts([
          ["URL", html`<code>${foreign(webhook.url, 500)}</code>`],
          ["State", webhookState(webhook, now)],
          ["Events", typesText(webhook)],
          ["Made", time(webhook.createdAt, now)],
        ]),
        ...(place.acting === undefined ? [] : [actsOn(place.acting, webhook)]),
      ]),
      section({ title: "Deliveries", id: "deliveries" }, [
        filterForm(place.here, [
          select({ label: "State", name: "state", choices: stateChoices, value: state ?? "" }),
        ]),
        html`<div id="list" data-live>${deliveriesTable(items, now, place)}</div>`,
        pager({
          first: from === undefined ? undefined : filtered,
          next: next === undefined ? undefined : withQuery(filtered, { from: next }),
        }),
      ]),
    ],
  }
})

/** A webhook of any account, with what it was told. */
export const webhookPage: Page<Accounts | Webhooks | Deliveries> = {
  path: "/dashboard/accounts/:name/webhooks/:id",
  operator: Effect.fnUntraced(function* (asked) {
    const account = yield* accountOf(asked)
    return yield* show(account, ofAccount(account.name, asked.param("id")), asked)
  }),
}

/** A webhook of the viewer's own account. */
export const ownWebhookPage: Page<Webhooks | Deliveries> = {
  path: "/dashboard/webhooks/:id",
  operator: (asked) => show(asked.viewer.caller, ofOwn(asked.param("id")), asked),
  integrator: (asked) => show(asked.viewer.account, ofOwn(asked.param("id")), asked),
}

const showDelivery = Effect.fnUntraced(
  function* (owner: Owner, place: Place, { now, param }: Asked<Viewer>) {
    const { attempts, delivery } = yield* (yield* Deliveries).find(
      owner,
      yield* webhookIdOf(param("id")),
      yield* deliveryOf(param("delivery")),
    )
    return {
      title: `Delivery ${delivery.id}`,
      above: html`<a href="${place.here}">${param("id")}</a>`,
      body: [
        section(
          { title: "Message", id: "message", aside: badge(delivery.state, stateTones[delivery.state]) },
          [
            facts([
              ["Type", delivery.type],
              ["Message id", html`<code>${delivery.messageId}</code>`],
              ["Swap", delivery.swapId === undefined ? undefined : swapLink(delivery.swapId)],
              ["Made", time(delivery.createdAt, now)],
              [
                "Next attempt",
                delivery.nextAttemptAt === undefined ? undefined : time(delivery.nextAttemptAt, now),
              ],
              ["Ended", delivery.endedAt === undefined ? undefined : time(delivery.endedAt, now)],
            ]),
            ...(place.acting === undefined || delivery.eventId === undefined ? [] : [
              button(
                path`/dashboard/accounts/${place.acting}/webhooks/${param("id")}/replay`,
                "Tell it again",
                [
                  hidden("eventId", `${delivery.eventId}`),
                  once(),
                ],
              ),
            ]),
          ],
        ),
        section(
          { title: "Attempts", id: "attempts" },
          attempts.length === 0
            ? html`<p class="empty">None yet.</p>`
            : attempts.map(({ at, durationMillis, excerpt, failure, status }, index) =>
              html`
                <div class="stack"><p>${badge(
                  status === undefined ? `${failure}` : `${status}`,
                  toneOf(status),
                )} ${time(at, now)} <small>took ${durationMillis} ms</small></p>${excerpt !== undefined &&
                  excerpt !== "" &&
                  verbatim(excerpt, `What the receiver answered to attempt ${index + 1}`)}</div>
              `
            ),
        ),
      ],
    }
  },
)

const swapLink = (id: number): Html => html`<a href="${path`/dashboard/swaps/${id}`}">${id}</a>`

const toneOf = (status: number | undefined) =>
  status !== undefined && status >= 200 && status < 300 ? "good" : "bad"

/** One message of any account, with what was answered to every attempt. */
export const deliveryPage: Page<Accounts | Deliveries> = {
  path: "/dashboard/accounts/:name/webhooks/:id/deliveries/:delivery",
  operator: Effect.fnUntraced(function* (asked) {
    const account = yield* accountOf(asked)
    return yield* showDelivery(account, ofAccount(account.name, asked.param("id")), asked)
  }),
}

/** One message of the viewer's own account. */
export const ownDeliveryPage: Page<Deliveries> = {
  path: "/dashboard/webhooks/:id/deliveries/:delivery",
  operator: (asked) => showDelivery(asked.viewer.caller, ofOwn(asked.param("id")), asked),
  integrator: (asked) => showDelivery(asked.viewer.account, ofOwn(asked.param("id")), asked),
}
