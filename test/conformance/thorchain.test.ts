import { thorchain } from "#providers/thorchain/networks.ts"
import { suite } from "./Provider.ts"
import { offerOf } from "./sandbox/requests.ts"
import { fixturesOf, providerOf, world } from "./thorchain/fixtures.ts"
import { thorchainRequests } from "./thorchain/requests.ts"

suite(
  "thorchain, over the sockets of the sandbox",
  providerOf(thorchain, "thorchain"),
  world,
  fixturesOf(thorchain, "thorchain", thorchainRequests, [
    offerOf("eth.eth", "btc.btc", 12_345_678_901_234_567_891n, 100_000_000_000_001n),
    offerOf("usdt.tron", "sol.sol", 25_000_000_001n, 500_000n),
    offerOf("usdt.bsc", "trx.tron", 1_234_567_890_123_456_789_012n, 9_999n),
    // Exactly the dust: the network keeps it.
    offerOf("xrp.xrp", "ltc.ltc", 10_000_000_001n, 1_000_000n),
    offerOf("doge.doge", "usdc.avax", 10_000_000_000_001n, 100_000_000n),
  ]),
)
