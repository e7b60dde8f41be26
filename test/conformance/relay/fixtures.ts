import { Effect } from "effect"
import { Address, NativeAmount } from "#exports/domain.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { type Channels, type Fixtures, notPossible } from "../Fixtures.ts"
import { SandboxWorld } from "../sandbox/SandboxWorld.ts"
import { breaks, settles } from "../sandbox/trouble.ts"
import { recorded } from "#test/providers/relay/recorded.ts"
import { failures, offer, request } from "./failures.ts"
import { offerOf, priced, requestOf } from "../sandbox/requests.ts"
import { name } from "#providers/relay/provider.ts"

const notOffered = notPossible("Relay has none")

/** The price falls by a fifth after the opening, far below its limit. */
const slips = {
  request,
  deposit: offer.amount,
  conditions: () => settles({ change: "movePrice", asset: "btc.btc", bps: -2_000 }),
}

const completed = { request, deposit: offer.amount }

const channels: Channels<SandboxWorld> = {
  deposit: (opened, amount) => Effect.flatMap(SandboxWorld, ({ deposit }) => deposit(opened, amount)),
  loseAnswers: breaks("relay")("open", "reset"),
  strangersAddress: Address.make("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"),
  strangersReference: `0x${"5a".repeat(32)}`,
  endings: {
    completed,
    refunded: slips,
    // Less than it costs to send it back.
    failed: { request, deposit: NativeAmount.make(1_000n) },
  },
  deposits: notPossible("Relay finds no request by a transaction that it has not seen"),
}

const byId = notPossible("a request is asked for by its id, whose terms were compared at its opening")

/** The provider in the sandbox, with a key. */
export const relay: Fixtures<SandboxWorld> = {
  platform: name,
  networks: ["sandbox"],
  offers: [
    offer,
    offerOf("eth.eth", "usdc.arb", 12_345_678_901_234_567_891n, 100_000_000_000_001n),
    offerOf("usdt.tron", "sol.sol", 25_000_000_001n, 500_000n),
    offerOf("usdt.bsc", "wbtc.eth", 25_000_123_456_789_012_345_678n, 500_000_000_000n),
  ],
  unserved: { ...offer, destinationAsset: "dot.hub" },
  request,
  affiliate: brokerAccount,
  features: {
    affiliates: notPossible("Relay cannot pay broker accounts"),
    boost: notOffered,
    dca: notOffered,
    ccm: notOffered,
    anyAmount: notPossible("a strict address is for one amount"),
  },
  channels,
  payloads: notPossible("the broker takes deposits at addresses of Relay's only"),
  untold: {},
  lies: {
    others: {
      sourceAsset: {
        sourceAsset: "usdc.arb",
        refundAddress: request.destinationAddress,
        amount: NativeAmount.make(25_000_000_001n),
        minimumPrice: priced("0.0001"),
      },
      destinationAsset: { destinationAsset: "usdc.arb" },
      destinationAddress: Address.make("0x3333333333333333333333333333333333333333"),
      refundAddress: Address.make("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"),
    },
    notCompared: {
      quote: {},
      open: {
        minimumPrice: notPossible("a request below the limit is refused as such, and nobody has its address"),
        expiry: notPossible("Relay says none: it is the broker's own"),
      },
      status: {
        sourceAsset: byId,
        destinationAsset: byId,
        amount: byId,
        commissionBps: byId,
        destinationAddress: byId,
        refundAddress: byId,
        minimumPrice: byId,
        depositAddress: byId,
        reference: notPossible(
          "a request that is not in the list is not listed yet: its state alone is read",
        ),
      },
    },
  },
  recorded,
  lookEvery: "2 minutes",
  failures,
}

/** The same without a key. */
export const keyless: Fixtures<SandboxWorld> = {
  ...relay,
  lies: { sameAs: relay, why: "without a key Relay says a part of what it says with one" },
  channels: {
    ...channels,
    endings: {
      completed,
      refunded: notPossible("without a key Relay names no amounts"),
      // The deposit goes back, of which there is no amount.
      failed: slips,
    },
  },
}

/** USDC on Base to AVAX, of which one is worth about 18.7 of the other. */
const newerOffer = offerOf("usdc.base", "avax.avax", 2_500_000_001n, 5_000n)
const newerRequest = requestOf(newerOffer, "0.04512345678901234")

/** The same on the newer chains, with a key. */
export const relayOnNewer: Fixtures<SandboxWorld> = {
  ...relay,
  offers: [
    newerOffer,
    offerOf("eth.op", "cbbtc.base", 1_234_567_890_123_456_789n, 1_000_000_000_001n),
    offerOf("pol.pol", "btc.btc", 12_345_678_901_234_567_890_123n, 10_000_000_000_000_001n),
    offerOf("usdt.avax", "usdt.pol", 2_500_000_001n, 5_000n),
  ],
  request: newerRequest,
  lies: { sameAs: relay, why: "it answers as about the other chains" },
  channels: {
    ...channels,
    strangersAddress: Address.make("0x3333333333333333333333333333333333333333"),
    endings: {
      completed: { request: newerRequest, deposit: newerOffer.amount },
      refunded: {
        request: newerRequest,
        deposit: newerOffer.amount,
        conditions: () => settles({ change: "movePrice", asset: "usdc.base", bps: -2_000 }),
      },
      // Less than it costs to send it back.
      failed: { request: newerRequest, deposit: NativeAmount.make(1_000n) },
    },
  },
}
