import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Equal, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { isSomebody, type Merchant, nobody } from "#domain/accounts/Merchant.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { MerchantsRepo } from "#infrastructure/store/accounts/MerchantsRepo.ts"
import { Accounts } from "./Accounts.ts"

/** What the log keeps of a merchant: of the picture its hash. */
const logged = ({ logo, ...merchant }: Merchant) =>
  logo === undefined ? merchant : { ...merchant, logoSha256: bytesToHex(sha256(utf8ToBytes(logo))) }

/** The merchant of accounts that have none of their own (`MERCHANT_NAME` and others). */
export const OperatorsMerchant = Context.Reference<Merchant>("swap-broker/accounts/OperatorsMerchant", {
  defaultValue: () => nobody,
})

/** Who payers deal with: one for each account, as its page shows it. */
export class Merchants extends service<Merchants>()(
  "swap-broker/accounts/Merchants",
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const merchants = yield* MerchantsRepo
    const audit = yield* AuditRepo
    const operators = yield* OperatorsMerchant

    const ofAccount = Effect.fn("Merchants.ofAccount")(function* (account: AccountName) {
      const { id } = yield* accounts.find(account)
      return Option.getOrElse(yield* merchants.ofAccount(id), () => nobody)
    })

    /** Sets all of it: what is absent is taken away. */
    const set = Effect.fn("Merchants.set")(function* (account: AccountName, after: Merchant, actor: Actor) {
      return yield* audit.recorded("Merchants.set", { actor, at: yield* currentMillis }, function* () {
        const { id } = yield* accounts.find(account)
        const before = yield* ofAccount(account)
        if (Equal.equals(before, after)) return { value: after, changes: [] }
        yield* merchants.set(id, after)
        const change = { before: logged(before), after: logged(after) }
        return { value: after, changes: [{ action: "merchant.set", account, ...change }] }
      })
    })

    return {
      ofAccount,
      /** The merchant of the account that a swap belongs to; the operator's own where that has none. */
      ofSwap: (swap: SwapRecordId) =>
        Effect.map(
          merchants.ofSwap(swap),
          (found) => Option.getOrElse(Option.filter(found, isSomebody), () => operators),
        ),
      set,
    }
  }),
) {}
