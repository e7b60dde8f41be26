import { Effect, Schema } from "effect"
import {
  type Account,
  AccountId,
  AccountName,
  type AccountTerms,
  GivenTerms,
} from "#domain/accounts/Account.ts"
import { OwnTerms } from "#domain/accounts/OwnTerms.ts"
import type { PageQuery } from "#domain/Page.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { given, repository, rowsAs } from "../database/repository.ts"

/** The columns of `accounts` that an account is read from. A null `allowed_origins` allows every origin. */
export const accountColumns = 'accounts.id, name, commission_bps AS "commissionBps", affiliates, ' +
  `coalesce(to_jsonb(allowed_origins), '"*"') AS "allowedOrigins", mcp, suspended, ` +
  'own_terms AS "ownTerms", accounts.created_at AS "createdAt"'

const AccountRow = Schema.Struct({
  ...GivenTerms.fields,
  id: WholeNumber.pipe(Schema.decodeTo(AccountId)),
  name: AccountName,
  ownTerms: OwnTerms,
  createdAt: Timestamp,
})
export const accountRow = AccountRow.fields

/** The account of a row, with whatever else the row has. */
export const accountOf = <Row extends Pick<typeof AccountRow.Type, "ownTerms">>(
  { ownTerms, ...row }: Row,
) => ({ ...row, ...ownTerms })

const accounts = rowsAs(AccountRow, (row): Account => accountOf(row))
const encodeOwn = Schema.encodeEffect(Schema.fromJsonString(OwnTerms))

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
        INSERT INTO accounts (name, commission_bps, affiliates, allowed_origins, mcp, suspended, own_terms,
          created_at)
        VALUES (${name}, ${terms.commissionBps}, ${terms.affiliates}, ${originsColumn(terms)}::text[],
          ${terms.mcp}, ${terms.suspended}, ${yield* encodeOwn(terms)}::jsonb, ${toTimestamp(createdAt)})
        RETURNING ${columns}`)
      return account ?? (yield* Effect.die("The database did not give the new account back"))
    }),

    change: op("change", function* (id: AccountId, terms: AccountTerms) {
      yield* sql`
        UPDATE accounts SET
          commission_bps = ${terms.commissionBps}, affiliates = ${terms.affiliates},
          allowed_origins = ${originsColumn(terms)}::text[], mcp = ${terms.mcp},
          suspended = ${terms.suspended}, own_terms = ${yield* encodeOwn(terms)}::jsonb
        WHERE id = ${id}`
    }),
  }
}) {}
