import { Schema } from "effect"
import { Chain } from "#domain/chains/Chain.ts"

/** What can happen to the simulated networks that take payments with a memo (`PATCH /sandbox/network`). */

/** These networks. */
export const VaultNetwork = Schema.Literals(["thorchain", "maya"])
export type VaultNetwork = typeof VaultNetwork.Type

const provider = VaultNetwork.annotate({ description: "The network that changes" })

/** How the next payment to a vault goes wrong. */
export const PaymentTrap = Schema.Literals(["partialFill", "refund", "longDelay"])
export type PaymentTrap = typeof PaymentTrap.Type

const change = <const Name extends string>(name: Name) => ({ change: Schema.Literal(name) })

export const vaultNetworkCommands = [
  Schema.Struct({
    ...change("setTrading"),
    provider,
    chain: Schema.optionalKey(Chain),
    isChainHalted: Schema.optionalKey(Schema.Boolean.annotate({ description: "Halts swaps with the chain" })),
    isPaused: Schema.optionalKey(Schema.Boolean.annotate({ description: "Halts all swaps" })),
    isFrozen: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "The network makes no blocks, and marks nothing as halted" }),
    ),
  }).annotate({
    description:
      "Trading at thorchain or maya: isChainHalted halts that of chain, isPaused all of it, and isFrozen the network " +
      "itself, which then makes no blocks and goes on to list its vaults as they were; an absent one is not changed",
  }),
  Schema.Struct({ ...change("churnVaults"), provider }).annotate({
    description: "The network replaces all of its vaults; money for one that was replaced twice is lost",
  }),
  Schema.Struct({ ...change("nextPayment"), provider, outcome: PaymentTrap }).annotate({
    description:
      "The next payment to a vault goes wrong: partialFill swaps a part of it and sends the rest " +
      "back; refund sends all of it back; longDelay waits 720 blocks before it pays out",
  }),
] as const
