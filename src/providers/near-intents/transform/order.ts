import { Result } from "effect"
import { type Address, checkAddress } from "../../../domain/Address.ts"
import { Network } from "../../../domain/Chain.ts"
import {
  DepositChannelFailed,
  InsufficientLiquidity,
  MalformedBody,
  type ProviderErrorReason,
} from "../../../domain/ProviderError.ts"
import type { EpochMillis } from "../../../domain/Time.ts"
import type { SigningKey } from "../signature/SigningKey.ts"
import { verifyQuote } from "../signature/verifyQuote.ts"
import type { WireOrder } from "../wire/quote.ts"
import { readOrder } from "./answer.ts"
import type { Inquiry } from "./inquiry.ts"

/** An open deposit address that may be handed out. */
export interface Order {
  readonly depositAddress: Address
  /** What is deposited later is not swapped any more. */
  readonly expiry: EpochMillis
  /** Milliseconds from the confirmed deposit to the payout. */
  readonly timeEstimate: number
}

type Quote = WireOrder["quote"]

const malformed = (detail: string) => Result.fail(new MalformedBody({ detail, reached: true }))

const addressOf = (quote: Quote, { pair }: Inquiry): Result.Result<Address, MalformedBody> =>
  Result.mapError(
    checkAddress(pair.source.chain, Network.literals, quote.depositAddress),
    (fault) => new MalformedBody({ detail: `quote.depositAddress: ${fault}`, reached: true }),
  )

/** When the address stops to be watched counts more than the deadline. */
const expiryOf = ({ timeWhenInactive, deadline }: Quote): Result.Result<EpochMillis, MalformedBody> => {
  const expiry = timeWhenInactive ?? deadline
  return expiry === undefined
    ? malformed("quote.deadline: expected a value, got nothing")
    : Result.succeed(expiry)
}

/** Whoever forgets a memo loses the deposit, and the contract has no place for one. */
const withoutMemo = ({ depositMemo }: Quote): Result.Result<void, DepositChannelFailed> =>
  depositMemo === undefined ? Result.void : Result.fail(
    new DepositChannelFailed({ detail: "Deposits would need a memo, and such channels are not served" }),
  )

const enough = ({ minAmountOut }: Quote, minimumOutput: bigint): Result.Result<void, InsufficientLiquidity> =>
  minAmountOut >= minimumOutput ? Result.void : Result.fail(
    new InsufficientLiquidity({ detail: "The price has moved below the price limit: try again" }),
  )

/**
 * Reads the answer that opened a deposit address. The address is only given out when the service signed it,
 * it is about what was asked, needs no memo, belongs to the source chain, and pays out enough.
 */
export const acceptOrder = (
  body: unknown,
  inquiry: Inquiry,
  { key, minimumOutput }: { readonly key: SigningKey; readonly minimumOutput: bigint },
): Result.Result<Order, ProviderErrorReason> =>
  Result.gen(function* () {
    yield* verifyQuote(body, key)
    const quote = yield* readOrder(body, inquiry)
    yield* withoutMemo(quote)
    const depositAddress = yield* addressOf(quote, inquiry)
    const expiry = yield* expiryOf(quote)
    yield* enough(quote, minimumOutput)
    return { depositAddress, expiry, timeEstimate: quote.timeEstimate }
  })
