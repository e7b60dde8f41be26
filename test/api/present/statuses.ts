import { BigDecimal } from "effect"
import { Address, BrokerAccount } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"

/** The least that is known of a swap. */
export const minimal: SwapStatus = {
  state: "waiting",
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  destinationAddress: Address.make("0x2222222222222222222222222222222222222222"),
  fees: [],
  brokers: [],
}

const at = (seconds: number, millis = 0) => EpochMillis.make(Date.UTC(2026, 6, 29, 14, 4, seconds, millis))
const block = (text: string) => BlockIndex.make(text)
const native = (amount: bigint) => NativeAmount.make(amount)

const broker = { account: BrokerAccount.make("cFbroker"), commissionBps: Bps.make(10) }
const affiliate = { account: BrokerAccount.make("cFaffiliate"), commissionBps: Bps.make(5) }
const refundAddress = Address.make("bc1qrefund")

const status: SwapStatus = {
  ...minimal,
  state: "completed",
  swapId: "123",
  depositChannel: {
    id: { issuedBlock: 14_138_313, network: "Bitcoin", channelId: 77 },
    createdAt: at(24),
    brokerCommissionBps: Bps.make(10),
    affiliateBrokers: [affiliate],
    depositAddress: Address.make("bc1qdeposit"),
    sourceChainExpiryBlock: 900_144,
    estimatedExpiryTime: at(56, 842),
    isExpired: false,
    openedThroughBackend: false,
    expectedDepositAmount: native(25_000_000n),
  },
  boost: {
    maximumBoostFeeBps: Bps.make(10),
    effectiveBoostFeeBps: Bps.make(5),
    boostedAt: at(30),
    boostedBlockIndex: block("14138400-3"),
  },
  estimatedDuration: 1_902_500,
  sourceChainRequiredBlockConfirmations: 3,
  fees: [{ type: "boost", asset: "btc.btc", amount: native(12_500n) }],
  brokers: [broker, affiliate],
  deposit: {
    amount: native(25_000_000n),
    transactionReference: "3a1f",
    transactionConfirmations: 3,
    witnessedAt: at(31),
    witnessedBlockIndex: block("14138400-4"),
  },
  swap: {
    originalInputAmount: native(24_987_500n),
    remainingInputAmount: native(0n),
    swappedInputAmount: native(24_987_500n),
    swappedIntermediateAmount: native(29_612_345_678n),
    swappedOutputAmount: native(8_439_758_519_449_979_758n),
    execution: {
      _tag: "regular",
      chunk: {
        inputAmount: native(24_987_500n),
        intermediateAmount: native(29_612_345_678n),
        outputAmount: native(8_439_758_519_449_979_758n),
        scheduledAt: at(32),
        scheduledBlockIndex: block("14138401-0"),
        executedAt: at(44),
        executedBlockIndex: block("14138403-1"),
        retryCount: 0,
      },
    },
  },
  swapEgress: {
    amount: native(8_438_000_000_000_000_000n),
    scheduledAt: at(44),
    scheduledBlockIndex: block("14138403-2"),
    transactionReference: "0xabc",
    witnessedAt: at(59),
    witnessedBlockIndex: block("14138410-0"),
  },
  ccm: { gasBudget: native(500_000n), message: "0xdeadbeef" },
  fillOrKill: {
    retryDurationBlocks: 150,
    refundAddress,
    minimumPrice: Price.make(BigDecimal.fromStringUnsafe("32.123456789012345678901234567")),
  },
  lastStateChainUpdateAt: at(59),
}

const time = (second: string) => `2026-07-29T14:04:${second}+00:00`
const fillOrKillParams = {
  retryDurationBlocks: 150,
  refundAddress,
  minimumPrice: "32.123456789012345678901234567",
}

/** A boosted swap that came to its end, and how its record reads. */
export const completed = {
  status,
  body: {
    id: 7,
    platform: "chainflip",
    status: {
      state: "completed",
      result: "completed",
      swapId: "123",
      sourceAsset: "btc.btc",
      destinationAsset: "eth.eth",
      destinationAddress: "0x2222222222222222222222222222222222222222",
      depositChannel: {
        id: "14138313-Bitcoin-77",
        createdAt: at(24),
        createdAtDate: time("24"),
        brokerCommissionBps: 10,
        depositAddress: "bc1qdeposit",
        sourceChainExpiryBlock: "900144",
        estimatedExpiryTime: at(56, 842),
        estimatedExpiryDate: time("56.842"),
        isExpired: false,
        openedThroughBackend: false,
        expectedDepositAmount: 0.25,
        expectedDepositAmountNative: "25000000",
        affiliateBrokers: [affiliate],
        fillOrKillParams,
      },
      boost: {
        maximumBoostFeeBps: 10,
        effectiveBoostFeeBps: 5,
        boostedAt: at(30),
        boostedAtDate: time("30"),
        boostedBlockIndex: "14138400-3",
      },
      estimatedDurationSeconds: 1_902.5,
      sourceChainRequiredBlockConfirmations: 3,
      fees: [{ type: "boost", asset: "btc.btc", amount: 0.000125, amountNative: "12500" }],
      commission: { askedBps: 15, figures: [] },
      deposit: {
        amount: 0.25,
        amountNative: "25000000",
        transactionReference: "3a1f",
        transactionConfirmations: 3,
        witnessedAt: at(31),
        witnessedAtDate: time("31"),
        witnessedBlockIndex: "14138400-4",
      },
      swap: {
        originalInputAmount: 0.249875,
        originalInputAmountNative: "24987500",
        remainingInputAmount: 0,
        remainingInputAmountNative: "0",
        swappedInputAmount: 0.249875,
        swappedInputAmountNative: "24987500",
        swappedIntermediateAmount: 29_612.345678,
        swappedIntermediateAmountNative: "29612345678",
        swappedOutputAmount: 8.43975851944998,
        swappedOutputAmountNative: "8439758519449979758",
        regular: {
          inputAmount: 0.249875,
          inputAmountNative: "24987500",
          intermediateAmount: 29_612.345678,
          intermediateAmountNative: "29612345678",
          outputAmount: 8.43975851944998,
          outputAmountNative: "8439758519449979758",
          scheduledAt: at(32),
          scheduledAtDate: time("32"),
          scheduledBlockIndex: "14138401-0",
          executedAt: at(44),
          executedAtDate: time("44"),
          executedBlockIndex: "14138403-1",
          retryCount: 0,
        },
      },
      swapEgress: {
        amount: 8.438,
        amountNative: "8438000000000000000",
        scheduledAt: at(44),
        scheduledAtDate: time("44"),
        scheduledBlockIndex: "14138403-2",
        transactionReference: "0xabc",
        witnessedAt: at(59),
        witnessedAtDate: time("59"),
        witnessedBlockIndex: "14138410-0",
      },
      brokers: [broker, affiliate],
      ccmParams: { gasBudget: "500000", message: "0xdeadbeef" },
      fillOrKillParams,
      lastStateChainUpdateAt: at(59),
      lastStateChainUpdateAtDate: time("59"),
    },
  },
}
