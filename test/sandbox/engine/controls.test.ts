import type { AssetId } from "#domain/chains/Asset.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { Bps } from "#domain/money/Bps.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { ChannelOpened, SwapView } from "#sandbox/engine/State.ts"
import { Command, type Control } from "#sandbox/engine/Command.ts"
import * as Network from "#sandbox/engine/Network.ts"
import * as Networks from "#sandbox/simulatedNetworks.ts"
import {
  applyControl,
  deposit,
  genesis,
  makeNetwork,
  native,
  open,
  pass,
  passUntil,
  present,
  quoteOf,
  recordOf,
  refused,
  request,
  seconds,
  succeed,
  turn,
  units,
} from "./support.ts"

const poolOf = (network: Network.Network, asset: string): ReturnType<typeof Network.pools>[number] =>
  present(Network.pools(network).find(({ baseAsset }) => baseAsset === asset))

const chunkOf = (record: SwapView) => {
  const execution = present(record.swap?.execution)
  return execution._tag === "regular" ? execution.chunk : present(execution.currentChunk)
}

const tenth = units("btc.btc", "0.1")

describe("a control", () => {
  it("moves a price by bps of itself, and the pool with it", () => {
    const network = makeNetwork()
    turn(network, { _tag: "MovePrice", asset: "btc.btc", bps: 1_000 })
    assert.strictEqual(poolOf(network, "btc.btc").price, 71_005_000_000n)
    assert.strictEqual(poolOf(network, "btc.btc").quoteReserve, 60_000_000_000_000n)
    turn(network, { _tag: "MovePrice", asset: "btc.btc", bps: -5_000 })
    assert.strictEqual(poolOf(network, "btc.btc").price, 35_502_500_000n)
  })

  it("refuses a price that would not be one, and to move what has no pool", () => {
    const network = makeNetwork()
    const move = (asset: AssetId, bps: number) =>
      refused(applyControl(network, { _tag: "MovePrice", asset, bps }))._tag
    assert.strictEqual(move("btc.btc", -10_000), "ImpossibleFigure")
    assert.strictEqual(move("usdc.eth", 1), "NoPool")
    const depth = { _tag: "SetDepth", asset: "usdc.eth", usdc: native(1n) } as const
    assert.deepStrictEqual(refused(applyControl(network, depth)), { _tag: "NoPool", asset: "usdc.eth" })
  })

  it("refuses pools that would hold more than can be said", () => {
    const network = makeNetwork()
    const most = native(2n ** 128n - 1n)
    const tag = (command: Control) => refused(applyControl(network, command))._tag
    assert.strictEqual(tag({ _tag: "SetDepth", asset: "eth.eth", usdc: most }), "ImpossibleFigure")
    assert.strictEqual(tag({ _tag: "SetBoostPool", tierBps: 5, available: most }), "ImpossibleFigure")
    for (let count = 0; count < 9; count++) {
      turn(network, { _tag: "MovePrice", asset: "eth.eth", bps: -9_000 })
    }
    assert.strictEqual(poolOf(network, "eth.eth").price, 1n)
  })

  it("sets the depth of a pool, and a chunk too large for it waits for more", () => {
    const network = makeNetwork()
    const opened = open(network)
    turn(network, { _tag: "SetDepth", asset: "eth.eth", usdc: units("usdc.eth", "1000") })
    deposit(network, opened, tenth)
    passUntil(network, opened, "swapping")
    pass(network, seconds(18))
    assert.strictEqual(chunkOf(recordOf(network, opened)).latestSwapRescheduledReason, "PriceImpactLimit")
    turn(network, { _tag: "SetDepth", asset: "eth.eth", usdc: units("usdc.eth", "50000000") })
    passUntil(network, opened, "completed")
  })

  it("empties a pool, and its swaps go back when their time is up", () => {
    const network = makeNetwork()
    const opened = open(network, { refund: { retryDurationBlocks: 0 } })
    turn(network, { _tag: "SetDepth", asset: "eth.eth", usdc: native(0n) })
    deposit(network, opened, tenth)
    passUntil(network, opened, "swapping")
    const record = passUntil(network, opened, "completed")
    assert.strictEqual(chunkOf(record).abortedReason, "PriceImpactLimit")
    assert.isDefined(record.refundEgress)
  })

  it("switches swaps off, which puts chunks off however long it takes, and on again", () => {
    const network = makeNetwork()
    const opened = open(network, { refund: { retryDurationBlocks: 0 } })
    turn(network, { _tag: "SetSwaps", enabled: false })
    assert.isFalse(Network.switches(network).swapsEnabled)
    deposit(network, opened, tenth)
    passUntil(network, opened, "swapping")
    pass(network, seconds(12 + 300))
    const chunk = chunkOf(recordOf(network, opened))
    assert.strictEqual(chunk.latestSwapRescheduledReason, "SafeModeActive")
    assert.strictEqual(chunk.retryCount, 11)
    turn(network, { _tag: "SetSwaps", enabled: true })
    assert.isDefined(passUntil(network, opened, "completed").swapEgress)
  })

  it("holds deposits of an asset back until they are switched on again", () => {
    const network = makeNetwork()
    const opened = open(network, { boostFeeBps: 30 })
    turn(network, { _tag: "SetAsset", asset: "btc.btc", depositEnabled: false })
    deposit(network, opened, tenth)
    pass(network, seconds(7_200))
    assert.strictEqual(recordOf(network, opened).state, "receiving")
    turn(network, { _tag: "SetAsset", asset: "btc.btc", depositEnabled: true })
    pass(network, seconds(6))
    assert.strictEqual(recordOf(network, opened).state, "swapping")
    passUntil(network, opened, "completed")
  })

  it("changes boost pools and adds tiers, in order", () => {
    const network = makeNetwork()
    turn(network, { _tag: "SetBoostPool", tierBps: 5, available: native(0n) })
    turn(network, { _tag: "SetBoostPool", tierBps: 7, available: native(100_000_000n) })
    assert.deepStrictEqual(Network.boostPools(network).map(({ tierBps }) => Number(tierBps)), [5, 7, 10, 30])
    const [offer] = succeed(quoteOf(network, { amount: tenth, dcaEnabled: false }))
    assert.strictEqual(offer?.boostQuote?.estimatedBoostFeeBps, 7)
    const pool = { _tag: "SetBoostPool", tierBps: 0, available: native(1n) } as const
    assert.strictEqual(refused(applyControl(network, pool))._tag, "ImpossibleFigure")
    const boost = { _tag: "SetAsset", asset: "eth.eth", boostEnabled: true } as const
    assert.strictEqual(refused(applyControl(network, boost))._tag, "ImpossibleFigure")
  })

  it("on an address that is no channel's is refused", () => {
    const rejection = { _tag: "RejectNextDeposit", address: "0x00" } as const
    assert.deepStrictEqual(refused(applyControl(makeNetwork(), rejection)), {
      _tag: "UnknownAddress",
      address: "0x00",
    })
  })

  it("plans one payment after the other", () => {
    const network = makeNetwork()
    turn(network, { _tag: "NextEgress", asset: "eth.eth", outcome: "abort" })
    turn(network, { _tag: "NextEgress", asset: "eth.eth", outcome: "fallback" })
    const opened = [open(network), open(network), open(network)]
    for (const channel of opened) deposit(network, channel, tenth)
    pass(network, seconds(3_600))
    assert.deepStrictEqual(opened.map((channel) => recordOf(network, channel).state), [
      "failed",
      "failed",
      "completed",
    ])
    assert.deepStrictEqual(opened.map((channel) => recordOf(network, channel).fallbackEgress !== undefined), [
      false,
      true,
      false,
    ])
  })
})

describe("a limit against the oracles", () => {
  it("puts a chunk off whose legs are too far from their prices", () => {
    const network = makeNetwork()
    turn(network, { _tag: "SetDepth", asset: "eth.eth", usdc: units("usdc.eth", "400000") })
    const swapWith = (maximumOraclePriceSlippageBps: number) => {
      const opened = open(network, { refund: { maximumOraclePriceSlippageBps, retryDurationBlocks: 0 } })
      deposit(network, opened, tenth)
      passUntil(network, opened, "swapping")
      return passUntil(network, opened, "completed")
    }
    // 6 455 USDC into 400 000: about 1.6 % of impact.
    assert.strictEqual(chunkOf(swapWith(150)).abortedReason, "OraclePriceSlippageExceeded")
    assert.isDefined(swapWith(170).swapEgress)
  })
})

describe("swaps of one block", () => {
  it("meet the pools as the earlier ones left them; those of the next block do not", () => {
    const network = makeNetwork()
    const swap = (): ChannelOpened => {
      const opened = open(network)
      deposit(network, opened, units("btc.btc", "5"))
      return opened
    }
    const together = [swap(), swap()]
    pass(network, seconds(3_600))
    const alone = swap()
    pass(network, seconds(3_600))
    const [first, second, third] = [...together, alone].map((opened) =>
      present(recordOf(network, opened).swap).swappedOutputAmount
    )
    assert.isTrue(present(second) < present(first))
    assert.strictEqual(third, first)
  })
})

const performed = (networks: Networks.SimulatedNetworks, command: Command): Result.Result<unknown, unknown> =>
  Networks.perform(networks, command)

describe("commands", () => {
  const codec = Schema.toCodecJson(Command)

  it("rebuild the network after having been written as JSON and read", () => {
    const log: Array<{ readonly time: EpochMillis; readonly text: string }> = []
    const networks = Networks.make({ seed: "test", time: genesis })
    const { network } = networks
    const perform = (command: Command): void => {
      succeed(performed(networks, command))
      const text = JSON.stringify(Schema.encodeSync(codec)(command))
      log.push({ time: Network.time(network).time, text })
    }
    perform(request({ boostFeeBps: 10, dca: { numberOfChunks: 3, chunkIntervalBlocks: 2 } }))
    const [opened] = Network.openChannels(network)
    if (opened === undefined) throw new Error("Not opened")
    pass(network, seconds(77))
    perform({ _tag: "Deposit", address: opened.depositAddress, amount: tenth })
    pass(network, seconds(700))
    perform({ _tag: "MovePrice", asset: "eth.eth", bps: -25 })
    pass(network, seconds(100))

    const again = Networks.make({ seed: "test", time: genesis })
    const rebuilt = again.network
    for (const { time, text } of log) {
      Network.advance(rebuilt, time)
      const command = Schema.decodeUnknownSync(codec)(JSON.parse(text))
      assert.isTrue(Result.isSuccess(performed(again, command)))
    }
    Network.advance(rebuilt, Network.time(network).time)
    assert.deepStrictEqual(
      Network.swapOfChannel(rebuilt, opened.id),
      Network.swapOfChannel(network, opened.id),
    )
    assert.deepStrictEqual(Network.pools(rebuilt), Network.pools(network))
  })

  it("that are refused change nothing", () => {
    const networks = Networks.make({ seed: "test", time: genesis })
    assert.isTrue(Result.isFailure(Networks.perform(networks, request({ boostFeeBps: 20_000 }))))
    assert.strictEqual(open(networks.network).depositAddress, open(makeNetwork()).depositAddress)
  })
})

describe("the environment", () => {
  it("has the figures of the network, and of every asset and chain", () => {
    const network = makeNetwork()
    const environment = Network.environment(network)
    assert.strictEqual(environment.asset("btc.btc").minimumDeposit, 40_000n)
    assert.strictEqual(environment.asset("btc.btc").oracleProtectionBps, Bps.make(60))
    assert.notProperty(environment.asset("flip.eth"), "oracleProtectionBps")
    assert.notProperty(environment.asset("btc.btc"), "price")
    assert.strictEqual(environment.chain("Bitcoin").witnessSafetyMargin, 2)
    assert.strictEqual(environment.chain("Ethereum").witnessSafetyMargin, 4)
    pass(network, seconds(1_200))
    assert.strictEqual(Network.environment(network).chain("Bitcoin").height, 918_002)
    assert.strictEqual(environment.networkFeeRate, 1_000)
    assert.strictEqual(environment.networkFeeMinimum, 500_000n)
    assert.strictEqual(environment.swapRetryDelayBlocks, 5)
    assert.strictEqual(environment.maximumSwapRequestDurationBlocks, 14_400)
  })
})
