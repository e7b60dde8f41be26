import { Context, Duration, Effect, Equal, Layer } from "effect"
import type { EndNotice, EndpointEnding } from "#domain/operations/EndpointEnding.ts"
import type { ProviderOperation } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { defined } from "../platform/optionalMembers.ts"
import { repeating, surviving } from "../platform/outages.ts"
import { EndpointEndingsRepo, type OwnedEnding } from "../store/ops/EndpointEndingsRepo.ts"
import { metrics } from "./Metrics.ts"

/** An answer of an upstream, as far as it tells of the end of its endpoint. */
export interface EndpointAnswer {
  readonly provider: ProviderName
  readonly operation: ProviderOperation
  /** The endpoint's name: method and path without ids, or the name of a JSON-RPC method. */
  readonly call: () => string
  readonly status: number
  readonly notice: EndNotice | undefined
  readonly at: EpochMillis
}

/** The ends of upstreams' endpoints. Both functions work in memory, as every call waits for them. */
export interface EndpointCalendar {
  /** Notes an answer. Returns whether it shows that its endpoint is retired. */
  readonly answered: (answer: EndpointAnswer) => boolean
  /** What is known of a provider, by any replica up to half a minute ago. */
  readonly endingsOf: (provider: ProviderName) => ReadonlyArray<EndpointEnding>
}

const isOk = (status: number): boolean => status >= 200 && status < 300

const isGone = ({ status }: EndpointAnswer): boolean => status === 410

/** Where every answer of an upstream is reported. Nothing is kept unless `endpointCalendar` provides it. */
export const EndpointCalendar = Context.Reference<EndpointCalendar>("swap-broker/ops/EndpointCalendar", {
  defaultValue: () => ({ answered: isGone, endingsOf: () => [] }),
})

/** The most endpoints of a provider: their names come from paths and methods of our own, and are few. */
const mostEndpoints = 50

const syncEvery = Duration.seconds(30)

/** How often it is written that an announcement is still made. */
const noteMillis = Duration.toMillis("1 hour")

/** How long an endpoint that answers has to say nothing of its end until that counts as withdrawn; replicas note hourly. */
const quietMillis = Duration.toMillis("3 hours")

/**
 * A 404 retires an endpoint that has announced its end. But where a thing is looked up it means that the upstream does not know
 * the thing, as long as the answer still has the headers.
 */
const retires = (answer: EndpointAnswer, endpoint: string, before: EndpointEnding | undefined): boolean =>
  isGone(answer) || (answer.status === 404 && before !== undefined &&
    (answer.notice === undefined || !endpoint.startsWith("GET ")))

const nothingSaid: EndNotice = { references: [], unreadable: [] }

const noted = (
  { at, notice, operation, status }: EndpointAnswer,
  endpoint: string,
  before: EndpointEnding | undefined,
  isRetired: boolean,
): EndpointEnding => {
  const { operations = [], firstSeenAt = at, retiredAt }: Partial<EndpointEnding> = before ?? {}
  const { deprecatedAt, references, sunsetAt, unreadable } = notice ?? before ?? nothingSaid
  return {
    endpoint,
    operations: operations.includes(operation) ? operations : [...operations, operation],
    ...defined({
      deprecatedAt,
      sunsetAt,
      retiredAt: isRetired ? retiredAt ?? at : isOk(status) ? undefined : retiredAt,
    }),
    references,
    unreadable,
    firstSeenAt,
    lastSeenAt: at,
  }
}

const keyOf = ({ ending, provider }: OwnedEnding): string => `${provider} ${ending.endpoint}`

/** The ends over all replicas: noted in memory, and twice a minute written to the database and read from there. */
export const endpointCalendar: Layer.Layer<never, never, EndpointEndingsRepo> = Layer.effect(
  EndpointCalendar,
  Effect.gen(function* () {
    const repo = yield* EndpointEndingsRepo
    const context = yield* Effect.context<never>()
    const endings = new Map<string, OwnedEnding>()
    /** Those that the database has otherwise, by key. */
    const changed = new Map<string, OwnedEnding>()

    const show = ({ ending: { endpoint }, provider }: OwnedEnding, sunsetAt = 0): void =>
      metrics.endpointSunset({ provider, endpoint }).updateUnsafe(sunsetAt / 1_000, context)
    const keep = (owned: OwnedEnding): void => {
      endings.set(keyOf(owned), owned)
      show(owned, owned.ending.sunsetAt)
    }
    const forget = (owned: OwnedEnding): void => {
      endings.delete(keyOf(owned))
      show(owned)
    }
    const change = (owned: OwnedEnding, put: typeof keep): void => {
      put(owned)
      changed.set(keyOf(owned), owned)
    }

    const endingsOf: EndpointCalendar["endingsOf"] = (of) =>
      [...endings.values()].flatMap(({ ending, provider }) => provider === of ? [ending] : [])

    const answered: EndpointCalendar["answered"] = (answer) => {
      const { at, call, notice, provider, status } = answer
      const known = endings.size === 0 ? [] : endingsOf(provider)
      if (notice === undefined && !isGone(answer) && known.length === 0) return false
      const endpoint = call()
      const before = known.find((ending) => ending.endpoint === endpoint)
      const isRetired = retires(answer, endpoint, before)
      if (notice === undefined && !isRetired) {
        const isOver = before !== undefined && isOk(status) &&
          (before.retiredAt !== undefined || at - before.lastSeenAt > quietMillis)
        if (isOver) change({ provider, ending: before }, forget)
        return false
      }
      if (before === undefined && known.length >= mostEndpoints) return isRetired
      const ending = noted(answer, endpoint, before, isRetired)
      const isOld = before !== undefined && at - before.lastSeenAt < noteMillis &&
        Equal.equals(ending, { ...before, lastSeenAt: at })
      if (!isOld) change({ provider, ending }, keep)
      return isRetired
    }

    const write = ([key, owned]: readonly [string, OwnedEnding]) =>
      Effect.tap(
        endings.has(key) ? repo.keep(owned) : repo.drop(owned),
        () => Effect.sync(() => changed.get(key) === owned && changed.delete(key)),
      )
    const sync = Effect.gen(function* () {
      yield* Effect.forEach([...changed], write, { discard: true })
      const recent = yield* repo.recent
      const isKnown = (owned: OwnedEnding) => !changed.has(keyOf(owned))
      for (const owned of [...endings.values()].filter(isKnown)) forget(owned)
      for (const owned of recent.filter(isKnown)) keep(owned)
    })
    const job = "The ends of endpoints could not be kept"
    yield* surviving(job)(sync)
    yield* sync.pipe(repeating(job, syncEvery))
    yield* Effect.addFinalizer(() => surviving(job)(sync))
    return { answered, endingsOf }
  }),
)
