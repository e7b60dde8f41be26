import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Equal, Layer, Option } from "effect"
import type { AccountName } from "#domain/accounts/Account.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { isSomebody, type Merchant, nobody } from "#domain/accounts/Merchant.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { MerchantsRepo } from "#infrastructure/store/accounts/MerchantsRepo.ts"
import { Accounts } from "./Accounts.ts"
import type { AccountUnknown } from "./failures.ts"

/** What the log keeps of a merchant: of the picture its hash. */
const logged = ({ logo, ...merchant }: Merchant) =>
  logo === undefined ? merchant : { ...merchant, logoSha256: bytesToHex(sha256(utf8ToBytes(logo))) }

/** The merchant of accounts that have none of their own (`MERCHANT_NAME` and others). */
export const OperatorsMerchant = Context.Reference<Merchant>("swap-broker/accounts/OperatorsMerchant", {
  defaultValue: () => nobody,
})

/** Who payers deal with: one for each account, as its page shows it. */
export class Merchants extends Context.Service<Merchants, {
  readonly ofAccount: (account: AccountName) => StoreEffect<Merchant, AccountUnknown>
  /** The merchant of the account that a swap belongs to; the operator's own where that has none. */
  readonly ofSwap: (swap: SwapRecordId) => StoreEffect<Merchant>
  /** Sets all of it: what is absent is taken away. */
  readonly set: (account: AccountName, merchant: Merchant, by: Actor) => StoreEffect<Merchant, AccountUnknown>
}>()("swap-broker/accounts/Merchants") {
  static readonly layer = Layer.effect(Merchants)(Effect.gen(function* () {
    const accounts = yield* Accounts
    const merchants = yield* MerchantsRepo
    const audit = yield* AuditRepo
    const operators = yield* OperatorsMerchant

    const ofAccount = Effect.fn("Merchants.ofAccount")(function* (account: AccountName) {
      const { id } = yield* accounts.find(account)
      return Option.getOrElse(yield* merchants.ofAccount(id), () => nobody)
    })

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

    return Merchants.of({
      ofAccount,
      ofSwap: (swap) =>
        Effect.map(
          merchants.ofSwap(swap),
          (found) => Option.getOrElse(Option.filter(found, isSomebody), () => operators),
        ),
      set,
    })
  }))
}
