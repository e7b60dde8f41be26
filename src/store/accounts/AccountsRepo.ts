import { Array, Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Account, type AccountId, type AccountName, type AccountTerms } from "../../domain/Account.ts"
import type { PageQuery } from "../../domain/Page.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import { Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** The columns of `accounts` that an account is read from. A null `allowed_origins` allows every origin. */
export const accountColumns = 'accounts.id, name, commission_bps AS "commissionBps", affiliates, ' +
  `coalesce(to_jsonb(allowed_origins), '"*"') AS "allowedOrigins", mcp, suspended, ` +
  'accounts.created_at AS "createdAt"'

/** The fields of an account in its row. */
export const accountRow = {
  ...Account.fields,
  id: WholeNumber.pipe(Schema.decodeTo(Account.fields.id)),
  createdAt: Timestamp,
}

const decodeAccounts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct(accountRow)))

/** The parameter for `allowed_origins`. */
const originsColumn = ({ allowedOrigins }: AccountTerms): ReadonlyArray<string> | null =>
  allowedOrigins === "*" ? null : allowedOrigins

/** The first state of a new account. */
export interface NewAccount {
  readonly name: AccountName
  readonly terms: AccountTerms
  readonly createdAt: EpochMillis
}

/** Accounts in the database. */
export class AccountsRepo extends Context.Service<AccountsRepo, {
  readonly isEmpty: Effect.Effect<boolean, StoreUnavailable>
  /** All accounts, by name. */
  readonly all: Effect.Effect<ReadonlyArray<Account>, StoreUnavailable>
  /** A page of the accounts, by name. */
  readonly page: (query: PageQuery<AccountName>) => Effect.Effect<ReadonlyArray<Account>, StoreUnavailable>
  readonly find: (name: AccountName) => Effect.Effect<Option.Option<Account>, StoreUnavailable>
  /** Adds an account, whose name must not be taken. */
  readonly add: (account: NewAccount) => Effect.Effect<Account, StoreUnavailable>
  readonly change: (id: AccountId, terms: AccountTerms) => Effect.Effect<void, StoreUnavailable>
}>()("swap-broker/store/AccountsRepo") {
  static readonly layer = Layer.effect(
    AccountsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(accountColumns)

      const isEmpty = sql`SELECT 1 FROM accounts LIMIT 1`.pipe(
        Effect.map((rows) => rows.length === 0),
        storeOperation("Accounts.isEmpty"),
      )

      const all = sql`SELECT ${columns} FROM accounts ORDER BY name`.pipe(
        Effect.flatMap(decodeAccounts),
        storeOperation("Accounts.all"),
      )

      const page = Effect.fnUntraced(function* ({ limit, offset }: PageQuery<AccountName>) {
        const from = offset === undefined ? sql.literal("") : sql`WHERE name >= ${offset}`
        const rows = yield* sql`SELECT ${columns} FROM accounts ${from} ORDER BY name LIMIT ${limit}`
        return yield* decodeAccounts(rows)
      }, storeOperation("Accounts.page"))

      const find = Effect.fnUntraced(function* (name: AccountName) {
        const rows = yield* sql`SELECT ${columns} FROM accounts WHERE name = ${name}`
        return Array.head(yield* decodeAccounts(rows))
      }, storeOperation("Accounts.find"))

      const add = Effect.fnUntraced(function* ({ name, terms, createdAt }: NewAccount) {
        const rows = yield* sql`
          INSERT INTO accounts (name, commission_bps, affiliates, allowed_origins, mcp, suspended, created_at)
          VALUES (${name}, ${terms.commissionBps}, ${terms.affiliates}, ${originsColumn(terms)}::text[],
            ${terms.mcp}, ${terms.suspended}, ${toTimestamp(createdAt)})
          RETURNING ${columns}`
        const [account] = yield* decodeAccounts(rows)
        return account ?? (yield* Effect.die("The database did not give the new account back"))
      }, storeOperation("Accounts.add"))

      const change = Effect.fnUntraced(function* (id: AccountId, terms: AccountTerms) {
        yield* sql`
          UPDATE accounts SET
            commission_bps = ${terms.commissionBps}, affiliates = ${terms.affiliates},
            allowed_origins = ${originsColumn(terms)}::text[], mcp = ${terms.mcp},
            suspended = ${terms.suspended}
          WHERE id = ${id}`
      }, storeOperation("Accounts.change"))

      return AccountsRepo.of({ isEmpty, all, page, find, add, change })
    }),
  )
}
