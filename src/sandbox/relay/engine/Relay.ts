import { Result } from "effect"
import type { RequestTrap } from "#api/SandboxCommands.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { controlled, makeSideNetwork } from "../../engine/sideNetworks.ts"
import type { Network } from "../../engine/State.ts"
import type { Controlled, FeePaid } from "../../engine/View.ts"
import type { Reindex, SetChain } from "./Command.ts"
import { findChain } from "./currencies.ts"
import { takeUp } from "./settlement.ts"
import { phases, type ReindexRefusal, type Relay, type RelayRequest } from "./State.ts"

/**
 * The simulated Relay: requests with strict deposit addresses on the chains and at the reference prices of the engine's
 * network, in the same virtual time.
 *
 * ```ts
 * const relay = Relay.make(network)
 * const request = openRequest(relay, command)
 * passTime(relay, later)
 * ```
 */
export type { Relay } from "./State.ts"

/** The requests of a network that begins now. */
export const make = (network: Network): Relay => ({
  ...makeSideNetwork<typeof phases[number], RequestTrap>(network, "relay", phases),
  requests: new Map(),
  requestsByAddress: new Map(),
  disabledChains: new Set(),
})

/** Switches a chain off, or on again; what is under way goes on. */
export const setChain = (relay: Relay, { chain, disabled }: SetChain): Result.Result<Controlled> => {
  if (disabled) relay.disabledChains.add(chain)
  else relay.disabledChains.delete(chain)
  return controlled
}

/** How long an address is not looked at again. */
const reindexPauseMillis = 5 * 60_000

/** A look for deposits. */
export interface Reindexed {
  readonly request: RelayRequest
  /** Smallest units of the origin currency; 0 where nothing was found. */
  readonly balance: bigint
}

/** Looks for deposits to an address again. */
export const reindex = (
  relay: Relay,
  { address, chainId }: Reindex,
): Result.Result<Reindexed, ReindexRefusal> => {
  const request = relay.requestsByAddress.get(address)
  if (request === undefined || findChain(chainId) !== request.terms.origin.chain) {
    return Result.fail({ _tag: "UnknownDepositAddress" })
  }
  if (relay.time < (request.reindexedAt ?? -Infinity) + reindexPauseMillis) {
    return Result.fail({ _tag: "ReindexedTooRecently" })
  }
  request.reindexedAt = relay.time
  return Result.succeed({ request, balance: takeUp(relay, request) })
}

/** The request with this id. */
export const findRequest = (relay: Relay, id: string): RelayRequest | undefined =>
  relay.requests.get(id.toLowerCase())

/** The request whose deposit address this is. */
export const requestAt = (relay: Relay, address: string): RelayRequest | undefined =>
  relay.requestsByAddress.get(address)

const isOver = ({ state }: RelayRequest): boolean =>
  state === "success" || state === "refund" || state === "failure"

/** All requests, the oldest first. */
export const allRequests = (relay: Relay): ReadonlyArray<RelayRequest> => Array.from(relay.requests.values())

/** The app fees of a request, once it was filled, in the currency that was deposited. */
export const feesPaidBy = (
  { offer, payout, request, terms: { origin: { asset } } }: RelayRequest,
): ReadonlyArray<FeePaid> =>
  payout === undefined || offer.appFee === 0n ? [] : (request.appFees ?? []).map(({ fee, recipient }) => ({
    account: recipient,
    asset,
    amount: shareOf(offer.amountIn, Number(fee)),
  }))

/** The requests that take a deposit or are on their way, the oldest first. */
export const openRequests = (relay: Relay): ReadonlyArray<RelayRequest> =>
  Array.from(relay.requestsByAddress.values()).filter((request) =>
    !isOver(request) && !(request.state === "waiting" && relay.time >= request.ttlEnd)
  )
