import { Effect } from "effect"
import { Address, BrokerAccount, NativeAmount } from "#exports/domain.ts"
import { type Fixtures, notPossible } from "../Fixtures.ts"
import { offerOf, priced } from "../sandbox/requests.ts"
import { SandboxWorld } from "../sandbox/SandboxWorld.ts"
import { breaks, settles } from "../sandbox/trouble.ts"
import { recorded } from "#test/providers/chainflip/recorded.ts"
import { failures } from "./failures.ts"
import { offer, payloadRequests, request } from "./requests.ts"
import { name } from "#providers/chainflip/provider.ts"

const [payloadRequest] = payloadRequests

/** A Bitcoin is never worth that many Ether in the sandbox. */
const tooHigh = priced("40")

const aborted = settles({ change: "nextEgress", asset: "eth.eth", outcome: "abort" })

const ownNode = notPossible(
  "the broker is the operator's own node, which gives an address for what it was sent",
)

/** The provider in the sandbox: everything that the contract offers was shaped by its network. */
export const chainflip: Fixtures<SandboxWorld> = {
  platform: name,
  networks: ["sandbox"],
  offers: [
    offer,
    offerOf("eth.eth", "btc.btc", 12_345_678_901_234_567_891n, 9_999_999_999_999_999n),
    offerOf("usdc.eth", "sol.sol", 25_000_000_001n, 19_999_999n),
    offerOf("usdt.bsc", "usdc.arb", 1_234_567_890_123_456_789_012n, 9_999_999_999_999_999_999n),
  ],
  unserved: offerOf("trx.tron", "eth.eth", 1_000_000_000n, 1n),
  request,
  affiliate: BrokerAccount.make("cFK7GTahm9qeX5Jjct3yfSvV4qLb8LJaArHL2SL6m9HAzc2sq"),
  features: {
    affiliates: "honoured",
    boost: "honoured",
    dca: "honoured",
    ccm: "honoured",
    anyAmount: "honoured",
  },
  treasury: {
    earn: Effect.flatMap(
      SandboxWorld,
      ({ settle }) => settle({ change: "shiftEarned", asset: "usdc.eth", difference: "5000001" }),
    ),
    earned: NativeAmount.make(5_000_001n),
    order: {
      asset: "usdc.eth",
      destination: Address.make("0x1111111111111111111111111111111111111111"),
    },
    loseAnswers: breaks("chainflip")("withdraw", "reset"),
    refuse: Effect.flatMap(
      SandboxWorld,
      ({ settle }) => settle({ change: "setWithdrawals", enabled: false }),
    ),
  },
  channels: {
    deposit: (opened, amount) => Effect.flatMap(SandboxWorld, ({ deposit }) => deposit(opened, amount)),
    loseAnswers: breaks("chainflip")("open", "reset"),
    strangersAddress: Address.make("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"),
    endings: {
      completed: { request, deposit: offer.amount },
      refunded: { request: { ...request, minimumPrice: tooHigh }, deposit: offer.amount },
      failed: { request, deposit: offer.amount, conditions: () => aborted },
    },
    deposits: "found",
  },
  payloads: {
    requests: payloadRequests,
    send: (payload, { refundAddress }) =>
      Effect.flatMap(SandboxWorld, ({ sendPayload }) => sendPayload(payload, refundAddress)),
    strangersTransaction: "ab".repeat(32),
    listed: ["Bitcoin", "Ethereum", "Arbitrum", "Tron"],
    endings: {
      completed: { request: payloadRequest },
      refunded: { request: { ...payloadRequest, minimumPrice: tooHigh } },
      failed: { request: payloadRequest, conditions: () => aborted },
    },
  },
  untold: {},
  lies: {
    others: {
      sourceAsset: {
        sourceAsset: "usdc.eth",
        refundAddress: request.destinationAddress,
        amount: NativeAmount.make(25_000_000_001n),
        minimumPrice: priced("0.0001"),
      },
      destinationAsset: { destinationAsset: "usdc.eth" },
      destinationAddress: Address.make("0x3333333333333333333333333333333333333333"),
      refundAddress: Address.make("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"),
    },
    notCompared: {
      quote: {
        commissionBps: notPossible("the backend names an amount of the hop that it is taken in, and no rate"),
      },
      open: {
        sourceAsset: ownNode,
        destinationAsset: ownNode,
        amount: ownNode,
        commissionBps: ownNode,
        destinationAddress: ownNode,
        refundAddress: ownNode,
        minimumPrice: ownNode,
        expiry: notPossible("the broker names a block of the source chain, and not its height"),
      },
      status: {
        amount: notPossible("a channel is for any amount"),
        reference: notPossible("a channel has no name but its coordinates"),
      },
    },
  },
  recorded,
  lookEvery: "6 seconds",
  failures,
}
