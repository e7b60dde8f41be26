import { Duration, Effect, Metric, Option } from "effect"
import type { UndecidedOpening } from "#domain/swaps/Idempotency.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { asHonoured } from "#providers/Capabilities.ts"
import {
  type ListedChannel,
  type Listing,
  nothingListed,
  type OpenedChannel,
  OpeningTrace,
  type Provider,
} from "#providers/Provider.ts"
import type { LostOpeningsRepo, PendingOpening } from "#infrastructure/store/swaps/LostOpeningsRepo.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { Opener } from "./candidates.ts"
import type { LookupPace } from "../following/LookupPolicy.ts"
import type { NotFoundBudget } from "../following/NotFoundBudget.ts"
import { contradictionIn } from "../following/Progress.ts"
import { onTermsOf } from "../following/compareTerms.ts"

/** The longest that an opening waits for the upstream's word on its channel. */
const patience = Duration.seconds(1)

/** How long an upstream that did not know a new channel, or did not answer, is not asked about others. */
const restMillis = 60_000

/** Checks a new channel with its upstream before handing it out: its fault, if one is known by now. */
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
      return Option.some({ ...found, status: { ...status, ...defined({ depositChannel }) } })
    }
    yield* Metric.update(metrics.contradictions({ provider: name }), 1)
    yield* warnSparsely(
      "found channels that are denied",
      1,
      `A channel that was found is not handed out. ${denied}`,
    ).pipe(Effect.annotateLogs({ platform: name, channel: formatChannelId(channel.id) }))
    return Option.none()
  })

type Repo = LostOpeningsRepo["Service"]
type Failed = ProviderError | StoreUnavailable

/** A record this old says nothing of its address, which the upstream may have given out again (chainflip/wire.md 2.9). */
const addressRestsMillis = 40 * 60 * 60 * 1000

/** Openings that are older are not looked for: their channels take no deposits any more. */
export const lookedForMillis = 24 * 60 * 60 * 1000

/** What no record has at present, by the last looks: a channel takes deposits for a day after it was found. */
export const presentlyLost = (repo: Repo) =>
  Effect.flatMap(currentMillis, (now) => repo.swept(before(now, lookedForMillis)))

const before = (time: EpochMillis, millis: number): EpochMillis =>
  EpochMillis.make(Math.max(0, time - millis))

/** What an upstream lists and our records do not have. */
export interface Unrecorded {
  /** What openings are looked for in: channels that no record has, or only one of an earlier use of the address. */
  readonly listing: Listing
  /** The channels that no record has at all. */
  readonly lost: Listing["channels"]
}

/** Reduces a listing to what no record has. The records are read after the list, so that none is missed. */
export const unrecorded = Effect.fnUntraced(function* (
  repo: Repo,
  { name }: Provider,
  listing: Listing,
  besides?: SwapRecordId,
): Effect.fn.Return<Unrecorded, StoreUnavailable> {
  if (listing.channels.length === 0) return { listing, lost: [] }
  const addresses = listing.channels.map(({ depositAddress }) => depositAddress)
  const recordedAt = yield* repo.recorded(name, addresses, besides)
  const old = before(yield* currentMillis, addressRestsMillis)
  const isLost = ({ depositAddress }: ListedChannel) => recordedAt(depositAddress) === undefined
  const isOld = ({ depositAddress }: ListedChannel) => (recordedAt(depositAddress) ?? 0) < old
  return {
    listing: {
      ...listing,
      channels: listing.channels.filter((channel) => isLost(channel) || isOld(channel)),
    },
    lost: listing.channels.filter(isLost),
  }
})

/** An opening, and what the upstream knows of it. */
interface Traced<Opening> {
  readonly opening: Opening
  readonly trace: OpeningTrace
}

const addressOf = (trace: OpeningTrace): string | undefined =>
  trace._tag === "Found" ? trace.opened.channel.depositAddress : undefined

/** Outcomes by what the upstream lists. A channel that fits several openings is certainly of none. */
const traceListed = <Opening extends UndecidedOpening>(
  { capabilities, channels }: Provider,
  openings: ReadonlyArray<Opening>,
  listing: Listing,
): Effect.Effect<ReadonlyArray<Traced<Opening>>, ProviderError> => {
  const { findOpening } = channels ?? {}
  if (findOpening === undefined) {
    return Effect.succeed(openings.map((opening) => ({ opening, trace: OpeningTrace.NotKnown() })))
  }
  const traced = Effect.forEach(openings, (opening) =>
    Effect.map(
      findOpening(asHonoured(capabilities, opening.request), opening.requestedAt, listing),
      (trace) => ({ opening, trace }),
    ))
  return Effect.map(traced, (all) =>
    all.map(({ opening, trace }) => {
      const address = addressOf(trace)
      const isShared = address !== undefined &&
        all.filter((one) => addressOf(one.trace) === address).length > 1
      return { opening, trace: isShared ? OpeningTrace.NotKnown() : trace }
    }))
}

/**
 * What became of those of the openings that are `wanted`. A channel is found only if the upstream has it with its address
 * besides the list, too: one source alone may name an address that is somebody else's (decision 59).
 */
export const traceAll = Effect.fnUntraced(function* <Opening extends UndecidedOpening>(
  provider: Provider,
  openings: ReadonlyArray<Opening>,
  listing: Listing,
  wanted: (opening: Opening) => boolean,
  confirmFound: ConfirmFound,
): Effect.fn.Return<ReadonlyArray<Traced<Opening>>, ProviderError> {
  const confirmed = (trace: OpeningTrace): Effect.Effect<OpeningTrace> =>
    trace._tag !== "Found" ? Effect.succeed(trace) : Effect.map(
      confirmFound(provider, trace.opened),
      Option.match({
        onNone: () => OpeningTrace.NotKnown(),
        onSome: (opened) => OpeningTrace.Found({ opened }),
      }),
    )
  const traced = (yield* traceListed(provider, openings, listing)).filter(({ opening }) => wanted(opening))
  return yield* Effect.forEach(
    traced,
    ({ opening, trace }) => Effect.map(confirmed(trace), (trace) => ({ opening, trace })),
  )
})

const isAlike = ({ request: one }: UndecidedOpening) => ({ request: other }: PendingOpening): boolean =>
  one.sourceAsset === other.sourceAsset && one.destinationAsset === other.destinationAsset &&
  one.destinationAddress.toLowerCase() === other.destinationAddress.toLowerCase()

/** What became of one opening, of all those that the same channel could belong to. */
export const traceOne = Effect.fnUntraced(function* (
  repo: Repo,
  provider: Provider,
  opening: UndecidedOpening,
  confirmFound: ConfirmFound,
): Effect.fn.Return<OpeningTrace, Failed> {
  const listed = yield* provider.channels?.list ?? Effect.succeed(nothingListed)
  // The opening's own record, if another replica has found it meanwhile, is not another's.
  const { listing } = yield* unrecorded(repo, provider, listed, opening.id)
  const since = before(yield* currentMillis, lookedForMillis)
  const others = (yield* repo.pending(provider.name, since)).filter(({ id }) => id !== opening.id)
  const traced = yield* traceAll<UndecidedOpening>(
    provider,
    [opening, ...(listing.channels.length === 0 ? [] : others.filter(isAlike(opening)))],
    listing,
    ({ id }) => id === opening.id,
    confirmFound,
  )
  return traced[0]?.trace ?? OpeningTrace.NotKnown()
})
