import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import type { CircuitBreaker } from "effect/persistence"
import { EpochMillis, ProviderName, type ProviderSwitch } from "#exports/domain.ts"
import type { OperationGroup } from "#providers/operations.ts"
import { makeFigures } from "#providers/guard/figures.ts"
import { healthOf, type ProviderStanding } from "#providers/Registry.ts"
import { ScriptedProvider } from "#test/support/provider.ts"

const name = ProviderName.make("first")

const states: Readonly<Record<CircuitBreaker.State["_tag"], CircuitBreaker.State>> = {
  Closed: { _tag: "Closed", key: "first" },
  Open: { _tag: "Open", key: "first", retryAfter: Duration.seconds(5), consecutiveOpenings: 1 },
  HalfOpen: { _tag: "HalfOpen", key: "first", probing: false, consecutiveOpenings: 1 },
}

type Circuits = Readonly<Record<OperationGroup, keyof typeof states>>

const closed: Circuits = {
  quote: "Closed",
  open: "Closed",
  status: "Closed",
  node: "Closed",
  treasury: "Closed",
}

const standing = (
  circuits: Circuits,
  ...switches: ReadonlyArray<Pick<ProviderSwitch, "operation" | "asset">>
): ProviderStanding => {
  const group = (state: keyof typeof states) => ({ ...makeFigures().view(), circuit: states[state] })
  return {
    name,
    contact: { name },
    registered: {
      channels: true,
      vaultSwaps: [],
      capabilities: new ScriptedProvider("first").capabilities,
      circuits: { scope: "process" },
      operations: {
        quote: group(circuits.quote),
        open: group(circuits.open),
        status: group(circuits.status),
        node: group(circuits.node),
        treasury: group(circuits.treasury),
      },
    },
    endings: [],
    switches: switches.map((what) => ({
      ...what,
      platform: name,
      enabled: false,
      reason: "its prices are off",
      changedBy: "default",
      changedAt: EpochMillis.make(0),
    })),
  }
}

const rows: ReadonlyArray<readonly [title: string, standing: ProviderStanding, health: string]> = [
  ["all circuits closed and nothing switched off", standing(closed), "up"],
  ["the circuit of quotes open", standing({ ...closed, quote: "Open" }), "down"],
  ["the circuit of quotes half-open", standing({ ...closed, quote: "HalfOpen" }), "degraded"],
  ["the circuit of openings open", standing({ ...closed, open: "Open" }), "degraded"],
  ["the circuit of status open", standing({ ...closed, status: "Open" }), "degraded"],
  ["the circuit of node calls open", standing({ ...closed, node: "Open" }), "degraded"],
  ["the circuit of the operator's account open", standing({ ...closed, treasury: "Open" }), "up"],
  ["the whole provider switched off", standing(closed, {}), "down"],
  ["an operation switched off", standing(closed, { operation: "open" }), "degraded"],
  ["an asset switched off", standing(closed, { asset: "btc.btc" }), "degraded"],
  ["no registration", { name, contact: { name }, switches: [], endings: [] }, "down"],
]

describe("healthOf", () => {
  for (const [title, state, health] of rows) {
    it(`is ${health} with ${title}`, () => {
      assert.strictEqual(healthOf(state), health)
    })
  }
})
