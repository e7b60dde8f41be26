import { BigDecimal } from "effect"
import { addressFor } from "#test/contract/support/addresses.ts"
import { Address } from "#domain/chains/Address.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import { Price } from "#domain/money/Price.ts"
import type { Failure, SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import type { Coin, Kind, Story } from "./swapStories.ts"
import { coins } from "./yearOfSwaps.ts"

export const minute = 60_000
const commissionBps = Bps.make(25)

/** An amount of a coin in its smallest units. */
const native = (coin: Coin, amount: number) =>
  NativeAmount.make(BigInt(Math.round(amount * 1e8)) * 10n ** BigInt(coins[coin][1]) / 100_000_000n)

/** What is a transaction's hash where nobody looks: the same for the same words. */
const hashOf = (words: string): string => {
  let number = [...words].reduce(
    (sum, letter) => sum * 131n + BigInt(letter.charCodeAt(0)),
    0x2545f4914f6cdd1dn,
  )
  return Array.from({ length: 64 }, (_, place) => {
    number = (number * 6364136223846793005n + BigInt(words.charCodeAt(place % words.length)) +
      1442695040888963407n) %
      (1n << 64n)
    return (number >> 60n).toString(16)
  }).join("")
}

const lookOf = (coin: Coin, words: string): string => {
  if (coin === "btc.btc") return hashOf(words)
  if (coin === "sol.sol") {
    return BigInt(`0x${hashOf(words)}${hashOf(`${words}2`)}`).toString(36).slice(0, 87)
  }
  return `0x${hashOf(words)}`
}

const depositAddresses: Readonly<Partial<Record<Coin, string>>> = {
  "btc.btc": "bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297",
  "eth.eth": "0x9b3f5c07a81e41d9c6b2a4f8e77d0c15b3a9e642",
  "sol.sol": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
}

const refundAddresses: Readonly<Partial<Record<Coin, string>>> = {
  "btc.btc": "bc1qm34lsc65zpw79lxes69zkqmk6ee3ewf0j77s3h",
  "eth.eth": "0x4e83362442b8d1bec281594cea3050c8eb01311c",
  "sol.sol": addressFor("sol.sol"),
}

/** Where the output goes; an account's own, and not the one of a refund. */
const destinations: Readonly<Partial<Record<Coin, string>>> = {
  "btc.btc": addressFor("btc.btc"),
  "eth.eth": "0x71c7656ec7ab88b098defb751b7401b5f6d8976f",
  "usdc.eth": "0x2b5ad5c4795c026514f8317c7a215e218dccd6cf",
}

const refusal = (at: number): Failure => ({
  failedAt: EpochMillis.make(at),
  failedBlockIndex: BlockIndex.make("14138866-4"),
  mode: "DEPOSIT_IGNORED",
  reason: { code: "BelowMinimumDeposit", message: "The deposited amount was below the minimum required" },
})

/** The request and the statuses of a swap, one for each step, and the end that is disputed. */
export const statusesOf = (
  name: string,
  id: number,
  { amount, disputed, pair: [from, to], steps }: Story,
  now: number,
) => {
  const at = (ago: number) => EpochMillis.make(now - ago * minute)
  const dollars = amount * coins[from][0]
  const out = (share: number) => native(to, dollars * 0.9964 * share / coins[to][0])
  const paidIn = native(from, amount)
  const opened = at(steps[0]?.[0] ?? 0)
  const request: SwapRequest = {
    sourceAsset: from,
    destinationAsset: to,
    destinationAddress: Address.make(destinations[to] ?? ""),
    refundAddress: Address.make(refundAddresses[from] ?? ""),
    minimumPrice: Price.make(
      BigDecimal.fromStringUnsafe(`${(coins[from][0] * 0.99 / coins[to][0]).toFixed(8)}`),
    ),
    retryDurationBlocks: 150,
    maximumBoostFeeBps: noBps,
    commissionBps,
    affiliates: [],
    amount: paidIn,
  }
  const confirmations = from === "btc.btc" ? 3 : 2
  const waiting: SwapStatus = {
    state: "waiting",
    sourceAsset: from,
    destinationAsset: to,
    destinationAddress: request.destinationAddress,
    depositChannel: {
      id: { issuedBlock: 14_138_000 + id, network: chainOf(from), channelId: 4_000 + id },
      createdAt: opened,
      brokerCommissionBps: commissionBps,
      affiliateBrokers: [],
      depositAddress: Address.make(depositAddresses[from] ?? ""),
      sourceChainExpiryBlock: 925_301,
      estimatedExpiryTime: EpochMillis.make(opened + 24 * 60 * minute),
      isExpired: false,
      openedThroughBackend: false,
      expectedDepositAmount: paidIn,
      minimumDeposit: native(from, 50 / coins[from][0]),
      expectedOutputAmount: out(1),
    },
    estimatedDuration: from === "btc.btc" ? 1_902_000 : 240_000,
    sourceChainRequiredBlockConfirmations: confirmations,
    fees: [],
    brokers: [],
    fillOrKill: {
      retryDurationBlocks: 150,
      refundAddress: request.refundAddress,
      minimumPrice: request.minimumPrice,
    },
    quote: {
      amount: paidIn,
      quoted: out(1.001),
      promised: out(0.992),
      expiresAt: EpochMillis.make(opened + minute),
    },
  }
  const fee = { type: "broker", asset: "usdc.eth", amount: native("usdc.eth", dollars * 0.0025) } as const
  const fees: SwapStatus["fees"] = [
    { type: "ingress", asset: from, amount: native(from, amount * 0.0001) },
    { type: "network", asset: "usdc.eth", amount: native("usdc.eth", dollars * 0.001) },
  ]
  /** A payment that is scheduled, and witnessed two minutes later. */
  const payment = (coin: Coin, sum: NativeAmount, ago: number, words: string, isWitnessed: boolean) => ({
    amount: sum,
    scheduledAt: at(ago),
    ...(isWitnessed ? { transactionReference: lookOf(coin, words), witnessedAt: at(ago - 2) } : {}),
  })
  const progress = (done: number, aborted?: string) => ({
    originalInputAmount: paidIn,
    remainingInputAmount: native(from, amount * (1 - done)),
    swappedInputAmount: native(from, amount * done),
    swappedIntermediateAmount: native("usdc.eth", dollars * done),
    swappedOutputAmount: out(done),
    ...(aborted === undefined ? {} : {
      execution: {
        _tag: "regular" as const,
        chunk: {
          inputAmount: paidIn,
          scheduledAt: opened,
          scheduledBlockIndex: BlockIndex.make("14138702-9"),
          retryCount: 15,
          abortedAt: opened,
          abortedBlockIndex: BlockIndex.make("14138860-4"),
          abortedReason: aborted,
        },
      },
    }),
  })
  const next = (status: SwapStatus, kind: Kind, ago: number): SwapStatus => {
    const deposit = {
      amount: paidIn,
      transactionReference: lookOf(from, `${name} in`),
      transactionConfirmations: confirmations,
      witnessedAt: at(ago),
    }
    const settled = { ...status.deposit ?? deposit }
    switch (kind) {
      case "waiting":
        return waiting
      case "expired":
        return {
          ...waiting,
          ...(waiting.depositChannel === undefined
            ? {}
            : { depositChannel: { ...waiting.depositChannel, isExpired: true } }),
        }
      case "receiving":
        return { ...status, state: "receiving", deposit: { ...deposit, transactionConfirmations: 1 } }
      case "swapping":
        return { ...status, state: "swapping", swapId: `${981_000 + id}`, deposit, swap: progress(0), fees }
      case "dca":
        return {
          ...status,
          state: "swapping",
          swapId: `${981_000 + id}`,
          deposit,
          swap: progress(0.4),
          fees,
          dca: { numberOfChunks: 5, chunkIntervalBlocks: 100 },
        }
      case "sending":
        return {
          ...status,
          state: "sending",
          swap: progress(1),
          fees: [...fees, fee],
          swapEgress: payment(to, out(1), ago, `${name} out`, false),
        }
      case "completed":
        return {
          ...status,
          state: "completed",
          swapEgress: payment(to, out(1), ago + 2, `${name} out`, true),
        }
      case "refunding":
        return {
          ...status,
          state: "sending",
          swap: progress(0, "MinPriceViolation"),
          fees: [{ type: "ingress", asset: from, amount: native(from, amount * 0.0001) }, {
            type: "refund",
            asset: from,
            amount: native(from, amount * 0.0006),
          }],
          refundEgress: payment(from, native(from, amount * 0.9993), ago, `${name} back`, false),
        }
      case "refundedForPrice":
        return {
          ...status,
          state: "completed",
          refundEgress: payment(from, native(from, amount * 0.9993), ago + 2, `${name} back`, true),
        }
      case "partlyRefunded":
        return {
          ...status,
          state: "completed",
          fees: [
            { type: "ingress", asset: from, amount: native(from, amount * 0.0001) },
            { type: "network", asset: "usdc.eth", amount: native("usdc.eth", dollars * 0.4 * 0.001) },
            { ...fee, amount: native("usdc.eth", dollars * 0.4 * 0.0025) },
            { type: "refund", asset: from, amount: native(from, amount * 0.00054) },
          ],
          swapEgress: payment(to, out(0.4), ago + 3, `${name} out`, true),
          refundEgress: payment(from, native(from, amount * 0.59936), ago + 2, `${name} back`, true),
        }
      case "tooSmall":
        return { ...status, state: "failed", deposit: { ...settled, failure: refusal(at(ago)) } }
    }
  }
  const statuses = steps.reduce<ReadonlyArray<SwapStatus>>(
    (all, [ago, kind]) => [...all, next(all.at(-1) ?? waiting, kind, ago)],
    [],
  )
  const last = statuses.at(-1) ?? waiting
  const claimed: SwapStatus | undefined = disputed === undefined ? undefined : {
    ...last,
    state: "completed",
    deposit: {
      amount: native(from, amount * 0.9),
      transactionReference: lookOf(from, `${name} other`),
      witnessedAt: at(disputed + 30),
    },
    fees: [...fees, fee],
    swap: progress(1),
    swapEgress: payment(to, out(0.9), disputed + 4, `${name} out`, true),
  }
  return { request, statuses, last, claimed }
}
