import { Effect, Option } from "effect"
import { SwapNotFound, SwapRecordId } from "../domain/SwapRecord.ts"

const digits = /^[1-9][0-9]*$/

/** The swap that a path names; what no swap can be called is the name of none. */
export const swapId = (path: string): Effect.Effect<SwapRecordId, SwapNotFound> =>
  Option.match(digits.test(path) ? SwapRecordId.makeOption(Number(path)) : Option.none(), {
    onNone: () => Effect.fail(new SwapNotFound()),
    onSome: Effect.succeed,
  })
