import { Effect, Result, Schema } from "effect"
import { factsOf } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import type { UnusableLog } from "../EventLog.ts"
import type { Payment } from "../engine/ledger.ts"
import { Faults } from "../Faults.ts"
import { follow, type Row } from "../follow.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { amountMembers, currencyMembers, formatted, inUsd, isOnOneChain } from "./encode.ts"
import * as Relay from "./engine/Relay.ts"
import type { Currency } from "./engine/currencies.ts"
import type { RelayRequest, RequestState } from "./engine/State.ts"
import filledList from "./recorded/requests-v3-app-fee-eth-usdc-avax-2026-09-29.json" with { type: "json" }
import oneChainList from "./recorded/relay-request-same-chain-success-2026-08-09.json" with { type: "json" }
import refundList from "./recorded/requests-v3-strict-refund-built.json" with { type: "json" }
import pending from "./recorded/status-pending-2026-10-01.json" with { type: "json" }
import refunded from "./recorded/status-refund-2026-10-01.json" with { type: "json" }
import success from "./recorded/status-success-2026-10-01.json" with { type: "json" }
import waiting from "./recorded/status-waiting-2026-10-01.json" with { type: "json" }
import { plainRefusal, refusals } from "./refusals.ts"

/** `GET /intents/status/v3`, `GET /requests/v3` and `POST /transactions/deposit-address/reindex`. */

const hashesOf = (...payments: ReadonlyArray<Payment | undefined>): ReadonlyArray<string> =>
  payments.flatMap((payment) => payment?.transactionReference ?? [])

/** The states whose recorded answers have `details`; states that are not recorded are written as a success is. */
const recordedStatuses: Partial<Readonly<Record<RequestState, unknown>>> = {
  pending: pending.body,
  delayed: pending.body,
  refund: refunded.body,
}

const writeStatus = (request: RelayRequest): unknown =>
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

/** Answers how far a request is. */
export const getStatus = Effect.fn("sandbox.relay.status")(function* (
  query: URLSearchParams,
): Effect.fn.Return<Reply, never, World | Faults> {
  const id = query.get("requestId")
  if (id === null || id === "") return plainRefusal(400, "requestId is required")
  const isBare = yield* Faults.does("bareWaiting")
  return yield* World.read(({ relay }) => {
    const request = Relay.findRequest(relay, id)
    return request === undefined ? plainRefusal(404, "Request not found") : json(
      200,
      isBare && request.state === "waiting"
        ? follow(waiting.body, [["quoteCreatedAt", request.createdAt]])
        : writeStatus(request),
    )
  })
})

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
  const { deposit, offer, payout, terms: { destination, origin } } = request
  const { amountIn, amountOut, minimumAmountOut, prices } = offer
  const paid = (amount: bigint, least = amount) =>
    amountMembers(destination, prices.destination, amount, least)
  const route = "data.route.actual"
  const quoted = [
    ...sideRows("data.route.quoted.origin", amountMembers(origin, prices.origin, amountIn)),
    ...sideRows("data.route.quoted.destination", paid(amountOut, minimumAmountOut)),
  ]
  if (deposit === undefined) return [...quoted, [route, null], ["protocol", null]]
  const came = [
    ...quoted,
    ...sideRows(`${route}.origin`, amountMembers(origin, prices.origin, deposit.amount)),
  ]
  if (isOnOneChain(request)) {
    return [
      ...came,
      [`${route}.origin.outputCurrency`, payout === undefined ? null : paid(payout.amount)],
      [`${route}.destination`, filledOnOneChain?.data.route.actual.destination],
      ["protocol", filledOnOneChain?.protocol],
      ["requestType", filledOnOneChain?.requestType],
    ]
  }
  return [
    ...came,
    ...(payout === undefined
      ? [[`${route}.destination`, null] as const]
      : sideRows(`${route}.destination`, paid(payout.amount))),
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
    ? amountMembers(destination, offer.prices.destination, offer.amountOut)
    : amountMembers(origin, offer.prices.origin, refund?.amount ?? 0n)
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

/** Answers with a request and, where that is asked for, with those that came of it. */
export const getRequests = Effect.fn("sandbox.relay.requests")(function* (
  query: URLSearchParams,
): Effect.fn.Return<Reply, never, World | Faults> {
  const hasOtherRefunds = yield* Faults.does("otherRefunds")
  return yield* World.read(({ relay }) => {
    const request = Relay.findRequest(relay, query.get("id") ?? "")
    const found = request === undefined
      ? []
      : [request, ...(query.get("includeChildRequests") === "true" ? request.children : [])]
    return json(200, follow(filledList.body, [["requests", found.map(writeRequest(hasOtherRefunds))]]))
  })
})

const Address = Schema.fromJsonString(
  Schema.Struct({ chainId: Schema.Int, depositAddress: Schema.NonEmptyString }),
)
const readAddress = Schema.decodeUnknownResult(Address)

/** Looks for deposits to an address again. */
export const postReindex = Effect.fn("sandbox.relay.reindex")(function* (
  body: string,
): Effect.fn.Return<Reply, UnusableLog, World> {
  const address = readAddress(body)
  if (Result.isFailure(address)) return plainRefusal(400, "chainId and depositAddress are required")
  const { chainId, depositAddress } = address.success
  return Result.match(yield* World.perform({ _tag: "Reindex", chainId, address: depositAddress }), {
    onFailure: ({ _tag }) => refusals[_tag],
    onSuccess: ({ balance, request: { terms: { origin } } }) =>
      json(200, {
        message: balance === 0n ? "No balances found" : "Reindex triggered",
        triggeredCurrencies: balance === 0n
          ? []
          : [{ currency: origin.address, symbol: factsOf(origin.asset).ticker, balance: `${balance}` }],
        checkedCurrencies: 1,
        failedCurrencies: 0,
      }),
  })
})
