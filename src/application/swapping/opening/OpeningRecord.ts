import { Duration, Effect, Option, Schedule, Schema } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { KeyedRequest, UndecidedOpening, WrittenAnswer } from "#domain/swaps/Idempotency.ts"
import { type DepositChannel, type DepositLimits, formatChannelId } from "#domain/swaps/Channel.ts"
import { type Payable, type PaymentTerms, termsOfSwap } from "#domain/swaps/payment/Payable.ts"
import type { RefundsTo } from "#domain/swaps/RefundsTo.ts"
import type { Address } from "#domain/chains/Address.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { OutOfReach } from "#domain/money/Price.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { type StoreEffect, StoreUnavailable } from "#domain/StoreError.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { OpenedChannel } from "#providers/Provider.ts"
import type { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { firstLookup, type LookupPace } from "../following/LookupPolicy.ts"
import { stallsAt } from "../following/Stalling.ts"
import { eventsBetween } from "../following/Progress.ts"

/** A swap whose deposit channel was just opened. */
export interface OpenedSwap {
  readonly id: SwapRecordId
  readonly platform: ProviderName
  readonly channel: DepositChannel
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly depositLimits: DepositLimits
  /** The time at which the channel stops taking deposits, as far as it can be told. */
  readonly expiresAt: EpochMillis | undefined
  readonly openedAt: EpochMillis
  /** What the payer of the channel has to know. */
  readonly payable: Payable
  readonly refundsTo: RefundsTo
  /** The address of the request for a refund; absent where the record has none. */
  readonly refundAddress: Address | undefined
  readonly terms: Omit<PaymentTerms, "network">
}

/** The limits of a channel, as they are kept in its record. */
const limitsIn = ({ maximum, minimum }: DepositLimits) => ({
  ...defined({ minimumDeposit: minimum, maximumDeposit: maximum }),
})

/** The provider opened a channel that the database did not record (decision 16); our log names it. */
export class OpeningNotRecorded extends Schema.TaggedError<OpeningNotRecorded>()("OpeningNotRecorded", {
  id: SwapRecordId,
}) {
  override get message(): string {
    return `The channel of swap ${this.id} was opened but could not be recorded`
  }
}

export interface EntryOptions extends LookupPace {
  /** The longest that one provider may take to open a channel. */
  readonly openTimeout: Duration.Duration
}

/** Retries for about six seconds: a channel that was paid for is worth some patience with the database. */
const soon = { schedule: Schedule.exponential(Duration.millis(100)), times: 6 }

/** Retries further in the background. */
const untilItWorks = Schedule.spaced(Duration.seconds(5))

/** The time a lease outlasts the longest call of a provider: for writing the outcome, and for clocks that differ. */
const leaseMargin = Duration.seconds(15)

/** The time by which a request to a provider that begins now has certainly ended. */
export const leaseFrom = (now: EpochMillis, { openTimeout }: EntryOptions): EpochMillis =>
  EpochMillis.make(now + Duration.toMillis(openTimeout) + Duration.toMillis(leaseMargin))

/** What is known of a request before it is opened, without a call. */
export interface Outlook {
  /** The price limit, where no known price meets it. */
  readonly outOfReach?: OutOfReach | undefined
  /** About what its amount comes to, less the commission, where no quote says so. Nobody promises it. */
  readonly estimatedOutput?: NativeAmount | undefined
}

/** The database row of an opening. */
interface Row {
  readonly id: SwapRecordId
  readonly leaseUntil: EpochMillis
  /** Renders answers as text, if the opening has a key. */
  readonly write: IdempotencyClaim<OpenedSwap>["write"] | undefined
  readonly outlook: Outlook
}

/** The parts that records are written with. */
export interface RecordTools {
  readonly repo: OpeningsRepo["Service"]
  /** Lets work outlive its request, until the process ends. */
  readonly inBackground: (work: Effect.Effect<void>) => Effect.Effect<void>
  readonly options: EntryOptions
}

/** The record of a row in the state "requested" or "unknown". */
export const openingRecord = (
  { id, leaseUntil: firstLease, outlook: { estimatedOutput, outOfReach }, write }: Row,
  { repo, inBackground, options }: RecordTools,
) => {
  let leaseUntil = firstLease

  const retarget = Effect.fnUntraced(function* (platform: ProviderName) {
    const next = leaseFrom(yield* currentMillis, options)
    const isTaken = yield* repo.retarget(id, platform, next)
    if (isTaken) leaseUntil = next
    return isTaken
  })

  /** The answer stays the same, whether the outcome can be written or not. */
  const settle = (writing: StoreEffect<boolean>): Effect.Effect<void> =>
    writing.pipe(
      Effect.retry(soon),
      Effect.catch((error) => Effect.logError("A failed opening could not be recorded", error)),
      Effect.asVoid,
    )

  const opened = Effect.fnUntraced(function* (platform: ProviderName, answer: OpenedChannel) {
    const { channel, depositLimits = {}, isAddressUnique = false } = answer
    const status = {
      ...answer.status,
      ...optionalMembers(answer.status.depositChannel, (record) => ({
        depositChannel: {
          ...record,
          ...limitsIn(depositLimits),
          ...defined({ estimatedOutput, explorerUrl: channel.explorerUrl }),
        },
      })),
    }
    const at = yield* currentMillis
    const swap: OpenedSwap = {
      id,
      platform,
      channel,
      sourceAsset: status.sourceAsset,
      destinationAsset: status.destinationAsset,
      depositLimits,
      expiresAt: status.depositChannel?.estimatedExpiryTime,
      openedAt: at,
      payable: {
        ...status.depositChannel,
        ...channel,
        ...limitsIn(depositLimits),
        ...defined({ outOfReach }),
      },
      refundsTo: answer.refundsTo,
      refundAddress: status.fillOrKill?.refundAddress,
      terms: termsOfSwap(status),
    }
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
    id,
    /** Whether a provider may be asked now: after the lease has passed, others may be working on the opening. */
    isOurs: Effect.map(currentMillis, (now) => now < leaseUntil),
    /** Records that another provider is asked next, which is allowed only if this returns true. */
    retarget: (platform: ProviderName) =>
      Effect.catch(
        retarget(platform),
        (error) =>
          Effect.as(Effect.logError("No other provider is asked: recording it failed", error), false),
      ),
    opened,
    /** Records that provably nothing was opened, for this reason; `told` is the caller's answer. */
    refused: (reason: string, told: ProviderError) => settle(repo.refused(id, reason, answerTo(told))),
    unknown: (reason: string) =>
      Effect.andThen(
        Effect.annotateLogs(Effect.logWarning("The outcome of an opening is unknown; a channel may exist"), {
          swap: id,
          reason,
        }),
        settle(repo.unknown(id, reason)),
      ),
  }
}

export type OpeningRecord = ReturnType<typeof openingRecord>

/** A request that is about to be carried out under its key. */
export interface IdempotencyClaim<A> {
  readonly keyed: KeyedRequest
  /** The earlier opening under the key, if its outcome is unknown. */
  readonly undecided: Option.Option<UndecidedOpening>
  /** Renders the answer as text, so that it is kept together with the outcome. */
  readonly write: {
    readonly success: (result: A) => WrittenAnswer
    readonly failure: (error: ProviderError) => WrittenAnswer
  }
}

/** Another request took the key in the meantime. */
export class KeyTaken extends Schema.TaggedError<KeyTaken>()("KeyTaken", {}) {}

/** The first request under the key is still being carried out. */
export class KeyInUse extends Schema.TaggedError<KeyInUse>()("KeyInUse", {
  retryAfterSeconds: Schema.Finite,
}) {}

/** The key belongs to another request: another method, another path or other parameters. */
export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {}) {}

/** The answer kept under the key is too old to be given again. */
export class AnswerStale extends Schema.TaggedError<AnswerStale>()("AnswerStale", { staleAt: EpochMillis }) {}

/** A channel may have been opened under the key, and its provider cannot tell: the request is not repeated. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {
  id: SwapRecordId,
}) {}

/** The row that a key is taken with; none means that another request has the key. */
export const orTaken = <A, E, R>(taking: Effect.Effect<Option.Option<A>, E, R>) =>
  Effect.flatMap(taking, Option.match({ onNone: () => Effect.fail(new KeyTaken()), onSome: Effect.succeed }))

/** Warns the operator of openings that their process did not finish: they may have opened channels. */
const warn = (given: OpeningsRepo["Service"]["giveUpAll"]) =>
  Effect.flatMap(given, (openings) =>
    Effect.forEach(
      openings,
      ({ account, id, platform }) =>
        Effect.logWarning("A process ended while this swap was opened; a channel may exist").pipe(
          Effect.annotateLogs({ swap: id, platform, account }),
        ),
      { discard: true },
    ))

/** Gives up openings that no process can be working on any more. */
export const abandonLapsedOpenings = (openings: OpeningsRepo["Service"]) =>
  Effect.flatMap(currentMillis, (now) => warn(openings.giveUpLapsed(now)))

/** Gives up all openings under way. Only for a process that is the only one, before it begins. */
export const abandonAllOpenings = (openings: OpeningsRepo["Service"]) => warn(openings.giveUpAll)
