import { Array, Context, Effect, Layer, Option } from "effect"
import type { Account } from "../domain/Account.ts"
import { chainOf } from "../domain/Asset.ts"
import { keepBody } from "../domain/Journal.ts"
import type { InvalidRequest } from "../domain/Faults.ts"
import { OnBehalfOf } from "../domain/OnBehalfOf.ts"
import type { ProviderError } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapNotFound, SwapRecord, SwapRecordId } from "../domain/SwapRecord.ts"
import { isWrittenAsOn, referenceOn } from "../domain/TransactionReference.ts"
import type { VaultSwapRequest } from "../domain/VaultSwap.ts"
import type { VaultSwapPayload } from "../domain/VaultSwapPayload.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { Registry } from "../providers/Registry.ts"
import { type AskedFor, VaultSwapsRepo } from "../store/VaultSwapsRepo.ts"
import { encodersFor, type PairNotServed } from "./candidates.ts"
import { firstAnswer } from "./firstAnswer.ts"
import { afterFirstAnswer, type LookupPace } from "./LookupPolicy.ts"
import { Lookups } from "./Lookups.ts"
import { evidenceOf, marksOf } from "./payloadMarks.ts"
import { stallsAt } from "./Stalling.ts"
import { eventsBetween } from "./swapEvents.ts"
import { Swaps } from "./Swaps.ts"

/** A transaction as the chains of an account's payloads would write it, and who may know it. */
interface Question {
  readonly platform: ProviderName
  readonly transaction: string
}

/**
 * Questions that are worth asking, each once. A hash of an account that swaps from chains of both spellings (with 0x
 * and without) is one of those that it is written as: two questions would cost the account twice.
 */
export const questionsFor = (
  reference: string,
  askedFor: ReadonlyArray<AskedFor>,
): ReadonlyArray<Question> => {
  const asWritten = askedFor.filter(({ sourceAsset }) => isWrittenAsOn(chainOf(sourceAsset), reference))
  return Array.dedupeWith(
    (asWritten.length > 0 ? asWritten : askedFor).flatMap(({ platform, sourceAsset }) => {
      const transaction = referenceOn(chainOf(sourceAsset), reference)
      return transaction === undefined ? [] : [{ platform, transaction }]
    }),
    (one, other) => one.platform === other.platform && one.transaction === other.transaction,
  )
}

/**
 * Swaps without a channel: payloads for transactions, and the swaps that were made of them. Nobody tells the
 * service of such a transaction but the client who asks for its status by its hash; from then on it is followed
 * and listed as any other swap.
 */
export class VaultSwaps extends Context.Service<VaultSwaps, {
  /**
   * Encodes a swap with the named provider, or with the first of the operator's preference that does. What was
   * handed out is written down: it tells later whose swap it is.
   */
  readonly encode: (
    account: Account,
    request: VaultSwapRequest,
    platform: Option.Option<ProviderName>,
  ) => Effect.Effect<VaultSwapPayload, PairNotServed | InvalidRequest | ProviderError | StoreUnavailable>
  /**
   * The latest swap with this transaction, be it a deposit to a channel or a vault swap. One that is not in the
   * records is looked up, if the account has had a payload that it can come from.
   */
  readonly byTransaction: (
    account: Account,
    reference: string,
  ) => Effect.Effect<SwapRecord, SwapNotFound | StoreUnavailable>
}>()("swap-broker/swapping/VaultSwaps") {
  static readonly layer = (
    pace: LookupPace,
  ): Layer.Layer<VaultSwaps, never, VaultSwapsRepo | Swaps | Lookups | Registry> =>
    Layer.effect(
      VaultSwaps,
      Effect.gen(function* () {
        const repo = yield* VaultSwapsRepo
        const registry = yield* Registry
        const lookups = yield* Lookups
        const swaps = yield* Swaps

        const encode = Effect.fn("VaultSwaps.encode")(
          function* (account: Account, request: VaultSwapRequest, platform: Option.Option<ProviderName>) {
            const encoders = yield* encodersFor(registry, request, platform)
            const { answer, asked } = yield* firstAnswer(encoders, (encoder) => encoder.encode(request))
            yield* repo.remember({
              accountId: account.id,
              platform: asked.name,
              marks: marksOf(request),
              request,
              at: yield* currentMillis,
            })
            return answer
          },
        )

        const find = Effect.fnUntraced(function* (account: Account, { platform, transaction }: Question) {
          if (yield* repo.isRecorded(platform, transaction)) return Option.none()
          const askedAt = yield* currentMillis
          const found = yield* Effect.provideService(
            lookups.search(platform, transaction),
            OnBehalfOf,
            account.id,
          )
          if (Option.isNone(found)) return Option.none()
          const { status, body } = found.value
          const owner = Option.filter(
            yield* repo.ownerOf(platform, evidenceOf(status)),
            ({ accountId }) => accountId === account.id,
          )
          if (Option.isNone(owner)) return Option.none()
          return Option.some(
            yield* repo.record(owner.value.payload, {
              transaction,
              status,
              body: keepBody(body),
              askedAt,
              nextLookupAt: afterFirstAnswer(status, askedAt, pace),
              stallsAt: stallsAt(status, askedAt, pace),
              events: eventsBetween(Option.none(), status),
            }),
          )
        })

        /** The record of a vault swap that nobody has asked after yet. */
        const discover = Effect.fnUntraced(function* (account: Account, reference: string) {
          for (const question of questionsFor(reference, yield* repo.askedFor(account.id))) {
            const id: Option.Option<SwapRecordId> = yield* find(account, question)
            if (Option.isSome(id)) return id
          }
          return Option.none<SwapRecordId>()
        })

        const byTransaction = Effect.fn("VaultSwaps.byTransaction")(
          function* (account: Account, reference: string) {
            const recorded = swaps.byTransaction(account, reference)
            return yield* Effect.catchTag(recorded, "SwapNotFound", () =>
              Effect.flatMap(
                discover(account, reference),
                Option.match({
                  // Somebody else may have discovered it meanwhile.
                  onNone: () => recorded,
                  onSome: (id) => swaps.byId(account, id),
                }),
              ))
          },
        )

        return VaultSwaps.of({ encode, byTransaction })
      }),
    )
}
