import { Array, Duration, Effect, Fiber, FiberSet, Option, Result } from "effect"
import { requireRoute, type RouteDenied } from "../../accounts/RouteRules.ts"
import type { Caller } from "#domain/accounts/Account.ts"
import { formatChannelId, TooManyOpenChannels } from "#domain/swaps/Channel.ts"
import type { UndecidedOpening } from "#domain/swaps/Idempotency.ts"
import type { InvalidRequest } from "#domain/Issues.ts"
import { mayHaveOpened, NotCalled, ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { boundBy } from "#domain/quotes/BoundQuote.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { OpeningOnRecord } from "#providers/BrokerBalance.ts"
import { type OpenedChannel, OpeningTrace } from "#providers/Provider.ts"
import { refuse } from "#providers/refusals.ts"
import { Registry } from "#providers/Registry.ts"
import { IdempotencyRepo } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import { LostOpeningsRepo } from "#infrastructure/store/swaps/LostOpeningsRepo.ts"
import { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import type { NewOpening } from "#infrastructure/store/swaps/newOpening.ts"
import {
  type EntryOptions,
  type IdempotencyClaim,
  type KeyTaken,
  leaseFrom,
  type OpenedSwap,
  type OpeningNotRecorded,
  type OpeningRecord,
  openingRecord,
  orTaken,
  OutcomeUnknown,
  type Outlook,
} from "./OpeningRecord.ts"
import {
  byUnusedQuote,
  hasOpenedNothing,
  makeOutlook,
  QuoteExpired,
  requireQuote,
  usedQuote,
} from "./QuoteBinding.ts"
import { type ConfirmChannel, type ConfirmFound, traceOne } from "./lostOpenings.ts"
import { byAffiliateNumbering, inAffiliateNumbering, type OpeningRequest } from "./SwapRules.ts"
import {
  candidatesFor,
  mostTelling,
  type Opener,
  type PairNotServed,
  switchedOn,
  withListedMinimum,
} from "./candidates.ts"
import { makeDailyVolume, type VolumeRefused } from "./dailyVolume.ts"
import type { Lookups } from "../following/Lookups.ts"

export interface OpeningOptions extends EntryOptions {
  /** The least time that an `Idempotency-Key` is kept. */
  readonly keyLifetime: Duration.Duration
  /** The most channels that an account may have open at the same time. */
  readonly openChannelsMost: number
}

/** Why a channel was not opened. */
export type OpenFailed =
  | RouteDenied
  | PairNotServed
  | QuoteExpired
  | InvalidRequest
  | TooManyOpenChannels
  | VolumeRefused
  | OpeningFailed

/** What is opened; the numbers of its affiliates are for the issues that it meets. */
type Order = Pick<OpeningRequest, "request" | "platform"> & Partial<Pick<OpeningRequest, "affiliateNumbers">>

/** An opening under an `Idempotency-Key`. */
interface Keyed<E> {
  readonly claim: IdempotencyClaim<OpenedSwap>
  /** Asked right before a channel is asked for, and not for one that an earlier request has opened. */
  readonly mayOpen?: Effect.Effect<void, E>
}

/** Whether this request may have opened a channel although it failed. */
const mayHaveOpenedHere = (error: OpeningFailed | KeyTaken | QuoteExpired | TooManyOpenChannels): boolean =>
  error._tag !== "KeyTaken" && error._tag !== "QuoteExpired" && !hasOpenedNothing(error)

/** The claim, so that a refusal is written down as its caller is told of it. */
const claimInNumbersOf = (
  order: Order,
  { write, ...claim }: IdempotencyClaim<OpenedSwap>,
): IdempotencyClaim<OpenedSwap> => ({
  ...claim,
  write: { ...write, failure: (error) => write.failure(inAffiliateNumbering(order)(error)) },
})

/**
 * Opens channels, on each request or once for each key. Openings go on after their callers are gone; the process ends
 * only after them.
 */
export const makeOpenings = (
  options: OpeningOptions,
  { confirmFound, firstLook }: Pick<Lookups["Service"], "confirmFound" | "firstLook">,
) =>
  Effect.gen(function* () {
    const openChannelsMost = (caller: Caller): number =>
      caller.maximumOpenChannels ?? options.openChannelsMost
    const repo = yield* OpeningsRepo
    const lost = yield* LostOpeningsRepo
    const keys = yield* IdempotencyRepo
    const { doorbell } = yield* OutboxRepo
    const registry = yield* Registry
    const volume = yield* makeDailyVolume

    const background = yield* FiberSet.make<void>()
    const inBackground = (work: Effect.Effect<void>) => Effect.asVoid(FiberSet.run(background, work))
    const underWay = yield* FiberSet.make<
      OpenedSwap,
      TooManyOpenChannels | OpeningFailed | KeyTaken | QuoteExpired | VolumeRefused
    >()
    // Runs before the set's own finalizer, which would interrupt the openings.
    yield* Effect.addFinalizer(() => FiberSet.awaitEmpty(underWay))

    const outlookOf = yield* makeOutlook

    const entry = (
      id: SwapRecordId,
      leaseUntil: EpochMillis,
      claim: IdempotencyClaim<OpenedSwap> | undefined,
      outlook: Outlook,
    ) => openingRecord({ id, leaseUntil, write: claim?.write, outlook }, { repo, inBackground, options })

    /** Writes the row, and takes the key if there is one: from here on the opening is in the records. */
    const begin = (opening: NewOpening, claim: IdempotencyClaim<OpenedSwap> | undefined) => {
      if (claim === undefined) return repo.request(opening)
      const expiresAt = EpochMillis.make(opening.at + Duration.toMillis(options.keyLifetime))
      return orTaken(Option.match(claim.undecided, {
        onNone: () => keys.takeForOpening({ keyed: claim.keyed, at: opening.at, expiresAt }, opening),
        onSome: (earlier) => keys.takeOver(earlier.id, opening, expiresAt),
      }))
    }

    const perform = Effect.fnUntraced(function* (
      caller: Caller,
      { platform, request }: Order,
      claim: IdempotencyClaim<OpenedSwap> | undefined,
      outlook: Outlook,
    ) {
      yield* requireQuote(request)
      const candidates = yield* candidatesFor(registry, caller, { request, platform })
      const { traceId: requestId } = yield* Effect.orDie(Effect.currentSpan)
      const used = usedQuote(caller, request, claim?.keyed.key)
      const opening = Effect.gen(function* () {
        const at = yield* currentMillis
        const leaseUntil = leaseFrom(at, options)
        const [{ name }] = candidates
        const id = yield* begin(
          {
            accountId: caller.id,
            platform: name,
            request,
            keyId: caller.keyId,
            requestId,
            at,
            leaseUntil,
            openChannelsMost: openChannelsMost(caller),
          },
          claim,
        )
        const record = entry(id, leaseUntil, claim, outlook)
        const named: OpeningRecord = {
          ...record,
          unknown: (reason) => Effect.annotateLogs(record.unknown(reason), { account: caller.name }),
        }
        return yield* openChannel(named, candidates, firstLook)
      })
      return yield* Fiber.join(
        yield* FiberSet.run(
          underWay,
          volume.within(caller, request, byUnusedQuote({ keys, doorbell }, used, opening), mayHaveOpenedHere),
        ),
      )
    })

    const open: <E = never>(
      caller: Caller,
      order: Order,
      keyed?: Keyed<E>,
    ) => Effect.Effect<OpenedSwap, OpenFailed | KeyTaken | OutcomeUnknown | E> = Effect.fn("Swaps.open")(
      function* <E>(caller: Caller, order: Order, keyed?: Keyed<E>) {
        yield* requireRoute(caller, "open", order.request)
        const { claim: given, mayOpen = Effect.void } = { claim: undefined, ...keyed }
        const claim = given === undefined ? undefined : claimInNumbersOf(order, given)
        const outlook = yield* outlookOf(order.request)
        const earlier = claim === undefined ? undefined : Option.getOrUndefined(claim.undecided)
        const found = earlier === undefined ? Option.none() : yield* findOpened(
          { registry, lost, confirmFound },
          earlier,
          entry(earlier.id, earlier.requestedAt, claim, outlook),
        )
        return yield* Option.match(found, {
          onNone: () => Effect.andThen(mayOpen, perform(caller, order, claim, outlook)),
          onSome: Effect.succeed,
        })
      },
      (opening, _, order) => byAffiliateNumbering(order)(opening),
    )

    const prepare = Effect.fn("Swaps.prepare")(function* (caller: Caller, { platform, request }: Order) {
      yield* requireRoute(caller, "open", request)
      yield* requireQuote(request)
      const candidates = yield* candidatesFor(registry, caller, { request, platform })
      const able = yield* switchedOn(registry, candidates, request)
      yield* volume.check(caller, request)
      const most = openChannelsMost(caller)
      if ((yield* repo.openChannels(caller.id)) < most) return able
      return yield* new TooManyOpenChannels({ most })
    })

    return { open, prepare }
  })

export type OpeningFailed = ProviderError | OpeningNotRecorded | StoreUnavailable

/** A channel whose record names the quote that it was opened by. */
export const openedBy = ({ quote }: SwapRequest, opened: OpenedChannel): OpenedChannel =>
  quote === undefined ? opened : { ...opened, status: { ...opened.status, quote: boundBy(quote) } }

const heldUp = (provider: ProviderName): ProviderError =>
  new ProviderError({
    provider,
    operation: "open",
    reason: new NotCalled({ detail: "The service was busy", retryAfterSeconds: 1 }),
  })

/** Withholds an address that its own upstream denies: a deposit to it may be lost. */
const holdBackIfDenied = Effect.fnUntraced(
  function* (firstLook: ConfirmChannel, opener: Opener, opened: OpenedChannel) {
    const denied = yield* firstLook(opener, opened)
    if (Option.isNone(denied)) return
    const { name } = opener
    yield* Effect.logError(`A channel is not handed out. ${denied.value}`).pipe(
      Effect.annotateLogs({ platform: name, channel: formatChannelId(opened.channel.id) }),
    )
    return yield* refuse({ provider: name, operation: "open" }, denied.value)
  },
)

/** Opens a channel on record, at the next provider only where the last provably opened none. Must not be interrupted. */
export const openChannel = Effect.fnUntraced(function* (
  entry: OpeningRecord,
  [preferred, ...others]: Array.NonEmptyReadonlyArray<Opener>,
  firstLook: ConfirmChannel,
): Effect.fn.Return<OpenedSwap, ProviderError | OpeningNotRecorded> {
  const openWith = (opener: Opener) =>
    Effect.provideService(opener.channels.open(opener.request), OpeningOnRecord, entry.id).pipe(
      Effect.tap((opened) => holdBackIfDenied(firstLook, opener, opened)),
      Effect.map((opened) => withListedMinimum(opened, opener.assets)),
    )
  const unknown = (opener: Opener, reason: string) =>
    Effect.annotateLogs(entry.unknown(reason), { platform: opener.name })
  const ask = (opener: Opener) =>
    Effect.flatMap(
      entry.isOurs,
      (isOurs) => isOurs ? openWith(opener) : Effect.fail(heldUp(opener.name)),
    ).pipe(Effect.tapDefect(() => unknown(opener, "Defect")), Effect.result)

  let opener = preferred
  let answer = yield* ask(opener)
  const refusals: Array<ProviderError> = []
  for (const next of others) {
    if (Result.isSuccess(answer) || mayHaveOpened(answer.failure.reason)) break
    if (!(yield* entry.retarget(next.name))) break
    refusals.push(answer.failure)
    opener = next
    answer = yield* ask(opener)
  }
  if (Result.isSuccess(answer)) {
    return yield* entry.opened(opener.name, openedBy(opener.request, answer.success))
  }
  const { failure } = answer
  if (mayHaveOpened(failure.reason)) {
    yield* unknown(opener, failure.reason._tag)
    return yield* new ProviderError({ ...failure, swap: entry.id })
  }
  const told = mostTelling(Array.append(refusals, failure))
  yield* entry.refused(failure.reason._tag, told)
  return yield* told
})

/** Where openings with unknown outcome are looked up. */
interface FoundBy {
  readonly registry: Registry["Service"]
  readonly lost: LostOpeningsRepo["Service"]
  readonly confirmFound: ConfirmFound
}

/** Finds and records the channel of an unknown opening. None if provably none was opened, so that another may be. */
export const findOpened = Effect.fn("Swaps.findOpened")(function* (
  { confirmFound, lost, registry }: FoundBy,
  opening: UndecidedOpening,
  entry: OpeningRecord,
): Effect.fn.Return<Option.Option<OpenedSwap>, OutcomeUnknown | OpeningNotRecorded> {
  const unknown = Effect.fail(new OutcomeUnknown({ id: opening.id }))
  const provider = Option.getOrUndefined(yield* registry.find(opening.platform))
  if (provider === undefined) return yield* unknown
  const trace = yield* traceOne(lost, provider, opening, confirmFound).pipe(
    Effect.catch((error) =>
      Effect.andThen(
        Effect.logWarning("An opening with unknown outcome could not be looked up", error).pipe(
          Effect.annotateLogs({ swap: opening.id, platform: opening.platform }),
        ),
        unknown,
      )
    ),
  )
  return yield* OpeningTrace.$match(trace, {
    Found: ({ opened }) =>
      Effect.flatMap(Effect.option(provider.assets), (assets) => {
        const known = withListedMinimum(opened, Option.getOrElse(assets, () => []))
        return Effect.asSome(entry.opened(opening.platform, openedBy(opening.request, known)))
      }),
    NothingOpened: () => Effect.succeedNone,
    NotKnown: () => unknown,
  })
})
