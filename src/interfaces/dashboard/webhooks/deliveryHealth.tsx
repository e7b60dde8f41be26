import { Duration } from "effect"
import type { EpochMillis } from "#domain/Time.ts"
import type { Attempt, AttemptFailure, DeliverySummary, Webhook } from "#domain/accounts/Webhook.ts"
import { durationText, relativeTime } from "#domain/durationText.ts"
import { counted } from "#domain/figures.ts"
import { bars, hourLabel, hourMillis, lastHours } from "../../pages/charts.tsx"
import { type Html, nothing, type Url } from "../../pages/jsx-runtime.ts"
import { ago, grouped, lasting, share, tiles, time } from "../../pages/values.tsx"
import { note, verbatim } from "../../pages/parts.tsx"
import { delays } from "#application/webhooks/schedule.ts"
import { isFine, offBecause } from "./deliveryText.tsx"
import words from "../words.json" with { type: "json" }

/** How a webhook fares, and where its pages are. */
export interface DeliveryHealth {
  readonly webhook: Webhook
  readonly summary: DeliverySummary
  readonly now: EpochMillis
  /** The page of its latest delivery. */
  readonly latestDelivery: Url | undefined
  /** The button that tries at once, for who may. */
  readonly retry: Html | undefined
}

const failures: { readonly [Failure in AttemptFailure]: string } = words.attemptFailures

const headline = ({ failure, status }: Attempt): string =>
  failure === undefined ? `The receiver responded ${status}` : failures[failure]

const retriedFor = durationText(delays.reduce((sum, delay) => sum + Duration.toMillis(delay), 0))

/** What is wrong with a webhook, why nothing is sent now, and what can be done; nothing where all is well. */
export const troubleNote = ({ latestDelivery, now, retry, summary, webhook }: DeliveryHealth): Html => {
  const { latest, nextAttemptAt, waiting } = summary
  const { disabledAt, disabledReason, enabled, failingSince } = webhook
  if (!enabled) {
    return note("warn", {
      title: "Webhook switched off",
      text: (
        <>
          {disabledAt !== undefined && <>Since {time(disabledAt, now)}:{" "}</>}
          {offBecause[disabledReason ?? "asked"]}. Nothing is sent. Switch the webhook on to send the events
          since then, too.
        </>
      ),
    })
  }
  if (latest === undefined || isFine(latest.attempt) || failingSince === undefined) return nothing
  const { attempt, messageId } = latest
  return note("bad", {
    title: headline(attempt),
    text: (
      <>
        Latest attempt {ago(attempt.at, now)}, for{" "}
        {latestDelivery === undefined ? messageId : <a href={latestDelivery}>{messageId}</a>}. It took{" "}
        {attempt.durationMillis} ms.
      </>
    ),
    more: attempt.excerpt !== undefined && attempt.excerpt !== ""
      ? verbatim(attempt.excerpt, "Response", 400)
      : undefined,
  }, {
    title: nextAttemptAt === undefined ? "Retrying now" : `Next attempt ${relativeTime(nextAttemptAt, now)}`,
    text: (
      <>
        <b>{counted(waiting, "delivery", "deliveries")} waiting</b>, retried or behind an earlier one. Each
        gets up to {delays.length + 1} attempts over{" "}
        {retriedFor}, in order within each swap. If none arrives, the webhook is switched off.
      </>
    ),
    ...(retry === undefined ? {} : { acts: retry }),
  })
}

const dayOf = ({ hours }: DeliverySummary) =>
  hours.reduce(
    (sum, { delivered, failed, pending }) => ({
      delivered: sum.delivered + delivered,
      all: sum.all + delivered + failed + pending,
      failed: sum.failed + failed,
    }),
    { delivered: 0, all: 0, failed: 0 },
  )

/** Four figures of a webhook. */
export const healthTiles = ({ now, summary }: DeliveryHealth): Html => {
  const { lastDeliveredAt, oldestWaitingAt, waiting } = summary
  const day = dayOf(summary)
  return tiles([
    {
      label: "Waiting",
      figure: grouped(`${waiting}`),
      note: oldestWaitingAt === undefined ? "none" : <>oldest for {lasting(oldestWaitingAt, now)}</>,
    },
    {
      label: "Delivered, 24 h",
      figure: grouped(`${day.delivered}`),
      note: day.all === 0 ? "no deliveries" : `${share(day.delivered, day.all)} of ${grouped(`${day.all}`)}`,
    },
    {
      label: "Permanently failed, 24 h",
      figure: grouped(`${day.failed}`),
      note: `after ${delays.length + 1} attempts, or a 410`,
    },
    {
      label: "Last delivered",
      figure: lastDeliveredAt === undefined ? "never" : ago(lastDeliveredAt, now),
      note: lastDeliveredAt === undefined ? "no delivery has arrived yet" : time(lastDeliveredAt, now),
    },
  ])
}

/** The deliveries of a day by hour; nothing where there was none. */
export const hoursChart = ({ now, summary }: DeliveryHealth): Html => {
  const byHour = new Map(summary.hours.map((hour) => [Number(hour.at), hour]))
  const day = dayOf(summary)
  // A chart of the hour that goes on alone says no more than the tiles.
  if (![...byHour.keys()].some((at) => at <= now - hourMillis)) return nothing
  return bars({
    caption: "Deliveries by hour",
    title: "Deliveries by hour",
    said: (
      <>
        <b>{grouped(`${day.all}`)}</b> in 24 h
      </>
    ),
    series: [
      { name: "delivered", tone: "plain" },
      { name: "waiting", tone: "warn" },
      { name: "permanently failed", tone: "bad" },
    ],
    bars: lastHours(now).map((at) => {
      const { delivered = 0, failed = 0, pending = 0 } = byHour.get(Number(at)) ?? {}
      return { label: hourLabel(at), parts: [delivered, pending, failed] }
    }),
  })
}
