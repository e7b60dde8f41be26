import { shortHostile } from "./hostile.ts"
import type { Seed } from "./seed.ts"

/** The addresses at which a page is looked at, for the rows of the seed: full, empty, and with every state that it has. */
type Visits = (seed: Seed) => readonly [string, ...ReadonlyArray<string>]

/**
 * Every page of the registry by its path, with where it is looked at. A page that is missing here fails the tests;
 * one that is here is looked at in both themes, on a narrow screen, without scripts and with hostile texts.
 */
export const visits: Readonly<Record<string, Visits>> = {
  "/dashboard": () => ["/dashboard"],
  "/dashboard/providers/:name": () => [
    "/dashboard/providers/chainflip",
    "/dashboard/providers/chainflip?set=false&of=open",
    "/dashboard/providers/relay",
  ],
  "/dashboard/alerts": () => ["/dashboard/alerts"],
  "/dashboard/swaps": ({ account }) => [
    "/dashboard/swaps",
    "/dashboard/swaps?state=partlyRefunded&from=2026-01-01",
    `/dashboard/swaps?account=${account}&state=failed`,
    `/dashboard/swaps?find=${encodeURIComponent(shortHostile)}`,
    `/dashboard/swaps?find=${account.slice(0, -1)}`,
    "/dashboard/swaps?view=refunded",
    "/dashboard/swaps?view=refunded-yesterday",
    "/dashboard/swaps?view=unknown",
  ],
  "/dashboard/swaps/:id": ({ swaps, unknownOpening }) => {
    const [first, ...others] = [...Object.values(swaps), unknownOpening].map((id) => `/dashboard/swaps/${id}`)
    return [first ?? "", ...others]
  },
  "/dashboard/swaps/:id/accept": ({ swaps }) => [`/dashboard/swaps/${swaps.disputed}/accept`],
  "/dashboard/swaps/:id/journal/:entry": (
    { longEntry, swaps },
  ) => [`/dashboard/swaps/${swaps.long}/journal/${longEntry}`],
}
