import { Array, Duration, Effect, Order, Result, Schedule, Schema } from "effect"
import type { Account } from "../domain/Account.ts"
import { type DepositChannel, formatChannelId } from "../domain/Channel.ts"
import { type ProviderError, waitOf } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { SwapRecordId } from "../domain/SwapRecord.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { OpenedChannel, Provider } from "../providers/Provider.ts"
import type { OpeningsRepo } from "../store/OpeningsRepo.ts"
import { firstLookup, type LookupPace } from "./LookupPolicy.ts"
import { mayHaveOpened } from "./openingOutcome.ts"

/** A swap whose deposit channel was just opened. */
export interface OpenedSwap {
  readonly id: SwapRecordId
  readonly platform: ProviderName
  readonly channel: DepositChannel
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

/** What an opening fails with once it has begun. */
export type OpeningFailed = ProviderError | OpeningNotRecorded | StoreUnavailable

/** A channel that was paid for is worth some patience with the database: about six seconds. */
const recordAgain = { schedule: Schedule.exponential(Duration.millis(100)), times: 6 }

/** What happens to the row when the provider did not open a channel; the provider's error stays the answer. */
const settle = (write: Effect.Effect<void, StoreUnavailable>): Effect.Effect<void> =>
  Effect.catch(write, (error) => Effect.logError("An opening's failure could not be recorded", error))

/**
 * Which refusal is told when nobody opened: the preferred provider's, but not that it takes no calls for now
 * where another did: that says nothing of the request. Where none takes any, the soonest that will tells its
 * wait (as decision 17 has it of quotes).
 */
export const mostTelling = Order.mapInput(Order.Number, waitOf)

/**
 * Opens a channel with the first provider that does: the row comes before the provider is asked, the next
 * provider is asked only when the one before provably did nothing. Must not be interrupted once it has begun.
 */
export const openChannel = Effect.fnUntraced(function* (
  repo: OpeningsRepo["Service"],
  pace: LookupPace,
  account: Account,
  request: SwapRequest,
  [preferred, ...others]: Array.NonEmptyReadonlyArray<Provider>,
): Effect.fn.Return<OpenedSwap, OpeningFailed> {
  const id = yield* repo.request({
    accountId: account.id,
    platform: preferred.name,
    request,
    at: yield* currentMillis,
  })

  const ask = (provider: Provider) =>
    provider.open(request).pipe(
      Effect.tapDefect(() => settle(repo.unknown(id, "Defect"))),
      Effect.result,
    )

  const record = Effect.fnUntraced(function* (provider: Provider, { channel, status }: OpenedChannel) {
    const at = yield* currentMillis
    yield* repo.opened(id, { channel, status, at, nextLookupAt: firstLookup(at, pace) }).pipe(
      Effect.retry(recordAgain),
      Effect.tapError((error) =>
        Effect.logError("A channel was opened but could not be recorded", error).pipe(
          Effect.annotateLogs({ swap: id, platform: provider.name, channel: formatChannelId(channel.id) }),
        )
      ),
      Effect.mapError(() => new OpeningNotRecorded({ id })),
    )
    return { id, platform: provider.name, channel }
  })

  let provider: Provider = preferred
  let answer = yield* ask(provider)
  const refusals: Array<ProviderError> = []
  for (const next of others) {
    if (Result.isSuccess(answer) || mayHaveOpened(answer.failure.reason)) break
    refusals.push(answer.failure)
    yield* repo.retarget(id, next.name)
    provider = next
    answer = yield* ask(provider)
  }
  if (Result.isSuccess(answer)) return yield* record(provider, answer.success)
  if (mayHaveOpened(answer.failure.reason)) {
    yield* settle(repo.unknown(id, answer.failure.reason._tag))
    return yield* answer.failure
  }
  yield* settle(repo.refused(id, answer.failure.reason._tag))
  return yield* Array.min(Array.append(refusals, answer.failure), mostTelling)
})
