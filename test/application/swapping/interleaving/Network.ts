import { Array, Deferred, Effect, Equal, Option } from "effect"
import { InsufficientLiquidity, type ProviderError, TimedOut } from "#domain/ProviderError.ts"
import { type Observed, type OpenedChannel, OpeningTrace } from "#providers/Provider.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { openedChannel } from "#test/support/provider.ts"
import { swapRequest } from "#test/support/swap.ts"
import { openingOptions } from "#test/support/swapping.ts"

/** A request that is on its way, or what it came to; the network does not care who is still there for it. */
interface Sent {
  state: "on its way" | "lost" | "refused" | OpenedChannel
  readonly answer: Deferred.Deferred<OpenedChannel, InsufficientLiquidity>
}

const refusal = new InsufficientLiquidity({ detail: "not enough" })
const timedOut = new TimedOut({ detail: "no answer", reached: true })

/** Something that may happen next. */
export interface Happening {
  readonly name: string
  readonly happen: Effect.Effect<unknown>
}

/** The network behind one provider, in which requests and answers take as long as the driver pleases. */
export interface Network {
  /** Every channel that was opened on it. */
  readonly channels: () => ReadonlyArray<OpenedChannel>
  /** Asks for a channel; as the guard does, it waits no longer for the answer than it may. */
  readonly open: (
    fails: (reason: TimedOut | InsufficientLiquidity) => ProviderError,
  ) => Effect.Effect<OpenedChannel, ProviderError>
  /** What it says of the requests that it got: nothing for sure while one is still on its way. */
  readonly trace: () => OpeningTrace
  /** What it says of a channel that it has opened. */
  readonly status: (known: SwapStatus) => Option.Option<Observed>
  readonly happenings: () => ReadonlyArray<Happening>
  /** From now on it opens a channel for whoever asks, and answers at once. */
  readonly becomePrompt: Effect.Effect<void>
}

const answerOf = ({ answer, state }: Sent): Effect.Effect<boolean> => {
  if (state === "on its way" || state === "lost") return Effect.succeed(false)
  return state === "refused" ? Deferred.fail(answer, refusal) : Deferred.succeed(answer, state)
}

const happeningsOf = (sent: Sent): ReadonlyArray<Happening> => {
  if (sent.state !== "on its way") {
    const isUnanswered = sent.state !== "lost" && !Deferred.isDoneUnsafe(sent.answer)
    return isUnanswered ? [{ name: "an answer arrives", happen: answerOf(sent) }] : []
  }
  const becomes = (name: string, state: () => Sent["state"]): Happening => ({
    name,
    happen: Effect.sync(() => sent.state = state()),
  })
  const opened = becomes("a channel is opened", () => openedChannel(swapRequest))
  return [
    opened,
    opened,
    becomes("a request is refused", () => "refused"),
    becomes("a request is lost", () => "lost"),
  ]
}

export const makeNetwork = (): Network => {
  const requests: Array<Sent> = []
  let isPrompt = false
  const channels = () => requests.flatMap(({ state }) => typeof state === "object" ? [state] : [])
  return {
    channels,
    open: (fails) =>
      Effect.suspend(() => {
        const sent: Sent = { state: "on its way", answer: Deferred.makeUnsafe() }
        requests.push(sent)
        if (isPrompt) {
          Deferred.doneUnsafe(sent.answer, Effect.succeed(sent.state = openedChannel(swapRequest)))
        }
        return Deferred.await(sent.answer).pipe(
          Effect.timeoutOrElse({ duration: openingOptions.openTimeout, orElse: () => Effect.fail(timedOut) }),
          Effect.mapError(fails),
        )
      }),
    trace: () => {
      if (requests.some(({ state }) => state === "on its way")) return OpeningTrace.NotKnown()
      const [opened] = channels()
      return opened === undefined ? OpeningTrace.NothingOpened() : OpeningTrace.Found({ opened })
    },
    status: (known) =>
      Option.map(
        Array.findFirst(
          channels(),
          ({ status }) => Equal.equals(status.depositChannel, known.depositChannel),
        ),
        ({ status }) => ({ status, body: "" }),
      ),
    happenings: () => requests.flatMap(happeningsOf),
    becomePrompt: Effect.sync(() => isPrompt = true),
  }
}
