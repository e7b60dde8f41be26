import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import type { Deposit, Egress } from "#domain/swaps/Swap.ts"
import { amount, time } from "../../pages/values.tsx"
import { explorerUrl, type Html } from "../../pages/jsx-runtime.ts"
import { code, copyable, known, kv, section, type Value } from "../../pages/parts.tsx"
import { isClosed } from "./describeSwap.tsx"
import { hasOurTime, type SwapFacts } from "./SwapFacts.ts"

const hostOf = (url: string): string => new URL(url).hostname.replace(/^www\./, "")

/** A transaction hash to copy, with a link to an explorer where it is on the main network. */
export const transaction = (facts: SwapFacts, asset: AssetId, reference: string, name: string): Html => {
  const place = facts.network === "mainnet" ? explorerUrl(chainOf(asset), reference) : undefined
  return (
    <>
      {copyable(reference, name)}
      {place !== undefined && (
        <>
          <br />
          <a href={place} rel="noreferrer noopener">{hostOf(`${place}`)} ↗</a>
        </>
      )}
    </>
  )
}

/** A payment: its amount, transaction and time. */
const payment = (
  facts: SwapFacts,
  name: string,
  asset: AssetId,
  paid: Deposit | Egress | undefined,
): Value =>
  known(
    paid,
    ({ amount: native, failedAt, transactionReference, witnessedAt }) => (
      <>
        {amount(asset, native)}
        <br />
        {transactionReference === undefined
          ? <span class="soft">No transaction hash{failedAt === undefined && " yet"}</span>
          : transaction(facts, asset, transactionReference, `transaction of the ${name}`)}
        {hasOurTime(facts) && witnessedAt !== undefined && (
          <>
            <br />Seen {time(witnessedAt, facts.now)}
          </>
        )}
        {hasOurTime(facts) && failedAt !== undefined && (
          <>
            <br />Failed {time(failedAt, facts.now)}
          </>
        )}
      </>
    ),
  )

/** The payments with their transactions, and the addresses and IDs of the swap. */
export const transactionsSection = (facts: SwapFacts): Html => {
  const { contact, now, swap: { record: { id, status } } } = facts
  const {
    deposit,
    depositChannel,
    destinationAsset,
    fallbackEgress,
    fillOrKill,
    refundEgress,
    sourceAsset,
    swapEgress,
  } = status
  const expiry = depositChannel?.estimatedExpiryTime
  const none = isClosed(status) ? "none" : "none yet"
  return section(
    { title: "Transactions and IDs", id: "ids" },
    kv([
      ["Deposit", payment(facts, "deposit", sourceAsset, deposit) ?? none],
      ["Payout", payment(facts, "payout", destinationAsset, swapEgress) ?? none],
      ["Refund", payment(facts, "refund", sourceAsset, refundEgress)],
      ["Fallback payout", payment(facts, "fallback payout", destinationAsset, fallbackEgress)],
      [
        "Deposit address",
        known(depositChannel, ({ depositAddress }) => copyable(depositAddress, "deposit address")) ??
          "none: the swap was in the payer’s own transaction",
      ],
      ["Memo", known(depositChannel?.memo, (memo) => copyable(memo, "memo"))],
      ["Exact amount", known(depositChannel?.exactAmount, (native) => amount(sourceAsset, native))],
      [
        depositChannel?.isExpired === true ? "Expired" : "Expires",
        depositChannel?.isExpired === true && !hasOurTime(facts)
          ? "yes, no more deposits"
          : hasOurTime(facts)
          ? known(expiry, (at) => time(at, now))
          : undefined,
      ],
      ["Destination address", copyable(status.destinationAddress, "destination address")],
      ["Refund address", known(fillOrKill, ({ refundAddress }) => copyable(refundAddress, "refund address"))],
      ["Swap ID", `${id}`],
      [
        `${contact.name} ID`,
        known(status.swapId, (text) => copyable(text, `${contact.name} ID`)) ?? none,
      ],
      ["Channel", known(depositChannel, (channel) => code(formatChannelId(channel.id)))],
      [
        "Channel reference",
        known(depositChannel?.reference, (text) => copyable(text, "channel reference")),
      ],
    ]),
  )
}
