import { Array, Context, Effect, Layer, Metric, Option } from "effect"
import type { Account } from "../domain/Account.ts"
import { chainOf } from "../domain/Asset.ts"
import { keepBody } from "../domain/Journal.ts"
import type { InvalidRequest } from "../domain/Faults.ts"
import { OnBehalfOf } from "../domain/OnBehalfOf.ts"
import type { ProviderError } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { SwapNotFound, type SwapRecord, type SwapRecordId } from "../domain/SwapRecord.ts"
import { isWrittenAsOn, referenceOn } from "../domain/TransactionReference.ts"
import type { VaultSwapRequest } from "../domain/VaultSwap.ts"
import type { EncodedPayload } from "../domain/VaultSwapPayload.ts"
import type { VaultAddress } from "../domain/VaultAddress.ts"
import { metrics } from "../ops/Metrics.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { Registry } from "../providers/Registry.ts"
import { type AskedFor, type Candidate, VaultSwapsRepo } from "../store/VaultSwapsRepo.ts"
import { encodersFor, type PairNotServed } from "./candidates.ts"
import { firstAnswer } from "./firstAnswer.ts"
import { afterFirstAnswer, type LookupPace } from "./LookupPolicy.ts"
import { Lookups } from "./Lookups.ts"
import { makeCheckRecipient } from "./recipients.ts"
import { evidenceOf, traitsOf } from "./payloadTraits.ts"
import { stallsAt } from "./Stalling.ts"
import { eventsBetween } from "./swapEvents.ts"
import { Swaps } from "./Swaps.ts"

/** A transaction as the chains of an account's payloads would write it, and who may know it. */
interface Question {
  readonly platform: ProviderName
  readonly transaction: string
}

/** A payload, and which provider made it. */
export interface HandedOutPayload extends EncodedPayload {
  readonly platform: ProviderName
}

/** How vault swaps are followed, and where payloads may send money to. */
export interface VaultSwapOptions extends LookupPace {
  readonly vaultAddresses: ReadonlyArray<VaultAddress>
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

/** How many transactions are remembered of which it was told that several accounts can have made them. */
const mostContested = 1_000

/** Tells the operator once of each transaction that several accounts can have made: one may have to be moved. */
const makeTellContested = () => {
  const told = new Set<string>()
  return Effect.fnUntraced(function* (
    { platform, transaction }: Question,
    candidates: ReadonlyArray<Candidate>,
  ) {
    const name = `${platform} ${transaction}`
    if (told.has(name)) return
    if (told.size >= mostContested) told.clear()
    told.add(name)
    yield* Metric.update(metrics.vaultSwapsContested({ provider: platform }), 1)
    yield* Effect.logWarning(
      `Payloads of ${candidates.length} accounts fit a vault swap; it counts as that of the earliest. If it is ` +
        "another's, move it (swaps move)",
    ).pipe(Effect.annotateLogs({
      platform,
      transaction,
      accounts: candidates.map(({ accountId }) => accountId).join(),
    }))
  })
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
  ) => Effect.Effect<HandedOutPayload, PairNotServed | InvalidRequest | ProviderError | StoreUnavailable>
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
    options: VaultSwapOptions,
  ): Layer.Layer<VaultSwaps, never, VaultSwapsRepo | Swaps | Lookups | Registry> =>
    Layer.effect(
      VaultSwaps,
      Effect.gen(function* () {
        const repo = yield* VaultSwapsRepo
        const registry = yield* Registry
        const lookups = yield* Lookups
        const swaps = yield* Swaps
        const checkRecipient = makeCheckRecipient(repo, options.vaultAddresses)
        const tellContested = makeTellContested()

        const encode = Effect.fn("VaultSwaps.encode")(
          function* (account: Account, request: VaultSwapRequest, platform: Option.Option<ProviderName>) {
            const encoders = yield* encodersFor(registry, request, platform)
            const { answer, asked } = yield* firstAnswer(encoders, (encoder) => encoder.encode(request))
            yield* checkRecipient(asked.name, answer.payload)
            yield* repo.remember({
              accountId: account.id,
              platform: asked.name,
              traits: traitsOf(request),
              mark: answer.mark,
              request,
              at: yield* currentMillis,
              expiresAt: answer.expiresAt,
            })
            return { ...answer, platform: asked.name }
          },
        )

        const find = Effect.fnUntraced(function* (account: Account, { platform, transaction }: Question) {
          if (yield* repo.isRecorded(platform, transaction)) return Option.none()
          const askedAt = yield* currentMillis
          const found = yield* lookups.search(platform, transaction)
          if (Option.isNone(found)) return Option.none()
          const { status, body } = found.value
          const candidates = yield* repo.candidates(platform, evidenceOf(found.value, askedAt))
          if (candidates.length > 1) yield* tellContested({ platform, transaction }, candidates)
          const [owner] = candidates
          // Whoever else asks learns nothing, and changes nothing.
          if (owner?.accountId !== account.id) return Option.none()
          const swap = yield* repo.record(owner.payload, {
            transaction,
            status,
            body: keepBody(body),
            askedAt,
            nextLookupAt: afterFirstAnswer(status, askedAt, options),
            stallsAt: stallsAt(status, askedAt, options),
            events: eventsBetween(Option.none(), status),
          })
          yield* Effect.annotateLogs(
            Effect.logInfo(`A vault swap was found; its state is ${status.state}`),
            { swap, platform },
          )
          return Option.some(swap)
        })

        /** The record of a vault swap that nobody has asked after yet. */
        const discover = Effect.fnUntraced(function* (account: Account, reference: string) {
          const questions = yield* Effect.filter(
            questionsFor(reference, yield* repo.askedFor(account.id)),
            ({ platform }) => Effect.map(lookups.isSpent(platform), (isSpent) => !isSpent),
          )
          if (questions.length === 0) return yield* new SwapNotFound()
          for (const question of questions) {
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
              )).pipe(Effect.provideService(OnBehalfOf, account.id))
          },
        )

        return VaultSwaps.of({ encode, byTransaction })
      }),
    )
}
