import { Duration } from "effect"
import type { CircuitBreaker } from "effect/persistence"
import type { Chain } from "#domain/chains/Chain.ts"
import type { ProviderSwitch } from "#domain/operations/ProviderSwitch.ts"
import { makeFigures } from "#providers/guard/figures.ts"
import type { ProviderStanding } from "#providers/Registry.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { at, provider } from "./alerts.ts"

const circuits: Readonly<Record<CircuitBreaker.State["_tag"], CircuitBreaker.State>> = {
  Closed: { _tag: "Closed", key: "x" },
  Open: { _tag: "Open", key: "x", retryAfter: Duration.seconds(5), consecutiveOpenings: 1 },
  HalfOpen: { _tag: "HalfOpen", key: "x", probing: false, consecutiveOpenings: 1 },
}

/** How a registered provider stands: with these circuits, and these switches off. */
export const standing = (
  { open = "Closed", quote = "Closed", status = "Closed", switches = [], vaultSwaps = [] }: {
    readonly quote?: keyof typeof circuits
    readonly open?: keyof typeof circuits
    readonly status?: keyof typeof circuits
    readonly switches?: ReadonlyArray<Pick<ProviderSwitch, "operation" | "asset">>
    readonly vaultSwaps?: ReadonlyArray<Chain>
  },
): ProviderStanding => {
  const group = (state: keyof typeof circuits) => ({ ...makeFigures().view(), circuit: circuits[state] })
  return {
    name: provider,
    contact: { name: provider },
    registered: {
      channels: true,
      vaultSwaps,
      capabilities: new ScriptedProvider("first").capabilities,
      circuits: { scope: "process" },
      operations: {
        quote: group(quote),
        open: group(open),
        status: group(status),
        node: group("Open"),
        treasury: group("Open"),
      },
    },
    endings: [],
    switches: switches.map((what) => ({
      ...what,
      platform: provider,
      enabled: false,
      reason: "x",
      changedBy: "default",
      changedAt: at(0),
    })),
  }
}
