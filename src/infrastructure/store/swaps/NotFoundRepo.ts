import { Data, Effect, Schema } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { Timestamp, toTimestamp, WholeNumber } from "../database/columns.ts"
import { column, repository, rows } from "../database/repository.ts"

const ReservationId = WholeNumber.pipe(Schema.brand("ReservationId"))

/** The id of a reserved place for a look-up that may find nothing, until its outcome is known. */
export type ReservationId = typeof ReservationId.Type

/** Limits on the look-ups without a result that all replicas together send to an upstream within a window. */
export interface NotFoundLimits {
  /** The length of the window, in milliseconds. */
  readonly window: number
  /** The most look-ups within the window that found nothing. */
  readonly most: number
  /** The most of these together with the look-ups under way. */
  readonly mostWithUnderWay: number
  /** The same for an account that has none of them itself. */
  readonly mostWhereNew: number
  /** The most look-ups of one account that found nothing or are under way, while others have some, too. */
  readonly mostOfAccount: number
}

export type Reservation = Data.TaggedEnum<{
  Reserved: { readonly id: ReservationId }
  /** Too many look-ups found nothing, of all accounts or of this one; the first of them at `since`. */
  Spent: { readonly since: EpochMillis }
  /** Too many look-ups are under way, which passes soon. */
  Busy: object
}>
export const Reservation = Data.taggedEnum<Reservation>()

const spendings = rows(Schema.Struct({
  all: WholeNumber,
  spent: WholeNumber,
  since: Schema.NullOr(Timestamp),
  of_account: WholeNumber,
  of_account_since: Schema.NullOr(Timestamp),
  of_others: WholeNumber,
  open: WholeNumber,
}))
const ids = column(ReservationId)

/** The recent look-ups that found nothing, kept in the database so that those of all replicas count. */
export class NotFoundRepo extends repository<NotFoundRepo>()("NotFound", ({ op, sql, transaction }) => ({
  /** Reserves a place for a look-up that may find nothing; an unsettled place lapses with the window. */
  reserve: transaction("reserve", function* (
    platform: ProviderName,
    account: AccountId | undefined,
    now: EpochMillis,
    limits: NotFoundLimits,
  ) {
    // Replicas take turns, or two of them would both see the last place free.
    yield* sql`SELECT pg_advisory_xact_lock(hashtext('not_found_lookups'), hashtext(${platform}))`
    const at = toTimestamp(now)
    const [oldest, newest] = [new Date(now - limits.window), new Date(now + limits.window)]
    // Rows of the future stem from a clock that was set back.
    yield* sql`
      DELETE FROM not_found_lookups
      WHERE platform = ${platform} AND (at <= ${oldest} OR at > ${newest})`
    const of = account ?? null
    const spending = yield* spendings.only(sql`
      SELECT count(*) AS all, count(*) FILTER (WHERE found_nothing) AS spent,
        min(at) FILTER (WHERE found_nothing) AS since,
        count(*) FILTER (WHERE account_id = ${of}::bigint) AS of_account,
        min(at) FILTER (WHERE account_id = ${of}::bigint AND found_nothing) AS of_account_since,
        count(*) FILTER (WHERE account_id <> ${of}::bigint) AS of_others,
        coalesce((SELECT open_channels FROM accounts WHERE id = ${of}::bigint), 0) + (
          SELECT count(*) FROM vault_swap_payloads
          WHERE account_id = ${of}::bigint AND NOT is_used AND expires_at > ${at}
        ) AS open
      FROM not_found_lookups WHERE platform = ${platform}`)
    const most = spending.of_account === 0 ? limits.mostWhereNew : limits.most
    if (spending.since !== null && spending.spent >= most) {
      return Reservation.Spent({ since: spending.since })
    }
    const share = spending.of_others > 0 ? limits.mostOfAccount + spending.open : most
    if (account !== undefined && spending.of_account >= share) {
      return spending.of_account_since === null
        ? Reservation.Busy()
        : Reservation.Spent({ since: spending.of_account_since })
    }
    if (spending.all >= limits.mostWithUnderWay) return Reservation.Busy()
    const id = yield* ids.only(sql`
      INSERT INTO not_found_lookups (platform, account_id, at)
      VALUES (${platform}, ${of}::bigint, ${at}) RETURNING id`)
    return Reservation.Reserved({ id })
  }),

  /** Releases the place: the look-up found something, or was never answered. */
  release: op(
    "release",
    (id: ReservationId) => Effect.asVoid(sql`DELETE FROM not_found_lookups WHERE id = ${id}`),
  ),

  /** Counts the look-up, as it found nothing. */
  spend: op(
    "spend",
    (id: ReservationId, now: EpochMillis) =>
      Effect.asVoid(
        sql`UPDATE not_found_lookups SET at = ${toTimestamp(now)}, found_nothing = true WHERE id = ${id}`,
      ),
  ),

  /** Counts the look-up against no account any more; it stays one that found nothing. */
  forgive: op(
    "forgive",
    (id: ReservationId) =>
      Effect.asVoid(sql`UPDATE not_found_lookups SET account_id = NULL WHERE id = ${id}`),
  ),
})) {}
