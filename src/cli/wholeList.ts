import { Effect } from "effect"
import { mostListed } from "../api/OperatorBodies.ts"
import type { PageQuery } from "../domain/Page.ts"

/** All of a list that comes in parts: each but the first begins with the last of the one before. */
export const wholeList = Effect.fnUntraced(function* <A, Id, E, R>(
  ask: (part: PageQuery<Id>) => Effect.Effect<ReadonlyArray<A>, E, R>,
  idOf: (item: A) => Id,
) {
  let part = yield* ask({ limit: mostListed })
  const all = [...part]
  let last = part.at(-1)
  while (part.length === mostListed && last !== undefined) {
    part = yield* ask({ limit: mostListed, offset: idOf(last) })
    all.push(...part.slice(1))
    last = part.at(-1)
  }
  return all
})
