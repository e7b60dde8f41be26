import type { Texts } from "#infrastructure/config/read.ts"
import { chains } from "#domain/chains/Chain.ts"
import { depositAddress } from "./engine/identifiers.ts"
import { brokerAccount } from "./engine/figures.ts"
import { publicKey } from "./near-intents/signature.ts"
import { families, routersOf } from "./thorchain/families.ts"

/** The path of each simulated network, below the URL of the sandbox. */
export const mounts = {
  backend: "/chainflip/backend",
  node: "/chainflip/node",
  broker: "/chainflip/broker",
  nearIntents: "/near-intents",
  relay: "/relay",
  thorchain: "/thorchain",
  maya: "/maya",
} as const

/** Where the index of a network's actions is, below its node. */
export const midgardPath = "/midgard"

/** What the simulated Relay takes as a key, like any but `wrong`; it is no secret. */
const relayKey = "sandbox-relay-key"

/** Nobody has the key of this account, and nothing that it is paid is worth anything. */
const relayFeeRecipient = "0x5a4db00000000000000000000000000000000fee"

/** An address of each chain for a purpose, whose key does not exist. */
const addressesFor = (variable: string, purpose: string): Texts =>
  Object.fromEntries(
    chains().map((chain) =>
      [`${variable}_${chain.toUpperCase()}`, depositAddress(purpose, chain, 0)] as const
    ),
  )

/** The settings of a sandbox. Setting one leaves it with all settings of that place (`ofPlace`). */
export const announced = (sandboxUrl: URL): Texts => {
  const at = (mount: string) => new URL(mount, sandboxUrl).href
  return {
    CHAINFLIP_BACKEND_URL: at(mounts.backend),
    CHAINFLIP_NODE_URL: at(mounts.node),
    CHAINFLIP_BROKER_URL: at(mounts.broker),
    CHAINFLIP_BROKER_ACCOUNT: brokerAccount,
    CHAINFLIP_NETWORK: "sandbox",
    NEAR_INTENTS_URL: at(mounts.nearIntents),
    NEAR_INTENTS_KEY: publicKey,
    NEAR_INTENTS_FEE_ACCOUNT: "sandbox-operator.near",
    THORCHAIN_URL: at(mounts.thorchain),
    THORCHAIN_ROUTERS: routersOf(families.thorchain),
    THORCHAIN_MIDGARD_URL: at(mounts.thorchain + midgardPath),
    THORCHAIN_AFFILIATE: "sandbox",
    MAYA_URL: at(mounts.maya),
    MAYA_ROUTERS: routersOf(families.maya),
    MAYA_MIDGARD_URL: at(mounts.maya + midgardPath),
    MAYA_AFFILIATE: "sandbox",
    RELAY_URL: at(mounts.relay),
    RELAY_KEY: relayKey,
    RELAY_FEE_RECIPIENT: relayFeeRecipient,
    ...addressesFor("REFUND_ADDRESS", "refund address"),
    ...addressesFor("WITHDRAWAL_ADDRESS", "withdrawal address"),
  }
}
