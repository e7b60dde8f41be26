import { Layer } from "effect"
import { NativeAmount } from "../../src/domain/Amount.ts"
import { thorchain } from "../../src/providers/thorchain/networks.ts"
import { suite } from "./Provider.ts"
import { SandboxWorld } from "./sandbox/SandboxWorld.ts"
import { fixturesOf, providerOf, upstream } from "./thorchain/fixtures.ts"
import { thorchainRequests } from "./thorchain/requests.ts"

suite(
  "thorchain, over the sockets of the sandbox",
  providerOf(thorchain, "thorchain"),
  Layer.provideMerge(upstream, SandboxWorld.layer),
  fixturesOf(thorchain, "thorchain", thorchainRequests, [
    {
      sourceAsset: "eth.eth",
      destinationAsset: "btc.btc",
      amount: NativeAmount.make(12_345_678_901_234_567_891n),
      tooLittle: NativeAmount.make(100_000_000_000_001n),
    },
    {
      sourceAsset: "usdt.tron",
      destinationAsset: "sol.sol",
      amount: NativeAmount.make(25_000_000_001n),
      tooLittle: NativeAmount.make(500_000n),
    },
    {
      sourceAsset: "usdt.bsc",
      destinationAsset: "trx.tron",
      amount: NativeAmount.make(1_234_567_890_123_456_789_012n),
      tooLittle: NativeAmount.make(9_999n),
    },
  ]),
)
