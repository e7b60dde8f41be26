import { Effect, type Option, Schema } from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { JournalNote, type KeptBody } from "#domain/swaps/Journal.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { BoundQuote } from "#domain/quotes/BoundQuote.ts"
import { PayloadMark } from "#domain/swaps/VaultSwap.ts"
import {
  encodeRequest,
  encodeStatus,
  idOf,
  toNullable,
  toTimestamp,
  WholeNumber,
} from "../database/columns.ts"
import { any, column, repository, rows } from "../database/repository.ts"
import { JournalRepo } from "./JournalRepo.ts"
import { normaliseReference } from "./transactionReference.ts"

/** The traits of a payload that a swap made of it shows, as text that is the same for every spelling. */
export interface PayloadTraits {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly destination: string
  readonly refund: string
  /** Whether every transaction of the payload refunds to this address. */
  readonly refundFixed: boolean
  /** Commissions, chunks and retries. */
  readonly terms: string
  /** A price, or from Bitcoin the least output in native units; decimal text. */
  readonly priceLimit: string
  readonly amount: NativeAmount
  /** Whether every transaction of the payload moves this amount. */
  readonly amountFixed: boolean
}

/** The traits that a swap shows. An absent trait contradicts nothing. */
export interface SwapEvidence
  extends Pick<PayloadTraits, "sourceAsset" | "destinationAsset" | "destination"> {
  readonly mark?: PayloadMark
  /** The latest time at which its transaction, and thus its payload, was made. */
  readonly madeBy: EpochMillis
  readonly refund?: string
  readonly terms?: string
  /** The bounds of its payload's limit; decimal text. */
  readonly priceLimit?: { readonly least: string; readonly most: string }
  readonly amount?: NativeAmount
}

/** A payload that was handed out. */
export interface HandedOut {
  readonly accountId: AccountId
  readonly platform: ProviderName
  readonly traits: PayloadTraits
  readonly mark: PayloadMark | undefined
  readonly request: SwapRequest
  readonly at: EpochMillis
  /** The time at which the payload expires. */
  readonly expiresAt: EpochMillis
}

/** A payload that a swap may have been made of: the earliest of each account. */
const Candidate = Schema.Struct({
  payload: WholeNumber,
  accountId: idOf(AccountId),
  /** The quote that the payload was made by; null where it was made by none. */
  quote: Schema.NullOr(Schema.toCodecJson(BoundQuote)),
})
export type Candidate = typeof Candidate.Type

export interface FoundVaultSwap {
  readonly transaction: string
  readonly status: SwapStatus
  readonly body: KeptBody
  readonly askedAt: EpochMillis
  readonly nextLookupAt: Option.Option<EpochMillis>
  /** The time until which the state that it was found in may last, if that is limited. */
  readonly stallsAt: Option.Option<EpochMillis>
  readonly events: ReadonlyArray<SwapEventType>
}

/** A place where payloads of a provider send money or leave: the vaults of a chain, or those who take its tokens. */
export type RecipientPlace = Chain | `${Chain} spender`

const candidates = rows(Candidate)
const recipients = column(Schema.String)
const recordedSwaps = rows(Schema.Struct({
  id: idOf(SwapRecordId),
  accountId: idOf(AccountId),
  platform: ProviderName,
  isNew: Schema.Boolean,
}))

/** The payloads that were handed out, and the swaps that were made of them. */
export class VaultSwapsRepo
  extends repository<VaultSwapsRepo>()("VaultSwaps", ({ op, sql }) =>
    Effect.map(JournalRepo, (journal) => {
      // `xmax` is 0 in a row that this statement inserted: no other transaction has marked it yet.
      const insert = op("record", function* (payload: number, found: FoundVaultSwap) {
        const { status, transaction } = found
        const askedAt = toTimestamp(found.askedAt)
        const next = toNullable(found.nextLookupAt)
        const deposit = normaliseReference(status.deposit?.transactionReference ?? transaction)
        return yield* recordedSwaps.only(sql`
          WITH swap AS (
            INSERT INTO swaps (account_id, platform, opening, request, vault_transaction, state, status,
              created_at, updated_at, looked_up_at, next_lookup_at, stalls_at, seen_upstream)
            SELECT account_id, platform, 'opened', request, ${transaction}, ${status.state},
              ${yield* encodeStatus(status)}, ${askedAt}::timestamptz, ${askedAt}::timestamptz,
              ${askedAt}::timestamptz, ${next}::timestamptz, ${toNullable(found.stallsAt)}::timestamptz, true
            FROM vault_swap_payloads WHERE id = ${payload}
            ON CONFLICT (vault_transaction, platform) WHERE vault_transaction IS NOT NULL
              DO UPDATE SET vault_transaction = EXCLUDED.vault_transaction
            RETURNING id, account_id, platform, xmax = 0 AS is_new
          ), used AS (
            UPDATE vault_swap_payloads SET is_used = true WHERE id = ${payload} AND NOT is_used
          ), deposit AS (
            INSERT INTO swap_deposits (account_id, transaction_reference, swap_id)
            SELECT account_id, ${deposit}::text, id FROM swap
            ON CONFLICT DO NOTHING
          )
          SELECT id, account_id AS "accountId", platform, is_new AS "isNew" FROM swap`)
      })

      return {
        /** Records a payload; the same payload of the same account only once, with the time of the first hand-out. */
        remember: op("remember", function* (handedOut: HandedOut) {
          const { accountId, at, expiresAt, mark, platform, request, traits } = handedOut
          yield* sql`
            INSERT INTO vault_swap_payloads AS known
              (account_id, platform, source_asset, destination_asset, destination, refund, refund_fixed, terms,
                price_limit, amount, amount_fixed, mark, request, created_at, expires_at)
            VALUES (${accountId}, ${platform}, ${traits.sourceAsset}, ${traits.destinationAsset},
              ${traits.destination}, ${traits.refund}, ${traits.refundFixed}, ${traits.terms},
              ${traits.priceLimit}::numeric, ${traits.amount.toString()}::numeric, ${traits.amountFixed},
              ${mark ?? null}, ${yield* encodeRequest(request)}, ${toTimestamp(at)}, ${
            toTimestamp(expiresAt)
          })
            ON CONFLICT (account_id, platform, source_asset, destination_asset, destination, refund, terms,
              price_limit, amount, coalesce(mark, ''))
            DO UPDATE SET expires_at = greatest(known.expires_at, excluded.expires_at)`
        }),

        /** Whether a transaction is recorded already, for whichever account. */
        isRecorded: op("isRecorded", (platform: ProviderName, transaction: string) =>
          any(sql`SELECT 1 FROM swaps WHERE vault_transaction = ${transaction} AND platform = ${platform}`)),

        /**
         * The payloads that a swap may have been made of, one of each account, the earliest first. They were handed out
         * before its transaction was made, and none of its traits contradicts them; if it shows a payload's mark, only
         * those with that mark. Nothing else ranks them, as everything that a transaction shows can be copied from its
         * chain. An absent trait decides nothing; where the swap shows no terms at all, its amount has to match exactly.
         */
        candidates: op("candidates", (platform: ProviderName, evidence: SwapEvidence) => {
          const terms = evidence.terms ?? null
          const refund = evidence.refund ?? null
          const amount = evidence.amount?.toString() ?? null
          const mark = evidence.mark ?? null
          const least = evidence.priceLimit?.least ?? null
          const most = evidence.priceLimit?.most ?? null
          return candidates.all(sql`
            WITH fitting AS (
              SELECT id, account_id, created_at, coalesce(mark = ${mark}::text, false) AS is_marked
              FROM vault_swap_payloads
              WHERE destination = ${evidence.destination} AND source_asset = ${evidence.sourceAsset}
                AND destination_asset = ${evidence.destinationAsset} AND platform = ${platform}
                AND created_at <= ${toTimestamp(evidence.madeBy)}
                AND CASE WHEN mark IS NOT NULL AND ${mark}::text IS NOT NULL THEN mark = ${mark}::text ELSE
                  (${terms}::text IS NULL OR terms = ${terms}::text)
                  AND (${refund}::text IS NULL OR NOT refund_fixed OR refund = ${refund}::text)
                  AND (${least}::numeric IS NULL OR price_limit BETWEEN ${least}::numeric AND ${most}::numeric)
                  AND (amount = ${amount}::numeric
                    OR (${terms}::text IS NOT NULL AND (NOT amount_fixed OR ${amount}::numeric IS NULL)))
                END
            ), earliest AS (
              SELECT DISTINCT ON (account_id) id, account_id, created_at FROM fitting
              WHERE is_marked OR NOT EXISTS (SELECT 1 FROM fitting WHERE is_marked)
              ORDER BY account_id, created_at, id
            )
            SELECT id AS payload, account_id AS "accountId",
              (SELECT request -> 'quote' FROM vault_swap_payloads WHERE id = earliest.id) AS quote
            FROM earliest ORDER BY created_at, id`)
        }),

        /** The recipient of a platform's payloads at a place: the first that was ever seen, which may be this one. */
        recipient: op("recipient", function* (
          platform: ProviderName,
          place: RecipientPlace,
          seen: string,
          at: EpochMillis,
        ) {
          yield* sql`
            INSERT INTO payload_recipients (platform, chain, recipient, first_seen)
            VALUES (${platform}, ${place}, ${seen}, ${toTimestamp(at)})
            ON CONFLICT DO NOTHING`
          return yield* recipients.only(sql`
            SELECT recipient FROM payload_recipients WHERE platform = ${platform} AND chain = ${place}`)
        }),

        /** Records a swap for the payload's account, once. */
        record: (payload: number, found: FoundVaultSwap) =>
          journal.recorded("VaultSwaps.record", function* () {
            const { accountId, id, isNew, platform } = yield* insert(payload, found)
            const { askedAt: at, body, events, status } = found
            const note = JournalNote.Change({ kind: "found", status, body })
            const happening = { accountId, record: { id, platform, status }, at, note, events }
            return { value: id, happened: isNew ? [happening] : [] }
          }),
      }
    })) {}
