import { Context, Duration, Effect, Layer } from "effect"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AffiliatesRepo } from "#infrastructure/store/treasury/AffiliatesRepo.ts"
import { surviving } from "#infrastructure/platform/outages.ts"

/** The accounts by the names that stand for them. */
export type AccountsByName = ReadonlyMap<string, string>

/** How soon a name that another replica has given is known here. */
const readEvery = Duration.seconds(1)

/** The names of affiliates, which requests may use in place of their accounts. */
export class AffiliateNames extends Context.Service<AffiliateNames, {
  /** The accounts by their names; while the database is away, those known before. */
  readonly current: Effect.Effect<AccountsByName>
  /** Has the next reader ask the database: a name was given here. */
  readonly forget: Effect.Effect<void>
}>()("swap-broker/accounts/AffiliateNames") {
  static readonly layer = Layer.effect(AffiliateNames)(Effect.gen(function* () {
    const repo = yield* AffiliatesRepo
    let known: AccountsByName = new Map()
    let readAt = -Infinity

    const read = Effect.map(repo.all, (affiliates) => {
      known = new Map(
        affiliates.flatMap(({ account, name }) => account === undefined ? [] : [[name, account] as const]),
      )
    })
    return AffiliateNames.of({
      current: Effect.gen(function* () {
        const now = yield* currentMillis
        if (Math.abs(now - readAt) >= Duration.toMillis(readEvery)) {
          // Requests that come meanwhile use what is known, except where nothing has ever been read.
          if (readAt !== -Infinity) readAt = now
          yield* surviving("Reading affiliate names failed; the known names stay in force")(read)
          readAt = now
        }
        return known
      }),
      forget: Effect.sync(() => {
        readAt = -Infinity
      }),
    })
  }))
}
