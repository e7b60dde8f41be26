import { Schema } from "effect"
import { Account, type AccountTerms } from "../domain/Account.ts"
import { AllowedOrigins } from "../domain/Origin.ts"
import { Timestamp, WholeNumber } from "./columns.ts"

/** The columns of `accounts`; no list of origins stands for any. */
export const accountColumns = {
  id: WholeNumber.pipe(Schema.decodeTo(Account.fields.id)),
  name: Account.fields.name,
  commission_bps: Account.fields.commissionBps,
  affiliates: Account.fields.affiliates,
  allowed_origins: Schema.NullOr(AllowedOrigins),
  suspended: Account.fields.suspended,
  created_at: Timestamp,
}

const AccountRow = Schema.Struct(accountColumns)

/** Reads rows of `accounts`. */
export const decodeAccounts = Schema.decodeUnknownEffect(Schema.Array(AccountRow))

/** An account out of its row. */
export const toAccount = (row: typeof AccountRow.Type): Account => ({
  id: row.id,
  name: row.name,
  commissionBps: row.commission_bps,
  affiliates: row.affiliates,
  allowedOrigins: row.allowed_origins ?? "*",
  suspended: row.suspended,
  createdAt: row.created_at,
})

/** The parameter for `allowed_origins`. */
export const originsColumn = ({ allowedOrigins }: AccountTerms): ReadonlyArray<string> | null =>
  allowedOrigins === "*" ? null : allowedOrigins
