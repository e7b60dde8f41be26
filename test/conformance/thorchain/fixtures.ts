import { Effect, Option } from "effect"
import { HttpClient } from "effect/http"
import type { VaultNetwork } from "#api/SandboxVaults.ts"
import { NativeAmount, type VaultSwapRequest } from "#exports/domain.ts"
import { makeClient } from "#providers/thorchain/client.ts"
import { makeConditions } from "#providers/thorchain/conditions.ts"
import type { Family } from "#providers/thorchain/networks.ts"
import { make } from "#providers/thorchain/provider.ts"
import type { Routers } from "#providers/thorchain/settings.ts"
import { midgardPath } from "#sandbox/announced.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { families, routerOf } from "#sandbox/thorchain/families.ts"
import { coarseDigits, type Fixtures, notPossible, type Offer, type Payloads } from "../Fixtures.ts"
import { SandboxWorld } from "../sandbox/SandboxWorld.ts"
import { settles } from "../sandbox/trouble.ts"
import { upstreamIn } from "../sandbox/upstreamIn.ts"
import { recordedOf } from "#test/providers/thorchain/recorded.ts"
import { failuresOf } from "./failures.ts"
import { offer, request } from "./requests.ts"
import { chains } from "#domain/chains/Chain.ts"

/** The contracts of a simulated network. */
export const simulatedRouters = (network: VaultNetwork): Routers => ({
  setting: "the sandbox's own",
  known: chains().map((chain) => ({ chain, address: routerOf(families[network], chain) })),
})

/** The provider of a network over the sockets of the sandbox. */
export const providerOf = (family: Family, network: VaultNetwork) =>
  Effect.gen(function* () {
    const { url } = (yield* Sandbox)[network]
    const options = {
      url,
      secondUrl: Option.none(),
      simulatedTime: true,
      routers: simulatedRouters(network),
      affiliate: Option.some("sb"),
      midgardUrl: Option.some(new URL(`${url.href}${midgardPath}`)),
      catalogueMaxAge: 0,
    }
    const http = yield* HttpClient.HttpClient
    const client = makeClient(http, family, options)
    return make(family, options, client, yield* makeConditions(client, family, options), http)
  })

/** A network opens nothing; how far a payment is, is said by its stages. */
export const world = upstreamIn({
  path: /\/tx\/status\//,
  state: /"(?:inbound|swap|outbound)_([a-z_]+)":/g,
  unknown: '"rebalancing_$1":',
})

const send: Payloads<SandboxWorld>["send"] = (payload, { refundAddress }) =>
  Effect.flatMap(SandboxWorld, ({ sendPayload }) => sendPayload(payload, refundAddress))

/** Above the dust of Bitcoin; what would be left of it after the fee for sending it back is less. */
const tooLittleToReturn = { thorchain: NativeAmount.make(1_001n), maya: NativeAmount.make(10_001n) }

const notRepeated = notPossible("a node repeats neither assets nor amounts of what it is asked")

const noneOfThese = notPossible("the network has none")

/** What the kit has to know of a network in the sandbox. */
export const fixturesOf = (
  family: Family,
  network: VaultNetwork,
  requests: Payloads<SandboxWorld>["requests"],
  others: ReadonlyArray<Offer>,
): Fixtures<SandboxWorld> => {
  const plain: VaultSwapRequest = requests[0]
  const another = others.at(-1) ?? offer
  return {
    platform: family.name,
    networks: ["sandbox"],
    offers: [offer, ...others],
    unserved: { ...offer, destinationAsset: "flip.eth" },
    request,
    affiliate: brokerAccount,
    features: {
      affiliates: notPossible("the network cannot pay broker accounts"),
      boost: noneOfThese,
      dca: "honoured",
      ccm: noneOfThese,
      anyAmount: notPossible("a payment says its limit for its whole amount"),
    },
    channels: notPossible("the network takes payments with a memo only"),
    payloads: {
      requests,
      send,
      strangersTransaction: "ab".repeat(32),
      listed: family.sources,
      endings: {
        completed: { request: plain },
        refunded: {
          request: plain,
          conditions: () => settles({ change: "movePrice", asset: "btc.btc", bps: -2_000 }),
        },
        failed: {
          request: plain,
          deposit: tooLittleToReturn[network],
          send: (payload, request) =>
            send(
              payload._tag === "bitcoin" ? { ...payload, amountNative: tooLittleToReturn[network] } : payload,
              request,
            ),
        },
      },
    },
    untold: {
      digits: coarseDigits("the network counts 1e-8 of a unit", {
        "eth.eth": 10n ** 10n,
        "eth.arb": 10n ** 10n,
        "eth.base": 10n ** 10n,
        "avax.avax": 10n ** 10n,
        "bnb.bsc": 10n ** 10n,
        "usdt.bsc": 10n ** 10n,
        "sol.sol": 10n,
      }),
    },
    lies: {
      others: {
        sourceAsset: { sourceAsset: another.sourceAsset, amount: another.amount },
        destinationAsset: { destinationAsset: another.destinationAsset },
        destinationAddress: request.destinationAddress,
        refundAddress: request.refundAddress,
      },
      notCompared: {
        quote: {
          ...(network === "maya" ? { sourceAsset: notRepeated } : {}),
          amount: notRepeated,
          commissionBps: notPossible("a node names what it takes in the output's asset, and no rate"),
        },
        open: {},
        status: {},
      },
    },
    recorded: recordedOf(network),
    lookEvery: "10 seconds",
    failures: failuresOf(network),
  }
}
