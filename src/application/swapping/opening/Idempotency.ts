import { Data, Duration, Effect, Exit, Match, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import {
  type Fingerprint,
  isKept,
  type KeyedRequest,
  type UndecidedOpening,
  type WrittenAnswer,
} from "#domain/swaps/Idempotency.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { IdempotencyRepo, type NewKey, type UsedKey } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import {
  abandonLapsedOpenings,
  AnswerStale,
  type IdempotencyClaim,
  KeyInUse,
  KeyReused,
  KeyTaken,
  leaseFrom,
} from "./OpeningRecord.ts"
import type { OpeningOptions } from "./Openings.ts"

export type KeyState = Data.TaggedEnum<{
  Unused: object
  Answered: { readonly answer: WrittenAnswer }
  Undecided: { readonly opening: UndecidedOpening }
}>
export const KeyState = Data.taggedEnum<KeyState>()

/** Why the state of a key cannot be told for now. */
export type RecallFailed = KeyInUse | KeyReused | AnswerStale | StoreUnavailable

const soon = { retryAfterSeconds: 1 }

/** The caller waits as long again as the first request has taken so far, but no longer than it can take. */
const retryAfter = (claimedAt: EpochMillis, leaseUntil: EpochMillis, now: EpochMillis): number =>
  Math.max(1, Math.ceil(Math.min(now - claimedAt, leaseUntil - now) / 1_000))

/** Carries out requests once for each `Idempotency-Key`. Openings take theirs in `Swaps.open`, others in `perform`. */
export class Idempotency extends service<Idempotency>()(
  "swap-broker/swapping/Idempotency",
  (options: OpeningOptions) =>
    Effect.gen(function* () {
      const repo = yield* IdempotencyRepo
      const openings = yield* OpeningsRepo

      const newKey = (keyed: KeyedRequest): Effect.Effect<NewKey> =>
        Effect.map(currentMillis, (at) => ({
          keyed,
          at,
          expiresAt: EpochMillis.make(at + Duration.toMillis(options.keyLifetime)),
        }))

      const standing = (used: UsedKey, now: EpochMillis, again: Effect.Effect<KeyState, RecallFailed>) =>
        Match.valueTags(used, {
          Answered: ({ body, staleAt, status }) =>
            staleAt === null || now < staleAt
              ? Effect.succeed(KeyState.Answered({ answer: { status, body } }))
              : Effect.fail(new AnswerStale({ staleAt })),
          Undecided: (opening) => Effect.succeed(KeyState.Undecided({ opening })),
          InProgress: ({ claimedAt, leaseUntil, opens }) => {
            if (now < leaseUntil) {
              return Effect.fail(new KeyInUse({ retryAfterSeconds: retryAfter(claimedAt, leaseUntil, now) }))
            }
            // The process of the earlier request is gone. An opening is never repeated; any other request can be.
            return opens
              ? Effect.andThen(abandonLapsedOpenings(openings), again)
              : Effect.succeed(KeyState.Unused())
          },
        })

      const recall = Effect.fn("Idempotency.recall")(
        function* (keyed: KeyedRequest): Effect.fn.Return<KeyState, RecallFailed> {
          const now = yield* currentMillis
          const used = yield* repo.find(keyed)
          if (Option.isNone(used)) return KeyState.Unused()
          if (used.value.fingerprint !== keyed.fingerprint) return yield* new KeyReused()
          return yield* standing(used.value, now, Effect.suspend(() => recall(keyed)))
        },
      )

      const here = new Map<string, Fingerprint>()

      /** Runs a request whose key is unused, unless this process already runs one with that key. */
      const alone = <A, E, R>(keyed: KeyedRequest, work: Effect.Effect<A, E, R>) => {
        const name = `${keyed.accountId} ${keyed.key}`
        const enter = Effect.gen(function* () {
          const other = here.get(name)
          if (other === undefined) return void here.set(name, keyed.fingerprint)
          return yield* other === keyed.fingerprint ? new KeyInUse(soon) : new KeyReused()
        })
        return Effect.acquireUseRelease(enter, () => work, () => Effect.sync(() => here.delete(name)))
      }

      /** Runs repeatable work. Its key is free again after a failure, an interruption or a dead process. */
      const perform = Effect.fn("Idempotency.perform")(
        function* <A, E, R>(claim: IdempotencyClaim<A>, work: Effect.Effect<A, E, R>) {
          const key = yield* newKey(claim.keyed)
          const leaseUntil = leaseFrom(key.at, options)
          return yield* Effect.acquireUseRelease(
            Effect.filterOrFail(repo.take(key, leaseUntil), (isTaken) => isTaken, () => new KeyTaken()),
            () => work,
            (_, exit) =>
              Exit.isSuccess(exit)
                ? Effect.asVoid(repo.answer(claim.keyed, leaseUntil, claim.write.success(exit.value)))
                : repo.release(claim.keyed, leaseUntil),
          )
        },
      )

      /** Keeps an answer that was made before the key was taken, if answers with its status are kept. */
      const keep = Effect.fn("Idempotency.keep")(function* (keyed: KeyedRequest, answer: WrittenAnswer) {
        if (isKept(answer)) yield* repo.keep(yield* newKey(keyed), answer)
      })

      return { recall, alone, perform, keep, prepare: repo.prepare, prepared: repo.prepared }
    }),
) {}
