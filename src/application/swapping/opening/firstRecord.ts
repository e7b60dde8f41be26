import { Effect, Option, Struct } from "effect"
import { keepBody } from "#domain/swaps/Journal.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { EndRules } from "#providers/Capabilities.ts"
import type { Observed } from "#providers/Provider.ts"
import type { PaymentsRepo } from "#infrastructure/store/swaps/PaymentsRepo.ts"
import { claimPayments } from "../following/paymentClaims.ts"
import { judgeOutcome } from "../following/judgeOutcome.ts"
import { afterFirstAnswer, type LookupPace } from "../following/LookupPolicy.ts"
import { stallsAt } from "../following/Stalling.ts"
import { eventsBetween } from "../following/Progress.ts"

/** The status without its end, which is left to the look-ups of the swap: these tell of what they cannot believe. */
const beforeEnd = (status: SwapStatus): SwapStatus => ({
  ...Struct.omit(status, ["swapEgress", "refundEgress", "fallbackEgress"]),
  state: "swapping",
  fees: [],
})

/**
 * What is recorded of a swap that its upstream is the first to tell of. An end that cannot be believed yet (decision 37)
 * is not recorded with it: the first look-up of the swap disputes it, or waits for what is missing.
 */
export const makeFirstRecord = (payments: PaymentsRepo["Service"], pace: LookupPace) =>
  Effect.fnUntraced(function* (
    claimant: string,
    { body, status: said }: Observed,
    askedAt: EpochMillis,
    rules: EndRules,
  ) {
    const isBelieved = judgeOutcome(said, said, rules)._tag === "Plausible" &&
      Option.isNone(yield* claimPayments(payments, claimant, said, rules))
    const status = isBelieved ? said : beforeEnd(said)
    return {
      status,
      body: keepBody(body),
      askedAt,
      nextLookupAt: afterFirstAnswer(status, askedAt, pace),
      stallsAt: stallsAt(status, askedAt, pace),
      events: eventsBetween(Option.none(), status),
    }
  })
