import { Array, Effect, Option, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { repository, rows } from "../database/repository.ts"

const Amount = Schema.BigIntFromString.pipe(Schema.decodeTo(NativeAmount))

const PaymentRow = Schema.Struct({
  /** The transaction, as references are compared. */
  reference: Schema.String,
  asset: AssetId,
  amount: Amount,
  address: Schema.String,
  /** What was paid in for it; null where nobody told. */
  deposited: Schema.NullOr(Amount),
})
const claimed = rows(PaymentRow)

/** A payment that an upstream says it made for a swap. */
export type ClaimedPayment = typeof PaymentRow.Type

/** Payments that upstreams say they made, each with the swaps that claim it. */
export class PaymentsRepo extends repository<PaymentsRepo>()("Payments", ({ sql, transaction }) => {
  const othersOf = Effect.fnUntraced(function* (claimant: string, reference: string) {
    yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${reference}, 37))`
    return yield* claimed.all(sql`
      SELECT reference, asset, amount::text, address, deposited::text FROM swap_payments
      WHERE reference = ${reference} AND claimant <> ${claimant}`)
  })

  const write = (claimant: string, { address, amount, asset, deposited, reference }: ClaimedPayment) =>
    sql`
      INSERT INTO swap_payments (reference, claimant, asset, amount, address, deposited)
      VALUES (${reference}, ${claimant}, ${asset}, ${`${amount}`}::numeric, ${address},
        ${deposited === null ? null : `${deposited}`}::numeric)
      ON CONFLICT DO NOTHING`

  return {
    /** Claims payments for a swap, or returns the claim that excludes one of them. Waits for other claims; may be repeated. */
    claim: transaction("claim", function* (
      claimant: string,
      payments: ReadonlyArray<ClaimedPayment>,
      excludes: (other: ClaimedPayment, own: ClaimedPayment) => boolean,
    ) {
      // In one order, so that no two claims wait for each other.
      const references = [...new Set(payments.map(({ reference }) => reference))].toSorted()
      const others = (yield* Effect.forEach(references, (reference) => othersOf(claimant, reference))).flat()
      const excluding = Array.findFirst(
        others,
        (other) => payments.some((own) => own.reference === other.reference && excludes(other, own)),
      )
      if (Option.isNone(excluding)) {
        yield* Effect.forEach(payments, (payment) => write(claimant, payment), { discard: true })
      }
      return excluding
    }),
  }
}) {}
