import { Data } from "effect"
import { grouped } from "../figures.ts"
import { type EpochMillis, toIsoDate } from "../Time.ts"

/** The swap would be more than its account may swap in this day of UTC (`maximumDailyVolumeUsd`). */
export class DailyVolumeReached extends Data.TaggedError("DailyVolumeReached")<{
  readonly most: number
  /** The next midnight of UTC, and how many seconds are left until then. */
  readonly endsAt: EpochMillis
  readonly seconds: number
}> {
  override get message(): string {
    return `This account may swap $${
      grouped(`${this.most}`)
    } a day, and this swap would exceed that. The next day begins ` +
      `at ${toIsoDate(this.endsAt)}`
  }
}

/** The volume of the account is limited, and nobody knows the value of the swap's asset. */
export class VolumeUnpriced extends Data.TaggedError("VolumeUnpriced")<{ readonly most: number }> {
  override get message(): string {
    return `This account may swap $${
      grouped(`${this.most}`)
    } a day, and the price of this swap’s asset is unknown. Try ` +
      "again in 15 minutes, or use another asset"
  }
}
