import { Effect } from "effect"
import { Address, NativeAmount } from "../../../src/exports/domain.ts"
import { brokerAccount } from "../../../src/sandbox/engine/figures.ts"
import { type Fixtures, notPossible } from "../Fixtures.ts"
import { SandboxWorld } from "../sandbox/SandboxWorld.ts"
import { breaks, settles } from "../sandbox/trouble.ts"
import { recorded } from "../../providers/near-intents/recorded.ts"
import { failures, offer, request } from "./failures.ts"
import { offerOf } from "../sandbox/requests.ts"
import { name } from "../../../src/providers/near-intents/provider.ts"

const notOffered = notPossible("1Click has none")

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
  channels: {
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
  },
  payloads: notPossible("1Click takes deposits at addresses of its own only"),
  untold: {
    refundTransaction: notPossible("1Click names none"),
    unconfirmedDepositAmount: notPossible("the quoted amount stands in until 1Click names it"),
  },
  recorded,
  lookEvery: "2 minutes",
  failures,
}
