import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import type { Deposit, Egress } from "#domain/swaps/Swap.ts"
import { amount } from "../../pages/amounts.tsx"
import { type Html } from "../../pages/jsx-runtime.ts"
import { code, copyable, kv, section } from "../../pages/parts.tsx"
import { known, type Value } from "../../pages/table.tsx"
import { time } from "../../pages/times.tsx"
import { explorerUrl } from "../../pages/Url.ts"
import { hasOurTime, type SwapFacts } from "./SwapFacts.ts"

const hostOf = (url: string): string => new URL(url).hostname.replace(/^www\./, "")

/** A transaction in full, with its page in a public explorer where it is on the main network. */
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

/** A payment: how much, by which transaction, seen when. */
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
          ? <span class="soft">Its transaction is not told{failedAt === undefined && " yet"}.</span>
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

/** What was paid by which transactions, and all that names the swap anywhere. */
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
  return section(
    { title: "Transactions and ids", id: "ids" },
    kv([
      ["Deposit", payment(facts, "deposit", sourceAsset, deposit) ?? "none seen so far"],
      ["Payment", payment(facts, "payment", destinationAsset, swapEgress) ?? "none so far"],
      ["Refund", payment(facts, "refund", sourceAsset, refundEgress)],
      ["To the fallback address", payment(facts, "payment", destinationAsset, fallbackEgress)],
      [
        "Deposit address",
        known(depositChannel, ({ depositAddress }) => copyable(depositAddress, "deposit address")) ??
          "none: the payer’s own transaction carried the swap",
      ],
      ["Memo", known(depositChannel?.memo, (memo) => copyable(memo, "memo"))],
      ["Exactly", known(depositChannel?.exactAmount, (native) => amount(sourceAsset, native))],
      [
        depositChannel?.isExpired === true ? "Expired" : "Expires",
        depositChannel?.isExpired === true && !hasOurTime(facts)
          ? "yes: it takes no more deposits"
          : hasOurTime(facts)
          ? known(expiry, (at) => time(at, now))
          : undefined,
      ],
      ["Pays to", copyable(status.destinationAddress, "destination address")],
      ["Refunds to", known(fillOrKill, ({ refundAddress }) => copyable(refundAddress, "refund address"))],
      ["Our id", copyable(`${id}`, "id")],
      [
        `Id of ${contact.name}`,
        known(status.swapId, (text) => copyable(text, "id of the upstream")) ?? "none yet",
      ],
      ["Channel", known(depositChannel, (channel) => code(formatChannelId(channel.id)))],
      [
        "Name of the channel",
        known(depositChannel?.reference, (text) => copyable(text, "name of the channel")),
      ],
    ]),
  )
}
