import { Effect } from "effect"
import type { Network } from "../domain/Chain.ts"
import { asksForPayment } from "../domain/Guidance.ts"
import { NoPaymentCode, NothingToPay } from "../domain/payment/failures.ts"
import { awaitsDeposit, hasExpired, paymentOf } from "../domain/payment/Payment.ts"
import type { StandingSwap } from "../domain/SwapRecord.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { Guide } from "./Guide.ts"

/** The text of a swap's code, or why nobody should scan one. */
export const codeText = Effect.fnUntraced(function* (swap: StandingSwap, network: Network) {
  const now = yield* currentMillis
  const { depositChannel, sourceAsset } = swap.status
  if (depositChannel === undefined) return yield* new NothingToPay({ why: "no-channel" })
  if (!awaitsDeposit(swap.status)) return yield* new NothingToPay({ why: "paid" })
  if (hasExpired(depositChannel, network, now)) return yield* new NothingToPay({ why: "expired" })
  const { phase } = yield* (yield* Guide).swap(swap)
  if (!asksForPayment(phase)) return yield* new NoPaymentCode({ why: "stopped" })
  const { codeText: text } = paymentOf(depositChannel, { sourceAsset, network }, now)
  if (text !== undefined) return text
  return yield* new NoPaymentCode({ why: depositChannel.memo === undefined ? "unwritable" : "memo" })
})
