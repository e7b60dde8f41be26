import { Array, Data, Effect, Metric, Option, Order, Result } from "effect"
import type { Account, AccountId } from "#domain/accounts/Account.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { isSameSwap } from "#domain/swaps/Swap.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { isWrittenAsOn, referenceOn } from "#domain/chains/TransactionReference.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { type Observed, TransactionTrace } from "#providers/Provider.ts"
import { Registry, type SimulatedProviders } from "#providers/Registry.ts"
import { LaterSwapsRepo } from "#infrastructure/store/swaps/LaterSwapsRepo.ts"
import { PaymentsRepo } from "#infrastructure/store/swaps/PaymentsRepo.ts"
import { PayloadSearchesRepo } from "#infrastructure/store/swaps/PayloadSearchesRepo.ts"
import { SwapsRepo } from "#infrastructure/store/swaps/SwapsRepo.ts"
import { type Candidate, VaultSwapsRepo } from "#infrastructure/store/swaps/VaultSwapsRepo.ts"
import type { LookupPace } from "./LookupPolicy.ts"
import { type LookupNotMade, makeFirstRecord, makeFurtherDeposits } from "./statusResult.ts"
import { Lookups } from "./Lookups.ts"
import { claimantOf, onTermsOf } from "./compareTerms.ts"
import { countEnd } from "./Progress.ts"
import { type Miss, usuallyTolerated } from "./NotFoundBudget.ts"
import { evidenceOf } from "../payloads/payloadTraits.ts"

/** A provider and chain where an account may have made a transaction. */
export interface TransactionPlace {
  readonly platform: ProviderName
  readonly chain: Chain
}

/** A place, and what speaks for asking there before others. */
export interface RankedPlace extends TransactionPlace {
  /** Whether the account has a payload for it whose transaction is looked for still. */
  readonly isOpen: boolean
  /** How many look-ups that find nothing its upstream tolerates in a minute. */
  readonly tolerated: number
}

/** Where to search first: at a payload's own place, else where a miss costs the least. */
export const byFit: Order.Order<RankedPlace> = Order.combine(
  Order.mapInput(Order.flip(Order.Boolean), ({ isOpen }: RankedPlace) => isOpen),
  Order.mapInput(Order.flip(Order.Number), ({ tolerated }: RankedPlace) => tolerated),
)

/** A transaction in its chain's spelling, and the provider that may know it. */
interface Question {
  readonly platform: ProviderName
  readonly transaction: string
}

/** The swap that a transaction of an account belongs to. */
export type Discovery = Data.TaggedEnum<{
  /** A swap with a channel, whose record lacks the deposit yet. */
  Deposit: { readonly id: SwapRecordId }
  /** A swap that was just added to the records: a vault swap, or a further deposit to a channel. */
  Recorded: { readonly id: SwapRecordId }
  /** Nobody knows it, of all that were asked. */
  Unknown: object
  /** Nobody knows it of those that were asked, and others could not be asked. */
  NotAsked: { readonly failure: LookupNotMade }
}>
export const Discovery = Data.taggedEnum<Discovery>()

/** What became of a transaction that an upstream has listed. */
export type Listed =
  /** It is on record now. */
  | "recorded"
  /** No payload of ours fits it, or it is a deposit to a channel, which is found by its channel. */
  | "nobody's"
  /** The upstream does not know the swap yet. */
  | "unknown"

/**
 * The questions that are worth asking, each once. For an account that swaps from chains with both spellings (with 0x
 * and without), the hash is asked for as it is written: two questions would cost the account twice.
 */
export const questionsFor = (
  reference: string,
  places: ReadonlyArray<TransactionPlace>,
): ReadonlyArray<Question> => {
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

/** Finds swaps of unrecorded transactions, one call to each upstream that may know. Writes only the asking account's own. */
export const makeFindByTransaction = Effect.fnUntraced(function* (pace: LookupPace & SimulatedProviders) {
  const payloads = yield* VaultSwapsRepo
  const sought = yield* PayloadSearchesRepo
  const channels = yield* SwapsRepo
  const lookups = yield* Lookups
  const registry = yield* Registry
  const payments = yield* PaymentsRepo
  const tellContested = makeTellContested()
  const takeLater = makeFurtherDeposits(yield* LaterSwapsRepo, payments, pace)
  const firstRecord = makeFirstRecord(payments, pace)

  /** Records a vault swap for its owner; for nobody but `asker` where one asks. */
  const ofVaultSwap = Effect.fnUntraced(
    function* (
      asker: AccountId | undefined,
      { platform, transaction }: Question,
      said: Observed,
      askedAt: EpochMillis,
    ) {
      // Asked only after the call: the time of an answer must not reveal that the transaction is another account's.
      if (yield* payloads.isRecorded(platform, transaction)) return Option.none()
      // The answer itself shows the terms of its payload: the rest of it has to agree with them.
      const found = onTermsOf(said.status, said.status)
      const time = { simulatedTime: pace.isSimulated(platform) }
      const candidates = yield* payloads.candidates(platform, evidenceOf(said, askedAt, time))
      if (candidates.length > 1) yield* tellContested({ platform, transaction }, candidates)
      const [owner] = candidates
      // Another account that asks learns nothing and changes nothing.
      if (owner === undefined || owner.accountId !== (asker ?? owner.accountId)) return Option.none()
      const provider = yield* registry.find(platform)
      if (Option.isNone(provider)) return Option.none()
      const first = { body: said.body, status: { ...found, ...defined({ quote: owner.quote }) } }
      const claimant = claimantOf(platform, first.status, transaction)
      const record = yield* firstRecord(claimant, first, askedAt, provider.value.capabilities.ends)
      const { status } = record
      const id = yield* payloads.record(owner.payload, { ...record, transaction })
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
    return needed ? yield* sought.marks(account.id, platform, yield* currentMillis) : []
  })

  /** The swap that an upstream knows, or the place that asking it has cost the account. */
  const find = Effect.fnUntraced(function* (
    account: Account,
    question: Question,
  ): Effect.fn.Return<Result.Result<Option.Option<Discovery>, Miss>, LookupNotMade | StoreUnavailable> {
    const askedAt = yield* currentMillis
    const marks = yield* marksFor(account, question.platform)
    const trace = yield* lookups.search(question.platform, { transaction: question.transaction, marks })
    if (Result.isFailure(trace)) return Result.fail(trace.failure)
    return Result.succeed(
      yield* TransactionTrace.$match(trace.success, {
        Deposit: (deposit) => ofChannel(account, question, deposit, askedAt),
        VaultSwap: ({ said }) => ofVaultSwap(account.id, question, said, askedAt),
      }),
    )
  })

  /** The places that the account got payloads for in their order, and behind them those of its channels that can be found. */
  const placesOf = Effect.fnUntraced(
    function* (account: Account): Effect.fn.Return<ReadonlyArray<TransactionPlace>, StoreUnavailable> {
      const providers = yield* registry.enabled
      const tolerance = new Map(
        providers.map(({ capabilities, name }) => [name, capabilities.unknownPerMinute]),
      )
      const askedFor = yield* sought.askedFor(account.id, yield* currentMillis)
      const ofPayloads = askedFor.map(({ isOpen, platform, sourceAsset }): RankedPlace => ({
        platform,
        chain: chainOf(sourceAsset),
        isOpen,
        tolerated: tolerance.get(platform) ?? usuallyTolerated,
      }))
      const finders = providers.filter(({ channels }) => channels?.findTransaction !== undefined)
      const ofChannels = finders.length === 0 ? [] : yield* channels.channelPlaces(account.id)
      return [
        ...Array.sort(ofPayloads, byFit),
        ...ofChannels.filter(({ platform }) => finders.some(({ name }) => name === platform)),
      ]
    },
  )

  return {
    /** The swap of the account that a transaction belongs to. What one upstream knows is no miss of the others. */
    ask: Effect.fnUntraced(function* (
      account: Account,
      reference: string,
    ): Effect.fn.Return<Discovery, StoreUnavailable> {
      const misses: Array<Miss> = []
      let notAsked: LookupNotMade | undefined
      for (const question of questionsFor(reference, yield* placesOf(account))) {
        const found = yield* Effect.result(find(account, question))
        if (Result.isFailure(found)) {
          if (found.failure._tag === "StoreUnavailable") return yield* found.failure
          const { retryAfterSeconds } = found.failure
          if (retryAfterSeconds < (notAsked?.retryAfterSeconds ?? Infinity)) notAsked = found.failure
        } else if (Result.isFailure(found.success)) misses.push(found.success.failure)
        else if (Option.isSome(found.success.success)) {
          yield* Effect.forEach(misses, ({ forgive }) => forgive, { discard: true })
          return found.success.success.value
        }
      }
      return notAsked === undefined ? Discovery.Unknown() : Discovery.NotAsked({ failure: notAsked })
    }),
    /** Records the swap of a transaction that an upstream has listed, for the account whose payload it was made of. */
    record: Effect.fnUntraced(function* (
      platform: ProviderName,
      transaction: string,
    ): Effect.fn.Return<Listed, LookupNotMade | StoreUnavailable> {
      const askedAt = yield* currentMillis
      const trace = yield* lookups.search(platform, { transaction, marks: [] })
      if (Result.isFailure(trace)) return "unknown"
      if (trace.success._tag === "Deposit") return "nobody's"
      const found = yield* ofVaultSwap(undefined, { platform, transaction }, trace.success.said, askedAt)
      return Option.isSome(found) ? "recorded" : "nobody's"
    }),
  }
})
