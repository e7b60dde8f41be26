import { Effect, Result, Schema } from "effect"
import { factsOf } from "#domain/chains/Asset.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { UnusableLog } from "../EventLog.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { amountMembers, currencyMembers, formatted, inUsd } from "./encode.ts"
import * as Relay from "./engine/Relay.ts"
import type { Currency } from "./engine/currencies.ts"
import type { RelayRequest } from "./engine/State.ts"
import { plainRefusal, reindexRefusal } from "./refusals.ts"

/** `GET /intents/status/v3`, `GET /requests/v3` and `POST /transactions/deposit-address/reindex`. */

const paidHashes = ({ payout, refund, settlement, state }: RelayRequest): ReadonlyArray<string> =>
  state === "refund"
    ? [refund?.transactionReference, settlement].flatMap((hash) => hash ?? [])
    : [payout?.transactionReference].flatMap((hash) => hash ?? [])

const writeStatus = (request: RelayRequest) => ({
  status: request.state,
  ...(request.state === "pending" ? { details: "Deposit seen" } : {}),
  inTxHashes: request.deposits.map(({ transactionReference }) => transactionReference),
  txHashes: paidHashes(request),
  updatedAt: request.updatedAt,
  originChainId: request.terms.origin.chain.id,
  destinationChainId: request.terms.destination.chain.id,
  quoteCreatedAt: request.createdAt,
  ...defined({ failReason: request.failReason, refundFailReason: request.refundFailReason }),
})

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
        ? { status: request.state, quoteCreatedAt: request.createdAt }
        : writeStatus(request),
    )
  })
})

const transaction = ({ chain }: Currency, txHash: string, at: number) => ({
  txHash,
  fee: "21000",
  feeUsd: "0.010000",
  block: 1,
  type: "onchain",
  chainId: chain.id,
  timestamp: Math.floor(at / 1_000),
  status: "success",
})

/** Swaps on one chain pay by the transaction that takes the deposit up, and name no other (recorded in August 2026). */
const isOnOneChain = ({ terms: { destination, origin } }: RelayRequest): boolean =>
  origin.chain.id === destination.chain.id

const writeOutTransactions = (request: RelayRequest) => {
  const { payout, refund, settlement, terms: { destination, origin }, updatedAt } = request
  const paid = payout === undefined
    ? []
    : isOnOneChain(request)
    ? [{ chainId: destination.chain.id }]
    : [transaction(destination, payout.transactionReference, updatedAt)]
  return [
    ...paid,
    ...(refund === undefined ? [] : [transaction(origin, refund.transactionReference, updatedAt)]),
    ...(settlement === undefined ? [] : [transaction(origin, settlement, updatedAt)]),
  ]
}

/** What a share of the fees comes to; it costs the payer. */
const feeFigure = (currency: Currency, price: bigint, amount: bigint) => ({
  usd: `-${inUsd(currency, price, amount)}`,
  amount: `${amount}`,
  amountFormatted: formatted(currency, amount),
})

const writeFees = ({ offer: { appFee, gasFee, prices, serviceFee }, terms: { origin } }: RelayRequest) => {
  const figure = (amount: bigint) => feeFigure(origin, prices.origin, amount)
  const figures = {
    swap: figure(0n),
    execution: figure(gasFee),
    platform: figure(serviceFee),
    app: figure(appFee),
    sponsored: figure(0n),
  }
  return { quoted: figures, actual: figures, currency: currencyMembers(origin) }
}

const writeAppFees = ({ offer, payout, request, terms: { origin } }: RelayRequest) => {
  const quoted = (request.appFees ?? []).map(({ fee, recipient }) => {
    const amount = offer.amountIn * BigInt(fee) / 10_000n
    return { recipient, bps: fee, amount: `${amount}`, amountFormatted: formatted(origin, amount) }
  })
  const taken = offer.appFee === 0n || payout === undefined ? [] : quoted
  const price = offer.prices.origin
  return {
    quoted: offer.appFee === 0n ? [] : quoted,
    actual: taken.map((fee) => ({ ...fee, amountUsd: inUsd(origin, price, BigInt(fee.amount)) })),
    currency: currencyMembers(origin),
  }
}

const writeRoute = (request: RelayRequest) => {
  const { deposits, offer, payout, terms: { destination, origin } } = request
  const side = (member: ReturnType<typeof amountMembers>) => ({
    inputCurrency: member,
    outputCurrency: member,
    router: "relay",
  })
  const { amountIn, amountOut, minimumAmountOut, prices } = offer
  const came = amountMembers(origin, prices.origin, deposits[0]?.amount ?? 0n)
  const went = payout === undefined ? null : amountMembers(destination, prices.destination, payout.amount)
  const onOneChain = isOnOneChain(request)
  return {
    quoted: {
      origin: side(amountMembers(origin, prices.origin, amountIn)),
      destination: side(amountMembers(destination, prices.destination, amountOut, minimumAmountOut)),
    },
    actual: deposits.length === 0 ? null : {
      origin: { ...side(came), ...(onOneChain ? { outputCurrency: went } : {}) },
      destination: went === null || onOneChain ? null : side(went),
    },
  }
}

const writeRequest = (hasOtherRefunds: boolean) => (request: RelayRequest) => {
  const { deposits, offer, refund, terms: { destination, origin } } = request
  const [deposit] = deposits
  return {
    id: request.id,
    // The list has no word of its own for a fill that is late.
    status: request.state === "delayed" ? "submitted" : request.state,
    user: request.request.user,
    sender: null,
    recipient: request.terms.recipient,
    refundTo: request.request.refundTo ?? null,
    supersededByRequestId: request.supersededBy?.id ?? null,
    depositAddress: {
      address: request.depositAddress,
      type: "strict",
      depositor: null,
      depositTxHash: deposit?.transactionReference ?? null,
      recoveryAddress: null,
    },
    data: {
      slippageTolerance: `${request.terms.slippageBps}`,
      failReason: request.failReason ?? null,
      refundFailReason: request.refundFailReason ?? null,
      usesExternalLiquidity: false,
      timeEstimate: offer.timeEstimate,
      triggeredByFastFill: null,
      inTxs: deposits.map(({ transactionReference }) =>
        transaction(origin, transactionReference, request.updatedAt)
      ),
      outTxs: writeOutTransactions(request),
      appFees: writeAppFees(request),
      fees: writeFees(request),
      route: writeRoute(request),
      refundCurrencyData: refund === undefined
        ? null
        : hasOtherRefunds
        ? amountMembers(destination, offer.prices.destination, offer.amountOut)
        : amountMembers(origin, offer.prices.origin, refund.amount),
    },
    protocol: deposit === undefined || isOnOneChain(request) ? null : {
      isWithdrawable: false,
      deposit: {
        origin: {
          amount: `${deposit.amount}`,
          chainId: origin.chain.id,
          currency: origin.address,
          transactionId: deposit.transactionReference,
        },
      },
    },
    requestType: isOnOneChain(request) ? "Same-chain Swap" : "Crosschain Swap",
    createdAt: new Date(request.createdAt).toISOString(),
    updatedAt: new Date(request.updatedAt).toISOString(),
  }
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
      : [request, ...(query.get("includeChildRequests") === "true" ? Relay.childrenOf(relay, request) : [])]
    return json(200, { requests: found.map(writeRequest(hasOtherRefunds)) })
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
    onFailure: reindexRefusal,
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
