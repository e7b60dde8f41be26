import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AssetId, assetIds } from "#domain/chains/Asset.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { ChannelOpened } from "#sandbox/engine/State.ts"
import * as Network from "#sandbox/engine/Network.ts"
import { amountWorth } from "#sandbox/engine/pools.ts"
import { deposit, genesis, makeNetwork, native, open, pass, recordOf, seconds, units } from "./support.ts"
import { chains } from "#domain/chains/Chain.ts"

const stateChainBlock = 6_000

/** Everything that can be seen of a network. */
const seen = (network: Network.Network, opened: ReadonlyArray<ChannelOpened>) => ({
  time: Network.time(network),
  assets: assetIds().map(Network.environment(network).asset),
  chains: chains().map(Network.environment(network).chain),
  pools: Network.pools(network),
  boostPools: Network.boostPools(network),
  openChannels: Network.openChannels(network),
  records: opened.map((channel) => recordOf(network, channel)),
})

const Step = Schema.Struct({
  source: AssetId,
  destination: AssetId,
  dollars: Schema.Int.check(Schema.isBetween({ minimum: 10, maximum: 40_000 })),
  chunks: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })),
  boostFeeBps: Schema.Literals([0, 5, 30]),
  minimumPriceX128: Schema.Literals([0n, 2n ** 200n]),
  /** Milliseconds until the next. */
  pause: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 700_000 })),
})
const Steps = Schema.Array(Step).check(Schema.isMaxLength(6))

/** Opens and deposits step by step; `wait` is how time is let pass. */
const play = (
  steps: typeof Steps.Type,
  wait: (network: Network.Network, to: EpochMillis) => void,
) => {
  const network = makeNetwork()
  const opened: Array<ChannelOpened> = []
  let clock: number = genesis
  for (const step of steps) {
    if (step.source !== step.destination) {
      const channel = open(network, {
        sourceAsset: step.source,
        destinationAsset: step.destination,
        boostFeeBps: step.boostFeeBps,
        refund: { minimumPriceX128: step.minimumPriceX128, retryDurationBlocks: 10 },
        dca: { numberOfChunks: step.chunks, chunkIntervalBlocks: 1 },
      })
      opened.push(channel)
      deposit(network, channel, amountWorth(network, step.source, BigInt(step.dollars) * 1_000_000n))
    }
    clock += step.pause
    wait(network, EpochMillis.make(clock))
  }
  wait(network, EpochMillis.make(clock + seconds(3_000)))
  return seen(network, opened)
}

const inSteps = (millis: number) => (network: Network.Network, to: EpochMillis): void => {
  while (Network.time(network).time < to) {
    Network.advance(network, EpochMillis.make(Math.min(to, Network.time(network).time + millis)))
  }
}

describe("advance", () => {
  it.effect.prop(
    "comes to the same in one step and in many",
    [Steps, Schema.Int.check(Schema.isBetween({ minimum: 900, maximum: 20_000 }))],
    ([steps, millis]) =>
      Effect.sync(() => {
        const once = play(steps, Network.advance)
        assert.deepStrictEqual(play(steps, inSteps(millis)), once)
        assert.deepStrictEqual(play(steps, inSteps(stateChainBlock)), once)
      }),
    { arbitrary: { runs: 40, seed: "steps" } },
  )

  it("never goes back", () => {
    const network = makeNetwork()
    pass(network, seconds(60))
    Network.advance(network, genesis)
    assert.strictEqual(Network.time(network).time, genesis + seconds(60))
  })

  it("makes other addresses and hashes from another seed, and the same from the same", () => {
    const made = (seed: string) => {
      const network = makeNetwork(seed)
      const opened = open(network)
      return [opened.depositAddress, deposit(network, opened, units("btc.btc", "1"))]
    }
    assert.deepStrictEqual(made("one"), made("one"))
    assert.notStrictEqual(made("one")[0], made("other")[0])
    assert.notStrictEqual(made("one")[1], made("other")[1])
  })

  it("passes a year in which nothing happens at once", () => {
    const network = makeNetwork()
    open(network)
    pass(network, seconds(365 * 86_400))
    assert.strictEqual(Network.time(network).stateChainHeight, 14_000_000 + 365 * 14_400)
  })

  it("brings twenty thousand open swaps to their end", () => {
    const network = makeNetwork()
    const opened = Array.from(
      { length: 20_000 },
      () => open(network, { sourceAsset: "eth.arb", destinationAsset: "usdc.sol" }),
    )
    for (const channel of opened) deposit(network, channel, native(5_000_000_000_000_000n))
    pass(network, seconds(600))
    assert.isTrue(opened.every((channel) => recordOf(network, channel).state === "completed"))
  })
})

describe("the states of a swap", () => {
  /** How many state-chain blocks each state is to be seen for. */
  const blocksIn = (sourceAsset: AssetId, destinationAsset: AssetId, amount: string) => {
    const network = makeNetwork()
    const opened = open(network, { sourceAsset, destinationAsset })
    pass(network, stateChainBlock)
    deposit(network, opened, units(sourceAsset, amount))
    const seenIn = new Map<string, number>([["waiting", 1]])
    for (;;) {
      const { state } = recordOf(network, opened)
      seenIn.set(state, (seenIn.get(state) ?? 0) + 1)
      if (state === "completed" || state === "failed") return seenIn
      pass(network, stateChainBlock)
    }
  }
  const states = ["waiting", "receiving", "swapping", "sending", "sent", "completed"]

  for (
    const [source, destination, amount] of [
      ["btc.btc", "eth.eth", "0.1"],
      ["eth.eth", "btc.btc", "1"],
      ["sol.sol", "usdc.arb", "10"],
      ["trx.tron", "bnb.bsc", "1000"],
      ["dot.dot", "dot.hub", "100"],
    ] as const
  ) {
    it(`from ${source} to ${destination} come in order, each for a block at least`, () => {
      const seenIn = blocksIn(source, destination, amount)
      assert.deepStrictEqual([...seenIn.keys()], states)
      for (const count of seenIn.values()) assert.isAtLeast(count, 1)
    })
  }

  it("last about as long as is estimated", () => {
    const network = makeNetwork()
    const opened = open(network, { sourceAsset: "eth.eth", destinationAsset: "usdc.eth" })
    const started = Network.time(network).time
    deposit(network, opened, units("eth.eth", "1"))
    while (recordOf(network, opened).state !== "completed") pass(network, stateChainBlock)
    const lasted = Network.time(network).time - started
    const estimated = recordOf(network, opened).estimatedDuration ?? 0
    assert.isBelow(Math.abs(lasted - estimated), 30_000, `${lasted} instead of ${estimated}`)
  })
})
