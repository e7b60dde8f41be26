import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Alert } from "#domain/operations/Alert.ts"
import { subjectOf } from "#domain/operations/Alert.ts"
import { bucketOf, type HistoryFigures } from "#domain/operations/ProviderHistory.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { ProviderHistoryRepo } from "#infrastructure/store/ops/ProviderHistoryRepo.ts"

const hour = 3_600_000
const provider = ProviderName.make("chainflip")

/** What became of the calls of an hour: most succeed, and for three hours the upstream is in trouble. */
const figuresOf = (operation: string, hoursAgo: number, badFrom: number): HistoryFigures => {
  const calls = (operation === "quote" ? 120 : 30) + (hoursAgo * 37) % 50
  const isBad = hoursAgo >= badFrom && hoursAgo <= badFrom + 2
  return {
    succeeded: calls,
    refused: hoursAgo % 5,
    ...(isBad ? { timedOut: 9, unreachable: 4, upstreamFailed: 14, rateLimited: 3, rejected: 40 } : {}),
    ...(hoursAgo === 15 ? { malformed: 2, slow: 3, broken: 1 } : {}),
    took50: Math.round(calls / 2),
    took250: Math.round(calls / 3),
    took1000: isBad ? calls : Math.round(calls / 20),
  }
}

/** A day of calls of a provider, which was in trouble from some hours ago on. */
export const historyOf = (provider: ProviderName, now: number, badFrom: number) =>
  Array.from({ length: 24 }, (_, hoursAgo) => hoursAgo).filter((hoursAgo) => hoursAgo !== 12).flatMap((
    hoursAgo,
  ) =>
    ["quote", "open", "status"].map((operation) => ({
      provider,
      operation,
      at: bucketOf(now - hoursAgo * hour),
      figures: figuresOf(operation, hoursAgo, badFrom),
    }))
  )

/** Alerts, of which the last goes on; each with the hours ago at which it began and ended. */
const alerts = (now: number): ReadonlyArray<readonly [alert: Alert, began: number, ended?: number]> => [
  [{ type: "flip_low", provider, freeNative: "1200000000000000000", channelsLeft: 3 }, 30, 28.5],
  [{ type: "provider_down", provider, operations: ["quote", "open"] }, 8, 6],
  [{ type: "swaps_stalled", provider, swaps: 2, stalledSince: EpochMillis.make(now - 0.9 * hour) }, 0.9],
]

/** A day of calls of one provider, and alerts that began and ended. */
export const fillHistory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = Date.now()
  yield* (yield* ProviderHistoryRepo).add(historyOf(provider, now, 6))
  for (const [alert, began, ended] of alerts(now)) {
    const at = new Date(now - began * hour)
    yield* sql`
      INSERT INTO alerts (type, subject, alert, since, began_at, ended_at)
      VALUES (${alert.type}, ${subjectOf(alert)}, ${JSON.stringify(alert)}::text::jsonb, ${at}, ${at},
        ${ended === undefined ? null : new Date(now - ended * hour)}::timestamptz)`
  }
})
