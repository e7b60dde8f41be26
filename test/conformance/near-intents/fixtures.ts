import { Effect } from "effect"
import { Address, NativeAmount } from "#exports/domain.ts"
import { encodeCashAddr } from "#domain/chains/address/BitcoinFamily.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { type Channels, type Fixtures, notPossible } from "../Fixtures.ts"
import { SandboxWorld } from "../sandbox/SandboxWorld.ts"
import { breaks, settles } from "../sandbox/trouble.ts"
import { recorded } from "#test/providers/near-intents/recorded.ts"
import { failures, offer, request } from "./failures.ts"
import { offerOf, priced, requestOf } from "../sandbox/requests.ts"
import { name } from "#providers/near-intents/provider.ts"

const notOffered = notPossible("1Click has none")

const channels: Channels<SandboxWorld> = {
  deposit: (opened, amount) => Effect.flatMap(SandboxWorld, ({ deposit }) => deposit(opened, amount)),
  loseAnswers: breaks("near-intents")("open", "reset"),
  strangersAddress: Address.make("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"),
  endings: {
    completed: { request, deposit: offer.amount },
    refunded: {
      request,
      deposit: offer.amount,
      conditions: () => settles({ change: "movePrice", asset: "btc.btc", bps: -2_000 }),
    },
    // Less than it costs to send it back.
    failed: { request, deposit: NativeAmount.make(1_000n) },
  },
  deposits: notPossible("1Click finds an order by its deposit address alone"),
}

const signed = notPossible(
  "an order is asked for by its address: its terms are those that were signed at its opening",
)

/** The provider in the sandbox. */
export const nearIntents: Fixtures<SandboxWorld> = {
  platform: name,
  networks: ["sandbox"],
  offers: [
    offer,
    offerOf("eth.eth", "usdc.arb", 12_345_678_901_234_567_891n, 100_000_000_000_001n),
    offerOf("usdt.tron", "sol.sol", 25_000_000_001n, 500_000n),
  ],
  unserved: { ...offer, destinationAsset: "dot.hub" },
  request,
  affiliate: brokerAccount,
  features: {
    affiliates: notPossible("1Click cannot pay broker accounts"),
    boost: notOffered,
    dca: notOffered,
    ccm: notOffered,
    anyAmount: notPossible("1Click prices each deposit"),
  },
  channels,
  payloads: notPossible("1Click takes deposits at addresses of its own only"),
  untold: {
    refundTransaction: notPossible("1Click names none"),
    unconfirmedDepositAmount: notPossible("the quoted amount stands in until 1Click names it"),
  },
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
        expiry: notPossible("what is told is the broker's own, hours before all times that 1Click says"),
      },
      status: {
        sourceAsset: signed,
        destinationAsset: signed,
        amount: signed,
        commissionBps: signed,
        destinationAddress: signed,
        refundAddress: signed,
        minimumPrice: signed,
        depositAddress: signed,
        reference: notPossible("an order has no name but its address"),
      },
    },
  },
  recorded,
  lookEvery: "2 minutes",
  failures,
}

/** Bitcoin Cash to XRP, of which one is worth about 225 of the other. */
const newerOffer = offerOf("bch.bch", "xrp.xrp", 300_000_001n, 999n)
const newerRequest = requestOf(newerOffer, "200.12345678901234567")

const stranger = encodeCashAddr("bchreg", { kind: "keyHash", hash: new Uint8Array(20).fill(7) })

/** The same on the newer chains. */
export const nearIntentsOnNewer: Fixtures<SandboxWorld> = {
  ...nearIntents,
  offers: [
    newerOffer,
    offerOf("xrp.xrp", "doge.doge", 123_456_789n, 1_999_999n),
    offerOf("usdt.pol", "zec.zec", 2_500_000_001n, 500_000n),
    offerOf("eth.base", "ltc.ltc", 1_234_567_890_123_456_789n, 100_000_000_000_001n),
    offerOf("dash.dash", "avax.avax", 1_234_567_891n, 1_000n),
    offerOf("usdc.op", "usdc.avax", 2_500_000_001n, 500_000n),
  ],
  request: newerRequest,
  lies: { sameAs: nearIntents, why: "it answers as about the other chains" },
  channels: {
    ...channels,
    strangersAddress: Address.make(stranger),
    // The address as the upstream writes it.
    strangersReference: stranger.replace("bchreg:", ""),
    endings: {
      completed: { request: newerRequest, deposit: newerOffer.amount },
      refunded: {
        request: newerRequest,
        deposit: newerOffer.amount,
        conditions: () => settles({ change: "movePrice", asset: "bch.bch", bps: -2_000 }),
      },
      failed: { request: newerRequest, deposit: NativeAmount.make(400n) },
    },
  },
}
