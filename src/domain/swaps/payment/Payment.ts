import { Schema } from "effect"
import type { NativeAmount } from "../../money/Amount.ts"
import type { Network } from "../../chains/Chain.ts"
import type { SwapStatus } from "../Swap.ts"
import type { EpochMillis } from "../../Time.ts"
import { linkFor, type NoLink } from "./links.ts"
import type { Payable, PaymentTerms } from "./Payable.ts"
import { type Warning, warningsFor, warningText } from "./warnings.ts"

/**
 * The form of a payment's link. `bip321`: `bitcoin:` (BIP 321). `bip21`: the same form with the
 * word of another chain, such as `litecoin:`. `erc681`: `ethereum:`, always with the number of the
 * chain. `solana-pay`: a transfer request of Solana Pay. `tron`: `tron:`, a habit of some wallets that no standard
 * defines. `address`: there is no link, and the bare address is to be copied.
 */
export const PaymentScheme = Schema.Literals(["bip321", "bip21", "erc681", "solana-pay", "tron", "address"])
export type PaymentScheme = typeof PaymentScheme.Type

/** How to pay into a deposit channel, as it is at one moment. */
export interface Payment {
  readonly scheme: PaymentScheme
  /** The link that wallets open. Absent where a payment by it could be lost, or nobody should pay (any more). */
  readonly uri?: string
  /** The amount to pay, in native units, where the opening knew it. */
  readonly amount?: NativeAmount
  readonly expiresAt?: EpochMillis
  /** What the payer has to mind, in sentences; the gravest first. */
  readonly warnings: ReadonlyArray<string>
  /** The same by their keys, to be told in other languages. It is not part of answers. */
  readonly warned: ReadonlyArray<Warning>
  /** The text of a QR code: a short link or the address; absent where a code could lose the payment. */
  readonly codeText?: string
}

/** Whether a channel takes no more deposits by `now`; simulated networks have a clock of their own. */
export const hasExpired = (
  { estimatedExpiryTime, isExpired }: Pick<Payable, "estimatedExpiryTime" | "isExpired">,
  network: Network,
  now: EpochMillis,
): boolean =>
  isExpired === true ||
  network !== "sandbox" && estimatedExpiryTime !== undefined && now >= estimatedExpiryTime

/** Whether a swap still waits for its deposit, so that its payer may be told where to pay. */
export const awaitsDeposit = ({ deposit, state }: SwapStatus): boolean =>
  state === "waiting" && deposit === undefined

/** Text that a URI and a QR code can hold as it is: letters and digits, after the word that CashAddr begins with. */
const plain = /^(?:[a-z]+:)?[A-Za-z0-9]+$/

/** Bech32 may be written in capitals, base58 may not. */
const isBech32 = /^(?:bc|tb|bcrt)1[a-z0-9]+$/i

/** Capital letters make a smaller QR code, as long as all its text is of the few characters that such codes have. */
const smallest = (uri: string, { depositAddress }: Payable): string =>
  isBech32.test(depositAddress) && uri === `bitcoin:${depositAddress}` ? uri.toUpperCase() : uri

/** Why there is no link, or the link. */
const linkOf = (channel: Payable, terms: PaymentTerms, now: EpochMillis) => {
  const none = (reason: NoLink) => ({ scheme: "address" as const, reason })
  if (hasExpired(channel, terms.network, now)) return none("expired")
  if (terms.isStopped === true) return none("stopped")
  if (channel.memo !== undefined) return none("memo")
  if (!plain.test(channel.depositAddress)) return none("unwritable")
  return linkFor({ ...terms, address: channel.depositAddress, amount: amountOf(channel) })
}

const amountOf = ({ exactAmount, expectedDepositAmount }: Payable): NativeAmount | undefined =>
  exactAmount ?? expectedDepositAmount

/** Reasons for which a QR code would lead to a loss, too: without a link it has the address alone. */
const codeless: ReadonlyArray<NoLink> = ["expired", "stopped", "memo", "unwritable"]

/** How to pay into a channel now. It has a link only where every wallet pays right by it: chain, asset and amount. */
export const paymentOf = (channel: Payable, terms: PaymentTerms, now: EpochMillis): Payment => {
  const link = linkOf(channel, terms, now)
  const amount = amountOf(channel)
  const warned = warningsFor({ channel, terms, link, amount })
  const code = "reason" in link
    ? codeless.includes(link.reason) ? undefined : channel.depositAddress
    // No standard says how wallets read a link of Tron, so that its code has the address alone.
    : link.scheme === "tron"
    ? channel.depositAddress
    : smallest(link.uri, channel)
  return {
    scheme: link.scheme,
    ...("uri" in link ? { uri: link.uri } : {}),
    ...(amount === undefined ? {} : { amount }),
    ...(channel.estimatedExpiryTime === undefined ? {} : { expiresAt: channel.estimatedExpiryTime }),
    warnings: warned.map(warningText),
    warned,
    ...(code === undefined ? {} : { codeText: code }),
  }
}
