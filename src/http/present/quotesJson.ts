import { BigDecimal, Predicate, Record } from "effect"
import { formatDecimal } from "../../domain/Decimal.ts"
import type { Quote } from "../../domain/Quote.ts"
import { presentQuote } from "./quote.ts"

/** What the contract's schema encodes a body to, several times as fast: digits as text, decimals exact. */
const encoded = (value: unknown): unknown => {
  if (Predicate.isBigInt(value)) return `${value}`
  if (BigDecimal.isBigDecimal(value)) return JSON.rawJSON(formatDecimal(value))
  if (Array.isArray(value)) return value.map(encoded)
  return Predicate.isReadonlyObject(value) ? Record.map(value, encoded) : value
}

/** Callers share quotes, so most are written more than once. */
const written = new WeakMap<Quote, string>()

const write = (quote: Quote): string => {
  const known = written.get(quote)
  if (known !== undefined) return known
  const text = JSON.stringify(encoded(presentQuote(quote)))
  written.set(quote, text)
  return text
}

/** The JSON text of quotes as the contract shows them; each quote is written once, however many it answers. */
export const quotesJson = (quotes: ReadonlyArray<Quote>): string => `[${quotes.map(write).join(",")}]`
