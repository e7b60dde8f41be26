import type { Texts } from "../config/read.ts"
import { Chain } from "../domain/Chain.ts"
import { depositAddress } from "./engine/identifiers.ts"
import { brokerAccount } from "./engine/figures.ts"
import { publicKey } from "./near-intents/signature.ts"

/** Where each simulated network is, below the URL of the sandbox. */
export const mounts = {
  backend: "/chainflip/backend",
  node: "/chainflip/node",
  broker: "/chainflip/broker",
  nearIntents: "/near-intents",
} as const

/** A refund address of each chain, which nobody has the key of. */
const refundAddresses: Texts = Object.fromEntries(
  Chain.literals.map((chain) =>
    [`REFUND_ADDRESS_${chain.toUpperCase()}`, depositAddress("refund address", chain, 0)] as const
  ),
)

/**
 * What a sandbox stands in for: the settings that lead a service to it. In sandbox mode they are what unset variables
 * have; whoever sets one, goes elsewhere with that one, and with what is true of that place only (`ofPlace`).
 */
export const announced = (sandboxUrl: URL): Texts => {
  const at = (mount: string) => new URL(mount, sandboxUrl).href
  return {
    CHAINFLIP_BACKEND_URL: at(mounts.backend),
    CHAINFLIP_NODE_URL: at(mounts.node),
    CHAINFLIP_BROKER_URL: at(mounts.broker),
    CHAINFLIP_BROKER_ACCOUNT: brokerAccount,
    NEAR_INTENTS_URL: at(mounts.nearIntents),
    NEAR_INTENTS_KEY: publicKey,
    NEAR_INTENTS_FEE_ACCOUNT: "sandbox-operator.near",
    ...refundAddresses,
  }
}
