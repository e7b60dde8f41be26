import { BigDecimal } from "effect"
import { factsOf } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { follow } from "../follow.ts"
import type { Currency } from "./engine/currencies.ts"
import type { Quoted } from "./engine/State.ts"
import recorded from "./recorded/quote-base-op-eth-strict-deposit-address-2026-03-05.json" with {
  type: "json",
}

/** How Relay writes things (relay/wire.md 1). */

/** Decimals of a reference price, which is in native usdc.eth. */
const priceDecimals = factsOf("usdc.eth").decimals
/** Places behind the point of a worth in USD. */
const usdPlaces = 6

/** `0.041623`: six places, rounded down. */
export const inUsd = ({ asset }: Currency, price: bigint, amount: bigint): string => {
  const worth = amount * price * 10n ** BigInt(usdPlaces) /
    10n ** BigInt(factsOf(asset).decimals + priceDecimals)
  const digits = `${worth}`.padStart(usdPlaces + 1, "0")
  return `${digits.slice(0, -usdPlaces)}.${digits.slice(-usdPlaces)}`
}

/** A currency within an amount. */
export const currencyMembers = ({ address, asset, chain }: Currency): unknown => {
  const { decimals, name, ticker } = factsOf(asset)
  return follow(recorded.body.details.currencyIn.currency, [
    ["chainId", chain.id],
    ["address", address],
    ["symbol", ticker],
    ["name", name],
    ["decimals", decimals],
  ])
}

/** A currency within the list of chains. */
export const listedCurrency = ({ address, asset }: Currency) => {
  const { decimals, name, ticker } = factsOf(asset)
  return { id: ticker.toLowerCase(), symbol: ticker, name, address, decimals }
}

/** An amount in human units; whole ones have a zero behind the point. */
export const formatted = ({ asset }: Currency, amount: bigint): string => {
  const text = formatDecimal(BigDecimal.make(amount, factsOf(asset).decimals))
  return text.includes(".") ? text : `${text}.0`
}

/** An amount with its currency; `minimumAmount` where it is another. */
export const amountMembers = (
  currency: Currency,
  price: bigint,
  amount: bigint,
  minimumAmount: bigint = amount,
): unknown =>
  follow(recorded.body.details.currencyIn, [
    ["currency", currencyMembers(currency)],
    ["amount", `${amount}`],
    ["amountFormatted", formatted(currency, amount)],
    ["amountUsd", inUsd(currency, price, amount)],
    ["minimumAmount", `${minimumAmount}`],
  ])

/** Swaps on one chain pay by the transaction that takes the deposit up, and name no other (recorded in August 2026). */
export const isOnOneChain = ({ terms: { destination, origin } }: Quoted): boolean =>
  origin.chain === destination.chain
