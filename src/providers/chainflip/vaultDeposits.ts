import { Effect, Option, Schema } from "effect"
import { type Chain, stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { referenceOn } from "#domain/chains/TransactionReference.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { Sought, VaultSwaps } from "../Provider.ts"
import { maybe } from "../upstream/values.ts"
import { type JsonRpc, ofNode } from "./client.ts"
import { failAs } from "./errors.ts"
import type { Options } from "./settings.ts"
import { isAccount, makeState } from "./state.ts"

/** `cf_ingress_egress_events` (chainflip/wire.md 2.10), as far as it tells transactions to vaults. */
export const WireWitnessed = Schema.Struct({
  vault_deposits: Schema.Array(Schema.Struct({
    tx_id: Schema.String,
    broker_fee: maybe(Schema.Struct({ account: Schema.String })),
    /** Bitcoin's have the hash as everybody writes it. */
    deposit_details: maybe(Schema.Struct({ tx_id: maybe(Schema.String) })),
  })),
})

/** The chains whose deposits to vaults a node tells; it does not of Solana's (chainflip/wire.md 2.10). */
const witnessedChains: ReadonlyArray<Chain> = ["Bitcoin", "Ethereum", "Arbitrum", "Tron"]

/** A node tells what was witnessed of a chain for 48 seconds at least (chainflip/wire.md 2.10), so looks are closer. */
const stepMillis = 30_000

/** How far back is looked after a break: a usual node keeps the state of 256 blocks, 25 minutes. */
const mostSteps = 50

/** The transactions in an answer that were made through our account, written as their chain does. */
export const transactionsIn = (
  chain: Chain,
  isOwn: (account: string) => boolean,
  { vault_deposits }: typeof WireWitnessed.Type,
): ReadonlyArray<string> =>
  vault_deposits.flatMap(({ broker_fee, deposit_details, tx_id }) => {
    const hash = chain === "Bitcoin" ? deposit_details?.tx_id : tx_id
    const reference = hash === undefined ? undefined : referenceOn(chain, hash)
    return reference !== undefined && broker_fee !== undefined && isOwn(broker_fee.account) ? [reference] : []
  })

/** The operation: deposits to vaults that the network has witnessed, and that name the operator's broker. */
export const makeListVaultDeposits = (
  node: JsonRpc,
  { brokerAccount }: Options,
): NonNullable<VaultSwaps["list"]> => {
  const state = makeState(node)
  const isOwn = isAccount(brokerAccount)

  const at = (chain: Chain) => (...hash: ReadonlyArray<string>) =>
    Effect.map(
      node.read(WireWitnessed, "cf_ingress_egress_events", chain, ...hash),
      (witnessed) => transactionsIn(chain, isOwn, witnessed),
    )

  /** What was witnessed while nobody looked, as far as the node can tell. */
  const before = Effect.fnUntraced(function* (chains: ReadonlyArray<Chain>, missed: number) {
    const found: Array<string> = []
    const steps = Math.min(Math.floor(missed / stepMillis), mostSteps)
    if (steps === 0) return found
    const head = yield* state.height()
    for (let step = 1; step <= steps; step++) {
      const height = head - Math.floor(step * stepMillis / stateChainBlockMillis)
      if (height < 0) break
      const told = yield* Effect.forEach(chains, (chain) => state.atHeight(height, at(chain)))
      if (told.every(Option.isNone)) break
      found.push(...told.flatMap(Option.toArray).flat())
    }
    return found
  })

  return Effect.fn("Chainflip.listTransactions")(
    function* ({ chains, since }: Sought) {
      const told = witnessedChains.filter((chain) => chains.includes(chain))
      const now = yield* currentMillis
      const latest = yield* Effect.forEach(told, (chain) => at(chain)())
      return [...latest.flat(), ...(yield* before(told, now - since))]
    },
    ofNode,
    failAs("treasury"),
  )
}
