import { Duration, Effect, Metric, Option } from "effect"
import type { ProviderName } from "../domain/ProviderName.ts"
import { metrics } from "../ops/Metrics.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { OpenedChannel } from "../providers/Provider.ts"
import type { Opener } from "./candidates.ts"
import type { LookupPace } from "./LookupPolicy.ts"
import type { NotFoundBudget } from "./NotFoundBudget.ts"
import { contradictionIn } from "./Progress.ts"

/** The longest that an opening waits for the upstream's word on its channel. */
const patience = Duration.seconds(1)

/** How long an upstream that did not know a new channel, or did not answer, is not asked about others. */
const restMillis = 60_000

/**
 * Checks a newly opened channel with its upstream before its address is handed out: what cannot be true in the
 * upstream's answer, in one sentence. None where the upstream does not have the channel yet, is slow, or fails: then
 * the tracker's first look-up will tell.
 */
export type FirstLook = (opener: Opener, opened: OpenedChannel) => Effect.Effect<Option.Option<string>>

const fresh = ({ status: known }: OpenedChannel, found: OpenedChannel["status"]): string | undefined => {
  if (found.swapId !== undefined || found.deposit !== undefined || found.state === "completed") {
    return "The upstream says that there is a deposit to this new channel already"
  }
  return found.depositChannel?.isExpired === true
    ? "The upstream says that this new channel has expired already"
    : contradictionIn(known, found)
}

/** First looks, within the upstream's tolerance of questions about unknown channels. */
export const makeFirstLook = (notFound: NotFoundBudget, { timeScale }: LookupPace): FirstLook => {
  const restingUntil = new Map<ProviderName, number>()
  const rest = (name: ProviderName, now: number) => restingUntil.set(name, now + restMillis / timeScale)

  return Effect.fnUntraced(function* ({ channels, name }, opened) {
    const now = yield* currentMillis
    if (now < (restingUntil.get(name) ?? 0)) return Option.none()
    const said = yield* notFound.spend(name, channels.status(opened.channel.id, opened.status)).pipe(
      Effect.timeoutOption(patience),
      Effect.map(Option.flatten),
      Effect.tap((said) => Effect.sync(() => Option.isNone(said) && rest(name, now))),
      Effect.catchTag("ProviderError", () => Effect.as(Effect.sync(() => rest(name, now)), Option.none())),
      // An account that has spent its share says nothing of the upstream.
      Effect.catch((error) =>
        Effect.as(Effect.logDebug("A new channel could not be looked up", error), Option.none())
      ),
    )
    if (Option.isNone(said)) return Option.none()
    const detail = Option.fromUndefinedOr(fresh(opened, said.value.status))
    if (Option.isSome(detail)) yield* Metric.update(metrics.contradictions({ provider: name }), 1)
    return detail
  })
}
