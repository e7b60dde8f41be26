import { Duration } from "effect"
import type { EpochMillis } from "#domain/Time.ts"
import type { Attempt, AttemptFailure, DeliverySummary, Webhook } from "#domain/accounts/Webhook.ts"
import { durationText } from "#domain/durationText.ts"
import { bars, hourLabel, lastHours } from "../../pages/charts.tsx"
import { tiles } from "../../pages/figures.tsx"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"
import { grouped, share } from "../../pages/money.ts"
import { note, verbatim } from "../../pages/parts.tsx"
import { ago, time } from "../../pages/times.tsx"
import type { Url } from "../../pages/Url.ts"
import { delays, failingLong } from "#application/webhooks/schedule.ts"
import { isFine, offBecause } from "./deliveryText.tsx"

/** How a webhook fares, and where its pages are. */
export interface DeliveryHealth {
  readonly webhook: Webhook
  readonly summary: DeliverySummary
  readonly now: EpochMillis
  /** The page of its latest message. */
  readonly latestMessage: Url | undefined
  /** The button that tries at once, for who may. */
  readonly retry: Html | undefined
}

const failures: { readonly [Failure in AttemptFailure]: string } = {
  name_unresolved: "The name of the receiver’s host is not known",
  address_forbidden: "The receiver’s address is not on the internet",
  unreachable: "The receiver cannot be reached",
  certificate_invalid: "The receiver’s certificate is not valid",
  timeout: "The receiver did not answer in time",
  answer_broken: "The receiver broke off its answer",
}

const headline = ({ failure, status }: Attempt): string =>
  failure === undefined ? `The receiver answers ${status}` : failures[failure]

const schedule = delays.map((delay) => durationText(Duration.toMillis(delay))).join(", ")

const counted = (count: number, what: string): string =>
  `${grouped(`${count}`)} ${what}${count === 1 ? "" : "s"}`

/** What is wrong with a webhook, why nothing is sent now, and what can be done; nothing where all is well. */
export const troubleNote = ({ latestMessage, now, retry, summary, webhook }: DeliveryHealth): Html => {
  const { latest, nextAttemptAt, waiting } = summary
  const { disabledAt, disabledReason, enabled, failingSince } = webhook
  if (!enabled) {
    return note("warn", {
      title: "It is switched off",
      text: (
        <>
          {disabledAt !== undefined && <>Since {time(disabledAt, now)}:{" "}</>}
          {offBecause[disabledReason ?? "asked"]}. Nothing is sent. Once it is switched on again, what has
          happened in between is sent then.
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
        The latest attempt, {time(attempt.at, now)}, took {attempt.durationMillis} ms and was of{" "}
        {latestMessage === undefined ? messageId : <a href={latestMessage}>{messageId}</a>}.
      </>
    ),
    more: attempt.excerpt !== undefined && attempt.excerpt !== ""
      ? verbatim(attempt.excerpt, "What the receiver answered", 400)
      : undefined,
  }, {
    title: "The next attempt",
    text: (
      <>
        {nextAttemptAt === undefined ? "Under way" : <>{time(nextAttemptAt, now)}</>}. A message without a 2xx
        is sent again after {schedule}, and has failed for good then.{" "}
        <b>{counted(waiting, "message")} {waiting === 1 ? "waits" : "wait"}</b>: those of one swap keep their
        order, so each waits for the one before it. If all fails for{" "}
        {durationText(Duration.toMillis(failingLong))}, the webhook is switched off.
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
      note: oldestWaitingAt === undefined
        ? "nothing waits"
        : <>the oldest made {ago(oldestWaitingAt, now)}</>,
    },
    {
      label: "Delivered, 24 h",
      figure: grouped(`${day.delivered}`),
      note: day.all === 0
        ? "no message in this time"
        : `${share(day.delivered, day.all)} of ${grouped(`${day.all}`)}`,
    },
    {
      label: "Failed for good, 24 h",
      figure: grouped(`${day.failed}`),
      note: "after ten attempts, or a 410",
    },
    {
      label: "Last delivered",
      figure: lastDeliveredAt === undefined ? "never" : ago(lastDeliveredAt, now),
      note: lastDeliveredAt === undefined ? "no message has arrived yet" : time(lastDeliveredAt, now),
    },
  ])
}

/** The messages of a day by hour; nothing where there was none. */
export const hoursChart = ({ now, summary }: DeliveryHealth): Html => {
  const byHour = new Map(summary.hours.map((hour) => [Number(hour.at), hour]))
  if (byHour.size === 0) return nothing
  const day = dayOf(summary)
  return bars({
    caption: "Messages by hour",
    title: "Messages by hour",
    said: (
      <>
        <b>{grouped(`${day.all}`)}</b> in 24 h
      </>
    ),
    series: [
      { name: "delivered", tone: "plain" },
      { name: "waiting", tone: "warn" },
      { name: "failed for good", tone: "bad" },
    ],
    bars: lastHours(now).map((at) => {
      const { delivered = 0, failed = 0, pending = 0 } = byHour.get(Number(at)) ?? {}
      return { label: hourLabel(at), parts: [delivered, pending, failed] }
    }),
  })
}
