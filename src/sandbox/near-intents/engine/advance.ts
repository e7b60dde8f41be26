import { Match } from "effect"
import { EpochMillis } from "../../../domain/Time.ts"
import { confirmDeposit, detect, includeDeposit, passDeadline } from "./deposits.ts"
import { arrive, settle } from "./settlement.ts"
import type { Intents, IntentsEvent } from "./State.ts"

const occur = (intents: Intents, event: IntentsEvent): void =>
  Match.valueTags(event, {
    IncludeDeposit: ({ deposit, order }) => includeDeposit(intents, order, deposit),
    ConfirmDeposit: ({ deposit, order }) => confirmDeposit(intents, order, deposit),
    Detect: ({ order }) => detect(intents, order),
    PassDeadline: ({ order }) => passDeadline(intents, order),
    Settle: ({ order }) => settle(intents, order),
    Arrive: ({ input, order, payout }) => arrive(intents, order, input, payout),
  })

/** Lets everything happen that is due by a time, each thing at its own; an earlier time does nothing. */
export const advance = (intents: Intents, to: EpochMillis): void => {
  for (;;) {
    const due = intents.events.takeDue(to)
    if (due === undefined) break
    intents.time = EpochMillis.make(due.time)
    occur(intents, due.value)
  }
  if (to > intents.time) intents.time = to
}
