import type { EpochMillis } from "#domain/Time.ts"
import type { Attempt, Delivery, Webhook } from "#domain/accounts/Webhook.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { pill } from "../../pages/parts.tsx"
import { lasting } from "../../pages/values.tsx"
import { clipped } from "../../pages/visibleText.ts"
import words from "../words.json" with { type: "json" }

export const offBecause = words.offBecause

/** The result of an attempt, in a few words. */
export const answerOf = ({ failure, status }: Attempt): string =>
  status !== undefined ? `${status}` : failure === undefined ? "none" : failure.replaceAll("_", " ")

export const isFine = ({ status = 0 }: Attempt): boolean => status >= 200 && status < 300

/** A URL without what every one begins with, for headings and lists. */
export const shortened = (url: string): string => clipped(url.replace(/^https?:\/\//, ""), 60)

export const typesText = ({ types }: Webhook): string => types === undefined ? "all" : types.join(", ")

/** The state of a delivery: what waits says what for, by the messages that are shown with it. */
export const statePill = (
  { attempts, nextAttemptAt, state, swapId }: Delivery,
  beside: ReadonlyArray<Delivery> = [],
): Html =>
  state === "delivered"
    ? pill("Delivered", "good")
    : state === "failed"
    ? pill("Permanently failed", "bad")
    : nextAttemptAt === undefined
    ? pill(
      `Waiting for ${
        beside.find((one) => one.swapId === swapId && one.nextAttemptAt !== undefined)?.messageId ??
          "an earlier delivery"
      }`,
      "wait",
    )
    : attempts === 0
    ? pill("Due", "info")
    : pill("Retrying", "warn")

export const isDelivering = ({ enabled, failingSince }: Webhook): boolean =>
  enabled && failingSince === undefined

/** Whether messages are delivered, in words. */
export const webhookPill = ({ enabled, failingSince }: Webhook): Html =>
  !enabled
    ? pill("Switched off", "warn")
    : failingSince === undefined
    ? pill("Delivering", "good")
    : pill("Failing", "bad")

/** For how long they are not, where they are not. */
export const notDelivering = ({ disabledAt, enabled, failingSince }: Webhook, now: EpochMillis): Html => {
  const since = enabled ? failingSince : disabledAt
  return <>{since !== undefined && <>for {lasting(since, now)}</>}</>
}
