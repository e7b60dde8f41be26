import { assert } from "@effect/vitest"
import { Effect, Option, Struct } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { kindOf, type VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { noIssues } from "#domain/Issues.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { asHonoured, notHonoured } from "#providers/Capabilities.ts"
import type { Feature, Fixtures, Payloads, Untold } from "../Fixtures.ts"
import { assertPayload } from "./assertPayload.ts"
import {
  type Check,
  check,
  isNotPossible,
  type Kit,
  lookAt,
  openAs,
  quotesAs,
  toQuoteRequest,
} from "./kit.ts"
import { encodeAs, sentAndFound } from "./vaultSwap.ts"

interface Demand {
  /** Completes "honours …" and "is passed over for …". */
  readonly name: string
  /** The parameter that is to blame where it is not honoured. */
  readonly parameter: string
  /** The request with the feature in it. */
  readonly demand: <R>(fixtures: Fixtures<R>) => SwapRequest
  /** What of a channel's record tells that the feature is in force. */
  readonly trace: (status: SwapStatus) => unknown
  /** The same of the record of a vault swap. */
  readonly vaultSwapTrace: (status: SwapStatus) => unknown
  /** What lets the record of a vault swap be without that trace. */
  readonly untold?: keyof Untold
  /** The requests for payloads that the feature can be asked with; any where absent. */
  readonly fits?: (request: VaultSwapRequest) => boolean
}

const affiliateBps = Bps.make(7)

const demands: Readonly<Record<Feature, Demand>> = {
  affiliates: {
    name: "affiliates",
    parameter: "affiliate1",
    demand: ({ request, affiliate }) => ({
      ...request,
      affiliates: [{ account: affiliate, commissionBps: affiliateBps }],
    }),
    trace: ({ depositChannel }) => depositChannel?.affiliateBrokers,
    vaultSwapTrace: ({ brokers }) => brokers.find(({ commissionBps }) => commissionBps === affiliateBps),
    untold: "commission",
  },
  boost: {
    name: "boost",
    parameter: "boostFee",
    demand: ({ request }) => ({ ...request, maximumBoostFeeBps: Bps.make(30) }),
    trace: ({ boost }) => boost?.maximumBoostFeeBps,
    vaultSwapTrace: ({ boost }) => boost?.maximumBoostFeeBps,
    fits: ({ sourceAsset }) => sourceAsset === "btc.btc",
  },
  dca: {
    name: "DCA",
    parameter: "numberOfChunks",
    demand: ({ request }) => ({ ...request, dca: { numberOfChunks: 3, chunkIntervalBlocks: 2 } }),
    trace: ({ dca }) => dca,
    vaultSwapTrace: ({ dca }) => dca,
    untold: "dca",
  },
  ccm: {
    name: "a message for the receiving contract",
    parameter: "ccmPayload",
    demand: ({ request }) => ({
      ...request,
      ccm: { gasBudget: NativeAmount.make(100_000_000_000_001n), message: "0xdeadbeef" },
    }),
    trace: ({ ccm }) => ccm,
    vaultSwapTrace: ({ ccm }) => ccm,
    untold: "ccm",
    fits: ({ destinationAsset }) => kindOf(chainOf(destinationAsset)) === "evm",
  },
  anyAmount: {
    name: "deposits of an amount that nobody said",
    parameter: "amount",
    demand: ({ request }) => Struct.omit(request, ["amount"]),
    trace: ({ state }) => state,
    vaultSwapTrace: ({ state }) => state,
  },
}

const everyFeature: ReadonlyArray<Feature> = ["affiliates", "boost", "dca", "ccm", "anyAmount"]

const honours = <R, E>(kit: Kit<R, E>, { demand, name, trace }: Demand): Check<E> =>
  check(kit, `honours ${name}, and the upstream knows of it`, function* (provider) {
    const request = demand(kit.fixtures)
    assert.deepStrictEqual(notHonoured(provider.name, provider.capabilities, request), noIssues)
    const opened = yield* openAs(provider, request)
    assert.isDefined(trace(opened.status))
    assert.notDeepEqual(trace(opened.status), [])
    const found = yield* lookAt(provider, opened, opened.status)
    assert.deepStrictEqual(Option.map(found, trace), Option.some(trace(opened.status)))
  })

/** A vault swap always has an amount, so that only channels can be without. */
const honoursInPayloads = <R, E>(
  kit: Kit<R, E>,
  payloads: Payloads<R>,
  { demand, fits = () => true, name, untold, vaultSwapTrace }: Demand,
): Check<E> =>
  check(kit, `honours ${name} in payloads, and the upstream knows of it`, function* (provider) {
    const plain = payloads.requests.find(fits) ?? assert.fail(`no request for a payload can have ${name}`)
    const { affiliates, ccm, dca, maximumBoostFeeBps } = demand(kit.fixtures)
    const request: VaultSwapRequest = {
      ...plain,
      affiliates,
      maximumBoostFeeBps,
      ...(dca === undefined ? {} : { dca }),
      ...(ccm === undefined ? {} : { ccm }),
    }
    assert.deepStrictEqual(notHonoured(provider.name, provider.capabilities, request), noIssues)
    const { encoded, first } = yield* sentAndFound(kit, payloads, provider, request)
    yield* assertPayload(kit, payloads, encoded, asHonoured(provider.capabilities, request))
    if (untold !== undefined && kit.fixtures.untold[untold] !== undefined) return
    assert.isDefined(vaultSwapTrace(first.status))
  })

const isPassedOver = <R, E>(kit: Kit<R, E>, { demand, name, parameter }: Demand, reason: string): Check<E> =>
  check(kit, `is passed over for ${name}: ${reason}`, (provider) =>
    Effect.sync(() => {
      const issues = notHonoured(provider.name, provider.capabilities, demand(kit.fixtures))
      assert.deepStrictEqual(Object.keys(issues), [parameter])
    }))

const takesCommissionUpToItsMaximum = <R, E>(kit: Kit<R, E>): Check<E> =>
  check(kit, "takes its highest commission, and is passed over for more", function* (provider) {
    const { channels, offers: [offer], payloads, request } = kit.fixtures
    const { capabilities } = provider
    const commissionBps = Bps.make(capabilities.maximumCommissionBps)
    const highest = { ...request, commissionBps }
    const more = { ...request, commissionBps: Bps.make(commissionBps + 1) }
    assert.deepStrictEqual(notHonoured(provider.name, capabilities, highest), noIssues)
    assert.property(notHonoured(provider.name, capabilities, more), "commissionBps")
    assert.isNotEmpty(yield* quotesAs(provider, toQuoteRequest(offer, highest)))
    if (!isNotPossible(channels)) {
      const { status } = yield* openAs(provider, highest)
      assert.strictEqual(status.depositChannel?.brokerCommissionBps, commissionBps)
    } else if (!isNotPossible(payloads)) {
      const asked = { ...payloads.requests[0], commissionBps }
      yield* assertPayload(
        kit,
        payloads,
        yield* encodeAs(provider, asked),
        asHonoured(capabilities, asked),
      )
    }
  })

/** What the provider says that it can honour, it honours; for what it cannot it is not asked. */
export const features = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { channels, features, payloads } = kit.fixtures
  const asked = everyFeature.flatMap((feature) => {
    const possible = features[feature]
    const demand = demands[feature]
    if (possible !== "honoured") return [isPassedOver(kit, demand, possible.reason)]
    if (!isNotPossible(channels)) return [honours(kit, demand)]
    return isNotPossible(payloads) ? [] : [honoursInPayloads(kit, payloads, demand)]
  })
  return [...asked, takesCommissionUpToItsMaximum(kit)]
}
