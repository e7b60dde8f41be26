import { Effect } from "effect"
import { presentEntry } from "#api/presentSwap.ts"
import type { JournalEntry } from "#domain/swaps/Journal.ts"
import { Guide } from "#application/guidance/Guide.ts"

/** Makes the presenter of entries of journals: each with what it meant. */
export const presentEntries = Effect.map(
  Guide,
  (guide) => (entries: ReadonlyArray<JournalEntry>) =>
    Effect.forEach(
      entries,
      (entry) => Effect.map(guide.entry(entry), (guidance) => presentEntry(entry, guidance)),
    ),
)
