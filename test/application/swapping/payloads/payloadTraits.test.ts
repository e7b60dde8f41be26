import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import { fromX128, Price, toX128 } from "#domain/money/Price.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { evidenceOf, traitsOf } from "#application/swapping/payloads/payloadTraits.ts"
import { broker, onChain } from "../swapWishes.ts"

const askedAt = EpochMillis.make(1_800_000_000_000)

const price = (text: string) => Price.make(BigDecimal.fromStringUnsafe(text))

const request: VaultSwapRequest = {
  sourceAsset: "eth.eth",
  destinationAsset: "btc.btc",
  destinationAddress: Address.make(onChain("Bitcoin")),
  refundAddress: Address.make("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
  minimumPrice: price("0.0294117647058823529"),
  retryDurationBlocks: 150,
  maximumBoostFeeBps: noBps,
  commissionBps: Bps.make(25),
  affiliates: [{ account: BrokerAccount.make(broker(1)), commissionBps: Bps.make(10) }],
  amount: NativeAmount.make(10n ** 18n),
  sender: { _tag: "evm" },
}

const fromBitcoin: VaultSwapRequest = {
  ...request,
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: Address.make(onChain("Ethereum")),
  refundAddress: Address.make(onChain("Bitcoin")),
  minimumPrice: price("33.76001751526470831438"),
  amount: NativeAmount.make(25_000_001n),
  sender: { _tag: "bitcoin" },
}

/** The record of a swap that was made of the payload. */
const recordOf = (asked: VaultSwapRequest, changes: Partial<SwapStatus> = {}): SwapStatus => ({
  state: "receiving",
  sourceAsset: asked.sourceAsset,
  destinationAsset: asked.destinationAsset,
  destinationAddress: asked.destinationAddress,
  fees: [],
  brokers: [
    { account: BrokerAccount.make(broker(9)), commissionBps: asked.commissionBps },
    ...asked.affiliates,
  ],
  deposit: { amount: asked.amount },
  fillOrKill: {
    retryDurationBlocks: asked.retryDurationBlocks,
    refundAddress: asked.refundAddress,
    minimumPrice: asked.minimumPrice,
  },
  ...(asked.dca === undefined ? {} : { dca: asked.dca }),
  ...changes,
})

/** Whether a record can be that of the payload, as the database decides it. */
const fits = (asked: VaultSwapRequest, record: SwapStatus): boolean => {
  const traits = traitsOf(asked)
  const found = evidenceOf({ status: record }, askedAt, { simulatedTime: false })
  const limit = BigDecimal.fromStringUnsafe(traits.priceLimit)
  const isWithin = found.priceLimit === undefined || (
    BigDecimal.isLessThanOrEqualTo(BigDecimal.fromStringUnsafe(found.priceLimit.least), limit) &&
    BigDecimal.isLessThanOrEqualTo(limit, BigDecimal.fromStringUnsafe(found.priceLimit.most))
  )
  return traits.destination === found.destination && isWithin &&
    (found.terms === undefined || found.terms === traits.terms) &&
    (found.refund === undefined || !traits.refundFixed || found.refund === traits.refund)
}

const withPrice = (record: SwapStatus, minimumPrice: Price): SwapStatus =>
  record.fillOrKill === undefined ? record : { ...record, fillOrKill: { ...record.fillOrKill, minimumPrice } }

describe("The traits of a payload", () => {
  it("fit the record of a swap that was made of it, with chunks or without", () => {
    const dca = { numberOfChunks: 3, chunkIntervalBlocks: 2 }
    for (const asked of [request, fromBitcoin, { ...request, dca }]) {
      assert.isTrue(fits(asked, recordOf(asked)))
    }
  })

  it("fit whatever way the upstream writes addresses in", () => {
    const fillOrKill = {
      retryDurationBlocks: 150,
      refundAddress: Address.make(request.refundAddress.toLowerCase()),
      minimumPrice: request.minimumPrice,
    }
    assert.isTrue(fits(request, recordOf(request, { fillOrKill })))
  })

  it("fit a record that names the brokers in another order", () => {
    const affiliates = [10, 5, 17].map((bps, index) => ({
      account: BrokerAccount.make(broker(index + 1)),
      commissionBps: Bps.make(bps),
    }))
    const asked = { ...request, affiliates }
    const { brokers } = recordOf(asked)
    for (
      const order of [
        brokers.toReversed(),
        brokers.toSorted((one, other) => one.commissionBps - other.commissionBps),
      ]
    ) {
      assert.isTrue(fits(asked, recordOf(asked, { brokers: order })))
    }
  })

  it("fit a price that the upstream has rounded, and no other", () => {
    const record = recordOf(request)
    const rounded = fromX128(toX128(request.minimumPrice, "eth.eth", "btc.btc"), "eth.eth", "btc.btc")
    assert.isTrue(fits(request, withPrice(record, rounded)))
    // 20 places between native units are 10 between human ones.
    assert.isTrue(fits(request, withPrice(record, price("0.0294117647"))))
    assert.isFalse(fits(request, withPrice(record, price("0.0294"))))
    assert.isFalse(fits(request, withPrice(record, price("0"))))
    const any = { ...request, minimumPrice: price("0") }
    assert.isTrue(fits(any, recordOf(any)))
    assert.isFalse(fits(any, record))
  })

  it("from Bitcoin limit the whole output, whatever is paid", () => {
    const twice = { deposit: { amount: NativeAmount.make(50_000_002n) } }
    assert.isFalse(fits(fromBitcoin, recordOf(fromBitcoin, twice)))
    const half = price("16.88000875763235415719")
    assert.isTrue(fits(fromBitcoin, withPrice(recordOf(fromBitcoin, twice), half)))
  })

  it("from Bitcoin leave the refund address to the wallet, from elsewhere not", () => {
    const elsewhere = (asked: VaultSwapRequest, refundAddress: string) => {
      const { fillOrKill, ...rest } = recordOf(asked)
      return fillOrKill === undefined
        ? rest
        : { ...rest, fillOrKill: { ...fillOrKill, refundAddress: Address.make(refundAddress) } }
    }
    assert.isTrue(fits(fromBitcoin, elsewhere(fromBitcoin, "bc1qchange")))
    assert.isFalse(fits(request, elsewhere(request, onChain("Ethereum"))))
  })

  const others: ReadonlyArray<readonly [string, Partial<VaultSwapRequest>]> = [
    ["another destination", { destinationAddress: Address.make("bc1qother") }],
    ["another commission", { commissionBps: Bps.make(26) }],
    ["another affiliate's share", { affiliates: [] }],
    ["another retry duration", { retryDurationBlocks: 151 }],
    ["chunks", { dca: { numberOfChunks: 2, chunkIntervalBlocks: 2 } }],
  ]
  it.each(others)("do not fit a swap with %s", (_, changes) => {
    assert.isFalse(fits(request, recordOf({ ...request, ...changes })))
  })

  it("contradict nothing that a record does not tell", () => {
    const { fillOrKill: _, ...told } = recordOf(request, { brokers: [] })
    assert.deepStrictEqual(
      Object.keys(evidenceOf({ status: told }, askedAt, { simulatedTime: false })).sort(),
      [
        "amount",
        "destination",
        "destinationAsset",
        "madeBy",
        "sourceAsset",
      ],
    )
    assert.isTrue(fits(request, told))
  })

  it("say whose amount cannot be another", () => {
    assert.isFalse(traitsOf(request).amountFixed)
    assert.isFalse(traitsOf(fromBitcoin).amountFixed)
    assert.isTrue(traitsOf({ ...request, sourceAsset: "usdc.eth" }).amountFixed)
    assert.isTrue(traitsOf({ ...request, sourceAsset: "sol.sol" }).amountFixed)
  })
})
