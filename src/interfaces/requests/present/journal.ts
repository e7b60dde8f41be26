import { Effect } from "effect"
import { presentEntry } from "#api/presentSwap.ts"
import type { JournalEntry } from "#domain/swaps/Journal.ts"
import { SwapNetworks } from "#providers/SwapNetworks.ts"
import { Guide } from "#application/guidance/Guide.ts"
import type { Reader } from "#application/guidance/textValues.ts"

/** Makes the presenter of journal entries: each with what it meant, in words for its reader. */
export const presentEntries = Effect.gen(function* () {
  const [guide, networks] = [yield* Guide, yield* SwapNetworks]
  return (entries: ReadonlyArray<JournalEntry>, reader: Reader) =>
    Effect.forEach(
      entries,
      (entry) =>
        Effect.map(guide.entry(entry, reader), (guidance) => presentEntry(entry, guidance, networks)),
    )
})
