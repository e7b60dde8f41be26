import { Result } from "effect"
import type { Controlled } from "../../engine/View.ts"
import type { PlanOrder } from "./Command.ts"
import type { Intents } from "./State.ts"

/** Lets the next order go wrong in this way; several wait in line. */
export const planOrder = (intents: Intents, { outcome }: PlanOrder): Result.Result<Controlled> => {
  intents.plannedTraps.push(outcome)
  return Result.succeed({ _tag: "Controlled" })
}
