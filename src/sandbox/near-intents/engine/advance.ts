import { Match } from "effect"
import type { EpochMillis } from "../../../domain/Time.ts"
import { passTime } from "../../engine/EventQueue.ts"
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

/** Lets everything happen that is due by a time. */
export const advance = (intents: Intents, to: EpochMillis): void =>
  passTime(intents, to, (event) => occur(intents, event))
