import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The payments that upstreams say they made for swaps, so that one payment is not told of more swaps than it can be of.
 * A claimant is a swap by its provider, and its channel or transaction. Versions from before claim nothing, and what
 * they believe is not held against others.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE swap_payments (
      reference text NOT NULL,
      claimant text NOT NULL,
      asset text NOT NULL,
      amount numeric(60) NOT NULL,
      address text NOT NULL,
      deposited numeric(60),
      PRIMARY KEY (reference, claimant, asset, amount, address)
    )`
  yield* sql`
    INSERT INTO swap_payments (reference, claimant, asset, amount, address, deposited)
    SELECT
      CASE WHEN payment.reference ~* '^(0x[0-9a-f]*|[0-9a-f]{64})$'
        THEN regexp_replace(lower(payment.reference), '^0x', '') ELSE payment.reference END,
      concat_ws(' ', platform, coalesce(vault_transaction, issued_block || '-' || network || '-' || channel_id)),
      payment.asset, payment.amount, payment.address, (status #>> '{deposit,amount}')::numeric
    FROM swaps CROSS JOIN LATERAL (VALUES
      (status #>> '{swapEgress,transactionReference}', status ->> 'destinationAsset',
        (status #>> '{swapEgress,amount}')::numeric, status ->> 'destinationAddress'),
      (status #>> '{refundEgress,transactionReference}', status ->> 'sourceAsset',
        (status #>> '{refundEgress,amount}')::numeric, coalesce(status #>> '{fillOrKill,refundAddress}', ''))
    ) AS payment (reference, asset, amount, address)
    WHERE state = 'completed' AND length(payment.reference) <= 200 AND payment.amount > 0
    ON CONFLICT DO NOTHING`
})
