import { Option, Result } from "effect"
import { type Address, checkAddress } from "../../../domain/Address.ts"
import { Network } from "../../../domain/Chain.ts"
import type { NativeAmount } from "../../../domain/Amount.ts"
import {
  DepositChannelFailed,
  InsufficientLiquidity,
  MalformedBody,
  type ProviderErrorReason,
} from "../../../domain/ProviderError.ts"
import type { EpochMillis } from "../../../domain/Time.ts"
import { confirmationMillis, isSameAddress } from "../chains.ts"
import type { SigningKey } from "../signature/SigningKey.ts"
import { verifyQuote } from "../signature/verifyQuote.ts"
import { readOrder, type SignedOrder } from "./answer.ts"
import type { Inquiry } from "./inquiry.ts"

/** An open deposit address that may be handed out. */
export interface Order {
  readonly depositAddress: Address
  /** What is deposited later is not swapped any more. */
  readonly expiry: EpochMillis
  /** Milliseconds from the confirmed deposit to the payout. */
  readonly timeEstimate: number
  /** What a deposit has to come to at least, where the upstream states it. */
  readonly minimumDeposit: Option.Option<NativeAmount>
}

/** What an order is held against besides its inquiry. */
export interface OrderTerms {
  readonly key: SigningKey
  /** Native units of the destination asset. */
  readonly minimumOutput: bigint
  /** As it was asked for. */
  readonly deadline: EpochMillis
  /** The present time by which the service's times are read. */
  readonly now: EpochMillis
}

/** How far the service's clock may be from ours. What was signed longer ago is an answer to somebody else. */
const clocksDiffer = 10 * 60_000

/** Time to send a deposit, beside the time until it counts: an address that ends sooner is of no use. */
const leastDepositWindow = 5 * 60_000

/** A minimum of 0 is none. */
const minimumDepositOf = ({ minAmountIn }: SignedOrder): Option.Option<NativeAmount> =>
  Option.filter(Option.fromUndefinedOr(minAmountIn), (minimum) => minimum > 0n)

const malformed = (detail: string) => Result.fail(new MalformedBody({ detail, reached: true }))

/** A deposit to the refund address or to the destination would never be seen. */
const addressOf = (
  quote: SignedOrder,
  { pair, recipient, refundTo }: Inquiry,
): Result.Result<Address, MalformedBody> =>
  checkAddress(pair.source.chain, Network.literals, quote.depositAddress).pipe(
    Result.mapError((fault) =>
      new MalformedBody({ detail: `quote.depositAddress: ${fault}`, reached: true })
    ),
    Result.flatMap((address) =>
      [recipient, refundTo].some((own) => isSameAddress(pair.source.chain, own, address))
        ? malformed("quote.depositAddress: expected an address of the service, got one of the caller's")
        : Result.succeed(address)
    ),
  )

/** A signed answer that is handed out again is told by its time. */
const justMade = ({ timestamp }: SignedOrder, now: EpochMillis): Result.Result<void, MalformedBody> =>
  Math.abs(now - timestamp) <= clocksDiffer
    ? Result.void
    : malformed("timestamp: expected the present time, got another")

/** When the address stops to be watched counts more than the deadline. */
const expiryOf = (
  { timeWhenInactive, deadline }: SignedOrder,
  { pair }: Inquiry,
  now: EpochMillis,
): Result.Result<EpochMillis, MalformedBody> => {
  const expiry = timeWhenInactive ?? deadline
  if (expiry === undefined) return malformed("quote.deadline: expected a value, got nothing")
  return expiry - now >= confirmationMillis(pair.source.chain) + leastDepositWindow
    ? Result.succeed(expiry)
    : malformed(
      `quote.${timeWhenInactive === undefined ? "deadline" : "timeWhenInactive"}: ` +
        "expected time enough for a deposit, got less",
    )
}

/** Whoever forgets a memo loses the deposit, and the contract has no place for one. */
const withoutMemo = ({ depositMemo }: SignedOrder): Result.Result<void, DepositChannelFailed> =>
  depositMemo === undefined ? Result.void : Result.fail(
    new DepositChannelFailed({ detail: "Deposits would need a memo, and such channels are not served" }),
  )

const enough = (
  { amountOut, minAmountOut }: SignedOrder,
  minimumOutput: bigint,
): Result.Result<void, InsufficientLiquidity> => {
  if (amountOut === 0n) {
    return Result.fail(new InsufficientLiquidity({ detail: "Nothing of this amount would be paid out" }))
  }
  return minAmountOut >= minimumOutput ? Result.void : Result.fail(
    new InsufficientLiquidity({ detail: "The price has moved below the price limit: try again" }),
  )
}

/**
 * Reads the answer that opened a deposit address. The address is only given out when the service signed it just
 * now, it is about what was asked, takes the amount, needs no memo, belongs to the source chain and not to the
 * caller, lasts long enough for a deposit, and pays out enough.
 */
export const acceptOrder = (
  body: unknown,
  inquiry: Inquiry,
  { key, minimumOutput, deadline, now }: OrderTerms,
): Result.Result<Order, ProviderErrorReason> =>
  Result.gen(function* () {
    yield* verifyQuote(body, key)
    const quote = yield* readOrder(body, inquiry, deadline)
    yield* justMade(quote, now)
    yield* withoutMemo(quote)
    const depositAddress = yield* addressOf(quote, inquiry)
    const expiry = yield* expiryOf(quote, inquiry, now)
    yield* enough(quote, minimumOutput)
    return {
      depositAddress,
      expiry,
      timeEstimate: quote.timeEstimate,
      minimumDeposit: minimumDepositOf(quote),
    }
  })
