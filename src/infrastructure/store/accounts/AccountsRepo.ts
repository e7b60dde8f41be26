import { Effect, Schema } from "effect"
import { Account, type AccountId, type AccountName, type AccountTerms } from "#domain/accounts/Account.ts"
import type { PageQuery } from "#domain/Page.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { given, repository, rows } from "../database/repository.ts"

/** The columns of `accounts` that an account is read from. A null `allowed_origins` allows every origin. */
export const accountColumns = 'accounts.id, name, commission_bps AS "commissionBps", affiliates, ' +
  `coalesce(to_jsonb(allowed_origins), '"*"') AS "allowedOrigins", mcp, suspended, ` +
  'accounts.created_at AS "createdAt"'

export const accountRow = {
  ...Account.fields,
  id: WholeNumber.pipe(Schema.decodeTo(Account.fields.id)),
  createdAt: Timestamp,
}

const accounts = rows(Schema.Struct(accountRow))

/** The parameter for `allowed_origins`. */
const originsColumn = ({ allowedOrigins }: AccountTerms): ReadonlyArray<string> | null =>
  allowedOrigins === "*" ? null : allowedOrigins

/** The first state of a new account. */
export interface NewAccount {
  readonly name: AccountName
  readonly terms: AccountTerms
  readonly createdAt: EpochMillis
}

export class AccountsRepo extends repository<AccountsRepo>()("Accounts", ({ op, sql }) => {
  const columns = sql.literal(accountColumns)

  return {
    isEmpty: op("isEmpty", Effect.map(sql`SELECT 1 FROM accounts LIMIT 1`, (found) => found.length === 0)),

    /** All accounts, by name. */
    all: op("all", accounts.all(sql`SELECT ${columns} FROM accounts ORDER BY name`)),

    /** A page of the accounts, by name. */
    page: op("page", ({ limit, offset }: PageQuery<AccountName>) => {
      const from = given(offset, (offset) => sql`WHERE name >= ${offset}`)
      return accounts.all(sql`SELECT ${columns} FROM accounts ${from} ORDER BY name LIMIT ${limit}`)
    }),

    find: op("find", (name: AccountName) =>
      accounts.first(sql`
        SELECT ${columns} FROM accounts WHERE name = ${name}`)),

    /** Adds an account, whose name must not be taken. */
    add: op("add", function* ({ name, terms, createdAt }: NewAccount) {
      const [account] = yield* accounts.all(sql`
        INSERT INTO accounts (name, commission_bps, affiliates, allowed_origins, mcp, suspended, created_at)
        VALUES (${name}, ${terms.commissionBps}, ${terms.affiliates}, ${originsColumn(terms)}::text[],
          ${terms.mcp}, ${terms.suspended}, ${toTimestamp(createdAt)})
        RETURNING ${columns}`)
      return account ?? (yield* Effect.die("The database did not give the new account back"))
    }),

    change: op("change", (id: AccountId, terms: AccountTerms) =>
      Effect.asVoid(sql`
        UPDATE accounts SET
          commission_bps = ${terms.commissionBps}, affiliates = ${terms.affiliates},
          allowed_origins = ${originsColumn(terms)}::text[], mcp = ${terms.mcp},
          suspended = ${terms.suspended}
        WHERE id = ${id}`)),
  }
}) {}
