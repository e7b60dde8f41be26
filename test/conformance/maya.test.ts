import { Effect } from "effect"
import { maya } from "#providers/thorchain/networks.ts"
import { suite } from "./Provider.ts"
import { offerOf } from "./sandbox/requests.ts"
import { settles } from "./sandbox/trouble.ts"
import { fixturesOf, providerOf, world } from "./thorchain/fixtures.ts"
import { mayaRequests } from "./thorchain/requests.ts"

/** Of the announced chains, too: the network lists them once they are opened. */
const provider = Effect.andThen(
  Effect.forEach(
    ["Bsc", "BitcoinCash", "Tron", "Solana"] as const,
    (chain) => settles({ change: "setTrading", provider: "maya", chain, isChainHalted: false }),
  ),
  providerOf(maya, "maya"),
)

suite(
  "maya, over the sockets of the sandbox",
  provider,
  world,
  fixturesOf(maya, "maya", mayaRequests, [
    offerOf("usdc.arb", "eth.arb", 25_000_000_001n, 20_000n),
    offerOf("eth.arb", "btc.btc", 1_234_567_890_123_456_789n, 10_000_000_000n),
    offerOf("bnb.bsc", "usdt.tron", 12_345_678_901_234_567_891n, 100_000_000_000_000n),
    offerOf("bch.bch", "sol.sol", 500_000_001n, 10_000n),
    offerOf("trx.tron", "usdt.bsc", 25_000_000_001n, 100_000n),
    offerOf("dash.dash", "eth.arb", 20_000_000_001n, 10_000n),
  ]),
)
