import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountId } from "../../domain/Account.ts"
import { ProviderName } from "../../domain/ProviderName.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import { type StandingSwap, SwapRecordId } from "../../domain/SwapRecord.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { StatusJson, toTimestamp, WholeNumber } from "../database/columns.ts"
import { standingColumns, standingFields, toStanding } from "./standing.ts"
import { storeOperation } from "../database/storeOperation.ts"

const decodeRecords = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  ...standingFields,
  id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
  platform: ProviderName,
  status: StatusJson,
})))

/** A link to the payer's page of a swap. */
export interface NewPayLink {
  /** The SHA-256 of its token. */
  readonly tokenHash: Uint8Array
  readonly swap: SwapRecordId
  /** Of several links of a swap the latest so many are kept. */
  readonly most: number
}

/** The links of payers. */
export class PayLinksRepo extends Context.Service<PayLinksRepo, {
  /** Adds a link to a swap of the account's; false where the account has no such swap. */
  readonly add: (
    account: AccountId,
    link: NewPayLink,
    now: EpochMillis,
  ) => Effect.Effect<boolean, StoreUnavailable>
  /** The swap of the link with a token of this hash, if it or its swap was new or looked up since then. */
  readonly find: (
    tokenHash: Uint8Array,
    since: EpochMillis,
  ) => Effect.Effect<Option.Option<StandingSwap>, StoreUnavailable>
}>()("swap-broker/store/PayLinksRepo") {
  static readonly layer = Layer.effect(
    PayLinksRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(standingColumns)

      const add = Effect.fnUntraced(
        function* (account: AccountId, { most, swap, tokenHash }: NewPayLink, now: EpochMillis) {
          const added = yield* sql`
            INSERT INTO pay_links (token_hash, swap_id, created_at)
            SELECT ${tokenHash}::bytea, id, ${toTimestamp(now)}::timestamptz FROM swaps
            WHERE id = ${swap} AND account_id = ${account} AND state IS NOT NULL
            RETURNING swap_id`
          yield* sql`
            DELETE FROM pay_links WHERE swap_id = ${swap} AND token_hash IN (
              SELECT token_hash FROM pay_links WHERE swap_id = ${swap}
              ORDER BY created_at DESC, token_hash OFFSET ${most})`
          return added.length > 0
        },
        storeOperation("PayLinks.add"),
      )

      const find = Effect.fnUntraced(function* (tokenHash: Uint8Array, since: EpochMillis) {
        const rows = yield* sql`
          SELECT swaps.id, platform, status, ${columns} FROM pay_links JOIN swaps ON swaps.id = swap_id
          WHERE token_hash = ${tokenHash} AND state IS NOT NULL
            AND greatest(pay_links.created_at, swaps.updated_at) > ${toTimestamp(since)}`
        return Option.map(
          Array.head(yield* decodeRecords(rows)),
          ({ id, platform, status, ...row }) => ({ id, platform, status, standing: toStanding(row) }),
        )
      }, storeOperation("PayLinks.find"))

      return PayLinksRepo.of({ add, find })
    }),
  )
}
