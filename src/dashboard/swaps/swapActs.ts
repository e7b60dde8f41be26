import { Effect } from "effect"
import { actorOf } from "../../domain/Audit.ts"
import { namedAccount, swapId } from "../../http/pathNames.ts"
import { path } from "../../pages/Url.ts"
import { Moves } from "../../swapping/Moves.ts"
import { Repairs } from "../../swapping/Repairs.ts"
import type { Act } from "../Page.ts"

/** Has a swap's upstream look for deposits again. */
export const reindexAct: Act<Repairs> = {
  path: "/dashboard/swaps/:id/reindex",
  run: Effect.fnUntraced(function* ({ param }) {
    const id = yield* swapId(param("id"))
    const found = yield* (yield* Repairs).reindex(id)
    const said = found.length === 0 ? "nothingFound" as const : "reindexed" as const
    return { to: path`/dashboard/swaps/${id}`, said }
  }),
}

/** Moves a swap to another account. */
export const moveAct: Act<Moves> = {
  path: "/dashboard/swaps/:id/move",
  run: Effect.fnUntraced(function* ({ field, param, viewer }) {
    const id = yield* swapId(param("id"))
    yield* (yield* Moves).move(id, yield* namedAccount(field("account")), actorOf(viewer.caller))
    return { to: path`/dashboard/swaps/${id}`, said: "moved" as const }
  }),
}
