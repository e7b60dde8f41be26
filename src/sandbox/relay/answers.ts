import { bytesToHex } from "@noble/hashes/utils.js"
import { BigDecimal } from "effect"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { digest } from "../engine/identifiers.ts"
import type { Payment } from "../engine/ledger.ts"
import { inUsd as usdOf } from "../engine/pools.ts"
import { follow, type Row } from "../follow.ts"
import type { QuoteRequest } from "./engine/Command.ts"
import { currencies, type Currency, type RelayChain } from "./engine/currencies.ts"
import type { Quoted, RelayRequest, RequestState } from "./engine/State.ts"
import quote from "./recorded/quote-base-op-eth-strict-deposit-address-2026-03-05.json" with { type: "json" }
import quoteOfBitcoin from "./recorded/quote-btc-base-usdc-deposit-address-2026-02-05.json" with {
  type: "json",
}
import filledList from "./recorded/requests-v3-app-fee-eth-usdc-avax-2026-09-29.json" with { type: "json" }
import oneChainList from "./recorded/relay-request-same-chain-success-2026-08-09.json" with { type: "json" }
import refundList from "./recorded/requests-v3-strict-refund-built.json" with { type: "json" }
import pending from "./recorded/status-pending-2026-10-01.json" with { type: "json" }
import refunded from "./recorded/status-refund-2026-10-01.json" with { type: "json" }
import success from "./recorded/status-success-2026-10-01.json" with { type: "json" }
import waiting from "./recorded/status-waiting-2026-10-01.json" with { type: "json" }

/** Relay's answers: recorded ones, of which some members follow the request (relay/wire.md 1). */

/** Six places behind the point of a worth in USD. */
const inUsd = ({ asset }: Currency, price: bigint, amount: bigint): string => usdOf(asset, price, amount, 6)

const currencyMembers = ({ address, asset, chain }: Currency): unknown => {
  const { decimals, name, ticker } = factsOf(asset)
  return follow(quote.body.details.currencyIn.currency, [
    ["chainId", chain.id],
    ["address", address],
    ["symbol", ticker],
    ["name", name],
    ["decimals", decimals],
  ])
}

/** An amount in human units; whole ones have a zero behind the point. */
const formatted = ({ asset }: Currency, amount: bigint): string => {
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
  follow(quote.body.details.currencyIn, [
    ["currency", currencyMembers(currency)],
    ["amount", `${amount}`],
    ["amountFormatted", formatted(currency, amount)],
    ["amountUsd", inUsd(currency, price, amount)],
    ["minimumAmount", `${minimumAmount}`],
  ])

/** Swaps on one chain pay by the transaction that takes the deposit up, and name no other (recorded in August 2026). */
const isOnOneChain = ({ terms: { destination, origin } }: Quoted): boolean =>
  origin.chain === destination.chain

const listedCurrency = ({ address, asset }: Currency) => {
  const { decimals, name, ticker } = factsOf(asset)
  return { id: ticker.toLowerCase(), symbol: ticker, name, address, decimals }
}

/** A chain with its currencies. The list of chains was not recorded: it is built (relay/wire.md 1, chains). */
export const writeChain = ({ chain, coin, id, protocolId, vmType }: RelayChain, disabled: boolean) => {
  const all = currencies.filter(({ asset }) => chainOf(asset) === chain)
  return {
    id,
    name: protocolId,
    displayName: chain,
    depositEnabled: true,
    disabled,
    currency: all.filter(({ address }) => address === coin).map(listedCurrency)[0],
    featuredTokens: [],
    erc20Currencies: all.filter(({ address }) => address !== coin).map(listedCurrency),
    solverCurrencies: all.filter(({ isSolverCurrency }) => isSolverCurrency).map(listedCurrency),
    vmType,
    protocol: { v2: { chainId: protocolId } },
  }
}

/** A chain that the broker does not know. */
export const otherChain = {
  id: 7_777_777,
  name: "zora",
  displayName: "Zora",
  disabled: false,
  depositEnabled: true,
  currency: currencies.filter(({ asset }) => asset === "eth.eth").map(listedCurrency)[0],
  erc20Currencies: [],
  featuredTokens: [],
  solverCurrencies: [],
  vmType: "evm",
}

const ofOrigin = ({ offer: { prices }, terms: { origin } }: Quoted, amount: bigint): unknown =>
  amountMembers(origin, prices.origin, amount)

const ofDestination = (
  { offer: { prices }, terms: { destination } }: Quoted,
  amount: bigint,
  least = amount,
): unknown => amountMembers(destination, prices.destination, amount, least)

export interface WrittenQuote extends Quoted {
  readonly id: string
  readonly request: QuoteRequest
  /** Empty where none was asked for. */
  readonly depositAddress: string
}

const onEvm = quote.body.steps[0]?.items[0]?.data
const onBitcoin = quoteOfBitcoin.body.steps[0]?.items[0]?.data

/** The transaction that a wallet would make of the deposit; of Solana and Tron none is recorded. */
const transactionOf = ({ depositAddress, offer, request, terms: { origin } }: WrittenQuote): unknown => {
  if (origin.chain.chain === "Bitcoin") return onBitcoin
  const isToken = origin.address !== origin.chain.coin
  const call = `0xa9059cbb${depositAddress.slice(2).toLowerCase().padStart(64, "0")}${
    offer.amountIn.toString(16).padStart(64, "0")
  }`
  return follow(onEvm, [
    ["from", request.user],
    ["to", isToken ? origin.address : depositAddress],
    ["data", isToken && origin.chain.vmType === "evm" ? call : "0x"],
    ["value", isToken ? "0" : `${offer.amountIn}`],
    ["chainId", origin.chain.id],
  ])
}

/** What is read of the figures, or what a person looks at; other figures stay as they are recorded. */
const figureRows = (quoted: WrittenQuote): ReadonlyArray<Row> => {
  const { offer, request, terms: { origin, recipient } } = quoted
  const { amountIn, amountOut, appFee, gasFee, minimumAmountOut, prices, senderGas, serviceFee } = offer
  return [
    ["fees.gas", amountMembers(senderGas.coin, senderGas.price, senderGas.amount)],
    ["fees.relayer", ofOrigin(quoted, gasFee + serviceFee)],
    ["fees.relayerGas", ofOrigin(quoted, gasFee)],
    ["fees.relayerService", ofOrigin(quoted, serviceFee)],
    ["fees.app", ofOrigin(quoted, appFee)],
    ["details.sender", request.user],
    ["details.recipient", recipient],
    ["details.currencyIn", ofOrigin(quoted, amountIn)],
    ["details.currencyOut", ofDestination(quoted, amountOut, minimumAmountOut)],
    ["details.expandedPriceImpact.app.usd", `-${inUsd(origin, prices.origin, appFee)}`],
    ["details.timeEstimate", offer.timeEstimate],
  ]
}

/** How long the protocol keeps an order, in milliseconds. */
const protocolMillis = 7 * 86_400_000

const orderRows = (quoted: WrittenQuote, time: number): ReadonlyArray<Row> => {
  const { id, offer, request, terms: { destination, origin, recipient } } = quoted
  const deadline = Math.floor((time + protocolMillis) / 1_000)
  const refund = ({ address, chain }: Currency, recipient: string) =>
    follow(quote.body.protocol.v2.orderData.inputs[0]?.refunds[0], [
      ["chainId", chain.protocolId],
      ["recipient", recipient],
      ["currency", address],
      ["deadline", deadline],
    ])
  const back = refund(origin, request.refundTo ?? request.user)
  const input = "protocol.v2.orderData.inputs.0"
  const output = "protocol.v2.orderData.output"
  return [
    ["protocol.v2.orderId", `0x${bytesToHex(digest("relay order", id))}`],
    [`${input}.payment.chainId`, origin.chain.protocolId],
    [`${input}.payment.currency`, origin.address],
    [`${input}.payment.amount`, `${offer.amountIn}`],
    [`${input}.refunds`, isOnOneChain(quoted) ? [back] : [back, refund(destination, recipient)]],
    [`${output}.chainId`, destination.chain.protocolId],
    [`${output}.payments.0.recipient`, recipient],
    [`${output}.payments.0.currency`, destination.address],
    [`${output}.payments.0.minimumAmount`, `${offer.minimumAmountOut}`],
    [`${output}.payments.0.expectedAmount`, `${offer.amountOut}`],
    [`${output}.deadline`, deadline],
    ["protocol.v2.paymentDetails.chainId", origin.chain.protocolId],
    ["protocol.v2.paymentDetails.currency", origin.address],
    ["protocol.v2.paymentDetails.amount", `${offer.amountIn}`],
  ]
}

/** The answer to a request for a quote, with the time from which its order lasts. */
export const writeQuote = (quoted: WrittenQuote, time: number): unknown =>
  follow(quote.body, [
    [
      "steps.0.description",
      `Depositing funds to the relayer to execute the swap for ${
        factsOf(quoted.terms.destination.asset).ticker
      }`,
    ],
    ["steps.0.requestId", quoted.id],
    ["steps.0.depositAddress", quoted.depositAddress],
    ["steps.0.items.0.data", transactionOf(quoted)],
    ["steps.0.items.0.check.endpoint", `/intents/status/v3?requestId=${quoted.id}`],
    ...figureRows(quoted),
    ...orderRows(quoted, time),
  ])

const hashesOf = (...payments: ReadonlyArray<Payment | undefined>): ReadonlyArray<string> =>
  payments.flatMap((payment) => payment?.transactionReference ?? [])

/** The states whose recorded answers have `details`; states that are not recorded are written as a success is. */
const recordedStatuses: Partial<Readonly<Record<RequestState, unknown>>> = {
  pending: pending.body,
  delayed: pending.body,
  refund: refunded.body,
}

export const writeStatus = (request: RelayRequest): unknown =>
  follow(recordedStatuses[request.state] ?? success.body, [
    ["status", request.state],
    ["inTxHashes", hashesOf(request.deposit)],
    ["txHashes", hashesOf(request.payout ?? request.refund, request.settlement)],
    ["updatedAt", request.updatedAt],
    ["originChainId", request.terms.origin.chain.id],
    ["destinationChainId", request.terms.destination.chain.id],
    ["quoteCreatedAt", request.createdAt],
    ["failReason", request.failReason ?? "N/A"],
    ["refundFailReason", request.refundFailReason ?? "N/A"],
  ])

/** How far a request is that has no deposit, with nothing else. */
export const writeBareStatus = ({ createdAt }: RelayRequest): unknown =>
  follow(waiting.body, [["quoteCreatedAt", createdAt]])

const [filled] = filledList.body.requests
const [filledOnOneChain] = oneChainList.body.requests
const [sentBack] = refundList.body.requests

const transactions = (
  { chain }: Currency,
  { updatedAt }: RelayRequest,
  ...payments: ReadonlyArray<Payment | undefined>
): ReadonlyArray<unknown> =>
  hashesOf(...payments).map((hash) =>
    follow(sentBack?.data.inTxs[0], [
      ["txHash", hash],
      ["chainId", chain.id],
      ["timestamp", Math.floor(updatedAt / 1_000)],
    ])
  )

/** What each share of the fees comes to; it costs the payer. */
const feeRows = ({ offer, terms: { origin } }: RelayRequest): ReadonlyArray<Row> => {
  const { appFee, gasFee, prices, serviceFee } = offer
  const amounts = { swap: 0n, execution: gasFee, platform: serviceFee, app: appFee, sponsored: 0n }
  return Object.entries(amounts).flatMap(([share, amount]) =>
    ["quoted", "actual"].map((when): Row => [
      `data.fees.${when}.${share}`,
      follow(filled?.data.fees.quoted.app, [
        ["usd", `-${inUsd(origin, prices.origin, amount)}`],
        ["amount", `${amount}`],
        ["amountFormatted", formatted(origin, amount)],
      ]),
    ])
  )
}

const appFeeRows = ({ offer, payout, request, terms: { origin } }: RelayRequest): ReadonlyArray<Row> => {
  const fees = offer.appFee === 0n ? [] : request.appFees ?? []
  const quoted = fees.map(({ fee, recipient }) => {
    const amount = shareOf(offer.amountIn, Number(fee))
    return follow(filled?.data.appFees.quoted[0], [
      ["recipient", recipient],
      ["bps", fee],
      ["amount", `${amount}`],
      ["amountFormatted", formatted(origin, amount)],
    ])
  })
  return [["data.appFees.quoted", quoted], ["data.appFees.actual", payout === undefined ? [] : quoted]]
}

/** A side of a route, on which nothing is swapped: what comes in goes out. */
const sideRows = (side: string, amount: unknown): ReadonlyArray<Row> => [
  [`${side}.inputCurrency`, amount],
  [`${side}.outputCurrency`, amount],
]

/** What was quoted, and what came in and went out. */
const routeRows = (request: RelayRequest): ReadonlyArray<Row> => {
  const { deposit, offer, payout, terms: { origin } } = request
  const route = "data.route.actual"
  const quoted = [
    ...sideRows("data.route.quoted.origin", ofOrigin(request, offer.amountIn)),
    ...sideRows(
      "data.route.quoted.destination",
      ofDestination(request, offer.amountOut, offer.minimumAmountOut),
    ),
  ]
  if (deposit === undefined) return [...quoted, [route, null], ["protocol", null]]
  const came = [...quoted, ...sideRows(`${route}.origin`, ofOrigin(request, deposit.amount))]
  if (isOnOneChain(request)) {
    return [
      ...came,
      [`${route}.origin.outputCurrency`, payout === undefined ? null : ofDestination(request, payout.amount)],
      [`${route}.destination`, filledOnOneChain?.data.route.actual.destination],
      ["protocol", filledOnOneChain?.protocol],
      ["requestType", filledOnOneChain?.requestType],
    ]
  }
  return [
    ...came,
    ...(payout === undefined
      ? [[`${route}.destination`, null] as const]
      : sideRows(`${route}.destination`, ofDestination(request, payout.amount))),
    ["protocol.deposit.origin.amount", `${deposit.amount}`],
    ["protocol.deposit.origin.chainId", origin.chain.id],
    ["protocol.deposit.origin.currency", origin.address],
    ["protocol.deposit.origin.transactionId", deposit.transactionReference],
  ]
}

const writeRequest = (hasOtherRefunds: boolean) => (request: RelayRequest): unknown => {
  const { deposit, offer, payout, refund, request: asked, settlement, terms, updatedAt } = request
  const { destination, origin } = terms
  const paid = payout !== undefined && isOnOneChain(request)
    ? [follow(filledOnOneChain?.data.outTxs[0], [["chainId", destination.chain.id]])]
    : transactions(destination, request, payout)
  const address = follow(sentBack?.depositAddress, [
    ["address", request.depositAddress],
    ["depositTxHash", deposit?.transactionReference ?? null],
  ])
  const back = hasOtherRefunds
    ? ofDestination(request, offer.amountOut)
    : ofOrigin(request, refund?.amount ?? 0n)
  return follow(filled, [
    ["id", request.id],
    // The list has no word of its own for a fill that is late.
    ["status", request.state === "delayed" ? "submitted" : request.state],
    ["user", asked.user],
    ["sender", asked.user],
    ["recipient", terms.recipient],
    ["refundTo", asked.refundTo ?? null],
    ["supersededByRequestId", request.supersededBy?.id ?? null],
    ["depositAddress", address],
    ["data.slippageTolerance", `${terms.slippageBps}`],
    ["data.failReason", request.failReason ?? null],
    ["data.refundFailReason", request.refundFailReason ?? null],
    ["data.timeEstimate", offer.timeEstimate],
    ["data.inTxs", transactions(origin, request, deposit)],
    ["data.outTxs", [...paid, ...transactions(origin, request, refund, settlement)]],
    ["data.appFees.currency", currencyMembers(origin)],
    ...appFeeRows(request),
    ["data.fees.currency", currencyMembers(origin)],
    ...feeRows(request),
    ...routeRows(request),
    ["data.refundCurrencyData", refund === undefined ? null : back],
    ["createdAt", new Date(request.createdAt).toISOString()],
    ["updatedAt", new Date(updatedAt).toISOString()],
  ])
}

/** Requests; `hasOtherRefunds`: what was sent back has the currency and the figure of the destination. */
export const writeRequests = (found: ReadonlyArray<RelayRequest>, hasOtherRefunds: boolean): unknown =>
  follow(filledList.body, [["requests", found.map(writeRequest(hasOtherRefunds))]])
