import { assert, it } from "@effect/vitest"
import { Effect, Option, Struct } from "effect"
import { NativeAmount } from "../../../src/domain/Amount.ts"
import { Bps } from "../../../src/domain/Bps.ts"
import { noIssues } from "../../../src/domain/Issues.ts"
import type { SwapStatus } from "../../../src/domain/Swap.ts"
import type { SwapRequest } from "../../../src/domain/SwapRequest.ts"
import { notHonoured } from "../../../src/providers/Capabilities.ts"
import type { Feature, Fixtures } from "../Fixtures.ts"
import { inItsOwnWorld, type Kit } from "./kit.ts"
import { toStatus } from "../../support/toStatus.ts"
import { channelsOf } from "../../support/channelsOf.ts"

interface Demand {
  /** Completes "honours …" and "is passed over for …". */
  readonly name: string
  /** The parameter that is to blame where it is not honoured. */
  readonly parameter: string
  /** The request with the feature in it. */
  readonly demand: <R>(fixtures: Fixtures<R>) => SwapRequest
  /** What of a record tells that the feature is in force. */
  readonly trace: (status: SwapStatus) => unknown
}

const demands: Readonly<Record<Feature, Demand>> = {
  affiliates: {
    name: "affiliates",
    parameter: "affiliate1",
    demand: ({ request, affiliate }) => ({
      ...request,
      affiliates: [{ account: affiliate, commissionBps: Bps.make(7) }],
    }),
    trace: ({ depositChannel }) => depositChannel?.affiliateBrokers,
  },
  boost: {
    name: "boost",
    parameter: "boostFee",
    demand: ({ request }) => ({ ...request, maximumBoostFeeBps: Bps.make(30) }),
    trace: ({ boost }) => boost?.maximumBoostFeeBps,
  },
  dca: {
    name: "DCA",
    parameter: "numberOfChunks",
    demand: ({ request }) => ({ ...request, dca: { numberOfChunks: 3, chunkIntervalBlocks: 2 } }),
    trace: ({ dca }) => dca,
  },
  ccm: {
    name: "a message for the receiving contract",
    parameter: "ccmPayload",
    demand: ({ request }) => ({
      ...request,
      ccm: { gasBudget: NativeAmount.make(100_000_000_000_001n), message: "0xdeadbeef" },
    }),
    trace: ({ ccm }) => ccm,
  },
  anyAmount: {
    name: "deposits of an amount that nobody said",
    parameter: "amount",
    demand: ({ request }) => Struct.omit(request, ["amount"]),
    trace: ({ state }) => state,
  },
}

const everyFeature: ReadonlyArray<Feature> = ["affiliates", "boost", "dca", "ccm", "anyAmount"]

const honours = <R, E>(kit: Kit<R, E>, { demand, name, trace }: Demand): void =>
  it.effect(`honours ${name}, and the upstream knows of it`, () =>
    inItsOwnWorld(kit, (provider) =>
      Effect.gen(function* () {
        const request = demand(kit.fixtures)
        assert.deepStrictEqual(notHonoured(provider.name, provider.capabilities, request), noIssues)
        const { channel, status } = yield* channelsOf(provider).open(request)
        assert.isDefined(trace(status))
        assert.notDeepEqual(trace(status), [])
        const found = yield* toStatus(channelsOf(provider).status(channel.id, status))
        assert.deepStrictEqual(Option.map(found, trace), Option.some(trace(status)))
      })))

const isPassedOver = <R, E>(kit: Kit<R, E>, { demand, name, parameter }: Demand, reason: string): void =>
  it.effect(`is passed over for ${name}: ${reason}`, () =>
    inItsOwnWorld(kit, (provider) =>
      Effect.sync(() => {
        const issues = notHonoured(provider.name, provider.capabilities, demand(kit.fixtures))
        assert.deepStrictEqual(Object.keys(issues), [parameter])
      })))

const takesCommissionUpToItsMaximum = <R, E>(kit: Kit<R, E>): void =>
  it.effect("takes its highest commission, and is passed over for more", () =>
    inItsOwnWorld(kit, (provider) =>
      Effect.gen(function* () {
        const { maximumCommissionBps } = provider.capabilities
        const highest = { ...kit.fixtures.request, commissionBps: Bps.make(maximumCommissionBps) }
        const more = { ...highest, commissionBps: Bps.make(maximumCommissionBps + 1) }
        assert.deepStrictEqual(notHonoured(provider.name, provider.capabilities, highest), noIssues)
        assert.property(notHonoured(provider.name, provider.capabilities, more), "commissionBps")
        const { status } = yield* channelsOf(provider).open(highest)
        assert.strictEqual(status.depositChannel?.brokerCommissionBps, maximumCommissionBps)
      })))

/** What the provider says that it can honour, it honours; for what it cannot it is not asked. */
export const features = <R, E>(kit: Kit<R, E>): void => {
  for (const feature of everyFeature) {
    const possible = kit.fixtures.features[feature]
    if (possible === "honoured") honours(kit, demands[feature])
    else isPassedOver(kit, demands[feature], possible.reason)
  }
  takesCommissionUpToItsMaximum(kit)
}
