import { Array, Effect, Option, Order, Result } from "effect"
import { formatChannelId } from "../domain/Channel.ts"
import { MalformedBody, mayHaveOpened, NotCalled, ProviderError, waitOf } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import type { OpenedChannel, Provider } from "../providers/Provider.ts"
import type { FirstLook } from "./firstLook.ts"
import type { OpenedSwap, OpeningEntry, OpeningNotRecorded } from "./OpeningEntry.ts"

/** What an opening fails with once it has begun. */
export type OpeningFailed = ProviderError | OpeningNotRecorded | StoreUnavailable

/**
 * Which refusal is told when nobody opened: the preferred provider's, but not that it takes no calls for now
 * where another did: that says nothing of the request. Where none takes any, the soonest that will tells its
 * wait (as decision 17 has it of quotes).
 */
export const mostTelling = Order.mapInput(Order.Number, waitOf)

const heldUp = (provider: ProviderName): ProviderError =>
  new ProviderError({
    provider,
    operation: "open",
    reason: new NotCalled({ detail: "The service was held up for too long", retryAfterSeconds: 1 }),
  })

/** Whoever pays to an address that its own upstream denies may lose the deposit. */
const holdBackIfDenied = Effect.fnUntraced(
  function* (firstLook: FirstLook, provider: Provider, opened: OpenedChannel) {
    const denied = yield* firstLook(provider, opened)
    if (Option.isNone(denied)) return
    const { name } = provider
    yield* Effect.logError(`A channel is not handed out. ${denied.value}`).pipe(
      Effect.annotateLogs({ platform: name, channel: formatChannelId(opened.channel.id) }),
    )
    const reason = new MalformedBody({ detail: denied.value, reached: true })
    return yield* new ProviderError({ provider: name, operation: "open", reason })
  },
)

/**
 * Opens a channel with the first provider that does. The entry is written already; the next provider is asked
 * only when the one before provably did nothing. Must not be interrupted once it has begun.
 */
export const openChannel = Effect.fnUntraced(function* (
  entry: OpeningEntry,
  request: SwapRequest,
  [preferred, ...others]: Array.NonEmptyReadonlyArray<Provider>,
  firstLook: FirstLook,
): Effect.fn.Return<OpenedSwap, ProviderError | OpeningNotRecorded> {
  const openWith = (provider: Provider) =>
    Effect.tap(provider.open(request), (opened) => holdBackIfDenied(firstLook, provider, opened))
  const ask = (provider: Provider) =>
    Effect.flatMap(
      entry.isOurs,
      (isOurs) => isOurs ? openWith(provider) : Effect.fail(heldUp(provider.name)),
    ).pipe(
      Effect.tapDefect(() => entry.unknown("Defect")),
      Effect.result,
    )

  let provider: Provider = preferred
  let answer = yield* ask(provider)
  const refusals: Array<ProviderError> = []
  for (const next of others) {
    if (Result.isSuccess(answer) || mayHaveOpened(answer.failure.reason)) break
    if (!(yield* entry.retarget(next.name))) break
    refusals.push(answer.failure)
    provider = next
    answer = yield* ask(provider)
  }
  if (Result.isSuccess(answer)) return yield* entry.opened(provider.name, answer.success)
  const { failure } = answer
  if (mayHaveOpened(failure.reason)) {
    yield* entry.unknown(failure.reason._tag)
    return yield* failure
  }
  const told = Array.min(Array.append(refusals, failure), mostTelling)
  yield* entry.refused(failure.reason._tag, told)
  return yield* told
})
