import { Option, Result, Schema } from "effect"
import { noAmount } from "#domain/money/Amount.ts"
import { mostBps } from "#domain/money/Bps.ts"
import type { MalformedBody, RequestRefused } from "#domain/ProviderError.ts"
import { isSent, receivedOf } from "#domain/quotes/ExactOutput.ts"
import { isSameAddress } from "../upstream/openedOrder.ts"
import { Amount, Count, decode, malformed, maybe, NeededSeconds, readSeconds } from "../upstream/values.ts"
import { refused } from "../upstream/failures.ts"
import { servedChains } from "./chains.ts"
import type { Currency } from "./conditions.ts"
import { name } from "./client.ts"
import type { Inquiry } from "./inquiry.ts"

/** The answers of `POST /quote/v2` and `/quote/v3`, read as one form (relay/wire.md 1, versions). */

export const WireCurrency = Schema.Struct({ chainId: Count, address: Schema.String })
export type WireCurrency = typeof WireCurrency.Type

/** A fee; the relayer's is below 0 where the network rewards the direction. */
export const SignedAmount = Schema.Union([
  Amount,
  Schema.String.check(Schema.isPattern(/^-[0-9]{1,78}$/, { expected: "an amount" })),
])

/** Read apart: what is only shown, as no quote hangs on it. */
const shown = Schema.optionalKey(Schema.Unknown)

/** The shares of v3. Of v2 there is the commission alone, in a currency of its own. */
const shares = {
  swap: shown,
  execution: shown,
  platform: shown,
  app: maybe(Schema.Struct({
    currency: maybe(WireCurrency),
    amount: maybe(SignedAmount),
    /** Below 0 where it is taken off. */
    usd: shown,
  })),
}

/** The fees of v2, and those of v3 with or without `quoted` around them. */
const WireFees = Schema.Struct({
  gas: shown,
  relayer: shown,
  ...shares,
  quoted: maybe(Schema.Struct(shares)),
  /** Of all shares of v3. */
  currency: maybe(WireCurrency),
})
export type WireFees = typeof WireFees.Type

const WireSent = Schema.Struct({ currency: WireCurrency, amount: Amount, amountUsd: shown })
const WireReceived = Schema.Struct({ currency: WireCurrency, amount: Amount, minimumAmount: Amount })

/** What nothing but the details tell. */
const estimates = {
  expandedPriceImpact: shown,
  swapImpact: shown,
  /** Seconds, also fractions of one. */
  timeEstimate: NeededSeconds,
}

/** The answer of either version, with a deposit address or without, as far as both have it. */
export const WireQuote = Schema.Struct({
  fees: maybe(WireFees),
  details: maybe(Schema.Struct({
    recipient: maybe(Schema.String),
    currencyIn: maybe(WireSent),
    currencyOut: maybe(WireReceived),
    ...estimates,
  })),
  /** Its form is not promised: it is read where it is needed. */
  protocol: maybe(Schema.Struct({ v2: maybe(Schema.Struct({ orderData: maybe(Schema.Unknown) })) })),
})
export type WireQuote = typeof WireQuote.Type

/** What decides over money is there, whichever member tells it. */
export interface ReadQuote extends Pick<WireQuote, "fees" | "protocol"> {
  readonly details: {
    readonly recipient: string
    readonly currencyIn: typeof WireSent.Type
    readonly currencyOut: typeof WireReceived.Type
    readonly expandedPriceImpact?: unknown
    readonly swapImpact?: unknown
    readonly timeEstimate: number
  }
}

/** The order where it stands in for details: with one payment on either side. */
const WireOrder = Schema.Struct({
  inputs: Schema.Tuple([Schema.Struct({
    payment: Schema.Struct({ chainId: Schema.String, currency: Schema.String, amount: Amount }),
  })]),
  output: Schema.Struct({
    chainId: Schema.String,
    payments: Schema.Tuple([Schema.Struct({
      recipient: Schema.String,
      currency: Schema.String,
      expectedAmount: Amount,
      minimumAmount: Amount,
    })]),
  }),
})

/** A currency of the order, which names chains in its own way; of a chain that it is not, on none. */
const currencyIn = ({ chain, protocolChain }: Currency, chainId: string, address: string): WireCurrency => ({
  chainId: chainId === protocolChain ? servedChains[chain].chainId : 0,
  address,
})

/**
 * The answer with what decides over money: what is sent, what arrives at least, and to whom. The order says it where the
 * details do not; of an answer in which neither does no quote and no address comes.
 */
const completed = (
  { details = { timeEstimate: readSeconds(undefined) }, ...wire }: WireQuote,
  { pair: { destination, source } }: Inquiry,
): Result.Result<ReadQuote, MalformedBody> => {
  const { currencyIn: sent, currencyOut: received, recipient } = details
  if (sent !== undefined && received !== undefined && recipient !== undefined) {
    return Result.succeed({
      ...wire,
      details: { ...details, currencyIn: sent, currencyOut: received, recipient },
    })
  }
  const { orderData } = wire.protocol?.v2 ?? {}
  if (orderData === undefined) {
    return malformed("details: expected the amounts and the recipient, got neither them nor an order")
  }
  return Result.map(decode(WireOrder, orderData, ["protocol", "v2", "orderData"]), ({ inputs, output }) => {
    const [{ payment }] = inputs
    const [payout] = output.payments
    return {
      ...wire,
      details: {
        ...details,
        recipient: recipient ?? payout.recipient,
        currencyIn: sent ?? {
          currency: currencyIn(source, payment.chainId, payment.currency),
          amount: payment.amount,
        },
        currencyOut: received ?? {
          currency: currencyIn(destination, output.chainId, payout.currency),
          amount: payout.expectedAmount,
          minimumAmount: payout.minimumAmount,
        },
      },
    }
  })
}

/** An id is hexadecimal, so its case says nothing. */
export const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

export const isCurrency = ({ address, chain }: Currency, wire: WireCurrency): boolean =>
  wire.chainId === servedChains[chain].chainId && isSameAddress(chain, address, wire.address)

/** The first member of an answer that is not about what was asked. */
const mismatch = ({ details }: ReadQuote, { amount, pair, recipient }: Inquiry): string | undefined => {
  const asked = receivedOf(amount) ?? noAmount
  const same: ReadonlyArray<readonly [member: string, holds: boolean]> = [
    ["currencyIn.currency", isCurrency(pair.source, details.currencyIn.currency)],
    [
      "currencyIn.amount",
      isSent(amount) ? details.currencyIn.amount === amount : details.currencyIn.amount > 0n,
    ],
    ["currencyOut.currency", isCurrency(pair.destination, details.currencyOut.currency)],
    ["currencyOut.amount", details.currencyOut.amount >= asked],
    [
      "currencyOut.minimumAmount",
      details.currencyOut.minimumAmount <= details.currencyOut.amount &&
      details.currencyOut.minimumAmount >= asked,
    ],
    ["recipient", isSameAddress(pair.destination.chain, details.recipient, recipient)],
  ]
  const [member] = same.find(([, holds]) => !holds) ?? []
  return member === undefined ? undefined : `details.${member}: expected what was asked, got something else`
}

const inBps = BigInt(mostBps)

/** Nobody says how the upstream rounds a share, so both neighbours of the exact one are it. */
const isShare = (share: bigint, amount: bigint, bps: number): boolean => {
  const exact = amount * BigInt(bps)
  return share === exact / inBps || share === (exact + inBps - 1n) / inBps
}

/** US dollars; below 0 where they are taken off. */
const Dollars = Schema.String.check(Schema.isPattern(/^-?[0-9]{1,30}(?:\.[0-9]{1,30})?$/))

const readDollars = Schema.decodeUnknownOption(Dollars)
const readAppImpact = Schema.decodeUnknownOption(
  Schema.Struct({ app: Schema.Struct({ usd: Schema.Unknown }) }),
)

/** The last digit of what is told in US dollars. */
const lastDigit = 0.000_001

/** The commission as an answer tells it: its amount, or what it comes to in US dollars. */
export const appOf = ({ details, fees }: ReadQuote): NonNullable<WireFees["app"]> =>
  fees?.quoted?.app ?? fees?.app ??
    Option.getOrUndefined(readAppImpact(details.expandedPriceImpact))?.app ?? {}

/** Whether the commission in dollars is as asked, give or take a tenth; for answers that tell no amount of it. */
const isAboutShare = ({ amount, amountUsd }: typeof WireSent.Type, usd: unknown, bps: number): boolean =>
  Option.match(Option.all({ app: readDollars(usd), amount: readDollars(amountUsd) }), {
    onNone: () => isShare(0n, amount, bps),
    onSome: (dollars) => {
      const share = Number(dollars.amount) * bps / mostBps
      return Math.abs(Math.abs(Number(dollars.app)) - share) <= share / 10 + lastDigit
    },
  })

const feesDropped = refused(
  "commissionBps",
  `would not be paid by ${name}, which has dropped or changed the app fees of this swap: leave it out, or name ` +
    "another platform",
)

/** Relay can drop app fees silently (relay/wire.md 1, app fees), and a higher one would cost the user more. */
const checkAppFee = (quote: ReadQuote, { appFee, pair }: Inquiry): Result.Result<void, RequestRefused> => {
  const sent = quote.details.currencyIn
  const bps = Option.match(appFee, { onNone: () => 0, onSome: ({ bps }) => bps })
  const { amount, currency = quote.fees?.currency, usd } = appOf(quote)
  const isAsAsked = amount === undefined
    ? isAboutShare(sent, usd, bps)
    : typeof amount === "bigint" && isShare(amount, sent.amount, bps) &&
      (currency === undefined || amount === 0n || isCurrency(pair.source, currency))
  return isAsAsked ? Result.void : Result.fail(feesDropped)
}

/** An answer that is about what was asked, with the commission that was asked for. */
export const readQuote = (
  wire: WireQuote,
  inquiry: Inquiry,
): Result.Result<ReadQuote, MalformedBody | RequestRefused> =>
  Result.gen(function* () {
    const quote = yield* completed(wire, inquiry)
    const detail = mismatch(quote, inquiry)
    if (detail !== undefined) yield* malformed(detail)
    yield* checkAppFee(quote, inquiry)
    return quote
  })
