import { Option, Result } from "effect"
import { checkAddress } from "../../../domain/Address.ts"
import { NativeAmount } from "../../../domain/Amount.ts"
import { chainOf } from "../../../domain/Asset.ts"
import { Bps } from "../../../domain/Bps.ts"
import { Network as ChainNetwork } from "../../../domain/Chain.ts"
import { maximumAppFeeBps, type QuoteRequest } from "./QuoteRequest.ts"
import type { RequestRefusal } from "./Refusal.ts"
import type { Terms } from "./State.ts"
import { findToken, type Token } from "./tokens.ts"

const refuse = (refusal: RequestRefusal): Result.Result<never, RequestRefusal> => Result.fail(refusal)

const isAddressOf = ({ asset }: Token, text: string): boolean =>
  Result.isSuccess(checkAddress(chainOf(asset), ChainNetwork.literals, text))

/** What a request asks for, or the first thing about it that 1Click refuses. */
export const termsOf = (request: QuoteRequest): Result.Result<Terms, RequestRefusal> => {
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
  if (appFeeBps > maximumAppFeeBps) return refuse({ _tag: "AppFeesTooHigh" })
  return Option.match(NativeAmount.makeOption(BigInt(request.amount)), {
    onNone: () => refuse({ _tag: "NoLiquidity" }),
    onSome: (amount) =>
      Result.succeed({
        origin,
        destination,
        amount,
        slippageBps: Bps.make(request.slippageTolerance),
        appFeeBps: Bps.make(appFeeBps),
        isExact: request.swapType === "EXACT_INPUT",
      }),
  })
}
