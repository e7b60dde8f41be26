import { Schema, Struct } from "effect"
import { AccountName } from "./accounts/Account.ts"
import { EpochMillis } from "./Time.ts"

/**
 * What requests failed alike in: the endpoint by its `operationId`, the status and the code of the problem, and the
 * kind of failure by its name in the code. Each is one of a fixed list, so that a caller cannot make up new ones.
 */
export const RequestErrorKind = Schema.Struct({
  endpoint: Schema.String,
  status: Schema.Int,
  code: Schema.optionalKey(Schema.String),
  kind: Schema.String,
})
export type RequestErrorKind = typeof RequestErrorKind.Type

/** What is known of requests that failed alike, in an hour or in all hours that were asked for. */
export const RequestErrors = Schema.Struct({
  ...RequestErrorKind.fields,
  count: Schema.Int,
  lastAt: EpochMillis,
  /** Names of the contract, of the parameters that were at fault. */
  parameters: Schema.Array(Schema.String),
  /** The sentence of one of the latest problems, without any value of its request. */
  example: Schema.String,
})
export type RequestErrors = typeof RequestErrors.Type

/** The length of the periods by which failures are counted. */
export const errorPeriodMillis = 3_600_000

/** The beginning of the period that a time is in. */
export const errorPeriodOf = (at: EpochMillis): EpochMillis => EpochMillis.make(at - at % errorPeriodMillis)

/** The failures to list: those of every period that the time from `from` to `to` touches, the most frequent first. */
export interface RequestErrorsQuery {
  readonly from: EpochMillis
  readonly to: EpochMillis
  readonly limit: number
}

/** Failed requests of one cause: status, code and kind, and the endpoint for its own parameters. */
export const FailureCause = Schema.Struct({
  ...Struct.omit(RequestErrors.fields, ["endpoint"]),
  endpoints: Schema.NonEmptyArray(Schema.String),
  /** Whose requests they were, those with the most first. */
  accounts: Schema.Array(Schema.Struct({ name: AccountName, count: Schema.Int })),
  /** The periods in which one failed, by their beginnings, the first one first. */
  periods: Schema.NonEmptyArray(Schema.Struct({ at: EpochMillis, count: Schema.Int })),
})
export type FailureCause = typeof FailureCause.Type

/** The causes to list: of all accounts, or of one. */
export interface FailureCausesQuery extends Pick<RequestErrorsQuery, "from" | "to"> {
  readonly account?: AccountName
  /** The only endpoint to count, by its `operationId`. */
  readonly endpoint?: string
  /** The length of the periods that failures are told by. */
  readonly step: "hour" | "day"
}
