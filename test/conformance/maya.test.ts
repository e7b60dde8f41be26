import { maya } from "#providers/thorchain/networks.ts"
import { suite } from "./Provider.ts"
import { offerOf } from "./sandbox/requests.ts"
import { fixturesOf, providerOf, world } from "./thorchain/fixtures.ts"
import { mayaRequests } from "./thorchain/requests.ts"

suite(
  "maya, over the sockets of the sandbox",
  providerOf(maya, "maya"),
  world,
  fixturesOf(maya, "maya", mayaRequests, [
    offerOf("usdc.arb", "eth.arb", 25_000_000_001n, 20_000n),
    offerOf("eth.arb", "btc.btc", 1_234_567_890_123_456_789n, 10_000_000_000n),
    offerOf("dash.dash", "eth.arb", 20_000_000_001n, 10_000n),
  ]),
)
