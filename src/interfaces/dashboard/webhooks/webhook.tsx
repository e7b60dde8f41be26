import { STATUS_CODES } from "node:http"
import { Effect, Option } from "effect"
import { notations } from "#domain/Language.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import type { Operator, Viewer } from "#domain/accounts/Viewer.ts"
import {
  type Attempt,
  type Delivery,
  DeliveryId,
  DeliveryState,
  type Webhook,
} from "#domain/accounts/Webhook.ts"
import { startOfDay } from "../../pages/charts.tsx"
import { type Html, nothing, path, type Url, withQuery } from "../../pages/jsx-runtime.ts"
import {
  columns,
  copyableText,
  known,
  kv,
  pill,
  section,
  table,
  tabs,
  untrusted,
  verbatim,
} from "../../pages/parts.tsx"
import { age, exactTime, time } from "../../pages/values.tsx"
import { indented } from "../../pages/visibleText.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { csvOf, csvTable, isoCell } from "../../requests/csv.ts"
import { Deliveries } from "#application/webhooks/Deliveries.ts"
import { DeliveryUnknown } from "#application/webhooks/failures.ts"
import { delays } from "#application/webhooks/schedule.ts"
import { Webhooks } from "#application/webhooks/Webhooks.ts"
import { accountOf } from "../accounts/account.tsx"
import { filled, fixed } from "../formAction.tsx"
import { csvButton, type Owner, ownPage, page, type PageRequest, pagesOf } from "../Page.ts"
import { webhookPath, webhooksPath } from "../accounts/paths.ts"
import { type DeliveryHealth, healthTiles, hoursChart, troubleNote } from "./deliveryHealth.tsx"
import { headActs, replayEvents, retryNow, settingForms, webhookIdOf } from "./webhookActs.tsx"
import {
  answerOf,
  isFine,
  notDelivering,
  shortened,
  statePill,
  typesText,
  webhookPill,
} from "./deliveryText.tsx"

/** The most deliveries on one page. */
const atOnce = 50

/** Where the pages of a webhook are: below its account for operators, else by themselves. */
interface WebhookPlace {
  readonly here: Url
  readonly back: Html
  readonly delivery: (id: DeliveryId) => Url
  /** The account whose webhook the operator can change. */
  readonly acting?: string
}

const ofAccount = (name: string, id: string): WebhookPlace => ({
  here: webhookPath(name, id),
  back: <a href={webhooksPath(name)}>Webhooks of {name}</a>,
  delivery: (delivery) => path`/dashboard/accounts/${name}/webhooks/${id}/deliveries/${delivery}`,
  acting: name,
})

const ofOwn = (id: string): WebhookPlace => ({
  here: path`/dashboard/webhooks/${id}`,
  back: <a href={path`/dashboard/webhooks`}>Webhooks</a>,
  delivery: (delivery) => path`/dashboard/webhooks/${id}/deliveries/${delivery}`,
})

const digits = /^[1-9][0-9]{0,15}$/

const deliveryFrom = (text: string) => digits.test(text) ? DeliveryId.makeOption(Number(text)) : Option.none()

const deliveryOf = (text: string) =>
  Effect.mapError(Effect.fromOption(deliveryFrom(text)), () => new DeliveryUnknown())

const deliveriesTable = (deliveries: ReadonlyArray<Delivery>, now: EpochMillis, place: WebhookPlace): Html =>
  table({
    caption: "Deliveries, newest first",
    columns: [
      ["Delivery", ({ id, messageId }) => <a href={place.delivery(id)}>{messageId}</a>, "a"],
      [
        "About",
        ({ swapId, type }) => <>{type}{swapId !== undefined && <>{" · "}{swapLink(swapId)}</>}</>,
        "all",
      ],
      ["State", (one) => statePill(one, deliveries), "b"],
      ["Attempts", ({ attempts }) => attempts, "number"],
      ["Next attempt", ({ nextAttemptAt }) => known(nextAttemptAt, (at) => age(at, now)), "number"],
      ["Created", ({ createdAt }) => age(createdAt, now), "number"],
    ],
    rows: deliveries,
    empty: "No deliveries yet. The next event makes one, or a test.",
  })

const stateFrom = (text: string | undefined) =>
  Option.fromUndefinedOr(DeliveryState.literals.find((state) => state === text))

const views = [
  ["All", undefined],
  ["Waiting", "pending"],
  ["Permanently failed", "failed"],
  ["Delivered", "delivered"],
] as const

const viewTabs = ({ here }: WebhookPlace, current: DeliveryState | undefined, waiting: number): Html =>
  tabs(
    "Deliveries by state",
    views.map(([label, state]) => ({
      label,
      to: withQuery(here, { state }),
      isCurrent: state === current,
      ...(state === "pending" && waiting > 0 ? { count: waiting, tone: "warn" as const } : {}),
    })),
  )

const againBox = (name: string, { id }: Webhook): Html =>
  section({ title: "Resend", id: "again", isBox: true }, [
    <p class="soft">
      Sends past events again, each with its webhook-id. Receivers that store the ID skip duplicates.
    </p>,
    replayEvents.form({ name, id }),
  ])

const settings = (webhook: Webhook, now: EpochMillis, acting: string | undefined): Html =>
  section({ title: "Settings", id: "settings" }, [
    kv([
      ["URL", <code>{untrusted(webhook.url, 500)}</code>],
      ["Events", typesText(webhook)],
      ["Language", notations[webhook.language].name],
      ["Created", time(webhook.createdAt, now)],
      ["ID", <code>{webhook.id}</code>],
    ]),
    ...(acting === undefined ? [] : [settingForms(acting, webhook)]),
  ])

const deliveriesCsv = csvTable<Delivery>("deliveries.csv", [
  ["message", ({ messageId }) => messageId],
  ["type", ({ type }) => type],
  ["swap", ({ swapId }) => swapId],
  ["state", ({ state }) => state],
  ["attempts", ({ attempts }) => attempts],
  ["createdAt", ({ createdAt }) => toIsoDate(createdAt)],
  ["nextAttemptAt", ({ nextAttemptAt }) => isoCell(nextAttemptAt)],
  ["endedAt", ({ endedAt }) => isoCell(endedAt)],
])

/** How many deliveries of a CSV are in memory at a time. */
const lotSize = 500

/** The deliveries of the state in the address for a spreadsheet, all of them. */
const file = Effect.fnUntraced(function* (owner: Owner, { param, query }: PageRequest<Viewer>) {
  const id = yield* webhookIdOf(param("id"))
  const deliveries = yield* Deliveries
  const request = {
    limit: lotSize,
    ...optionalMembers(Option.getOrUndefined(stateFrom(query("state"))), (state) => ({ state })),
  }
  return csvOf(
    deliveriesCsv,
    yield* deliveries.page(owner, id, request),
    (offset) => deliveries.page(owner, id, { ...request, offset }),
  )
})

const show = Effect.fnUntraced(function* (owner: Owner, place: WebhookPlace, request: PageRequest<Viewer>) {
  const { now, param, query } = request
  const webhook = yield* (yield* Webhooks).find(owner, yield* webhookIdOf(param("id")))
  const state = Option.getOrUndefined(stateFrom(query("state")))
  const from = query("from")
  if (from !== undefined) yield* deliveryOf(from)
  const { links, offset } = pagesOf(request, place.here, deliveryFrom, { filters: { state } })
  const deliveries = yield* Deliveries
  const { items, next } = yield* deliveries.page(owner, webhook.id, {
    limit: atOnce,
    ...offset,
    ...optionalMembers(state, (state) => ({ state })),
  })
  const summary = yield* deliveries.summary(owner, webhook.id, startOfDay(now))
  const { acting } = place
  const fares: DeliveryHealth = {
    webhook,
    summary,
    now,
    latestDelivery: summary.latest === undefined ? undefined : place.delivery(summary.latest.delivery),
    retry: acting === undefined || summary.waiting === 0
      ? undefined
      : retryNow.form({ name: acting, id: webhook.id }),
  }
  const list = section({ title: "Deliveries", id: "deliveries" }, [
    viewTabs(place, state, summary.waiting),
    <div id="list" data-live>{deliveriesTable(items, now, place)}</div>,
    links(next),
  ])
  return {
    title: shortened(webhook.url),
    state: webhookPill(webhook),
    line: notDelivering(webhook, now),
    crumb: place.back,
    acts: [csvButton(place.here, { state }), ...(acting === undefined ? [] : headActs(acting, webhook))],
    body: [
      <div id="now" data-live>{troubleNote(fares)}</div>,
      healthTiles(fares),
      columns("wide", [hoursChart(fares), list], [
        ...(acting === undefined ? [] : [againBox(acting, webhook)]),
        settings(webhook, now, acting),
      ]),
    ],
  }
})

/** A webhook of any account, with its deliveries. */
export const webhookPage = page({
  path: "/dashboard/accounts/:name/webhooks/:id",
  operator: Effect.fnUntraced(function* (request: PageRequest<Operator>) {
    const account = yield* accountOf(request)
    return yield* show(account, ofAccount(account.name, request.param("id")), request)
  }),
  csv: {
    operator: (request: PageRequest<Operator>) =>
      Effect.flatMap(accountOf(request), (account) => file(account, request)),
  },
})

export const ownWebhookPage = ownPage({
  path: "/dashboard/webhooks/:id",
  show: (owner, request) => show(owner, ofOwn(request.param("id")), request),
  file,
})

const attemptPart = (attempt: Attempt, number: number, now: EpochMillis): Html => {
  const { at, durationMillis, excerpt = "", status = 0 } = attempt
  return (
    <div class="stack tight">
      <p>
        <b>Attempt {number}</b>{" "}
        {pill(`${answerOf(attempt)} ${STATUS_CODES[status] ?? ""}`.trim(), isFine(attempt) ? "good" : "bad")}
        {" "}
        {time(at, now)} <small>· took {durationMillis} ms</small>
      </p>
      {excerpt !== "" && verbatim(excerpt, `Response of ${exactTime(at)}`)}
    </div>
  )
}

/** The head of the latest request, but for its signature, which is made anew for each attempt and stored nowhere. */
const requestHead = ({ url }: Webhook, { messageId }: Delivery, latest: Attempt | undefined): string =>
  `POST ${url}\nwebhook-id: ${messageId}\nwebhook-timestamp: ${
    latest === undefined ? "none yet" : Math.floor(latest.at / 1_000)
  }\nwebhook-signature: v1,… (not stored)`

const showDelivery = Effect.fnUntraced(
  function* (owner: Owner, place: WebhookPlace, { now, param }: PageRequest<Viewer>) {
    const webhook = yield* (yield* Webhooks).find(owner, yield* webhookIdOf(param("id")))
    const deliveries = yield* Deliveries
    const { attempts, delivery } = yield* deliveries.find(
      owner,
      webhook.id,
      yield* deliveryOf(param("delivery")),
    )
    const body = Option.getOrUndefined(yield* deliveries.bodyOf(webhook, delivery))
    const [latest, ...earlier] = attempts.toReversed()
    return {
      title: `${delivery.type}${delivery.swapId === undefined ? "" : ` of swap ${delivery.swapId}`}`,
      crumb: <a href={place.here}>{shortened(webhook.url)}</a>,
      state: statePill(delivery),
      acts: place.acting === undefined || delivery.eventId === undefined
        ? nothing
        : delivery.nextAttemptAt !== undefined
        ? retryNow.form({ name: place.acting, id: webhook.id })
        : replayEvents.form({ name: place.acting, id: webhook.id }, {
          fields: { eventId: fixed() },
          entered: filled({ eventId: `${delivery.eventId}` }),
        }),
      body: [
        columns("wide", [
          section(
            { title: "Response", id: "response" },
            latest === undefined
              ? <p class="soft">No attempt yet.</p>
              : attemptPart(latest, attempts.length, now),
          ),
          earlier.length === 0 ? nothing : section(
            { title: "Earlier attempts", id: "attempts" },
            earlier.map((attempt, index) => attemptPart(attempt, earlier.length - index, now)),
          ),
        ], [
          kv([
            ["Swap", known(delivery.swapId, swapLink)],
            ["Created", time(delivery.createdAt, now)],
            ["Attempts", `${delivery.attempts} of ${delays.length + 1}`],
            ["Next attempt", known(delivery.nextAttemptAt, (at) => time(at, now))],
            ["Ended", known(delivery.endedAt, (at) => time(at, now))],
          ]),
        ]),
        section(
          {
            title: "Request",
            id: "body",
            aside: <a href={path`/docs/webhooks-and-events`}>Verify the signature</a>,
          },
          body === undefined ? <p class="soft">The event was deleted.</p> : (
            <>
              {verbatim(requestHead(webhook, delivery, latest), "Head of the request", 700)}
              {copyableText(indented(body), "JSON")}
              <p>
                <small>
                  Indented here. The signature covers the body as it was sent, without line breaks.
                </small>
              </p>
            </>
          ),
        ),
      ],
    }
  },
)

const swapLink = (id: number): Html => <a href={path`/dashboard/swaps/${id}`}>{id}</a>

/** One delivery of any account: its body, and the response to each attempt. */
export const deliveryPage = page({
  path: "/dashboard/accounts/:name/webhooks/:id/deliveries/:delivery",
  operator: Effect.fnUntraced(function* (request: PageRequest<Operator>) {
    const account = yield* accountOf(request)
    return yield* showDelivery(account, ofAccount(account.name, request.param("id")), request)
  }),
})

export const ownDeliveryPage = ownPage({
  path: "/dashboard/webhooks/:id/deliveries/:delivery",
  show: (owner, request) => showDelivery(owner, ofOwn(request.param("id")), request),
})
