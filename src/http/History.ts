import { Effect, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { CurrentAccount } from "../domain/Account.ts"
import { SwapRecordId } from "../domain/SwapRecord.ts"
import { Registry } from "../providers/Registry.ts"
import { type HistoryPage, Swaps } from "../swapping/Swaps.ts"
import { linkToNext } from "./linkToNext.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { recordsJson } from "./present/recordJson.ts"
import { orProblem } from "./problemResponse.ts"
import { readHistoryQuery } from "./readHistoryQuery.ts"

const empty: HistoryPage = { records: [] }

export const HistoryHandlers = HttpApiBuilder.group(
  Api,
  "history",
  Effect.fnUntraced(function* (handlers) {
    const swaps = yield* Swaps
    const registry = yield* Registry

    const page = Effect.fnUntraced(function* () {
      const { offset, platform, ...query } = yield* readHistoryQuery
      // No swap has an id below 1: going down from there finds nothing, going up finds everything.
      if (offset === 0 && query.sort === "descending") return empty
      return yield* swaps.history(yield* CurrentAccount, {
        ...query,
        ...Option.match(SwapRecordId.makeOption(offset ?? 0), {
          onNone: () => ({}),
          onSome: (id) => ({ offset: id }),
        }),
        ...Option.match(platform, { onNone: () => ({}), onSome: (name) => ({ platform: name }) }),
      })
    })

    const answer = Effect.gen(function* () {
      const { records, next } = yield* page()
      if (next !== undefined) yield* linkToNext(next)
      return jsonResponse(recordsJson(records))
    })

    return handlers.handleAll({
      swaps: () => answer.pipe(orProblem, Effect.provideService(Registry, registry)),
    })
  }),
)
