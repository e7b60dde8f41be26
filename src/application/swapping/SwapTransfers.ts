import { Effect, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { AccountUnknown } from "../accounts/failures.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { SwapNotFound, type SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AccountsRepo } from "#infrastructure/store/accounts/AccountsRepo.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { MovesRepo } from "#infrastructure/store/swaps/MovesRepo.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { eventsBetween } from "./following/Progress.ts"

/** Moves swaps to another account, such as a vault swap that fits several payloads; operators only. */
export class SwapTransfers extends service<SwapTransfers>()(
  "swap-broker/swapping/SwapTransfers",
  Effect.gen(function* () {
    const accounts = yield* AccountsRepo
    const audit = yield* AuditRepo
    const repo = yield* MovesRepo
    const outbox = yield* OutboxRepo

    /** Moves a swap with all that belongs to it to an account, which gets its event. To its own account: nothing. */
    const move = Effect.fn("SwapTransfers.move")(function* (id: SwapRecordId, to: AccountName, actor: Actor) {
      const at = yield* currentMillis
      const moved = yield* audit.recorded("Moves.move", { actor, at }, function* () {
        const found = yield* accounts.find(to)
        if (Option.isNone(found)) return yield* new AccountUnknown({ name: to })
        const swap = yield* repo.lock(id)
        if (Option.isNone(swap)) return yield* new SwapNotFound()
        const { accountId, accountName, record } = swap.value
        if (accountId === found.value.id) return { value: Option.none(), changes: [] }
        yield* repo.move(swap.value, found.value.id, at)
        const events = eventsBetween(Option.none(), record.status)
        yield* outbox.add({ accountId: found.value.id, record, at, events })
        return {
          value: Option.some(found.value.id),
          changes: [{
            action: "swap.moved",
            account: to,
            swapId: id,
            before: { account: accountName },
            after: { account: to },
          }],
        }
      })
      if (Option.isSome(moved)) outbox.doorbell.ring(moved.value)
      return { id, account: to }
    })

    return { move }
  }),
) {}
