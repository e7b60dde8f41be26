import { Effect, Option, Result, Schema } from "effect"
import type { MalformedBody } from "#domain/ProviderError.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { type Address, checkAddress } from "#domain/chains/Address.ts"
import { factsOf } from "#domain/chains/Asset.ts"
import { Network } from "#domain/chains/Chain.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import { anyPrice } from "#domain/money/Price.ts"
import { isSent, receivedOf } from "#domain/quotes/ExactOutput.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { checkOpening } from "../Capabilities.ts"
import { type Channels, Reindexed } from "../Provider.ts"
import * as OpenedOrder from "../upstream/openedOrder.ts"
import { Amount, Count, decode, formatPath, malformed, maybe } from "../upstream/values.ts"
import { beforeOpening, upstreamText } from "../upstream/failures.ts"
import { anySlippageBps, minimumOutput } from "../upstream/prices.ts"
import { confirmationMillis, type ServedChain, servedChainNames, servedChains } from "./chains.ts"
import { type Client, failAs, name } from "./client.ts"
import { capabilities, type Conditions, type Currencies } from "./conditions.ts"
import { toPair } from "../upstream/servedChains.ts"
import { inquire, type Inquiry, openingInquiry, withoutOpening } from "./inquiry.ts"
import { isSameId, type ReadQuote, readQuote, WireQuote } from "./answer.ts"
import { askPrice, assetOf, exactOutputOf, outputOf } from "./quotes.ts"
import type { Options } from "./settings.ts"

/** The transaction that a wallet would make of a step, as far as chains have one form of it. */
const WireTransaction = Schema.Struct({
  chainId: maybe(Count),
  to: maybe(Schema.String),
  value: maybe(Schema.String),
  data: maybe(Schema.String),
})
type WireTransaction = typeof WireTransaction.Type

const RequestId = Schema.String.check(
  Schema.isPattern(/^0x[0-9a-fA-F]{64}$/, { expected: "0x and 64 hex digits" }),
)

/** What a wallet would do, and where to ask for it. */
const action = {
  data: maybe(Schema.Unknown),
  check: maybe(Schema.Struct({ endpoint: maybe(Schema.String) })),
}

/** A step of v2 has its actions in it, one of v3 is its action. */
const WireStep = Schema.Struct({
  id: Schema.String,
  requestId: maybe(RequestId),
  depositAddress: Schema.Union([
    Schema.String,
    Schema.Struct({ address: Schema.String, type: maybe(Schema.String) }),
  ]),
  ...action,
  items: maybe(Schema.Array(Schema.Struct(action))),
})
type WireStep = typeof WireStep.Type

/** The answer of either version that opened a deposit address (relay/wire.md 1, quote and versions). */
export const WireOpening = Schema.Struct({
  ...WireQuote.fields,
  requestId: maybe(RequestId),
  steps: Schema.Array(WireStep),
})

/** The parts of the order on the protocol's own chain that are checked, each where there is one. */
const WireOrderData = Schema.Struct({
  inputs: maybe(Schema.Array(Schema.Struct({
    refunds: maybe(Schema.Array(Schema.Struct({ chainId: maybe(Schema.String), recipient: Schema.String }))),
  }))),
  output: maybe(Schema.Struct({
    deadline: maybe(Count),
    payments: maybe(Schema.Array(Schema.Struct({ recipient: Schema.String, minimumAmount: maybe(Amount) }))),
  })),
})
type WireOrderData = typeof WireOrderData.Type

/** A deposit takes one transfer, which anything beside the one step would not be. */
const depositStep = (steps: ReadonlyArray<WireStep>): Result.Result<WireStep, MalformedBody> => {
  const [step, ...others] = steps
  return step === undefined || step.id !== "deposit" || others.length > 0
    ? malformed(
      `steps: expected one deposit, got ${steps.map(({ id }) => id.slice(0, 10)).join(", ") || "none"}`,
    )
    : Result.succeed(step)
}

/** The token itself, and what stands for the coin, are no addresses for a deposit either; an open one has no limit. */
const addressOf = (
  { depositAddress: named }: WireStep,
  { opening, pair: { source }, recipient }: Inquiry,
): Result.Result<Address, MalformedBody> => {
  const { address, type = "strict" } = typeof named === "string" ? { address: named } : named
  return type === "strict"
    ? OpenedOrder.depositAddressAt("steps[0].depositAddress", source.chain, address, [
      recipient,
      opening?.refundTo,
      source.address,
      servedChains[source.chain].coin,
    ])
    : malformed("steps[0].depositAddress.type: expected strict, got another")
}

/** The request, which is told beside the step, in it, or in both. */
const requestIdOf = (beside: string | undefined, { requestId = beside }: WireStep) => {
  if (requestId === undefined) return malformed("requestId: expected a value, got nothing")
  return beside === undefined || isSameId(beside, requestId)
    ? Result.succeed(requestId)
    : malformed("steps[0].requestId: expected the same request, got another")
}

/** `transfer(address,uint256)` as calldata. */
const transferCall = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/i

/** Whether the transaction that a wallet would make pays the deposit address the amount, as far as that can be read. */
const isPaying = (
  { chainId, data, to, value }: WireTransaction,
  depositAddress: Address,
  { pair: { source } }: Inquiry,
  amount: NativeAmount,
): boolean => {
  const { chain } = source
  if (chainId !== undefined && chainId !== servedChains[chain].chainId) return false
  if (to === undefined) return true
  if (factsOf(source.asset).contractAddress === undefined) {
    return OpenedOrder.isSameAddress(chain, to, depositAddress) &&
      (value === undefined || value === `${amount}`)
  }
  const call = transferCall.exec(data ?? "")
  if (call === null) return true
  const [, payee = "", paid = ""] = call
  return OpenedOrder.isSameAddress(chain, to, source.address) &&
    OpenedOrder.isSameAddress(chain, `0x${payee}`, depositAddress) &&
    BigInt(`0x${paid}`) === amount
}

/** What the step's actions say has to be about the same request and the same address. */
const checkActions = (
  { items = [], ...step }: WireStep,
  requestId: string,
  depositAddress: Address,
  inquiry: Inquiry,
  amount: NativeAmount,
): Result.Result<void, MalformedBody> => {
  const actions = items.map(({ check, data }, index) => ({ at: ["items", index], check, data }))
  for (const { at, check, data } of [...actions, { at: [], check: step.check, data: step.data }]) {
    const path = ["steps", 0, ...at]
    const asked = check?.endpoint === undefined
      ? null
      : new URLSearchParams(check.endpoint.split("?")[1]).get("requestId")
    if (asked !== null && !isSameId(asked, requestId)) {
      return malformed(`${formatPath([...path, "check"])}: expected the same request, got another`)
    }
    if (data === undefined) continue
    const transaction = decode(WireTransaction, data, [...path, "data"])
    if (Result.isFailure(transaction)) return Result.fail(transaction.failure)
    if (!isPaying(transaction.success, depositAddress, inquiry, amount)) {
      return malformed(
        `${formatPath([...path, "data"])}: expected a deposit of the amount, got something else`,
      )
    }
  }
  return Result.void
}

const isAddress = (chain: ServedChain, text: string): boolean =>
  Result.isSuccess(checkAddress(chain, Network.literals, text))

/** Whether the order refunds and pays whom it should. An address in no form of its chain says nothing. */
const orderFault = (
  { inputs = [], output }: WireOrderData,
  { amount, opening, pair: { destination, source }, recipient }: Inquiry,
): string | undefined => {
  const refunds = inputs.flatMap(({ refunds = [] }) => refunds).filter(({ chainId }) =>
    chainId === undefined || source.protocolChain === undefined || chainId === source.protocolChain
  )
  const others = [opening?.refundTo, ...(source.protocolChain === undefined ? [recipient] : [])]
  const refundsOthers = refunds.some((refund) =>
    isAddress(source.chain, refund.recipient) &&
    !others.some((own) => own !== undefined && OpenedOrder.isSameAddress(source.chain, own, refund.recipient))
  )
  if (refundsOthers) return "inputs: expected refunds to who was asked for, got others"
  const asked = receivedOf(amount)
  const paysLess = asked !== undefined &&
    (output?.payments ?? []).some(({ minimumAmount }) => minimumAmount !== undefined && minimumAmount < asked)
  if (paysLess) return `output.payments: expected ${asked} at least, got less`
  return (output?.payments ?? []).some((payment) =>
      isAddress(destination.chain, payment.recipient) &&
      !OpenedOrder.isSameAddress(destination.chain, payment.recipient, recipient)
    )
    ? "output.payments: expected the recipient that was asked for, got another"
    : undefined
}

/** When a deposit has to be sent at the latest, by the requested TTL and by the order's own deadline. */
const expiryOf = (
  { output }: WireOrderData,
  { details: { timeEstimate } }: ReadQuote,
  { opening, pair: { source } }: Inquiry,
  openedAt: EpochMillis,
): Result.Result<EpochMillis, MalformedBody> => {
  const ttlEnd = openedAt + (opening?.ttlMillis ?? 0)
  const end = output?.deadline === undefined ? ttlEnd : Math.min(ttlEnd, output.deadline * 1_000)
  const expiry = Math.floor(end - confirmationMillis(source.chain) - timeEstimate)
  return OpenedOrder.usableUntil("protocol.v2.orderData.output.deadline", expiry, openedAt)
}

/** The order, where the answer has one: checks of one that cannot be read would pass whatever it says. */
const orderDataOf = ({ protocol }: ReadQuote): Result.Result<WireOrderData, MalformedBody> => {
  const orderData = protocol?.v2?.orderData
  return orderData === undefined
    ? Result.succeed({})
    : decode(WireOrderData, orderData, ["protocol", "v2", "orderData"])
}

/** Reads an opening. An address is given out only if every check of the order against its inquiry passes. */
const acceptOrder = (
  body: unknown,
  inquiry: Inquiry,
  { leastFor, openedAt }: {
    /** The least output that the price limit takes for an amount; native units of both assets. */
    readonly leastFor: (amountIn: bigint) => bigint
    readonly openedAt: EpochMillis
  },
) =>
  Result.gen(function* () {
    const { requestId: beside, steps, ...wire } = yield* decode(WireOpening, body)
    const quote = yield* readQuote(wire, inquiry)
    const step = yield* depositStep(steps)
    const requestId = yield* requestIdOf(beside, step)
    const depositAddress = yield* addressOf(step, inquiry)
    yield* checkActions(step, requestId, depositAddress, inquiry, quote.details.currencyIn.amount)
    const orderData = yield* orderDataOf(quote)
    const fault = orderFault(orderData, inquiry)
    if (fault !== undefined) yield* malformed(`protocol.v2.orderData.${fault}`)
    const expiry = yield* expiryOf(orderData, quote, inquiry, openedAt)
    yield* OpenedOrder.checkOutput(outputOf(quote, inquiry), leastFor(quote.details.currencyIn.amount))
    return { requestId, depositAddress, expiry, quote }
  })

/** The opening, after a quote where a price limit becomes a tolerance or a commission could be dropped. */
export const makeOpen = (client: Client, conditions: Conditions, options: Options): Channels["open"] => {
  const prepare = Effect.fnUntraced(function* (request: SwapRequest) {
    const amount = yield* Effect.fromResult(
      checkOpening({ name, capabilities, hasPayee: Option.isSome(options.feeRecipient) }, request),
    )
    const pair = yield* Effect.fromResult(toPair(yield* conditions.currencies, request))
    const inquiry = openingInquiry(pair, request, amount, options.feeRecipient)
    const leastFor = (amountIn: bigint) => minimumOutput(request, amountIn, request.minimumPrice)
    const present = Effect.map(
      askPrice(client, withoutOpening(inquiry)),
      ({ details }) => details.currencyOut.amount,
    )
    if (!isSent(amount)) {
      // The price limit is what may be asked for the output, which the opening tells.
      if (Option.isSome(inquiry.appFee)) yield* present
      return { pair, leastFor, inquiry }
    }
    const slippageBps = request.minimumPrice.value === anyPrice.value && Option.isNone(inquiry.appFee)
      ? anySlippageBps
      : yield* OpenedOrder.toleranceTo(leastFor(amount), present)
    return { pair, leastFor, inquiry: { ...inquiry, slippageBps } }
  })

  return Effect.fn("Relay.open")(function* (request) {
    const { inquiry, leastFor, pair } = yield* beforeOpening(prepare(request))
    const { answeredAt, body } = yield* inquire(client, inquiry)
    const openedAt = options.simulatedTime === true ? answeredAt : yield* currentMillis
    const accepted = acceptOrder(body, inquiry, { leastFor, openedAt })
    const order = yield* Effect.fromResult(accepted)
    const { currencyIn: { amount }, timeEstimate } = order.quote.details
    return {
      ...OpenedOrder.toOpenedChannel({
        request,
        amount,
        depositAddress: order.depositAddress,
        openedAt,
        expiry: order.expiry,
        reference: order.requestId,
        expectedOutputAmount: outputOf(order.quote, inquiry).amount,
        ...optionalMembers(exactOutputOf(order.quote, inquiry), (exactOutput) => ({ exactOutput })),
        estimatedDuration: timeEstimate,
        confirmations: servedChains[pair.source.chain].confirmations,
        payee: options.feeRecipient,
        explorerUrl: options.explorerUrl,
      }),
      // Less is refunded, and of more the rest.
      depositLimits: { minimum: amount, maximum: amount },
    }
  }, failAs("open"))
}

/** The answer of `POST /transactions/deposit-address/reindex` (relay/wire.md 1, endpoints). */
const WireReindex = Schema.Struct({
  triggeredCurrencies: maybe(Schema.Array(Schema.Struct({
    currency: Schema.String,
    symbol: Schema.String,
    balance: Amount,
  }))),
})

const readFound = (body: unknown, chainId: number, currencies: Currencies) =>
  Result.map(
    decode(WireReindex, body),
    ({ triggeredCurrencies = [] }) =>
      triggeredCurrencies.map(({ balance, currency, symbol }) => ({
        ...optionalMembers(assetOf(currencies, { chainId, address: currency }), (asset) => ({ asset })),
        symbol: upstreamText(symbol),
        amount: balance,
      })),
  )

/** The operation: the service looks at the chain that the address was opened on, for every currency that it takes. */
export const makeReindex = (client: Client, conditions: Conditions): NonNullable<Channels["reindex"]> =>
  Effect.fn("Relay.reindex")(function* ({ network }, { depositChannel }) {
    const chain = servedChainNames.find((name) => name === network)
    if (depositChannel === undefined || chain === undefined) return Reindexed.NotKnown()
    const { chainId } = servedChains[chain]
    const currencies = yield* conditions.currencies
    const answer = yield* client.reindex({ chainId, depositAddress: depositChannel.depositAddress })
    if (answer._tag === "Looked") {
      return Reindexed.Looked({
        found: yield* Effect.fromResult(readFound(answer.heard.body, chainId, currencies)),
      })
    }
    return answer._tag === "TooSoon" ? Reindexed.TooSoon() : Reindexed.NotKnown()
  }, failAs("status"))
