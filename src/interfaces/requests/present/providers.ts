import { Clock, Duration, Effect } from "effect"
import type { OperationBody, ProviderBody } from "#api/Providers.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { ProviderView } from "#providers/guard/Guard.ts"
import type { Stalls } from "#domain/swaps/SwapRecord.ts"
import type { WireRound } from "#domain/operations/WireRound.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { type ProviderStanding, wholeSwitch } from "#providers/Registry.ts"

type Group = ProviderView[keyof ProviderView]

const circuits = { Closed: "closed", Open: "open", HalfOpen: "halfOpen" } as const

const presentOperation = (
  { circuit, window, calls, lastError, averageMillis }: Group,
  now: number,
): OperationBody => ({
  circuit: circuits[circuit._tag],
  window: {
    succeeded: window.filter((outcome) => outcome === "succeeded").length,
    failed: window.filter((outcome) => outcome === "failed").length,
  },
  ...(circuit._tag === "Open"
    ? { nextProbeAt: EpochMillis.make(Math.ceil(now + Duration.toMillis(circuit.retryAfter))) }
    : {}),
  ...defined({ lastError }),
  calls,
  ...(averageMillis === undefined ? {} : { averageMillis: Math.round(averageMillis) }),
})

const disabledReason = (standing: ProviderStanding): string | undefined =>
  standing.registered === undefined
    ? "not part of this build, or not configured"
    : wholeSwitch(standing)?.reason

const presentStalls = (stalls: Stalls | undefined) =>
  stalls === undefined ? { stalledSwaps: 0 } : { stalledSwaps: stalls.swaps, stalledSince: stalls.since }

/** The state of a provider, as the operator reads it. */
export const presentProvider = (
  standing: ProviderStanding,
  stalls: ReadonlyArray<Stalls>,
  rounds: ReadonlyArray<WireRound>,
): Effect.Effect<ProviderBody> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { contact, endings, name, registered, switches } = standing
    const reason = disabledReason(standing)
    return {
      name,
      contact,
      registered: registered !== undefined,
      enabled: reason === undefined,
      ...defined({ disabledReason: reason }),
      ...(registered === undefined ? {} : {
        capabilities: {
          ...registered.capabilities,
          channels: registered.channels,
          vaultSwaps: registered.vaultSwaps,
        },
        circuits: registered.circuits,
        operations: {
          quote: presentOperation(registered.operations.quote, now),
          open: presentOperation(registered.operations.open, now),
          status: presentOperation(registered.operations.status, now),
          node: presentOperation(registered.operations.node, now),
          treasury: presentOperation(registered.operations.treasury, now),
        },
      }),
      ...presentStalls(stalls.find(({ platform }) => platform === name)),
      ...optionalMembers(rounds.find(({ provider }) => provider === name), (wire) => ({ wire })),
      endings,
      switches: switches.map(({ platform: _platform, enabled: _enabled, ...rest }) => rest),
    }
  })
