import { assert, describe, it } from "#test/support/it.ts"
import { BigDecimal, Effect, Option, Random, Result } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { Price } from "#domain/money/Price.ts"
import { kindOf, type VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { coverWire, fromWire, limitOf, toWire } from "#providers/thorchain/amounts.ts"
import { inMemo, mostMemoBytes, readMemo } from "#providers/thorchain/memo.ts"
import { maya, thorchain } from "#providers/thorchain/networks.ts"
import { memoFor, receiverOf, termsFor } from "#providers/thorchain/payloads.ts"
import { feel, isStill, type Pulse, readVaults } from "#providers/thorchain/vaults.ts"
import { isSameAddress } from "#providers/upstream/openedOrder.ts"
import { addresses } from "#test/contract/support/addresses.ts"
import { inbound, request, routers } from "./bodies.ts"

const runs = 10_000

/** A network's life reads some twenty lists of vaults, each of which takes a tenth of a millisecond. */
const lives = 2_000

/** Random values of the kinds that the tests need, the same in each run of them. */
const draws = (seed: string) =>
  Effect.provideService(
    Effect.map(Random.Random, (random) => ({
      below: (end: number): number => Math.floor(random.nextDoubleUnsafe() * end),
      digits: (most: number): bigint => {
        const length = 1 + Math.floor(random.nextDoubleUnsafe() * most)
        let text = ""
        for (let index = 0; index < length; index++) text += Math.floor(random.nextDoubleUnsafe() * 10)
        return BigInt(text)
      },
    })),
    Random.Random,
    Effect.runSync(Random.Random.pipe(Random.withSeed(seed))),
  )

const pick = <A>(from: readonly [A, ...ReadonlyArray<A>], index: number): A =>
  from[index % from.length] ?? from[0]

/** Assets of 6, 8, 9, 10, 18 and 6 digits. */
const assets = [
  "usdc.eth",
  "btc.btc",
  "sol.sol",
  "dot.hub",
  "eth.eth",
  "xrp.xrp",
] as const satisfies ReadonlyArray<
  AssetId
>

const destinations: Readonly<Partial<Record<Chain, readonly [string, ...ReadonlyArray<string>]>>> = {
  Bitcoin: [
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    "1BitcoinEaterAddressDontSendf59kuE",
  ],
  Ethereum: ["0xcac3C41676deF4FE375E57118f3eB83A99105577"],
  Arbitrum: ["0xcac3C41676deF4FE375E57118f3eB83A99105577"],
  Bsc: ["0xcac3C41676deF4FE375E57118f3eB83A99105577"],
  Tron: ["T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"],
  Solana: ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
  Base: [addresses.base],
  Avalanche: [addresses.avax],
  Litecoin: [addresses.ltc, "LKDxGDJq5fF4FohAB8zJH24mDDNHDNtqsE", addresses.ltc.toUpperCase()],
  Dogecoin: [addresses.doge],
  BitcoinCash: [
    addresses.bch,
    addresses.bch.toUpperCase(),
    addresses.bch.slice("bitcoincash:".length),
  ],
  XrpLedger: [addresses.xrp],
  Zcash: [addresses.zec],
  Dash: [addresses.dash],
}

const addressOn = (chain: Chain, index: number): Address =>
  Address.make(pick(destinations[chain] ?? ["nowhere"], index))

describe("amounts of the network", () => {
  it.effect("come back as they were, less than a unit of the network apart", () =>
    Effect.map(draws("round trips"), ({ below, digits }) => {
      for (let run = 0; run < runs; run++) {
        const asset = pick(assets, below(assets.length))
        const native = digits(30)
        const unit = 10n ** BigInt(Math.max(0, factsOf(asset).decimals - 8))
        const back = fromWire(asset, toWire(asset, native))
        assert.isTrue(back <= native && native - back < unit, `${native} ${asset}`)
        const wire = digits(20)
        assert.isTrue(toWire(asset, coverWire(asset, wire)) >= wire, `${wire} covers ${asset}`)
        assert.isTrue(fromWire(asset, wire) <= coverWire(asset, wire))
      }
    }))

  it.effect("never limit a swap to less than was asked for, and not to a unit more", () =>
    Effect.map(draws("limits"), ({ below, digits }) => {
      for (let run = 0; run < runs; run++) {
        const sourceAsset = pick(assets, below(6))
        const destinationAsset = pick(assets, below(6))
        const amount = digits(24)
        const price = Price.make(BigDecimal.make(digits(12), below(12)))
        const limit = limitOf({ sourceAsset, destinationAsset }, amount, price)
        // Both sides of the comparison are whole numbers: amount × price ≤ paid, scaled by the same power of ten.
        const scale = price.scale + factsOf(sourceAsset).decimals
        const asked = amount * price.value * 10n ** BigInt(factsOf(destinationAsset).decimals)
        const paid = fromWire(destinationAsset, limit) * 10n ** BigInt(scale)
        const unit = 10n ** BigInt(Math.max(0, factsOf(destinationAsset).decimals - 8))
        assert.isTrue(paid >= asked, `${amount} ${sourceAsset} at ${price.value}e-${price.scale}`)
        assert.isTrue(paid - asked < (unit + 1n) * 10n ** BigInt(scale))
      }
    }))
})

describe("memos", () => {
  it.effect("have room in their transactions or are refused, and are read as they were written", () =>
    Effect.map(draws("memos"), ({ below, digits }) => {
      let refused = 0
      let written = 0
      for (let run = 0; run < runs; run++) {
        const family = pick([thorchain, maya], below(2))
        const sources = family.assets.filter((asset) => family.sources.includes(chainOf(asset)))
        const sourceAsset = sources[below(sources.length)] ?? "btc.btc"
        const destinationAsset = family.assets[below(family.assets.length)] ?? "eth.eth"
        const affiliate = Option.some("x".repeat(1 + below(60)))
        const asked: VaultSwapRequest = {
          ...request,
          sourceAsset,
          destinationAsset,
          amount: NativeAmount.make(digits(24) % maximumNativeAmount),
          destinationAddress: addressOn(chainOf(destinationAsset), below(3)),
          refundAddress: addressOn(chainOf(sourceAsset), below(3)),
          minimumPrice: Price.make(BigDecimal.make(digits(10), below(10))),
          commissionBps: Bps.make(below(1_001)),
          ...(below(3) === 0 ? { dca: { numberOfChunks: 2 + below(14_000), chunkIntervalBlocks: 1 } } : {}),
        }
        const memo = memoFor(family, asked, affiliate)
        if (Result.isFailure(memo)) {
          refused++
          continue
        }
        written++
        assert.isAtMost(new TextEncoder().encode(memo.success).length, mostMemoBytes(chainOf(sourceAsset)))
        const { refundAddress, ...terms } = termsFor(asked, affiliate)
        const read = readMemo(family, memo.success)
        assert.isDefined(read, memo.success)
        const { refundAddress: said, ...others } = read
        const [source, destination] = [chainOf(sourceAsset), chainOf(destinationAsset)]
        assert.deepStrictEqual(others, { ...terms, destination: inMemo(destination, terms.destination) })
        assert.isTrue(isSameAddress(destination, others.destination, terms.destination))
        // Only null data has too little room for a refund address.
        if (kindOf(source) !== "bitcoin") assert.strictEqual(said, refundAddress)
        if (said !== undefined) assert.isTrue(isSameAddress(source, said, asked.refundAddress))
      }
      assert.isAbove(refused, 100)
      assert.isAbove(written, 5_000)
    }))
})

const vaultsOfTime = [
  "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  "bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly",
] as const

describe("payloads over the life of a network", () => {
  it.effect(
    "go to no vault that is retired, at rest or of a network that stands still",
    () =>
      Effect.map(draws("schedules"), ({ below }) => {
        let handedOut = 0
        for (let run = 0; run < lives; run++) {
          let vault = 0
          let isHalted = false
          let isPaused = false
          let height = 21_000_000
          let isFrozen = false
          let lastMoved = 0
          let pulse: Option.Option<Pulse> = Option.none()
          let frozenList: ReadonlyArray<unknown> | undefined
          let quoted = 0
          for (let now = 0; now < 200_000; now += 5_000 + below(10_000)) {
            const happening = below(10)
            if (happening === 0) vault++
            if (happening === 1) isHalted = !isHalted
            if (happening === 2) isPaused = !isPaused
            if (happening === 3) isFrozen = !isFrozen
            if (!isFrozen) {
              height++
              lastMoved = now
              frozenList = undefined
            }
            const address = vaultsOfTime[vault % vaultsOfTime.length] ?? vaultsOfTime[0]
            const list = frozenList ?? [
              inbound("BTC", address, { halted: isHalted || isPaused, global_trading_paused: isPaused }),
              inbound("ETH", "0x4444444444444444444444444444444444444444"),
            ]
            // A network that stands still goes on to tell its last list.
            if (isFrozen) frozenList = list
            const felt = feel(pulse, height, now)
            pulse = Option.some(felt)
            const vaults = Result.getOrThrow(readVaults(thorchain, routers, list))
            const quoteIsOld = below(4) === 0
            if (!quoteIsOld) quoted = vault
            const receiver = receiverOf(
              { ...vaults, isPaused: vaults.isPaused || isStill(felt, now) },
              request,
              { inbound_address: vaultsOfTime[quoted % vaultsOfTime.length] ?? vaultsOfTime[0] },
              ["mainnet"],
            )
            if (Result.isFailure(receiver)) continue
            handedOut++
            assert.isTrue(now - lastMoved <= 30_000 || isFrozen && now - felt.since <= 30_000)
            assert.strictEqual(receiver.success.vault, isFrozen ? receiver.success.vault : address)
            assert.isFalse(!isFrozen && (isHalted || isPaused), "a payment to a chain at rest")
          }
        }
        assert.isAbove(handedOut, lives)
      }),
  )
})
