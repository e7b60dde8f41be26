import type { WhomToAsk } from "#domain/operations/Contact.ts"
import type { Guidance, SwapPhase } from "#domain/swaps/Guidance.ts"
import { type JournalEntry, JournalNote } from "#domain/swaps/Journal.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { goodProvider, type GuidanceFacts, type ProviderFacts } from "./facts.ts"
import { phaseOf } from "./phaseOf.ts"
import { type PhaseTimes, timesOf } from "./times.ts"
import { integratorParts, type PayerTold, payerTold } from "./textValues.ts"
import { depositWords } from "./words/deposit.ts"
import { endedWords } from "./words/ended.ts"
import { movingWords } from "./words/moving.ts"
import { recordlessWords, troubleWords } from "./words/trouble.ts"
import { renderGuidance } from "./words/renderGuidance.ts"

/** The table of texts: what is said in every phase of a swap. A phase without a text does not compile. */
export const words: Readonly<Record<SwapPhase, string>> = {
  ...depositWords,
  ...movingWords,
  ...endedWords,
  ...troubleWords,
}

interface Swap {
  readonly platform: ProviderName
  readonly status: SwapStatus
}

const inPhase = (phase: SwapPhase, { platform, status }: Swap, facts: GuidanceFacts): Guidance => ({
  phase,
  ...timesOf(phase, status, facts),
  ...renderGuidance(words[phase], integratorParts({ platform, status, facts })),
})

/** Where a swap stands, in words. The same record and facts always give the same. */
export const guidanceOf = (swap: Swap, facts: GuidanceFacts): Guidance =>
  inPhase(phaseOf(swap.status, facts), swap, facts)

/** Where a swap stands, for who pays: words are put to it in the language of the reader (`interfaces/payer/words`). */
export interface PayerGuidance extends PhaseTimes {
  readonly phase: SwapPhase
  readonly whomToAsk?: WhomToAsk
  readonly told: PayerTold
  /** The time by the clock of the record. */
  readonly now: EpochMillis
}

/** The phase is that of `guidanceOf`. */
export const payerGuidanceOf = (status: SwapStatus, facts: GuidanceFacts): PayerGuidance => {
  const phase = phaseOf(status, facts)
  return { phase, ...timesOf(phase, status, facts), told: payerTold(status, facts), now: facts.now }
}

/** The outcome of an opening that has no swap. */
export type OpeningOutcome = "requested" | "unknown" | "refused"

/** Where an opening without a swap stands. */
export const guidanceOfOpening = (
  { at, outcome, platform }: {
    readonly platform: ProviderName
    readonly outcome: OpeningOutcome
    readonly at: EpochMillis
  },
): Guidance => ({
  phase: `opening_${outcome}`,
  since: at,
  ...renderGuidance(
    recordlessWords[`opening_${outcome}`],
    integratorParts({ platform, facts: { provider: goodProvider } }),
  ),
})

/** What an entry of a journal meant when it was written. */
export const guidanceOfEntry = (
  { at, note, platform }: JournalEntry,
  provider: ProviderFacts,
): Guidance =>
  JournalNote.$match(note, {
    Change: ({ status }) =>
      guidanceOf({ platform, status }, { now: status.lastStateChainUpdateAt ?? at, changedAt: at, provider }),
    Contradiction: ({ status }) =>
      inPhase("provider_contradicts", { platform, status }, {
        now: at,
        changedAt: at,
        contradictedAt: at,
        provider,
      }),
    Stall: (): Guidance => ({
      phase: "stalled",
      since: at,
      ...renderGuidance(recordlessWords.stalled, integratorParts({ platform, facts: { provider } })),
    }),
  })

/** What is said to somebody who asks about a transaction that is not known. */
export const unknownTransaction = renderGuidance(
  recordlessWords.transaction_unknown,
  integratorParts({ facts: { provider: goodProvider } }),
)
