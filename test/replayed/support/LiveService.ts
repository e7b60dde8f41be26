import { Context, Effect, Layer } from "effect"
import { brokerInProcess } from "#test/support/broker.ts"
import { laterClock } from "#test/tampering/support/later.ts"
import { type Chainflip, chainflipAccount, makeChainflip } from "./chainflip.ts"
import { makeNode, maya, type Node, thorchain } from "./nodes.ts"
import { makeOneClick, oneClickAccount, oneClickKey } from "./oneClick.ts"
import { makeRelay, relayKey, relayWallet } from "./relay.ts"
import { replay } from "./upstream.ts"

/** The replayed upstreams that are told of transactions, as no chain tells them. */
export class Upstreams extends Context.Service<Upstreams, {
  readonly chainflip: Chainflip
  readonly thorchain: Node
  readonly maya: Node
}>()("swap-broker/test/replayed/Upstreams") {}

/** A service in live mode, whose five upstreams are on this machine and answer with what was recorded of the real ones. */
export const liveService = Layer.unwrap(Effect.gen(function* () {
  const chainflip = makeChainflip()
  const nodes = { thorchain: makeNode(thorchain), maya: makeNode(maya) }
  const urls = yield* Effect.all({
    backend: replay(chainflip.backend),
    rpc: replay(chainflip.rpc),
    oneClick: replay(makeOneClick()),
    relay: replay(makeRelay()),
    thorchain: replay(nodes.thorchain.upstream),
    maya: replay(nodes.maya.upstream),
  })
  return Layer.merge(
    Layer.succeed(Upstreams, { chainflip, ...nodes }),
    brokerInProcess({
      MODE: "live",
      // What is asked here is counted by the replayed nodes: nobody else may ask beside it.
      WIRE_WITNESS_INTERVAL: "0",
      CHAINFLIP_BACKEND_URL: urls.backend.href,
      CHAINFLIP_NODE_URL: urls.rpc.href,
      CHAINFLIP_BROKER_URL: urls.rpc.href,
      CHAINFLIP_BROKER_ACCOUNT: chainflipAccount,
      NEAR_INTENTS_URL: urls.oneClick.href,
      NEAR_INTENTS_KEY: oneClickKey,
      NEAR_INTENTS_FEE_ACCOUNT: oneClickAccount,
      RELAY_URL: urls.relay.href,
      RELAY_KEY: relayKey,
      RELAY_FEE_RECIPIENT: relayWallet,
      THORCHAIN_URL: urls.thorchain.href,
      THORCHAIN_AFFILIATE: thorchain.affiliate,
      MAYA_URL: urls.maya.href,
      MAYA_AFFILIATE: maya.affiliate,
      // Each look at a swap asks its upstream, which is one state further each time; nobody else looks.
      STATUS_MAX_AGE: "0",
      TRACKER_INTERVAL: "1 hour",
      QUOTE_CACHE_TTL: "1 millis",
    }),
  )
})).pipe(Layer.provide(laterClock))
