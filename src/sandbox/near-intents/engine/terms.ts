import { ed25519 } from "@noble/curves/ed25519.js"
import { base58 } from "@scure/base"
import { Option, Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { ReceiveExactly } from "#domain/quotes/ExactOutput.ts"
import { isAddressOn } from "../../engine/identifiers.ts"
import { maximumAppFeeBps, type QuoteRequest } from "./Command.ts"
import { offerOf } from "./offer.ts"
import type { Intents, OrderTerms, Quoted, RequestRefusal } from "./State.ts"
import { findToken, type Token } from "./tokens.ts"

const refuse = (refusal: RequestRefusal): Result.Result<never, RequestRefusal> => Result.fail(refusal)

/** The address of twenty zeros on Tron, which nobody holds the key of. */
const nobodyOnTron = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"

/** Whether an address can be a wallet's: what is off Solana's curve is a program's, and zeros are nobody's. */
const isWallet = (chain: Chain, text: string): boolean => {
  if (chain === "Solana") {
    return Result.isSuccess(Result.try(() => ed25519.Point.fromBytes(base58.decode(text))))
  }
  return chain !== "Tron" || text !== nobodyOnTron
}

const isAddressOf = ({ asset }: Token, text: string): boolean =>
  isAddressOn(chainOf(asset), text) && isWallet(chainOf(asset), text)

/** An exchange's account on the XRP Ledger, which demands a destination tag. */
const accountWithTags = "rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh"

const ownAccount = "5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd"

/** The least that 1Click takes for itself, in basis points, also where nothing was asked. */
const leastOwnBps = 20

/** The fees of an order: each application has half of what it asked for, and 1Click the other half or more. */
const feesOf = (asked: Exclude<QuoteRequest["appFees"], undefined>): OrderTerms["fees"] => {
  const halves = asked.map(({ fee, recipient }) => ({ recipient, fee: Bps.make(Math.ceil(fee / 2)) }))
  const rest = asked.reduce((sum, { fee }) => sum + Math.floor(fee / 2), 0)
  return [...halves, { recipient: ownAccount, fee: Bps.make(Math.max(rest, leastOwnBps)) }]
}

/** The terms of a request, or the first of 1Click's reasons to refuse it. */
const termsOf = (request: QuoteRequest, areFeesAsAsked: boolean) => {
  const origin = findToken(request.originAsset)
  const destination = findToken(request.destinationAsset)
  const appFeeBps = (request.appFees ?? []).reduce((sum, { fee }) => sum + fee, 0)
  if (origin === undefined) return refuse({ _tag: "InvalidToken", member: "tokenIn" })
  if (destination === undefined || destination === origin) {
    return refuse({ _tag: "InvalidToken", member: "tokenOut" })
  }
  if (!isAddressOf(destination, request.recipient)) {
    return refuse({ _tag: "InvalidAddress", member: "recipient" })
  }
  if (!isAddressOf(origin, request.refundTo)) return refuse({ _tag: "InvalidAddress", member: "refundTo" })
  if ([request.recipient, request.refundTo].includes(accountWithTags)) return refuse({ _tag: "TagDemanded" })
  if (appFeeBps > maximumAppFeeBps) return refuse({ _tag: "AppFeesTooHigh" })
  return Option.match(NativeAmount.makeOption(BigInt(request.amount)), {
    onNone: () => refuse({ _tag: "NoLiquidity" }),
    onSome: (amount) =>
      Result.succeed({
        origin,
        destination,
        amount: request.swapType === "EXACT_OUTPUT" ? ReceiveExactly.make({ amount }) : amount,
        slippageBps: Bps.make(request.slippageTolerance),
        fees: areFeesAsAsked
          ? (request.appFees ?? []).map(({ fee, recipient }) => ({ recipient, fee: Bps.make(fee) }))
          : feesOf(request.appFees ?? []),
        isExact: request.swapType === "EXACT_INPUT",
      }),
  })
}

/** The terms and figures of a request at the present prices; nothing is reserved. */
export const quote = (
  { network }: Intents,
  request: QuoteRequest,
  areFeesAsAsked: boolean,
): Result.Result<Quoted, RequestRefusal> =>
  Result.flatMap(
    termsOf(request, areFeesAsAsked),
    (terms) => Result.map(offerOf(network, terms), (offer) => ({ request, terms, offer })),
  )
