import { bytesToHex } from "@noble/hashes/utils.js"
import type { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { encodeCall } from "#domain/chains/payload/abi.ts"
import type { Egress } from "#domain/swaps/Swap.ts"
import { chainHeight, confirmedReport, happen, scheduleAfterBlocks, scheduleAtBlock } from "./blocks.ts"
import { saturatingSubtract } from "./pools.ts"
import { assetState, broadcastDelayBlocks } from "./figures.ts"
import { nextTransaction, vaultAddress } from "./identifiers.ts"
import type { Deposit, Network, Payment } from "./State.ts"

interface PaymentOrder {
  readonly kind: Payment["kind"]
  readonly asset: AssetId
  readonly destination: Address
  readonly amount: bigint
}

/** The names of failures, by the kind of the payment (chainflip/wire.md 3.7). */
const words = {
  swap: { tooSmall: "SWAP_OUTPUT_TOO_SMALL", aborted: "The swap broadcast was aborted" },
  refund: { tooSmall: "REFUND_OUTPUT_TOO_SMALL", aborted: "The refund broadcast was aborted" },
  withdrawal: { tooSmall: "WITHDRAWAL_TOO_SMALL", aborted: "The withdrawal broadcast was aborted" },
} as const

/** A failed payment. The time of the failure stands both in it and beside it (chainflip/wire.md 3.7). */
const failed = (network: Network, egress: Egress, mode: string, code: string, message: string): Egress => {
  const { at, blockIndex } = happen(network)
  const when = { failedAt: at, failedBlockIndex: blockIndex }
  return { ...egress, ...when, failure: { ...when, mode, reason: { code, message } } }
}

export const isAboveDust = (network: Network, asset: AssetId, amount: bigint): boolean =>
  amount > 0n && amount >= assetState(network, asset).egressDustLimit

const nextNumber = (network: Network, asset: AssetId): number => {
  const chain = chainOf(asset)
  const number = (network.egressCounts.get(chain) ?? 0) + 1
  network.egressCounts.set(chain, number)
  return number
}

/** Orders a payment. Below the asset's dust limit it is never made (chainflip/wire.md 3.7). */
export const pay = (network: Network, { kind, asset, destination, amount }: PaymentOrder): Payment => {
  const paid = { amount: NativeAmount.make(amount) }
  if (!isAboveDust(network, asset, amount)) {
    const sentence = `The amount is below the egress dust limit of ${
      assetState(network, asset).egressDustLimit
    }`
    const egress = failed(network, paid, words[kind].tooSmall, "BelowEgressDustLimit", sentence)
    return { kind, asset, destination, egress }
  }
  const { at, blockIndex } = happen(network)
  const payment: Payment = {
    kind,
    asset,
    destination,
    egress: { ...paid, scheduledAt: at, scheduledBlockIndex: blockIndex },
    number: nextNumber(network, asset),
  }
  scheduleAfterBlocks(network, broadcastDelayBlocks, "broadcast", () => broadcast(network, payment))
  return payment
}

/** Refunds a whole deposit, less only the egress fee. */
export const refundDeposit = (network: Network, { terms, amount }: Deposit): Payment =>
  pay(network, {
    kind: "refund",
    asset: terms.sourceAsset,
    destination: terms.refundAddress,
    amount: saturatingSubtract(amount, assetState(network, terms.sourceAsset).egressFee),
  })

/** Aborts the payment; on an EVM chain anyone may still send its call. */
const abort = (network: Network, payment: Payment): void => {
  const message = words[payment.kind].aborted
  const call = failedCall(payment)
  payment.egress = {
    ...failed(network, payment.egress, "SENDING_FAILED", "BroadcastAborted", message),
    ...(call === undefined ? {} : { transactionPayload: call }),
  }
}

/** Aborts the payment and makes it by another way, whose record has the destination. */
const fallBack = (network: Network, payment: Payment): void => {
  abort(network, payment)
  const { kind, asset, destination, egress } = payment
  const fallback = pay(network, { kind, asset, destination, amount: egress.amount })
  fallback.egress = { ...fallback.egress, destinationAddress: destination }
  payment.fallback = fallback
}

/** Sends a signed payment to the next block; it is witnessed when it has its confirmations. */
const send = (network: Network, payment: Payment): void => {
  const chain = chainOf(payment.asset)
  const block = chainHeight(network, chain) + 1
  const reference = nextTransaction(network, chain, block)
  payment.egress = { ...payment.egress, transactionReference: reference }
  const witnessedIn = confirmedReport(network, chain, block)
  scheduleAtBlock(network, witnessedIn, "witnessEgress", () => witnessEgress(network, payment))
}

/** Broadcasts a payment, with its planned outcome; a fallback always succeeds. */
const broadcast = (network: Network, payment: Payment): void => {
  const isFallback = payment.egress.destinationAddress !== undefined
  const plan = isFallback ? undefined : network.plannedEgress.get(payment.asset)?.shift()
  if (plan === undefined) return send(network, payment)
  if (plan === "abort") return abort(network, payment)
  fallBack(network, payment)
}

/** Records the validators' report that a payment has arrived. */
const witnessEgress = (network: Network, payment: Payment): void => {
  const { at, blockIndex } = happen(network)
  payment.egress = { ...payment.egress, witnessedAt: at, witnessedBlockIndex: blockIndex }
}

/** The token address that stands for the chain's own coin in calls of the vault. */
const nativeToken = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

/** The call of an aborted EVM payment (chainflip/wire.md 3.7 transactionPayload): transfer(token, recipient, amount). */
const failedCall = ({ asset, destination, egress }: Payment) => {
  const chain = chainOf(asset)
  const { family } = chainFacts(chain)
  if (family._tag !== "evm") return undefined
  const { chainId } = family
  const token = factsOf(asset).contractAddress ?? nativeToken
  const call = encodeCall("transfer(address,address,uint256)", [
    BigInt(token),
    BigInt(destination),
    egress.amount,
  ])
  return { contract: vaultAddress(chain), value: "0", chainId, data: `0x${bytesToHex(call)}` }
}
