import { Duration } from "effect"
import { type Alert, type AlertType, providerOf, subjectOf } from "#domain/operations/Alert.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { type Fault, FaultChange } from "#infrastructure/store/alerts/AlertsRepo.ts"

/** What one source sees of a type of alert: all faults of that type that there are. */
export interface Reading {
  readonly type: AlertType
  readonly faults: ReadonlyArray<Alert>
  /** The providers that could not be asked. Of them nothing is known, so nothing begins and nothing ends. */
  readonly unknown: ReadonlyArray<ProviderName>
}

/** Looks for the faults of some types of alerts. A type without a reading is left as it is. */
export type Source = StoreEffect<ReadonlyArray<Reading>>

/** How long faults last before their alerts begin, and how long they have to be gone before their alerts end. */
export interface AlertDelays {
  /** A fault that lasts this long begins an alert. */
  readonly after: Duration.Duration
  /** A fault that was not seen for this long ends its alert; twice as long for each time that it came back. */
  readonly overAfter: Duration.Duration
  /** A fault that was not seen for this long, and has no alert yet, is forgotten. */
  readonly forgottenAfter: Duration.Duration
}

/** The longest that a fault which keeps coming back has to be gone before its alert ends. */
const longestQuiet = Duration.hours(1)

/** The time that the fault of an active alert has to be gone. */
const quietOf = ({ recurrences }: Fault, { overAfter }: AlertDelays): number =>
  Math.min(
    Duration.toMillis(overAfter) * 2 ** recurrences,
    Duration.toMillis(Duration.max(longestQuiet, overAfter)),
  )

/** A fault that is seen now, with its beginning. */
const seen = (alert: Alert, known: Fault | undefined, { forgottenAfter }: AlertDelays, now: EpochMillis) => {
  if (known === undefined) return { alert, since: now, seenAt: now, recurrences: 0 }
  const isNew = known.alertId === undefined && now - known.seenAt > Duration.toMillis(forgottenAfter)
  return {
    ...known,
    alert,
    since: isNew ? now : known.since,
    seenAt: EpochMillis.make(Math.max(now, known.seenAt)),
  }
}

/** The end of a fault that is not seen now; nothing while it may come back. */
const gone = (fault: Fault, patience: AlertDelays, now: EpochMillis): ReadonlyArray<FaultChange> => {
  const quiet = now - fault.seenAt
  if (fault.alertId === undefined) {
    return quiet > Duration.toMillis(patience.forgottenAfter) ? [FaultChange.Forgotten({ fault })] : []
  }
  return quiet >= quietOf(fault, patience) ? [FaultChange.Ends({ fault, id: fault.alertId })] : []
}

/** The changes of faults by readings. A fault lasts while any replica sees it. One that comes and goes begins one alert. */
export const decide =
  (readings: ReadonlyArray<Reading>, patience: AlertDelays, now: EpochMillis) =>
  (faults: ReadonlyArray<Fault>): ReadonlyArray<FaultChange> => {
    const keyOf = (alert: Alert): string => `${alert.type} ${subjectOf(alert)}`
    const known = new Map(faults.map((fault) => [keyOf(fault.alert), fault]))
    const present = new Set(readings.flatMap((reading) => reading.faults.map(keyOf)))
    const toSeen = (alert: Alert): FaultChange => {
      const fault = seen(alert, known.get(keyOf(alert)), patience, now)
      const isLong = now - fault.since >= Duration.toMillis(patience.after)
      return fault.alertId === undefined && isLong
        ? FaultChange.Begins({ fault })
        : FaultChange.Lasts({ fault })
    }
    const isKnownOf = ({ alert }: Fault): boolean => {
      const reading = readings.find(({ type }) => type === alert.type)
      const provider = providerOf(alert)
      return reading !== undefined && (provider === undefined || !reading.unknown.includes(provider))
    }
    return [
      ...readings.flatMap((reading) => reading.faults.map(toSeen)),
      ...faults.filter((fault) => !present.has(keyOf(fault.alert)) && isKnownOf(fault))
        .flatMap((fault) => gone(fault, patience, now)),
    ]
  }
