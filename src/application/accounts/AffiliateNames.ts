import { Duration, Effect } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AffiliatesRepo } from "#infrastructure/store/treasury/AffiliatesRepo.ts"
import { surviving } from "#infrastructure/platform/outages.ts"

/** The accounts by the names that stand for them. */
export type AccountsByName = ReadonlyMap<string, string>

/** How soon a name that another replica has given is known here. */
const readEvery = Duration.seconds(1)

/** The names of affiliates, which requests may use in place of their accounts. */
export class AffiliateNames extends service<AffiliateNames>()(
  "swap-broker/accounts/AffiliateNames",
  Effect.gen(function* () {
    const repo = yield* AffiliatesRepo
    let known: AccountsByName = new Map()
    let readAt = -Infinity

    const read = Effect.map(repo.all, (affiliates) => {
      known = new Map(
        affiliates.flatMap(({ account, name }) => account === undefined ? [] : [[name, account] as const]),
      )
    })
    return {
      /** The accounts by their names; while the database is away, those known before. */
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
      /** Has the next reader ask the database: a name was given here. */
      forget: Effect.sync(() => {
        readAt = -Infinity
      }),
    }
  }),
) {}
