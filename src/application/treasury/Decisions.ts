import { Effect, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { noAmount } from "#domain/money/Amount.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import {
  type Withdrawal,
  WithdrawalChange,
  type WithdrawalId,
  type WithdrawalState,
  type WithdrawalVerdict,
} from "#domain/operations/Withdrawal.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { WithdrawalsRepo } from "#infrastructure/store/treasury/WithdrawalsRepo.ts"
import { CannotOrder, WithdrawalUnknown } from "./failures.ts"

const refuse = (detail: string) => Effect.fail(new CannotOrder({ detail }))

/** The states from which the operator may decide: the order is out, and its end is not known. */
const decidable: ReadonlyArray<WithdrawalState> = ["unknown", "taken", "sent"]

/** What the operator found out about withdrawals of which no upstream tells the end. */
export class Decisions extends service<Decisions>()(
  "swap-broker/treasury/Decisions",
  Effect.gen(function* () {
    const audit = yield* AuditRepo
    const repo = yield* WithdrawalsRepo

    const write = Effect.fnUntraced(function* ({ id, state }: Withdrawal, change: WithdrawalChange) {
      const at = yield* currentMillis
      const written = yield* repo.change(id, [state], change, { at, nextLookAt: at })
      return Option.isSome(written)
        ? written.value
        : yield* refuse("It has changed meanwhile: look at it again")
    })

    const end = Effect.fnUntraced(function* (before: Withdrawal, verdict: WithdrawalVerdict, detail: string) {
      if (verdict === "failed") return yield* write(before, WithdrawalChange.Failed({ detail }))
      const { destination, earned } = before
      const whole = { reference: detail, amount: earned, fee: noAmount, destination }
      const taken = before.taken === undefined
        ? yield* write(before, WithdrawalChange.Taken({ taken: whole }))
        : before
      return yield* write(taken, WithdrawalChange.Paid({ detail }))
    })

    /** Ends a withdrawal. One that was paid without an answer of the upstream took all that was there. */
    const decide = Effect.fn("Decisions.decide")(function* (
      id: WithdrawalId,
      verdict: WithdrawalVerdict,
      reason: string,
      actor: Actor,
    ) {
      const found = yield* repo.find(id)
      if (Option.isNone(found)) return yield* new WithdrawalUnknown()
      const before = found.value
      if (!decidable.includes(before.state)) {
        return yield* refuse(`It is ${before.state}: only one that is ${decidable.join(", ")} is decided`)
      }
      return yield* audit.recorded("Withdrawals.decide", { actor, at: yield* currentMillis }, function* () {
        const after = yield* end(before, verdict, `The operator: ${reason}`)
        return {
          value: after,
          changes: [{
            action: "withdrawal.decided",
            platform: before.platform,
            before: { withdrawalId: id, state: before.state },
            after: { withdrawalId: id, state: after.state },
            reason,
          }],
        }
      })
    })

    return { decide }
  }),
) {}
