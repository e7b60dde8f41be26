import { Duration, Effect, Layer, Option } from "effect"
import { chainOf } from "#domain/chains/Asset.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { makeLruCache } from "#infrastructure/platform/lruCache.ts"
import type { Provider, VaultSwaps as ProviderVaultSwaps } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { type ClaimedSearch, PayloadSearchesRepo } from "#infrastructure/store/swaps/PayloadSearchesRepo.ts"
import { searchMillis } from "../following/statusResult.ts"
import type { LookupPace } from "../following/LookupPolicy.ts"
import { VaultSwaps } from "./VaultSwaps.ts"
import { surviving } from "#infrastructure/platform/outages.ts"

/** How transactions are looked for. */
export interface PayloadSearchOptions extends LookupPace {
  /** Whether no other process can be working on the same records. */
  readonly soleProcess: boolean
}

type ListTransactions = NonNullable<ProviderVaultSwaps["list"]>

/** How often is looked: a simulated world at high speed has not more searches than a machine can make. */
const intervalOf = ({ timeScale }: LookupPace): number => Math.max(1_000, searchMillis / timeScale)

/** The longest that one search takes; after that another replica may make it. */
const lease = Duration.minutes(1)

/** Look-ups of one search at a time. */
const concurrency = 2

/** A transaction that its upstream lists and does not know is asked for this often, less and less, and then no more. */
const mostTries = 8

/** The most transactions that are remembered as nobody's, or as not known yet. */
const mostRemembered = 10_000

/** When a transaction that was not known is asked for again, and how often it was. */
interface Postponed {
  readonly tries: number
  readonly until: number
}

const before = (time: EpochMillis, millis: number) => EpochMillis.make(Math.max(0, time - millis))

/** Makes the search at every provider whose upstream lists transactions, where one is due. */
export const makePayloadSearch = Effect.fnUntraced(function* (options: PayloadSearchOptions) {
  const repo = yield* PayloadSearchesRepo
  const registry = yield* Registry
  const vaultSwaps = yield* VaultSwaps
  const interval = intervalOf(options)
  const postponed = makeLruCache<string, Postponed>(mostRemembered)
  /** What this process has listed, until when, and what of it is not dealt with: none of it need be listed again. */
  const listings = new Map<
    ProviderName,
    { readonly until: EpochMillis; readonly open: ReadonlyArray<string> }
  >()

  /** Whether there is nothing left to ask of a transaction that is not on record. */
  const isSettled = ({ tries }: Postponed): boolean => tries >= mostTries

  const settle = Effect.fnUntraced(function* ({ name }: Provider, transaction: string) {
    const key = `${name} ${transaction}`
    const { tries } = postponed.find(key) ?? { tries: 0 }
    const said = yield* Effect.retry(vaultSwaps.recordListed(name, transaction), {
      // A budget of look-ups a second is full again by then; for anything else the next search is early enough.
      while: (error) =>
        error._tag === "LookupNotMade" && error.retryAfterSeconds <= 1
          ? Effect.as(Effect.sleep("1 second"), true)
          : Effect.succeed(false),
    })
    if (said === "recorded") return
    const now = yield* currentMillis
    postponed.keep(key, {
      tries: said === "nobody's" ? mostTries : tries + 1,
      until: now + interval * 2 ** tries,
    })
  })

  /** Deals with all that is listed; returns whether nothing of it has to be asked for again. */
  const search = Effect.fnUntraced(function* (
    provider: Provider,
    list: ListTransactions,
    { assets, since }: ClaimedSearch,
  ): Effect.fn.Return<boolean, ProviderError | StoreUnavailable> {
    const chains = [...new Set(assets.map(chainOf))]
    const { open, until } = listings.get(provider.name) ?? { open: [], until: since }
    const now = yield* currentMillis
    const listed = new Set([...open, ...(yield* list({ chains, since: until > since ? until : since }))])
    listings.set(provider.name, { until: now, open: [...listed] })
    const standing = (yield* repo.unrecorded(provider.name, [...listed])).map((transaction) => ({
      transaction,
      ...(postponed.find(`${provider.name} ${transaction}`) ?? { tries: 0, until: now }),
    })).filter((one) => !isSettled(one))
    const due = standing.filter(({ until }) => until <= now).toSorted((one, other) => one.tries - other.tries)
    yield* Effect.forEach(due, ({ transaction }) => settle(provider, transaction), {
      concurrency,
      discard: true,
    }).pipe(Effect.catchTag("LookupNotMade", () => Effect.void))
    const left = yield* repo.unrecorded(provider.name, standing.map(({ transaction }) => transaction))
    const unsettled = left.filter((transaction) =>
      !isSettled(postponed.find(`${provider.name} ${transaction}`) ?? first)
    )
    listings.set(provider.name, { until: now, open: unsettled })
    return unsettled.length === 0
  })

  const searchIfDue = Effect.fnUntraced(
    function* (provider: Provider, list: ListTransactions) {
      const now = yield* currentMillis
      const claimed = yield* repo.claim({
        platform: provider.name,
        now,
        dueSince: before(now, interval / 2),
        // What a sole process that was killed had begun, nobody else goes on with.
        leaseUntil: options.soleProcess ? now : EpochMillis.make(now + Duration.toMillis(lease)),
      })
      if (Option.isNone(claimed)) return
      const isComplete = yield* search(provider, list, claimed.value).pipe(
        Effect.timeoutOrElse({ duration: lease, orElse: () => Effect.succeed(false) }),
        Effect.catchTag("ProviderError", (error) =>
          Effect.as(
            Effect.logDebug("Transactions of payloads could not be listed; asking again", error),
            false,
          )),
      )
      yield* repo.finish(provider.name, isComplete ? now : claimed.value.since, yield* currentMillis)
    },
    (work, { name }) => surviving(`Searching transactions of payloads at ${name} failed`)(work),
  )

  return Effect.gen(function* () {
    const providers = yield* registry.enabled
    yield* Effect.forEach(
      providers,
      (provider) =>
        provider.vaultSwaps?.list === undefined
          ? Effect.void
          : searchIfDue(provider, provider.vaultSwaps.list),
      { concurrency: "unbounded", discard: true },
    )
  })
})

/** Nothing was asked yet. */
const first: Postponed = { tries: 0, until: 0 }

/** Searches upstream lists for payloads' transactions until a day after their end; one replica at a time. */
export const searching = (options: PayloadSearchOptions) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const round = yield* makePayloadSearch(options)
    yield* Effect.sleep(Duration.millis(intervalOf(options))).pipe(
      Effect.andThen(surviving("Searching transactions of payloads failed")(round)),
      Effect.forever,
      Effect.forkScoped,
    )
  }))
