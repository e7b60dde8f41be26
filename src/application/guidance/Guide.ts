import { Context, Duration, Effect, Layer, Option, type Scope } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Network } from "#domain/chains/Chain.ts"
import { usualLanguage } from "#domain/Language.ts"
import type { Contact } from "#domain/operations/Contact.ts"
import { asksForPayment, type Guidance, type GuidancePhase, isWrong } from "#domain/swaps/Guidance.ts"
import type { JournalEntry } from "#domain/swaps/Journal.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { isOver, type SwapStatus } from "#domain/swaps/Swap.ts"
import { NoPaymentCode, NothingToPay } from "#domain/swaps/payment/failures.ts"
import { awaitsDeposit, hasExpired, paymentOf } from "#domain/swaps/payment/Payment.ts"
import type { SwapEvent } from "#domain/swaps/SwapEvent.ts"
import type { StandingSwap, SwapStanding } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { AssetCatalogue, type AssetStanding } from "#providers/AssetCatalogue.ts"
import { Contacts, Overview, providerTitle, Registry, type SimulatedProviders } from "#providers/Registry.ts"
import type { Provider } from "#providers/Provider.ts"
import { goodProvider, type GuidanceFacts, type ProviderFacts } from "./facts.ts"
import {
  guidanceOf,
  guidanceOfEntry,
  guidanceOfEvent,
  type PayerGuidance,
  payerGuidanceOf,
} from "./guidanceOf.ts"
import type { Reader } from "./textValues.ts"
import { strangersText } from "./words/renderGuidance.ts"

/** The number of failed look-ups in a row from which guidance mentions them. One or two fail on any day. */
const silentAfter = 3

/** The same while a payer is asked for the deposit: who pays into what cannot be seen is told too late with three. */
const silentWhileAsking = 2

/** The age of a look-up from which one of a channel that waits is overdue, whatever put it off (`LookupPolicy`). */
const overdueAfter = Duration.toMillis(Duration.seconds(45))

const capabilitiesOf = (provider: Provider): ProviderFacts => ({
  ...goodProvider,
  lateDeposit: provider.capabilities.lateDeposit,
  needsAmount: provider.capabilities.needsAmount,
  addsDeposits: provider.capabilities.addsDeposits === true,
})

/** What providers last said of their assets; empty at first. Reading never waits: old answers are refreshed behind it. */
const makeLastStandings = Effect.fnUntraced(function* ({ maxAge, standings }: AssetCatalogue["Service"]) {
  const scope: Scope.Scope = yield* Effect.scope
  let last: ReadonlyArray<AssetStanding> = []
  const read = Effect.map(standings, (now) => {
    last = now
  })
  const readSometimes = yield* Effect.cachedWithTTL(read, maxAge)
  return Effect.gen(function* () {
    yield* Effect.forkIn(readSometimes, scope, { startImmediately: true })
    return last
  })
})

/** Whether an asset cannot be taken or paid out: only where the provider itself says so. */
const isOut = (
  standings: ReadonlyArray<AssetStanding>,
  platform: ProviderName,
  asset: AssetId,
  direction: "ingress" | "egress",
): boolean =>
  standings.some((standing) =>
    standing.provider === platform && standing.asset === asset && !standing[direction]
  )

/** Whether nothing is heard of a swap, by the look-ups that failed. */
const isUnheard = ({ standing: { lookupFailures }, status }: StandingSwap): boolean =>
  lookupFailures >= (awaitsDeposit(status) ? silentWhileAsking : silentAfter)

/** The facts of a standing; `now` and `changedAt` are by the clock of the record. */
const factsOf = (
  { contradictedAt, lookedUpAt, stalledSince }: SwapStanding,
  now: EpochMillis,
  changedAt: EpochMillis,
  enteredAt: EpochMillis | undefined,
  provider: ProviderFacts,
  isSilent: boolean,
): GuidanceFacts => ({
  now,
  changedAt,
  ...defined({ enteredAt, stalledSince, contradictedAt }),
  ...(isSilent ? { silentSince: lookedUpAt } : {}),
  provider,
})

/** Contacts for a swap with a problem, the operator first. Operators are not sent to themselves. */
const contactsAbout = Effect.map(
  Contacts,
  ({ operator, providers }) => (platform: ProviderName, phase: GuidancePhase, reader: Reader) => {
    if (!isWrong(phase)) return {}
    const provider: Contact = providers.get(platform) ?? { name: providerTitle(platform) }
    const contacts = (reader === "operator" ? [provider] : [operator, provider])
      .filter(({ support }) => support !== undefined)
    return { whomToAsk: { contacts, warning: strangersText(reader) } }
  },
)

/** An event, or a message about one or none. */
type ToldEvent = Pick<SwapEvent, "at" | "platform" | "status"> & { readonly type: string }

/** All readers, from the same facts. */
const guideBy = (
  contacts: Effect.Success<typeof contactsAbout>,
  facts: (swap: StandingSwap) => Effect.Effect<GuidanceFacts>,
  capabilities: (platform: ProviderName) => Effect.Effect<ProviderFacts>,
) => {
  const withContacts = <G extends { readonly phase: GuidancePhase }>(
    { platform }: StandingSwap,
    guidance: G,
    reader: Reader = usualLanguage,
  ) => ({ ...guidance, ...contacts(platform, guidance.phase, reader) })
  return {
    /** The status of a swap now, for integrators where no reader is named. */
    swap: (swap: StandingSwap, reader?: Reader): Effect.Effect<Guidance> =>
      Effect.map(facts(swap), (facts) => withContacts(swap, guidanceOf(swap, facts, reader), reader)),
    /** The same for payers. */
    payer: (swap: StandingSwap): Effect.Effect<PayerGuidance> =>
      Effect.map(facts(swap), (facts) => withContacts(swap, payerGuidanceOf(swap.status, facts))),
    /** What an entry of a swap's journal meant when it was written. */
    entry: (entry: JournalEntry, reader?: Reader): Effect.Effect<Guidance> =>
      Effect.map(capabilities(entry.platform), (provider) => guidanceOfEntry(entry, provider, reader)),
    /** The same of an event, or of a message of its type; undefined where its status is not known. */
    event: ({ at, platform, status, type }: ToldEvent, reader: Reader) =>
      platform === undefined || status === undefined ? Effect.undefined : Effect.map(
        capabilities(platform),
        (provider) => guidanceOfEvent({ at, platform, status, type }, provider, reader),
      ),
  }
}

/** The status of swaps in words, from their records and the state of their providers. */
export class Guide
  extends Context.Service<Guide, ReturnType<typeof guideBy>>()("swap-broker/guidance/Guide") {
  /** For commands on a database, which call no provider: from the records alone. */
  static readonly layerOfRecords = Layer.effect(Guide)(Effect.map(contactsAbout, (contacts) =>
    guideBy(
      contacts,
      (swap) =>
        Effect.map(
          currentMillis,
          (now) => {
            const { changedAt, enteredAt } = swap.standing
            return factsOf(swap.standing, now, changedAt, enteredAt, goodProvider, isUnheard(swap))
          },
        ),
      () => Effect.succeed(goodProvider),
    )))

  static readonly layer = ({ isSimulated }: SimulatedProviders) =>
    Layer.effect(Guide)(Effect.gen(function* () {
      const registry = yield* Registry
      const overview = yield* Overview
      const lastStandings = yield* makeLastStandings(yield* AssetCatalogue)

      const known = (platform: ProviderName) =>
        Effect.map(registry.find(platform), Option.map(capabilitiesOf))

      const present = Effect.fnUntraced(function* (platform: ProviderName, status: SwapStatus) {
        const facts = yield* known(platform)
        if (Option.isNone(facts)) return { ...goodProvider, isFollowed: false }
        const mayCall = (operation: "status" | "open", assets: ReadonlyArray<AssetId>) =>
          Effect.isSuccess(registry.mayCall(platform, operation, assets))
        const standings = yield* lastStandings
        return {
          ...facts.value,
          isFollowed: yield* mayCall("status", []),
          takesSwaps: yield* mayCall("open", [status.sourceAsset, status.destinationAsset]),
          takesDeposits: !isOut(standings, platform, status.sourceAsset, "ingress"),
          paysOut: !isOut(standings, platform, status.destinationAsset, "egress"),
        }
      })

      /** Whether the provider is not asked about swaps at present, as asking it fails. */
      const isShut = (platform: ProviderName) =>
        Effect.map(overview.find(platform), (found) => {
          const registered = Option.getOrUndefined(found)?.registered
          return registered !== undefined && registered.operations.status.circuit._tag !== "Closed"
        })

      /** Whether nothing is heard of a swap at present, though it can still change. */
      const isSilent = Effect.fnUntraced(function* (swap: StandingSwap, now: EpochMillis) {
        const { platform, standing, status } = swap
        if (isUnheard(swap)) return true
        // An expired channel is checked ever more seldom, and nobody is asked to pay into it.
        const asksToPay = awaitsDeposit(status) && status.depositChannel?.isExpired !== true
        if (asksToPay && now - standing.lookedUpAt > overdueAfter) return true
        return yield* isShut(platform)
      })

      /** The time of the record's own clock, where it tells it: simulated networks live in a time of their own. */
      const recordTime = ({ platform, status }: StandingSwap, ours: EpochMillis): EpochMillis =>
        isSimulated(platform) ? status.lastStateChainUpdateAt ?? ours : ours

      const capabilities = (platform: ProviderName) =>
        Effect.map(known(platform), Option.getOrElse(() => goodProvider))

      return guideBy(
        yield* contactsAbout,
        Effect.fnUntraced(function* (swap) {
          const { platform, standing, status } = swap
          const isEnd = isOver(status)
          const provider = yield* (isEnd ? capabilities(platform) : present(platform, status))
          const ours = yield* currentMillis
          const silent = !isEnd && (yield* isSilent(swap, ours))
          const now = recordTime(swap, ours)
          const changedAt = recordTime(swap, standing.changedAt)
          const enteredAt = isSimulated(platform)
            ? standing.enteredByRecord ?? standing.enteredAt
            : standing.enteredAt
          return factsOf(standing, now, changedAt, enteredAt, provider, silent)
        }),
        capabilities,
      )
    }))
}

/** The text of a swap's code, or why nobody should scan one. */
export const codeText = Effect.fnUntraced(function* (swap: StandingSwap, network: Network) {
  const now = yield* currentMillis
  const { depositChannel, sourceAsset } = swap.status
  if (depositChannel === undefined) return yield* new NothingToPay({ why: "no-channel" })
  if (!awaitsDeposit(swap.status)) return yield* new NothingToPay({ why: "paid" })
  if (hasExpired(depositChannel, network, now)) return yield* new NothingToPay({ why: "expired" })
  const { phase } = yield* (yield* Guide).swap(swap)
  if (!asksForPayment(phase)) return yield* new NoPaymentCode({ why: "stopped" })
  const { codeText: text } = paymentOf(depositChannel, { sourceAsset, network }, now)
  if (text !== undefined) return text
  return yield* new NoPaymentCode({ why: depositChannel.memo === undefined ? "unwritable" : "memo" })
})
