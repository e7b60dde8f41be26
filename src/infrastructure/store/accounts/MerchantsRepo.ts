import { Effect, Option, Schema } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import { Merchant } from "#domain/accounts/Merchant.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { repository, rows } from "../database/repository.ts"

const merchants = rows(Schema.Struct({ merchant: Merchant }))
const encode = Schema.encodeEffect(Schema.fromJsonString(Merchant))

/** Who the payers of each account deal with. */
export class MerchantsRepo extends repository<MerchantsRepo>()("Merchants", ({ op, sql }) => ({
  /** The merchant of an account, if one was ever set. */
  ofAccount: op("ofAccount", (account: AccountId) =>
    Effect.map(
      merchants.first(sql`SELECT merchant FROM accounts WHERE id = ${account} AND merchant IS NOT NULL`),
      Option.map(({ merchant }) => merchant),
    )),

  /** The merchant of the account that a swap belongs to. */
  ofSwap: op("ofSwap", (swap: SwapRecordId) =>
    Effect.map(
      merchants.first(sql`
        SELECT merchant FROM swaps JOIN accounts ON accounts.id = account_id
        WHERE swaps.id = ${swap} AND merchant IS NOT NULL`),
      Option.map(({ merchant }) => merchant),
    )),

  set: op("set", function* (account: AccountId, merchant: Merchant) {
    yield* sql`UPDATE accounts SET merchant = ${yield* encode(merchant)}::jsonb WHERE id = ${account}`
  }),
})) {}
