import { bytesToHex } from "@noble/hashes/utils.js"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { Deposit, Egress, SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { type Dice, now, randomDeposit } from "#test/domain/swaps/payment/support/deposits.ts"
import { statusIn } from "#test/support/swap.ts"

const amountOf = (dice: Dice) => NativeAmount.make(dice.bigint(30) + 1n)
const timeOf = (dice: Dice) => EpochMillis.make(now - dice.below(86_400_000))
const sometimes = <A>(dice: Dice, one: () => A): A | undefined => dice.below(3) === 0 ? undefined : one()
const hash = (dice: Dice) => bytesToHex(dice.bytes(32))

const depositOf = (dice: Dice): Deposit => ({
  amount: amountOf(dice),
  transactionReference: hash(dice),
  ...(dice.below(4) === 0 ? { isExpected: true } : {}),
  ...(dice.below(2) === 0 ? { transactionConfirmations: dice.below(20) } : {}),
  witnessedAt: timeOf(dice),
  ...(dice.below(5) === 0 ? { failedAt: timeOf(dice) } : {}),
})

const egressOf = (dice: Dice): Egress => ({
  amount: amountOf(dice),
  ...(dice.below(4) === 0 ? { isPromised: true } : {}),
  ...(dice.below(2) === 0 ? { transactionReference: hash(dice), witnessedAt: timeOf(dice) } : {}),
  ...(dice.below(5) === 0 ? { failedAt: timeOf(dice) } : {}),
})

const present = <Name extends string, A>(name: Name, value: A | undefined) =>
  value === undefined ? {} : { [name]: value }

/** A swap with any of all that can be told of it. It need not make sense together: no word may change what is told. */
export const randomSwap = (dice: Dice) => {
  const { channel, terms: { network, sourceAsset } } = randomDeposit(dice)
  const base = statusIn(
    dice.pick(["waiting", "receiving", "swapping", "sending", "sent", "completed", "failed"]),
  )
  const exactOutput = {
    amount: amountOf(dice),
    sendAtMost: amountOf(dice),
    sendAtLeast: amountOf(dice),
    ...present("refundFee", sometimes(dice, () => amountOf(dice))),
  }
  const status: SwapStatus = {
    ...base,
    sourceAsset,
    destinationAsset: dice.pick(["eth.eth", "usdc.arb", "xrp.xrp", "btc.btc"]),
    destinationAddress: Address.make(`0x${bytesToHex(dice.bytes(20))}`),
    ...(base.depositChannel === undefined ? {} : {
      depositChannel: {
        ...base.depositChannel,
        ...channel,
        ...(dice.below(3) === 0 ? { memo: `=:${hash(dice)}` } : {}),
        ...(dice.below(3) === 0 ? { exactOutput } : {}),
        ...(dice.below(3) === 0 ? { maximumDeposit: amountOf(dice) } : {}),
        ...(dice.below(2) === 0 ? { expectedOutputAmount: amountOf(dice) } : {}),
      },
    }),
    estimatedDuration: dice.below(10_000_000),
    ...present("sourceChainRequiredBlockConfirmations", sometimes(dice, () => dice.below(40))),
    ...present("deposit", sometimes(dice, () => depositOf(dice))),
    ...present("swapEgress", sometimes(dice, () => egressOf(dice))),
    ...present("refundEgress", sometimes(dice, () => egressOf(dice))),
    ...present("fallbackEgress", sometimes(dice, () => egressOf(dice))),
  }
  return { network, status }
}
