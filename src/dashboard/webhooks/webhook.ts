import { Effect, Option } from "effect"
import type { EpochMillis } from "../../domain/Time.ts"
import type { Operator, Viewer } from "../../domain/Viewer.ts"
import { type Delivery, DeliveryId, DeliveryState } from "../../domain/Webhook.ts"
import { filterForm, filterSelect } from "../../pages/forms.ts"
import { type Html, html } from "../../pages/html.ts"
import { foreign, kv, pill, section, verbatim } from "../../pages/parts.ts"
import { known, table } from "../../pages/table.ts"
import { time } from "../../pages/times.ts"
import { path, type Url } from "../../pages/Url.ts"
import { Deliveries } from "../../webhooks/Deliveries.ts"
import { DeliveryUnknown } from "../../webhooks/failures.ts"
import { Webhooks } from "../../webhooks/Webhooks.ts"
import { accountOf } from "../accounts/account.ts"
import { filled, fixed } from "../act.ts"
import { any, choices, pagesOf } from "../filters.ts"
import { type Asked, type Owner, ownPage, page } from "../Page.ts"
import { webhooksPath } from "../accounts/paths.ts"
import { actsOn, replayEvents, webhookIdOf } from "./webhookActs.ts"
import { typesText, webhookState } from "./webhooks.ts"

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

const digits = /^[1-9][0-9]{0,15}$/

const deliveryFrom = (text: string) => digits.test(text) ? DeliveryId.makeOption(Number(text)) : Option.none()

const deliveryOf = (text: string) =>
  Effect.mapError(Effect.fromOption(deliveryFrom(text)), () => new DeliveryUnknown())

const deliveriesTable = (deliveries: ReadonlyArray<Delivery>, now: EpochMillis, place: Place): Html =>
  table({
    caption: "Deliveries, the latest first",
    columns: [
      ["Delivery", ({ id }) => html`<a href="${place.delivery(id)}">${id}</a>`],
      ["Event", ({ swapId, type }) =>
        html`${type}${
          swapId !== undefined && html`
            <small>swap ${swapId}</small>
          `
        }`],
      ["State", ({ state }) => pill(state, stateTones[state])],
      ["Attempts", ({ attempts }) => attempts, "number"],
      ["Made", ({ createdAt }) => time(createdAt, now)],
      ["Next attempt", ({ nextAttemptAt }) => known(nextAttemptAt, (at) => time(at, now))],
    ],
    rows: deliveries,
    empty: "There is no delivery: it is told of the next event, or of a test.",
  })

const stateFrom = (text: string | undefined) =>
  Option.fromUndefinedOr(DeliveryState.literals.find((state) => state === text))

const stateChoices = [any("all"), ...choices(DeliveryState.literals)]

const show = Effect.fnUntraced(function* (owner: Owner, place: Place, asked: Asked<Viewer>) {
  const { now, param, query } = asked
  const webhook = yield* (yield* Webhooks).find(owner, yield* webhookIdOf(param("id")))
  const state = Option.getOrUndefined(stateFrom(query("state")))
  const from = query("from")
  if (from !== undefined) yield* deliveryOf(from)
  const { links, offset } = pagesOf(asked, place.here, deliveryFrom, { filters: { state } })
  const { items, next } = yield* (yield* Deliveries).page(owner, webhook.id, {
    limit: atOnce,
    ...offset,
    ...(state === undefined ? {} : { state }),
  })
  return {
    title: webhook.id,
    crumb: place.back,
    body: [
      section({ title: "Webhook", id: "webhook" }, [
        kv([
          ["URL", html`<code>${foreign(webhook.url, 500)}</code>`],
          ["State", webhookState(webhook, now)],
          ["Events", typesText(webhook)],
          ["Made", time(webhook.createdAt, now)],
        ]),
        ...(place.acting === undefined ? [] : [actsOn(place.acting, webhook)]),
      ]),
      section({ title: "Deliveries", id: "deliveries" }, [
        filterForm({
          to: place.here,
          fields: [
            filterSelect({ label: "State", name: "state", choices: stateChoices, value: state ?? "" }),
          ],
        }),
        html`<div id="list" data-live>${deliveriesTable(items, now, place)}</div>`,
        links(next),
      ]),
    ],
  }
})

/** A webhook of any account, with what it was told. */
export const webhookPage = page({
  path: "/dashboard/accounts/:name/webhooks/:id",
  operator: Effect.fnUntraced(function* (asked: Asked<Operator>) {
    const account = yield* accountOf(asked)
    return yield* show(account, ofAccount(account.name, asked.param("id")), asked)
  }),
})

/** A webhook of the viewer's own account. */
export const ownWebhookPage = ownPage({
  path: "/dashboard/webhooks/:id",
  show: (owner, asked) => show(owner, ofOwn(asked.param("id")), asked),
})

const showDelivery = Effect.fnUntraced(
  function* (owner: Owner, place: Place, { now, param }: Asked<Viewer>) {
    const { attempts, delivery } = yield* (yield* Deliveries).find(
      owner,
      yield* webhookIdOf(param("id")),
      yield* deliveryOf(param("delivery")),
    )
    return {
      title: `Delivery ${delivery.id}`,
      crumb: html`<a href="${place.here}">${param("id")}</a>`,
      body: [
        section(
          { title: "Message", id: "message", aside: pill(delivery.state, stateTones[delivery.state]) },
          [
            kv([
              ["Type", delivery.type],
              ["Message id", html`<code>${delivery.messageId}</code>`],
              ["Swap", known(delivery.swapId, swapLink)],
              ["Made", time(delivery.createdAt, now)],
              ["Next attempt", known(delivery.nextAttemptAt, (at) => time(at, now))],
              ["Ended", known(delivery.endedAt, (at) => time(at, now))],
            ]),
            ...(place.acting === undefined || delivery.eventId === undefined ? [] : [
              replayEvents.form({ name: place.acting, id: param("id") }, {
                button: "Tell it again",
                fields: { eventId: fixed() },
                entered: filled({ eventId: `${delivery.eventId}` }),
              }),
            ]),
          ],
        ),
        section(
          { title: "Attempts", id: "attempts" },
          attempts.length === 0
            ? html`<p class="soft">None yet.</p>`
            : attempts.map(({ at, durationMillis, excerpt, failure, status }, index) =>
              html`
                <div class="stack"><p>${pill(
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
export const deliveryPage = page({
  path: "/dashboard/accounts/:name/webhooks/:id/deliveries/:delivery",
  operator: Effect.fnUntraced(function* (asked: Asked<Operator>) {
    const account = yield* accountOf(asked)
    return yield* showDelivery(account, ofAccount(account.name, asked.param("id")), asked)
  }),
})

/** One message of the viewer's own account. */
export const ownDeliveryPage = ownPage({
  path: "/dashboard/webhooks/:id/deliveries/:delivery",
  show: (owner, asked) => showDelivery(owner, ofOwn(asked.param("id")), asked),
})
