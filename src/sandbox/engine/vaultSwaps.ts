import { Result } from "effect"
import { noAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { chainHeight } from "./blocks.ts"
import { firstRefusal, type Rule, swapRefusal, termsOf } from "./terms.ts"
import type * as Command from "./Command.ts"
import { maximumBitcoinAffiliates } from "./figures.ts"
import { witness } from "./deposits.ts"
import { moduleError, type VaultSwapRefusal } from "./Refusal.ts"
import type { Network } from "./State.ts"
import { nextTransaction } from "./identifiers.ts"
import type { DepositSent } from "./View.ts"

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
  const inclusionBlock = chainHeight(network, chain) + 1
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
