import { Effect, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { UnknownOpening } from "#domain/operations/Business.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { LostOpeningsRepo } from "#infrastructure/store/swaps/LostOpeningsRepo.ts"
import { Registry } from "#providers/Registry.ts"
import { Lookups } from "../following/Lookups.ts"
import { lookedForMillis, traceOne } from "./lostOpenings.ts"
import { after, makeSettle, type ReconcileOptions, settledAfter } from "./reconcileOpenings.ts"

/** Checks of single openings with an unknown outcome, for an operator who does not wait for the next sweep. */
export class OpeningChecks extends service<OpeningChecks>()(
  "swap-broker/swapping/OpeningChecks",
  (options: Omit<ReconcileOptions, "soleProcess">) =>
    Effect.gen(function* () {
      const repo = yield* LostOpeningsRepo
      const registry = yield* Registry
      const { confirmFound } = yield* Lookups
      const settle = yield* makeSettle(options)

      /**
       * Looks for the opening's channel at its provider, and records what is certain, as a sweep does. `notChecked` where
       * the provider gave no answer, or the opening is too old to tell.
       */
      const check = Effect.fn("OpeningChecks.check")(
        function* ({ id, platform }: Pick<UnknownOpening, "id" | "platform">) {
          const since = EpochMillis.make(Math.max(0, (yield* currentMillis) - lookedForMillis))
          const pending = yield* repo.pending(platform, since)
          const opening = pending.find((one) => one.id === id && one.leaseUntil === null)
          const provider = Option.getOrUndefined(yield* registry.find(platform))
          if (opening === undefined || provider === undefined) return "notChecked" as const
          const trace = yield* traceOne(repo, provider, opening, confirmFound)
          if (!(yield* settle(opening, trace))) return "unknown" as const
          return trace._tag === "Found" ? "found" as const : "nothingOpened" as const
        },
        Effect.catchTag("ProviderError", () => Effect.succeed("notChecked" as const)),
      )
      return {
        check,
        /** By when the next sweep looks for it: once its outcome is certain, then from sweep to sweep. */
        nextBy: (
          { checkedAt, createdAt }: Pick<UnknownOpening, "checkedAt" | "createdAt">,
          now: EpochMillis,
        ) => {
          const certainAt = after(createdAt, settledAfter)
          if (certainAt > now) return certainAt
          if (checkedAt === undefined || now - createdAt > lookedForMillis) return undefined
          return after(checkedAt, options.sweepInterval)
        },
      }
    }),
) {}
