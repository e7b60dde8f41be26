import { Duration, Effect, Option, Schedule, Schema } from "effect"
import type { AssetId } from "../domain/Asset.ts"
import type { WrittenAnswer } from "../domain/Idempotency.ts"
import { type DepositChannel, type DepositLimits, formatChannelId } from "../domain/Channel.ts"
import type { ProviderError } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { StoreUnavailable } from "../domain/StoreError.ts"
import { SwapRecordId } from "../domain/SwapRecord.ts"
import { EpochMillis } from "../domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { OpenedChannel } from "../providers/Provider.ts"
import type { OpeningsRepo } from "../store/swaps/OpeningsRepo.ts"
import type { Claim } from "./Claim.ts"
import { firstLookup, type LookupPace, stallsAt } from "./LookupPolicy.ts"
import { eventsBetween } from "./Progress.ts"

/** A swap whose deposit channel was just opened. */
export interface OpenedSwap {
  readonly id: SwapRecordId
  readonly platform: ProviderName
  readonly channel: DepositChannel
  readonly sourceAsset: AssetId
  readonly depositLimits: DepositLimits
  /** When the channel stops to take deposits, as far as it can be told. */
  readonly expiresAt: EpochMillis | undefined
}

/**
 * The provider opened a channel, but the database did not take it: to the caller the outcome is unknown
 * (decision 16). Our own log names the channel.
 */
export class OpeningNotRecorded extends Schema.TaggedError<OpeningNotRecorded>()("OpeningNotRecorded", {
  id: SwapRecordId,
}) {
  override get message(): string {
    return `The channel of swap ${this.id} was opened but could not be recorded`
  }
}

/** How openings are written down. */
export interface EntryOptions extends LookupPace {
  /** Longest that one provider may take to open a channel. */
  readonly openTimeout: Duration.Duration
}

/** A channel that was paid for is worth some patience with the database: about six seconds. */
const soon = { schedule: Schedule.exponential(Duration.millis(100)), times: 6 }

/** And more of it while nobody waits. */
const untilItWorks = Schedule.spaced(Duration.seconds(5))

/** Over the longest call of a provider: writing what came of it, and clocks that do not agree. */
const leaseMargin = Duration.seconds(15)

/** When whoever asks a provider from now on has certainly come to an end with it. */
export const leaseFrom = (now: EpochMillis, { openTimeout }: EntryOptions): EpochMillis =>
  EpochMillis.make(now + Duration.toMillis(openTimeout) + Duration.toMillis(leaseMargin))

/** The row of one opening, and its key, as the opening goes on. */
export interface OpeningRecord {
  /** Whether a provider may be asked now: who was held up past the lease may find others at it. */
  readonly isOurs: Effect.Effect<boolean>
  /** Another provider is asked next; it may be only where this says so. */
  readonly retarget: (platform: ProviderName) => Effect.Effect<boolean>
  readonly opened: (
    platform: ProviderName,
    opened: OpenedChannel,
  ) => Effect.Effect<OpenedSwap, OpeningNotRecorded>
  /** Provably nothing was opened, for this reason; `told` is what the caller gets to know. */
  readonly refused: (reason: string, told: ProviderError) => Effect.Effect<void>
  readonly unknown: (reason: string) => Effect.Effect<void>
}

/** The row that an entry is of. */
interface Row {
  readonly id: SwapRecordId
  readonly leaseUntil: EpochMillis
  /** How answers are written, where the opening has a key. */
  readonly write: Claim<OpenedSwap>["write"] | undefined
}

/** What entries are written with. */
export interface Desk {
  readonly repo: OpeningsRepo["Service"]
  /** Lets work go on that outlives its request, until the process ends. */
  readonly inBackground: (work: Effect.Effect<void>) => Effect.Effect<void>
  readonly options: EntryOptions
}

/** The entry of a row that says "requested" or "unknown". */
export const openingRecord = (
  { id, leaseUntil: firstLease, write }: Row,
  { repo, inBackground, options }: Desk,
): OpeningRecord => {
  let leaseUntil = firstLease

  const retarget = Effect.fnUntraced(function* (platform: ProviderName) {
    const next = leaseFrom(yield* currentMillis, options)
    const isTaken = yield* repo.retarget(id, platform, next)
    if (isTaken) leaseUntil = next
    return isTaken
  })

  /** The answer stays the same, whether this can be written or not. */
  const settle = (writing: Effect.Effect<boolean, StoreUnavailable>): Effect.Effect<void> =>
    writing.pipe(
      Effect.retry(soon),
      Effect.catch((error) => Effect.logError("An opening's failure could not be recorded", error)),
      Effect.asVoid,
    )

  const opened = Effect.fnUntraced(function* (platform: ProviderName, answer: OpenedChannel) {
    const { channel, depositLimits = {}, isAddressUnique = false, status } = answer
    const swap: OpenedSwap = {
      id,
      platform,
      channel,
      sourceAsset: status.sourceAsset,
      depositLimits,
      expiresAt: status.depositChannel?.estimatedExpiryTime,
    }
    const at = yield* currentMillis
    const finished = {
      platform,
      channel,
      isAddressUnique,
      status,
      at,
      nextLookupAt: firstLookup(at, options),
      stallsAt: stallsAt(status, at, options),
      events: eventsBetween(Option.none(), status),
    }
    const record = Effect.filterOrFail(
      repo.opened(id, finished, write?.success(swap)),
      (recorded) => recorded,
      () => new OpeningNotRecorded({ id }),
    )
    const named = Effect.annotateLogs({ swap: id, platform, channel: formatChannelId(channel.id) })
    const notTheirs = settle(repo.unknown(id, "ChannelTaken"))
    const later = record.pipe(
      Effect.retry({ schedule: untilItWorks, while: (error) => error instanceof StoreUnavailable }),
      Effect.andThen(Effect.logInfo("A channel was recorded after all")),
      Effect.tapErrorTag("ChannelTaken", () => notTheirs),
      Effect.catch((error) => Effect.logError("A channel will not be recorded", error)),
      named,
    )
    yield* record.pipe(
      Effect.retry({ ...soon, while: (error) => error instanceof StoreUnavailable }),
      Effect.tapError((error) =>
        named(Effect.logError("A channel was opened but could not be recorded", error))
      ),
      Effect.tapErrorTag("StoreUnavailable", () => inBackground(later)),
      Effect.tapErrorTag("ChannelTaken", () => notTheirs),
      Effect.mapError(() => new OpeningNotRecorded({ id })),
    )
    yield* Effect.annotateLogs(Effect.logInfo("A deposit channel was opened"), { swap: id, platform })
    return swap
  })

  const answerTo = (error: ProviderError): WrittenAnswer | undefined => write?.failure(error)

  return {
    isOurs: Effect.map(currentMillis, (now) => now < leaseUntil),
    retarget: (platform) =>
      Effect.catch(
        retarget(platform),
        (error) =>
          Effect.as(Effect.logError("No other provider is asked: that could not be recorded", error), false),
      ),
    opened,
    refused: (reason, told) => settle(repo.refused(id, reason, answerTo(told))),
    unknown: (reason) => settle(repo.unknown(id, reason)),
  }
}
