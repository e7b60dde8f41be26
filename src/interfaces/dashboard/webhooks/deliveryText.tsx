import type { EpochMillis } from "#domain/Time.ts"
import type { Attempt, Webhook } from "#domain/accounts/Webhook.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { pill } from "../../pages/parts.tsx"
import { age } from "../../pages/times.tsx"
import { clipped } from "../../pages/visibleText.ts"

/** Why a webhook is switched off. */
export const offBecause = {
  asked: "somebody asked for it",
  gone: "the receiver answered 410",
  failing: "every attempt failed for days",
  secret_missing: "it has no secret, as after an import: make a new one first",
} as const

/** What came of an attempt, in a few words. */
export const answerOf = ({ failure, status }: Attempt): string =>
  status !== undefined ? `${status}` : failure === undefined ? "none" : failure.replaceAll("_", " ")

export const isFine = ({ status = 0 }: Attempt): boolean => status >= 200 && status < 300

/** A URL without what every one begins with, for headings and lists. */
export const shortened = (url: string): string => clipped(url.replace(/^https?:\/\//, ""), 60)

/** The types that a webhook wants. */
export const typesText = ({ types }: Webhook): string => types === undefined ? "all" : types.join(", ")

/** Whether a webhook takes messages. */
export const isTold = ({ enabled, failingSince }: Webhook): boolean => enabled && failingSince === undefined

/** Whether messages are delivered, in words. */
export const webhookPill = ({ enabled, failingSince }: Webhook): Html =>
  !enabled
    ? pill("switched off", "warn")
    : failingSince === undefined
    ? pill("delivering", "good")
    : pill("failing", "bad")

/** For how long they are not, where they are not. */
export const notDelivering = ({ disabledAt, enabled, failingSince }: Webhook, now: EpochMillis): Html => {
  const since = enabled ? failingSince : disabledAt
  return <>{since !== undefined && <>for {age(since, now)}</>}</>
}
