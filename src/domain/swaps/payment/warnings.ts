import type { Address } from "../../chains/Address.ts"
import { isOfProgram } from "../../chains/address/ownerless.ts"
import { type AssetFacts, type AssetId, chainOf, factsOf } from "../../chains/Asset.ts"
import type { NativeAmount } from "../../money/Amount.ts"
import { chainFacts, type Network } from "../../chains/Chain.ts"
import { type Money, moneyText, type NamesIn } from "../../money/Money.ts"
import { kindOf } from "../VaultSwap.ts"
import type { EpochMillis } from "../../Time.ts"
import type { Link, NoLink } from "./links.ts"
import { formatDecimal } from "../../money/Decimal.ts"
import type { OutOfReach, Price } from "../../money/Price.ts"
import type { Payable, PaymentTerms } from "./Payable.ts"
import { type WarningKey, warningWords } from "./warningWords.ts"

/** What a payer has to mind: a row of the table of words, with what its names stand for. */
export interface Warning {
  readonly key: WarningKey
  readonly parts: Readonly<Record<string, string | Money>>
}

export const warningText = ({ key, parts }: Warning): string =>
  warningWords[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name] ?? ""
    return typeof part === "string" ? part : moneyText(part)
  })

type PartsOf<Key extends WarningKey> = Readonly<Record<NamesIn<(typeof warningWords)[Key]>, string | Money>>

const warn = <Key extends WarningKey>(key: Key, parts: PartsOf<Key>): Warning => ({ key, parts })

/** The two assets of a swap. */
interface Pair {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
}

/** The warning of a minimum price above the best that is known (decision 52). */
export const outOfReachWarning = ({ best, limit }: OutOfReach, pair: Pair): Warning => {
  const text = (price: Price) =>
    `${formatDecimal(price)} ${factsOf(pair.destinationAsset).ticker} for 1 ${
      factsOf(pair.sourceAsset).ticker
    }`
  return warn("outOfReach", { limit: text(limit), best: text(best) })
}

/** All that warnings depend on. */
interface Situation {
  readonly channel: Payable
  readonly terms: PaymentTerms
  readonly link: Link
  readonly amount: NativeAmount | undefined
}

interface Facts extends Situation {
  readonly asset: AssetFacts
  /** The name of the source chain. */
  readonly chain: string
  readonly reason: NoLink | undefined
  readonly money: (native: NativeAmount) => Money
}

/** A warning for the situations in which it holds, and nothing for others. */
type Rule = (facts: Facts) => Warning | undefined

const networks: Readonly<Record<Network, Warning | undefined>> = {
  mainnet: undefined,
  testnet: warn("testnet", {}),
  sandbox: warn("sandbox", {}),
}

/** Reasons for having no link that a warning of their own tells already. */
const toldElsewhere = ["expired", "stopped", "memo"] as const satisfies ReadonlyArray<NoLink>

const isToldElsewhere = (reason: NoLink): reason is typeof toldElsewhere[number] =>
  toldElsewhere.some((one) => one === reason)

/** `2026-07-29 14:04:24 UTC`, without a part of its last second, which nobody pays by. */
const toSecond = (at: EpochMillis): string =>
  `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`

/** The warning of a token that is paid to an address which is no wallet's; nothing for others. */
export const ofProgram = (asset: AssetId | undefined, address: Address | undefined): Warning | undefined => {
  if (asset === undefined || address === undefined) return undefined
  const { chain, contractAddress, ticker } = factsOf(asset)
  return contractAddress !== undefined && isOfProgram(chain, address)
    ? warn("ofProgram", { address, ticker })
    : undefined
}

/** Every warning of a channel that takes deposits, the gravest first. */
const rules: ReadonlyArray<Rule> = [
  ({ terms }) => networks[terms.network],
  ({ asset: { contractAddress: contract, ticker }, chain }) =>
    contract === undefined
      ? warn("coinOnly", { ticker, chain })
      : warn("tokenOnly", { ticker, chain, contract }),
  ({ channel: { memo } }) => memo === undefined ? undefined : warn("memo", {}),
  ({ terms: { destinationAsset } }) =>
    destinationAsset !== undefined && chainFacts(chainOf(destinationAsset)).family._tag === "xrpl"
      ? warn("noTag", {})
      : undefined,
  ({ channel: { outOfReach }, terms: { destinationAsset, sourceAsset } }) =>
    outOfReach === undefined || destinationAsset === undefined
      ? undefined
      : outOfReachWarning(outOfReach, { destinationAsset, sourceAsset }),
  ({ terms: { destinationAddress, destinationAsset } }) => ofProgram(destinationAsset, destinationAddress),
  ({ terms: { refundAddress, sourceAsset } }) => ofProgram(sourceAsset, refundAddress),
  ({ channel: { exactAmount }, money }) =>
    exactAmount === undefined ? undefined : warn("exactAmount", { amount: money(exactAmount) }),
  ({ channel: { exactOutput }, money }) => {
    if (exactOutput === undefined) return undefined
    const amounts = { most: money(exactOutput.sendAtMost), least: money(exactOutput.sendAtLeast) }
    return exactOutput.refundFee === undefined
      ? warn("exactOutputUntold", amounts)
      : warn("exactOutput", { ...amounts, fee: money(exactOutput.refundFee) })
  },
  ({ channel: { exactOutput, minimumDeposit }, money }) =>
    minimumDeposit === undefined || exactOutput !== undefined
      ? undefined
      : warn("minimum", { amount: money(minimumDeposit) }),
  ({ channel: { exactOutput, maximumDeposit }, money }) =>
    maximumDeposit === undefined || exactOutput !== undefined
      ? undefined
      : warn("maximum", { amount: money(maximumDeposit) }),
  ({ channel: { estimatedExpiryTime } }) =>
    estimatedExpiryTime === undefined ? undefined : warn("inTime", { time: toSecond(estimatedExpiryTime) }),
  ({ asset, link }) =>
    link.scheme === "erc681" && asset.contractAddress !== undefined ? warn("contractShown", {}) : undefined,
  ({ asset }) =>
    kindOf(asset.chain) === "evm" && asset.contractAddress === undefined
      ? warn("ordinaryWallet", {})
      : undefined,
  ({ link }) => link.scheme === "tron" ? warn("tronLink", {}) : undefined,
  ({ reason }) => reason === undefined || isToldElsewhere(reason) ? undefined : warn(reason, {}),
]

/** A warning that stands alone, whatever the channel takes; only what network it is on is said, too. */
const alone = (warning: Warning, network: Network): ReadonlyArray<Warning> => {
  const ofNetwork = networks[network]
  return ofNetwork === undefined ? [warning] : [warning, ofNetwork]
}

export const expiredWarnings = (network: Network): ReadonlyArray<Warning> => alone(warn("over", {}), network)

export const warningsFor = (situation: Situation): ReadonlyArray<Warning> => {
  const { link, terms: { network, sourceAsset } } = situation
  const facts: Facts = {
    ...situation,
    asset: factsOf(sourceAsset),
    chain: chainFacts(chainOf(sourceAsset)).title,
    reason: "reason" in link ? link.reason : undefined,
    money: (native) => ({ asset: sourceAsset, native }),
  }
  if (facts.reason === "expired") return expiredWarnings(network)
  if (facts.reason === "stopped") return alone(warn("stopped", {}), network)
  return rules.flatMap((rule) => rule(facts) ?? [])
}
