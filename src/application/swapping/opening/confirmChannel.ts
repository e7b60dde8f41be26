import { Duration, Effect, Metric, Option } from "effect"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { OpenedChannel, Provider } from "#providers/Provider.ts"
import type { Opener } from "./candidates.ts"
import type { LookupPace } from "../following/LookupPolicy.ts"
import type { NotFoundBudget } from "../following/NotFoundBudget.ts"
import { contradictionIn } from "../following/Progress.ts"
import { onTermsOf } from "../following/terms.ts"

/** The longest that an opening waits for the upstream's word on its channel. */
const patience = Duration.seconds(1)

/** How long an upstream that did not know a new channel, or did not answer, is not asked about others. */
const restMillis = 60_000

/**
 * Checks a newly opened channel with its upstream before its address is handed out: what cannot be true in the
 * upstream's answer, in one sentence. None where the upstream does not have the channel yet, is slow, or fails: then
 * the tracker's first look-up will tell.
 */
export type ConfirmChannel = (opener: Opener, opened: OpenedChannel) => Effect.Effect<Option.Option<string>>

const fresh = ({ status: known }: OpenedChannel, found: OpenedChannel["status"]): string | undefined => {
  if (found.swapId !== undefined || found.deposit !== undefined || found.state === "completed") {
    return "The upstream says that there is a deposit to this new channel already"
  }
  return found.depositChannel?.isExpired === true
    ? "The upstream says that this new channel has expired already"
    : contradictionIn(known, found)
}

/** First looks, within the upstream's tolerance of questions about unknown channels. */
export const makeConfirmChannel = (notFound: NotFoundBudget, { timeScale }: LookupPace): ConfirmChannel => {
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

/**
 * Asks the upstream for the status of a channel that was found (decision 59). The channel with the expiry that the status
 * gives, if the status has the channel with this very address. None where it has another address or other terms, or where
 * the upstream does not know the channel (yet) or cannot be asked: the outcome of the opening is then still unknown.
 */
export type ConfirmFound = (
  provider: Provider,
  found: OpenedChannel,
) => Effect.Effect<Option.Option<OpenedChannel>>

/** Confirms found channels, within the upstream's tolerance of questions about unknown channels. */
export const makeConfirmFound = (notFound: NotFoundBudget): ConfirmFound =>
  Effect.fnUntraced(function* ({ channels, name }, found) {
    const { channel, status } = found
    const said = yield* notFound.spend(name, channels?.status(channel.id, status) ?? Effect.succeedNone).pipe(
      Effect.catch((error) =>
        Effect.as(Effect.logDebug("A found channel could not be looked up", error), Option.none())
      ),
    )
    const confirmed = Option.getOrUndefined(said)?.status
    if (confirmed?.depositChannel === undefined) return Option.none()
    const denied = contradictionIn(status, confirmed)
    if (denied === undefined) {
      const { depositChannel } = onTermsOf(status, confirmed)
      return Option.some({
        ...found,
        status: { ...status, ...optionalMembers(depositChannel, (depositChannel) => ({ depositChannel })) },
      })
    }
    yield* Metric.update(metrics.contradictions({ provider: name }), 1)
    yield* warnSparsely(
      "found channels that are denied",
      1,
      `A channel that was found is not handed out. ${denied}`,
    ).pipe(Effect.annotateLogs({ platform: name, channel: formatChannelId(channel.id) }))
    return Option.none()
  })
