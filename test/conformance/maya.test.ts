import { Layer } from "effect"
import { NativeAmount } from "../../src/domain/Amount.ts"
import { maya } from "../../src/providers/thorchain/networks.ts"
import { suite } from "./Provider.ts"
import { SandboxWorld } from "./sandbox/SandboxWorld.ts"
import { fixturesOf, providerOf, upstream } from "./thorchain/fixtures.ts"
import { mayaRequests } from "./thorchain/requests.ts"

suite(
  "maya, over the sockets of the sandbox",
  providerOf(maya, "maya"),
  Layer.provideMerge(upstream, SandboxWorld.layer),
  fixturesOf(maya, "maya", mayaRequests, [
    {
      sourceAsset: "usdc.arb",
      destinationAsset: "eth.arb",
      amount: NativeAmount.make(25_000_000_001n),
      tooLittle: NativeAmount.make(20_000n),
    },
    {
      sourceAsset: "eth.arb",
      destinationAsset: "btc.btc",
      amount: NativeAmount.make(1_234_567_890_123_456_789n),
      tooLittle: NativeAmount.make(10_000_000_000n),
    },
  ]),
)
