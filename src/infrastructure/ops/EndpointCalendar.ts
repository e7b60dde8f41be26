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

/** The ends by provider and endpoint, and those that are to be written. */
const makeCalendar = (context: Context.Context<never>) => {
  const endings = new Map<ProviderName, Map<string, EndpointEnding>>()
  const changed = new Map<string, readonly [ProviderName, string]>()

  const of = (provider: ProviderName) => {
    const known = endings.get(provider) ?? new Map<string, EndpointEnding>()
    endings.set(provider, known)
    return known
  }

  /** Keeps an end, or forgets it where there is none. */
  const put = (provider: ProviderName, endpoint: string, ending: EndpointEnding | undefined): void => {
    if (ending === undefined) of(provider).delete(endpoint)
    else of(provider).set(endpoint, ending)
    metrics.endpointSunset({ provider, endpoint }).updateUnsafe((ending?.sunsetAt ?? 0) / 1_000, context)
  }

  const change = (provider: ProviderName, endpoint: string, ending: EndpointEnding | undefined): void => {
    put(provider, endpoint, ending)
    changed.set(`${provider} ${endpoint}`, [provider, endpoint])
  }

  const answered: EndpointCalendar["answered"] = (answer) => {
    const { at, call, notice, provider, status } = answer
    const known = endings.get(provider)
    if (notice === undefined && !isGone(answer) && (known === undefined || known.size === 0)) return false
    const endpoint = call()
    const before = known?.get(endpoint)
    const isRetired = retires(answer, endpoint, before)
    if (notice === undefined && !isRetired) {
      const isOver = before !== undefined && isOk(status) && at - before.lastSeenAt > quietMillis
      if (isOver) change(provider, endpoint, undefined)
      return false
    }
    if (before === undefined && (known?.size ?? 0) >= mostEndpoints) return isRetired
    const now = noted(answer, endpoint, before, isRetired)
    const isOld = before !== undefined && at - before.lastSeenAt < noteMillis &&
      Equal.equals(now, { ...before, lastSeenAt: at })
    if (!isOld) change(provider, endpoint, now)
    return isRetired
  }

  /** Takes over what is on record, but for what this process has to write. */
  const takeOver = (rows: ReadonlyArray<OwnedEnding>): void => {
    const recorded = new Set(rows.map(({ ending, provider }) => `${provider} ${ending.endpoint}`))
    for (const [provider, known] of endings) {
      for (const endpoint of [...known.keys()]) {
        const key = `${provider} ${endpoint}`
        if (!recorded.has(key) && !changed.has(key)) put(provider, endpoint, undefined)
      }
    }
    for (const { ending, provider } of rows) {
      if (!changed.has(`${provider} ${ending.endpoint}`)) put(provider, ending.endpoint, ending)
    }
  }

  return {
    changed,
    takeOver,
    calendar: {
      answered,
      endingsOf: (provider) => [...endings.get(provider)?.values() ?? []],
    } satisfies EndpointCalendar,
    of,
  }
}

/** The ends over all replicas: noted in memory, and twice a minute written to the database and read from there. */
export const endpointCalendar: Layer.Layer<never, never, EndpointEndingsRepo> = Layer.effect(
  EndpointCalendar,
  Effect.gen(function* () {
    const repo = yield* EndpointEndingsRepo
    const { calendar, changed, of, takeOver } = makeCalendar(yield* Effect.context<never>())

    const write = ([key, [provider, endpoint]]: readonly [string, readonly [ProviderName, string]]) => {
      const ending = of(provider).get(endpoint)
      return Effect.tap(
        ending === undefined ? repo.drop(provider, endpoint) : repo.keep({ provider, ending }),
        () => Effect.sync(() => of(provider).get(endpoint) === ending && changed.delete(key)),
      )
    }
    const sync = Effect.gen(function* () {
      yield* Effect.forEach([...changed], write, { discard: true })
      takeOver(yield* repo.recent)
    })
    const job = "The ends of endpoints could not be kept"
    yield* surviving(job)(sync)
    yield* sync.pipe(repeating(job, syncEvery))
    yield* Effect.addFinalizer(() => surviving(job)(sync))
    return calendar
  }),
)
