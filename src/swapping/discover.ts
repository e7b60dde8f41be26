import { Array, Data, Effect, Metric, Option } from "effect"
import type { Account } from "../domain/Account.ts"
import { chainOf } from "../domain/Asset.ts"
import type { Chain } from "../domain/Chain.ts"
import type { ChannelId } from "../domain/Channel.ts"
import { keepBody } from "../domain/Journal.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { isSameSwap } from "../domain/Swap.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { isWrittenAsOn, referenceOn } from "../domain/TransactionReference.ts"
import { metrics } from "../ops/Metrics.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { spread } from "../platform/spread.ts"
import { type Observed, TransactionTrace } from "../providers/Provider.ts"
import { Registry } from "../providers/Registry.ts"
import { LaterSwapsRepo } from "../store/swaps/LaterSwapsRepo.ts"
import { SwapsRepo } from "../store/swaps/SwapsRepo.ts"
import { type Candidate, VaultSwapsRepo } from "../store/swaps/VaultSwapsRepo.ts"
import { afterFirstAnswer, type LookupPace, stallsAt } from "./LookupPolicy.ts"
import { makeTakeLater } from "./laterSwaps.ts"
import { Lookups } from "./Lookups.ts"
import { countEnd } from "./countEnd.ts"
import { evidenceOf, type RecordedTime } from "./payloadTraits.ts"
import { eventsBetween } from "./Progress.ts"
import { onTermsOf } from "./terms.ts"

/** A provider and chain where an account may have made a transaction. */
interface Place {
  readonly platform: ProviderName
  readonly chain: Chain
}

/** A transaction in its chain's spelling, and the provider that may know it. */
interface Question {
  readonly platform: ProviderName
  readonly transaction: string
}

/** The swap that a transaction belongs to. */
export type Discovery = Data.TaggedEnum<{
  /** A swap with a channel, whose record lacks the deposit yet. */
  Deposit: { readonly id: SwapRecordId }
  /** A swap that was just added to the records: a vault swap, or a further deposit to a channel. */
  Recorded: { readonly id: SwapRecordId }
}>
export const Discovery = Data.taggedEnum<Discovery>()

/**
 * The questions that are worth asking, each once. For an account that swaps from chains with both spellings (with 0x
 * and without), the hash is asked for as it is written: two questions would cost the account twice.
 */
export const questionsFor = (reference: string, places: ReadonlyArray<Place>): ReadonlyArray<Question> => {
  const asWritten = places.filter(({ chain }) => isWrittenAsOn(chain, reference))
  return Array.dedupeWith(
    (asWritten.length > 0 ? asWritten : places).flatMap(({ chain, platform }) => {
      const transaction = referenceOn(chain, reference)
      return transaction === undefined ? [] : [{ platform, transaction }]
    }),
    (one, other) => one.platform === other.platform && one.transaction === other.transaction,
  )
}

/** The most contested transactions that are remembered as reported. */
const mostContested = 1_000

/** Tells the operator once of each transaction that several accounts may have made: its swap may have to be moved. */
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
 * Finds the swap of the account that an unrecorded transaction belongs to, with one call to each upstream that may know
 * it. Nothing is written if the transaction is another account's, or nobody's.
 */
export const makeDiscover = Effect.fnUntraced(function* (pace: LookupPace & RecordedTime) {
  const payloads = yield* VaultSwapsRepo
  const channels = yield* SwapsRepo
  const lookups = yield* Lookups
  const registry = yield* Registry
  const tellContested = makeTellContested()
  const takeLater = makeTakeLater(yield* LaterSwapsRepo, pace)

  const ofVaultSwap = Effect.fnUntraced(
    function* (account: Account, { platform, transaction }: Question, said: Observed, askedAt: EpochMillis) {
      // Asked only after the call: the time of an answer must not reveal that the transaction is another account's.
      if (yield* payloads.isRecorded(platform, transaction)) return Option.none()
      const { body } = said
      // The answer itself shows the terms of its payload: the rest of it has to agree with them.
      const found = onTermsOf(said.status, said.status)
      const candidates = yield* payloads.candidates(platform, evidenceOf(said, askedAt, pace))
      if (candidates.length > 1) yield* tellContested({ platform, transaction }, candidates)
      const [owner] = candidates
      // Another account that asks learns nothing and changes nothing.
      if (owner?.accountId !== account.id) return Option.none()
      const status = { ...found, ...spread(owner.quote ?? undefined, (quote) => ({ quote })) }
      const id = yield* payloads.record(owner.payload, {
        transaction,
        status,
        body: keepBody(body),
        askedAt,
        nextLookupAt: afterFirstAnswer(status, askedAt, pace),
        stallsAt: stallsAt(status, askedAt, pace),
        events: eventsBetween(Option.none(), status),
      })
      yield* countEnd(platform, Option.none(), status)
      yield* Effect.annotateLogs(
        Effect.logInfo(`A vault swap was found; its state is ${status.state}`),
        { swap: id, platform },
      )
      return Option.some(Discovery.Recorded({ id }))
    },
  )

  const ofChannel = Effect.fnUntraced(function* (
    account: Account,
    { platform }: Question,
    { channel, said }: { readonly channel: ChannelId; readonly said?: Observed },
    askedAt: EpochMillis,
  ) {
    const found = yield* channels.byChannel(account.id, channel, platform)
    if (Option.isNone(found)) return Option.none()
    const { first: { record } } = found.value
    const provider = yield* registry.find(platform)
    if (Option.isNone(provider) || said === undefined || isSameSwap(record.status, said.status)) {
      return Option.some(Discovery.Deposit({ id: record.id }))
    }
    const { ends } = provider.value.capabilities
    const id = yield* takeLater({ ...record, accountId: account.id }, said, askedAt, ends)
    return Option.map(id, (id) => Discovery.Recorded({ id }))
  })

  /** The marks of the account's payloads, for an upstream that finds swaps only by marks. */
  const marksFor = Effect.fnUntraced(function* (account: Account, platform: ProviderName) {
    const provider = yield* registry.find(platform)
    const needed = Option.exists(provider, ({ vaultSwaps }) => vaultSwaps?.needsMarks === true)
    return needed ? yield* payloads.marks(account.id, platform, yield* currentMillis) : []
  })

  const find = Effect.fnUntraced(function* (
    account: Account,
    question: Question,
  ): Effect.fn.Return<Option.Option<Discovery>, StoreUnavailable> {
    const askedAt = yield* currentMillis
    const marks = yield* marksFor(account, question.platform)
    const trace = yield* lookups.search(question.platform, { transaction: question.transaction, marks })
    if (Option.isNone(trace)) return Option.none()
    return yield* TransactionTrace.$match(trace.value, {
      Deposit: (deposit) => ofChannel(account, question, deposit, askedAt),
      VaultSwap: ({ said }) => ofVaultSwap(account, question, said, askedAt),
    })
  })

  /** Providers that find a channel by its deposit, and may be asked for the current account. */
  const channelFinders = Effect.flatMap(registry.enabled, (providers) =>
    Effect.filter(
      providers.filter(({ channels }) => channels?.findTransaction !== undefined).map(({ name }) => name),
      (platform) => Effect.map(lookups.isSpent(platform), (isSpent) => !isSpent),
    ))

  /** The places that the account got payloads for, and those of its channels that can be found. */
  const placesOf = Effect.fnUntraced(
    function* (account: Account): Effect.fn.Return<ReadonlyArray<Place>, StoreUnavailable> {
      const askedFor = yield* payloads.askedFor(account.id)
      const ofPayloads = askedFor.map(({ platform, sourceAsset }) => ({
        platform,
        chain: chainOf(sourceAsset),
      }))
      const finders = yield* channelFinders
      if (finders.length === 0) return ofPayloads
      const ofChannels = yield* channels.channelPlaces(account.id)
      return [...ofPayloads, ...ofChannels.filter(({ platform }) => finders.includes(platform))]
    },
  )

  return Effect.fnUntraced(function* (account: Account, reference: string) {
    const questions = questionsFor(reference, yield* placesOf(account))
    for (const question of questions) {
      if (yield* lookups.isSpent(question.platform)) continue
      const found = yield* find(account, question)
      if (Option.isSome(found)) return found
    }
    return Option.none<Discovery>()
  })
})
