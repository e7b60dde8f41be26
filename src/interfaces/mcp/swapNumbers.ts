import { Effect } from "effect"
import { McpSchema } from "effect/ai"
import { SwapState } from "#domain/swaps/Swap.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { currentAgent } from "./authenticateAgent.ts"

/** How many of the latest swaps a number is looked for among: as many as one answer may suggest. */
const most = 100

const notReadable = new McpSchema.InternalError({ message: "The swaps cannot be read for now" })

/** Suggests numbers of the account's latest swaps by prefix; none for a key that may not list. */
export const makeSwapNumbers = Effect.gen(function* () {
  const { history } = yield* Swaps
  return Effect.fnUntraced(
    function* (typed: string) {
      const { caller } = yield* currentAgent
      if (!caller.scopes.includes("history")) return []
      const { records } = yield* history(caller, {
        limit: most,
        states: SwapState.literals,
        sort: "descending",
      })
      return records.map(({ id }) => `${id}`).filter((number) => number.startsWith(typed))
    },
    Effect.catchTag("StoreUnavailable", () => Effect.fail(notReadable)),
  )
})
