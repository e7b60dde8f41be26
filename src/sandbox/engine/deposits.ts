import { Result } from "effect"
import { noAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { Failure } from "#domain/swaps/Swap.ts"
import * as Blocks from "./blocks.ts"
import { boostFeeOf, lend, planBoost, repay } from "./boost.ts"
import { assetState, boostedAsset, chainFigures, maximumBitcoinAffiliates } from "./figures.ts"
import type * as Command from "./Command.ts"
import { refundDeposit } from "./egress.ts"
import { type DepositRefusal, moduleError, type VaultSwapRefusal } from "./Refusal.ts"
import type { Deposit, DepositSent, Loan, Network } from "./State.ts"
import { requestSwap } from "./swaps.ts"
import { nextTransaction } from "./identifiers.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { firstRefusal, type Rule, swapRefusal, termsOf } from "./terms.ts"

/** The reasons not to credit a deposit, in the upstream's own sentences (chainflip/wire.md 3.7). */
const reasons = {
  BelowMinimumDeposit: "The deposited amount was below the minimum required",
  NotEnoughToPayFees: "The deposited amount was not enough to pay the fees",
  TransactionRejectedByBroker: "The transaction was rejected by the broker",
} as const

/** Sends a transaction to the next block. A deposit in or after the channel's expiry block is never credited. */
export const depositToChannel = (
  network: Network,
  { address, amount }: Command.Deposit,
): Result.Result<DepositSent, DepositRefusal> => {
  const channel = network.channelsByAddress.get(address)
  if (channel === undefined) return Result.fail({ _tag: "UnknownAddress", address })
  if (amount === noAmount) return Result.fail({ _tag: "ZeroAmount" })
  const chain = channel.id.network
  const inclusionBlock = Blocks.chainHeight(network, chain) + 1
  const transactionReference = nextTransaction(network, chain, inclusionBlock)
  if (inclusionBlock < channel.expiryBlock) {
    const deposit = { terms: channel, channel, amount, transactionReference, inclusionBlock }
    channel.latestDeposit = witness(network, deposit)
  }
  return Result.succeed({ _tag: "DepositSent", transactionReference })
}

/** Sends what the address does not take: the chain has the transaction, and no upstream ever sees a deposit. */
export const sendUnseen = (network: Network, asset: AssetId): DepositSent => {
  const chain = chainOf(asset)
  const transactionReference = nextTransaction(network, chain, Blocks.chainHeight(network, chain) + 1)
  return { _tag: "DepositSent", transactionReference }
}

/** Schedules the witnessing of a transaction that a block of its chain includes. */
export const witness = (network: Network, included: Omit<Deposit, "fate" | "boost">): Deposit => {
  const deposit: Deposit = { ...included, fate: { _tag: "Pending" } }
  network.depositsByTransaction.set(deposit.transactionReference, deposit)
  scheduleWitnessing(network, deposit)
  return deposit
}

/** Schedules the report of the confirmed deposit, and, if it may be boosted, of its inclusion. */
const scheduleWitnessing = (network: Network, deposit: Deposit): void => {
  const { sourceAsset, maximumBoostFeeBps } = deposit.terms
  const chain = chainOf(sourceAsset)
  const { ingressDelay, boostDelay } = chainFigures(chain)
  if (sourceAsset === boostedAsset && maximumBoostFeeBps > 0) {
    const block = Blocks.reportingBlock(network, chain, deposit.inclusionBlock) + ingressDelay + boostDelay
    Blocks.scheduleAtBlock(network, block, "boost", () => boostDeposit(network, deposit))
  }
  const block = Blocks.confirmedReport(network, chain, deposit.inclusionBlock) + ingressDelay
  Blocks.scheduleAtBlock(network, block, "credit", () => creditDeposit(network, deposit))
}

const fail = (
  network: Network,
  deposit: Deposit,
  mode: "DEPOSIT_IGNORED" | "DEPOSIT_REJECTED",
  code: keyof typeof reasons,
): void => {
  const { at, blockIndex } = Blocks.happen(network)
  const failure: Failure = {
    failedAt: at,
    failedBlockIndex: blockIndex,
    mode,
    reason: { code, message: reasons[code] },
  }
  const refund = mode === "DEPOSIT_REJECTED" ? { refund: refundDeposit(network, deposit) } : {}
  deposit.fate = { _tag: "Failed", failure, ...refund }
  conclude(deposit)
}

/** Records a concluded deposit: the channel's record shows the latest that is swapped, and a failed one only without. */
const conclude = (deposit: Deposit): void => {
  const { channel, fate } = deposit
  if (channel === undefined) return
  if (fate._tag === "Failed" && channel.concludedDeposit?.fate._tag === "Credited") return
  channel.concludedDeposit = deposit
}

/** Credits a deposit: subtracts the boost and ingress fees, and swaps the rest. */
const credit = (network: Network, deposit: Deposit, boostFee: bigint, moment: Blocks.Moment): void => {
  const { sourceAsset } = deposit.terms
  const { ingressFee } = assetState(network, sourceAsset)
  const request = requestSwap(network, deposit, { boostFee, ingressFee, moment })
  deposit.fate = { _tag: "Credited", request }
  conclude(deposit)
}

const ignoredFor = (network: Network, { terms, amount }: Deposit, boostFee: bigint) => {
  const { minimumDeposit, ingressFee } = assetState(network, terms.sourceAsset)
  if (amount < minimumDeposit) return "BelowMinimumDeposit"
  return amount - boostFee <= ingressFee ? "NotEnoughToPayFees" : undefined
}

const creditDeposit = (network: Network, deposit: Deposit): void => {
  if (deposit.fate._tag !== "Pending") return
  const { channel, terms } = deposit
  if (!assetState(network, terms.sourceAsset).depositEnabled) return hold(network, deposit)
  if (channel?.rejectsNextDeposit === true) {
    channel.rejectsNextDeposit = false
    return fail(network, deposit, "DEPOSIT_REJECTED", "TransactionRejectedByBroker")
  }
  const reason = ignoredFor(network, deposit, 0n)
  if (reason !== undefined) return fail(network, deposit, "DEPOSIT_IGNORED", reason)
  credit(network, deposit, 0n, Blocks.happen(network))
}

const hold = (network: Network, deposit: Deposit): void => {
  const asset = deposit.terms.sourceAsset
  const held = network.heldDeposits.get(asset)
  if (held === undefined) network.heldDeposits.set(asset, [deposit])
  else held.push(deposit)
}

/** Credits the deposits that were held while crediting was off, in the next block. */
export const releaseHeldDeposits = (network: Network, asset: AssetId): void => {
  for (const deposit of network.heldDeposits.get(asset) ?? []) {
    Blocks.scheduleAfterBlocks(network, 1, "credit", () => creditDeposit(network, deposit))
  }
  network.heldDeposits.delete(asset)
}

/** Boosts a deposit in its first block, if it accepts a boost and would be credited. */
const boostDeposit = (network: Network, deposit: Deposit): void => {
  const { channel, terms, amount } = deposit
  const asset = assetState(network, terms.sourceAsset)
  const rejected = channel?.rejectsNextDeposit === true
  if (deposit.fate._tag !== "Pending" || rejected || !asset.depositEnabled) return
  if (ignoredFor(network, deposit, 0n) !== undefined) return
  const plan = asset.boostEnabled
    ? planBoost(network.boostPools, amount, terms.maximumBoostFeeBps)
    : undefined
  const moment = Blocks.happen(network)
  if (plan === undefined || ignoredFor(network, deposit, boostFeeOf(plan)) !== undefined) {
    deposit.boost = { _tag: "Skipped", ...moment }
    return
  }
  deposit.boost = { _tag: "Boosted", feeBps: plan.feeBps, ...moment }
  scheduleRepayment(network, deposit, lend(plan))
  credit(network, deposit, boostFeeOf(plan), moment)
}

/** Schedules the pools' repayment for when the deposit has its confirmations. */
const scheduleRepayment = (network: Network, deposit: Deposit, loans: ReadonlyArray<Loan>): void => {
  const chain = chainOf(deposit.terms.sourceAsset)
  const block = Blocks.confirmedReport(network, chain, deposit.inclusionBlock) +
    chainFigures(chain).ingressDelay
  Blocks.scheduleAtBlock(network, block, "repayBoost", () => repay(loans))
}

/** The chains whose vaults take swaps (chainflip/wire.md 2.3). */
export const vaultChains: ReadonlyArray<Chain> = ["Bitcoin", "Ethereum", "Arbitrum", "Bsc", "Solana", "Tron"]

/** The largest share that payloads have room for. */
const byte = 255

const boostFee: Rule = ({ boostFeeBps }) => boostFeeBps > byte ? moduleError("BoostFeeTooHigh") : undefined

const affiliateFees: Rule = ({ affiliates }) =>
  affiliates.some(({ commissionBps }) => commissionBps > byte)
    ? moduleError("AffiliateFeeTooHigh")
    : undefined

/** The limits of a Bitcoin transaction, which has little room and none for a message. */
const bitcoin: Rule = ({ sourceAsset, brokerCommissionBps, affiliates, ccm }) => {
  if (chainOf(sourceAsset) !== "Bitcoin") return undefined
  if (brokerCommissionBps > byte) return moduleError("BrokerFeeTooHigh")
  if (affiliates.length > maximumBitcoinAffiliates) return { _tag: "TooManyAffiliates" }
  return ccm === undefined ? undefined : moduleError("InvalidCcm")
}

const rules = firstRefusal([swapRefusal, boostFee, affiliateFees, bitcoin])

export const vaultSwapRefusal = (
  network: Network,
  request: Command.RequestedSwap,
): VaultSwapRefusal | undefined => {
  const chain = chainOf(request.sourceAsset)
  return vaultChains.includes(chain) ? rules(request, network) : { _tag: "NoVault", chain }
}

/** Sends a transaction to the vault, in the next block. A commission below the operator's minimum is raised. */
export const sendVaultSwap = (
  network: Network,
  request: Command.VaultSwap,
): Result.Result<DepositSent, VaultSwapRefusal> => {
  const refusal = vaultSwapRefusal(network, request)
  if (refusal !== undefined) return Result.fail(refusal)
  if (request.amount === noAmount) return Result.fail({ _tag: "ZeroAmount" })
  const chain = chainOf(request.sourceAsset)
  const inclusionBlock = Blocks.chainHeight(network, chain) + 1
  const transactionReference = nextTransaction(network, chain, inclusionBlock)
  const terms = termsOf(request)
  const { minimumVaultFeeBps } = network.operator
  const raised = terms.brokerCommissionBps < minimumVaultFeeBps
  witness(network, {
    terms: raised ? { ...terms, brokerCommissionBps: minimumVaultFeeBps } : terms,
    amount: request.amount,
    transactionReference,
    inclusionBlock,
  })
  return Result.succeed({ _tag: "DepositSent", transactionReference })
}
