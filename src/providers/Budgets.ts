import { Clock, Duration, Effect, Latch, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { HttpClient, HttpClientError, type HttpClientRequest } from "effect/http"
import { NotCalled } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import {
  Budget,
  CallUrgency,
  type Left,
  type Part,
  type Urgency,
  type WantedCall,
} from "#infrastructure/platform/Budget.ts"
import { OnBehalfOf } from "#infrastructure/platform/Bulkhead.ts"
import { parseRetryAfter } from "#infrastructure/platform/httpTime.ts"

/** How often an upstream can be called in a minute, by its own documents. */
export interface UpstreamLimit {
  readonly name: string
  /** The variable by which the operator, who may have agreed on more, sets another number. */
  readonly setting: string
  readonly perMinute: number
  /**
   * The only call that counts, as method and end of its path, such as `GET /v2/quote`; `POST /quote/*` is one call, whatever
   * its version. Absent: every call of a host.
   */
  readonly call?: string
}

/** A limit as the operator wants it. */
export interface SetLimit extends Omit<UpstreamLimit, "setting"> {}

/** How long a call waits for its turn, in milliseconds: who wants to know a price has others, who begins a swap may not. */
const patience: Readonly<Record<Urgency, number>> = { opening: 5_000, status: 1_000, asked: 0, search: 0 }

/** The longest that an upstream's `Retry-After` shuts a limit. */
const longestShut = Duration.toMillis(Duration.minutes(10))

const wantedNow = Effect.withFiber((fiber) =>
  Effect.succeed<WantedCall>({ urgency: fiber.getRef(CallUrgency), party: fiber.getRef(OnBehalfOf) })
)

/** The limit that a call counts against; the rows of a provider exclude each other, the first decides. */
const limitOf = (
  limits: ReadonlyArray<SetLimit>,
  { method }: HttpClientRequest.HttpClientRequest,
  { pathname }: URL,
) =>
  limits.find(({ call }) => {
    if (call === undefined) return true
    const [verb, path = ""] = call.split(" ")
    const named = path.endsWith("*") ? `${pathname.slice(0, pathname.lastIndexOf("/"))}/*` : pathname
    return verb === method && named.endsWith(path)
  })

/** A call of an upstream that is left out, as an error that a client of the network can have. */
const leftOut = (request: HttpClientRequest.HttpClientRequest, waitMillis: number) => {
  const detail = "The calls that the provider allows are used up for now"
  const cause = new NotCalled({ detail, retryAfterSeconds: Math.ceil(waitMillis / 1_000), because: "budget" })
  return new HttpClientError.HttpClientError({
    reason: new HttpClientError.TransportError({ request, cause }),
  })
}

/** The calls that upstreams allow a minute, for each host. Counted where calls leave, so that retries count too. */
export class Budgets extends service<Budgets>()(
  "swap-broker/providers/Budgets",
  Effect.suspend(() => makeBudgets(whole)),
) {}

/** The part of a process that has no others beside it. */
export const whole: Part = { atOnce: 1, evenly: 1 }

/** Budgets of which this process has a part, until it gets another. */
export const makeBudgets = Effect.fnUntraced(function* (firstPart: Part) {
  const clock = yield* Clock.Clock
  const context = yield* Effect.context<never>()
  const now = () => clock.currentTimeMillisUnsafe()
  const budgets = new Map<string, { readonly provider: ProviderName; readonly budget: Budget }>()
  const spent = Latch.makeUnsafe(false)
  let partOf = (_limit: string): Part => firstPart
  let leftOf = (_limit: string): Left | undefined => undefined

  const budgetOf = (provider: ProviderName, { name, perMinute }: SetLimit, host: string): Budget => {
    const key = `${provider}/${name}/${host}`
    const known = budgets.get(key)?.budget
    if (known !== undefined) return known
    const budget = new Budget(perMinute, partOf(key), now(), leftOf(key))
    budgets.set(key, { provider, budget })
    return budget
  }

  const count = (
    provider: ProviderName,
    limit: string,
    { urgency }: WantedCall,
    outcome: "spent" | "refused",
    budget: Budget,
  ): void => {
    metrics.budgetCalls({ provider, limit, urgency, outcome }).updateUnsafe(1, context)
    metrics.budgetFree({ provider, limit }).updateUnsafe(Math.floor(budget.left(now())), context)
  }

  /** Waits for the call's turn for as long as it may; how much longer it would have to wait, 0 where it was spent. */
  const turn = (budget: Budget, wanted: WantedCall, left: number): Effect.Effect<number> =>
    Effect.suspend(() => {
      const wait = budget.spend(wanted, now())
      if (wait === 0 || wait > left) return Effect.succeed(wait)
      return Effect.acquireUseRelease(
        Effect.sync(() => budget.queue(wanted.urgency, 1)),
        () => Effect.sleep(Duration.millis(wait)),
        () => Effect.sync(() => budget.queue(wanted.urgency, -1)),
      ).pipe(Effect.andThen(turn(budget, wanted, left - wait)))
    })

  /** The client that a provider calls its upstream with, within its limits. */
  const limited =
    ({ limits, name: provider }: { readonly name: ProviderName; readonly limits: ReadonlyArray<SetLimit> }) =>
    (client: HttpClient.HttpClient) =>
      limits.length === 0 ? client : HttpClient.transform(client, (response, request) => {
        const url = new URL(request.url)
        const limit = limitOf(limits, request, url)
        if (limit === undefined) return response
        return Effect.gen(function* () {
          const budget = budgetOf(provider, limit, url.host)
          const wanted = yield* wantedNow
          const wait = yield* turn(budget, wanted, patience[wanted.urgency])
          count(provider, limit.name, wanted, wait === 0 ? "spent" : "refused", budget)
          spent.openUnsafe()
          if (wait > 0) return yield* leftOut(request, wait)
          const answer = yield* response
          if (answer.status === 429) {
            const seconds = Option.getOrElse(parseRetryAfter(answer.headers["retry-after"], now()), () => 0)
            budget.shut(Math.min(seconds * 1_000, longestShut), now())
          }
          return answer
        })
      })

  const ofEach = (figure: (budget: Budget) => number): Readonly<Record<string, number>> =>
    Object.fromEntries([...budgets].map(([key, { budget }]) => [key, figure(budget)]))

  return {
    limited,
    /** Whether a call of this fiber's account for a quote would be left out now. */
    isSpent: (provider: ProviderName) =>
      Effect.withFiber((fiber) => {
        const party = fiber.getRef(OnBehalfOf)
        const isSearch = party === undefined || fiber.getRef(CallUrgency) === "search"
        const wanted: WantedCall = { party, urgency: isSearch ? "search" : "asked" }
        return Effect.succeed([...budgets.values()].some((one) =>
          one.provider === provider && one.budget.waitOf(wanted, now()) > 0
        ))
      }),
    /** How much of the fullest limit of a provider is used now, from 0 to 1; undefined where none has been called. */
    used: (provider: ProviderName) =>
      Effect.sync(() => {
        const own = [...budgets.values()].filter((one) => one.provider === provider)
        return own.length === 0 ? undefined : Math.max(...own.map(({ budget }) => budget.used(now())))
      }),
    /** How many accounts ask this process, and how much of what the upstream allows they want, by limit. */
    demand: Effect.sync(() => ({
      asking: ofEach((budget) => budget.asking(now())),
      wanted: ofEach((budget) => budget.wanted(now())),
    })),
    share: (shared: (limit: string) => Part) =>
      Effect.sync(() => {
        partOf = shared
        for (const [key, { budget }] of budgets) budget.share(partOf(key), now())
      }),
    left: Effect.sync(() => {
      spent.closeUnsafe()
      return ofEach((budget) => budget.left(now()))
    }),
    /** Waits until a call was made that `left` has not told of. */
    spending: spent.await,
    /** Tells what earlier processes have left, before the first call. */
    begin: (before: (limit: string) => Left | undefined) =>
      Effect.sync(() => {
        leftOf = before
      }),
  }
})
