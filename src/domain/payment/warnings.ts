import { Option } from "effect"
import { formatUnits, type NativeAmount } from "../Amount.ts"
import { type AssetFacts, chainOf, factsOf } from "../Asset.ts"
import { chainFacts, type Network } from "../Chain.ts"
import { kindOf } from "../VaultSwap.ts"
import type { EpochMillis } from "../Time.ts"
import type { Link, NoLink } from "./links.ts"
import type { Payable, PaymentTerms } from "./Payable.ts"

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
  /** An amount with its ticker. */
  readonly written: (native: NativeAmount) => string
}

/** A sentence for the situations in which it holds, and nothing for others. */
type Warning = (facts: Facts) => string | undefined

const networks: Readonly<Record<Network, string | undefined>> = {
  mainnet: undefined,
  testnet: "This is a test network: do not send real money.",
  sandbox: "This is a simulation: do not send real money, it would be lost.",
}

/** Without a link, and for another reason than those that have a warning of their own. */
const noLinks: Readonly<Record<NoLink, string | undefined>> = {
  expired: undefined,
  stopped: undefined,
  memo: undefined,
  unwritable: "There is no link, as the address cannot be written in one: copy the address.",
  noScheme: "Wallets have no common link for this chain: copy the address.",
  otherNetwork: "There is no link, as it could not name the test network: copy the address.",
  noContract: "There is no link, as the token's contract is not known: copy the address.",
  noTokenAmount:
    "There is no link, as a token's link must have an amount and none is known: copy the address.",
  tokenAccount:
    "Send the token to this address itself: your wallet finds or creates the address's account for the token. There " +
    "is no link, as not every wallet does so from a link.",
  tronToken: "There is no link, as many wallets would send TRX in place of the token: copy the address.",
}

/** `2026-07-29 14:04:24 UTC`, without a part of its last second, which nobody pays by. */
const toSecond = (at: EpochMillis): string =>
  `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`

const onNetwork: Warning = ({ terms }) => networks[terms.network]

const noMoreDeposits =
  "This address takes no more deposits: what is sent to it now may be lost. Ask for a new one."

const notNow = "Do not pay for now: payments to this address are stopped, or may come too late."

/** Every warning of a channel that takes deposits, the gravest first. */
const table: ReadonlyArray<Warning> = [
  onNetwork,
  ({ asset, chain }) =>
    asset.contractAddress === undefined
      ? `Send ${asset.ticker} on ${chain} only: anything else, or the same on another chain, may be lost.`
      : `Send ${asset.ticker} on ${chain} only, the token ${asset.contractAddress}: anything else, or the same on ` +
        "another chain, may be lost.",
  ({ channel: { memo } }) =>
    memo === undefined
      ? undefined
      : "The transaction must carry the memo, letter by letter: without it the money is lost. Neither a link nor a code " +
        "can carry it, so that there is none. Do not pay from a wallet or an exchange that cannot add it.",
  ({ terms: { destinationAsset } }) =>
    destinationAsset !== undefined && chainFacts(chainOf(destinationAsset)).family._tag === "xrpl"
      ? "The output is paid to its account without a tag: an exchange's account needs one, and would not credit it."
      : undefined,
  ({ channel: { exactAmount }, written }) =>
    exactAmount === undefined
      ? undefined
      : `Send exactly ${
        written(exactAmount)
      }, to the last digit: any other amount may be lost. Mind services that ` +
        "take their fee off what they send.",
  ({ channel: { exactOutput }, written }) =>
    exactOutput === undefined
      ? undefined
      : `Send ${written(exactOutput.sendAtMost)}: what the swap does not need of it comes back, ${
        exactOutput.refundFee === undefined
          ? "less the fee of its chain, and is kept where it does not cover that."
          : `less ${written(exactOutput.refundFee)}, and is kept where it is no more than that.`
      } Less than ${written(exactOutput.sendAtLeast)} is not swapped, and comes back likewise.`,
  ({ channel: { exactOutput, minimumDeposit }, written }) =>
    minimumDeposit === undefined || exactOutput !== undefined
      ? undefined
      : `Send at least ${written(minimumDeposit)} in one payment: less is not swapped, and may be lost.`,
  ({ channel: { exactOutput, maximumDeposit }, written }) =>
    maximumDeposit === undefined || exactOutput !== undefined
      ? undefined
      : `No more than ${written(maximumDeposit)} is swapped at once.`,
  ({ channel: { estimatedExpiryTime } }) =>
    estimatedExpiryTime === undefined
      ? undefined
      : "Pay in good time: the deposit has to be on its chain before " +
        `${toSecond(estimatedExpiryTime)}, and may be lost after.`,
  ({ asset, link }) =>
    link.scheme === "erc681" && asset.contractAddress !== undefined
      ? "The link calls the token's contract: a wallet may show the contract's address in place of the deposit address. " +
        "Compare the deposit address before you sign."
      : undefined,
  ({ asset }) =>
    kindOf(asset.chain) === "evm" && asset.contractAddress === undefined
      ? "Pay from an ordinary wallet: a payment that a contract makes, such as a smart-contract wallet, may not be noticed."
      : undefined,
  ({ link }) =>
    link.scheme === "tron"
      ? "No standard defines links for Tron: check address and amount, or copy them."
      : undefined,
  ({ reason }) => reason === undefined ? undefined : noLinks[reason],
]

/** A warning that stands alone, whatever the channel takes; only what network it is on is said, too. */
const alone = (warning: string, network: Network): ReadonlyArray<string> => [
  warning,
  ...Option.toArray(Option.fromUndefinedOr(networks[network])),
]

/** The warnings of a channel that has expired. */
export const expiredWarnings = (network: Network): ReadonlyArray<string> => alone(noMoreDeposits, network)

/** The warnings of a situation. */
export const warningsFor = (situation: Situation): ReadonlyArray<string> => {
  const { link, terms: { network, sourceAsset } } = situation
  const asset = factsOf(sourceAsset)
  const facts: Facts = {
    ...situation,
    asset,
    chain: chainFacts(chainOf(sourceAsset)).title,
    reason: "reason" in link ? link.reason : undefined,
    written: (native) => `${formatUnits(sourceAsset, native)} ${asset.ticker}`,
  }
  if (facts.reason === "expired") return expiredWarnings(network)
  if (facts.reason === "stopped") return alone(notNow, network)
  return table.flatMap((warning) => {
    const text = warning(facts)
    return text === undefined ? [] : [text]
  })
}
