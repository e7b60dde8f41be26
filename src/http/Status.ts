import { Effect, Option } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../api/Api.ts"
import { CurrentAccount } from "../api/Authorization.ts"
import type { Account } from "../domain/Account.ts"
import type { SwapStatus } from "../domain/Swap.ts"
import { type SwapRecord, SwapRecordId } from "../domain/SwapRecord.ts"
import { SwapNotFound } from "../domain/SwapRecord.ts"
import { presentEntry, recordJson } from "../api/presentSwap.ts"
import { Journals } from "../swapping/Journals.ts"
import { Swaps } from "../swapping/Swaps.ts"
import { VaultSwaps } from "../swapping/VaultSwaps.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { journalQuery, listed } from "./pages.ts"
import { orProblem } from "./orProblem.ts"
import { swapId } from "./pathNames.ts"

/** The failure for an id that no swap can have. */
const noSuchId = Effect.fail(new SwapNotFound())

export const StatusHandlers = HttpApiBuilder.group(
  Api,
  "status",
  Effect.fnUntraced(function* (handlers) {
    const swaps = yield* Swaps
    const vaultSwaps = yield* VaultSwaps
    const journals = yield* Journals

    // Each status belongs to one record, so its text is kept until the record gets another status.
    const written = new WeakMap<SwapStatus, string>()
    const textOf = (record: SwapRecord): string => {
      const before = written.get(record.status)
      if (before !== undefined) return before
      const text = recordJson(record)
      written.set(record.status, text)
      return text
    }

    /** Answers with the record of the caller's swap that `find` returns. */
    const answer = <E>(find: (account: Account) => Effect.Effect<SwapRecord, E>) =>
      CurrentAccount.pipe(
        Effect.flatMap(find),
        Effect.map((record) => jsonResponse(textOf(record))),
      )

    return handlers.handleAll({
      byId: ({ query }) =>
        answer((account) =>
          Option.match(SwapRecordId.makeOption(query.swapId), {
            onNone: () => noSuchId,
            onSome: (id) => swaps.byId(account, id),
          })
        ).pipe(orProblem),
      byDepositChannel: ({ query }) => answer((account) => swaps.byChannel(account, query)).pipe(orProblem),
      journal: ({ params, query }) =>
        Effect.gen(function* () {
          const id = yield* swapId(params.id)
          const page = yield* journals.page(yield* CurrentAccount, id, journalQuery(query))
          return (yield* listed(page)).map(presentEntry)
        }).pipe(orProblem),
      byTransactionHash: ({ query }) =>
        answer((account) => vaultSwaps.byTransaction(account, query.transactionHash)).pipe(orProblem),
    })
  }),
)
