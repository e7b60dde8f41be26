import { Effect, Option, Redacted } from "effect"
import { CurrentAccount } from "#api/Authorization.ts"
import type { Account } from "#domain/accounts/Account.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { Language } from "#domain/Language.ts"
import { asksForPayment, isEnd } from "#domain/swaps/Guidance.ts"
import { type StandingSwap, SwapNotFound, type SwapRecord, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { Cases } from "#application/cases/Cases.ts"
import { codeText, Guide } from "#application/guidance/Guide.ts"
import { countedJson, guidedJson, payableJson } from "#api/presentSwap.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { Journals } from "#application/swapping/Journals.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { journalQuery, jsonResponse, listed } from "./pages.ts"
import { failAsProblem, handlersOf } from "../requests/failedRequests.ts"
import { presentCase } from "./Cases.tsx"
import { presentEntries } from "../requests/present/journal.ts"
import { TransactionUnknown } from "../requests/problems.ts"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { PayLinkBody } from "#api/Payers.ts"
import { qrSvg } from "#domain/swaps/payment/qrCode.ts"
import { PayLinks } from "#application/swapping/PayLinks.ts"
import { entityTag, isKnownTag } from "../requests/compressible.ts"
import { responseLanguage } from "../requests/language.ts"
import { baseOf, PublicUrl } from "../requests/PublicUrl.ts"

/** How chains name transactions: in hex, in base58 (Solana), or by block and number (Polkadot and its Asset Hub). */
const transactionName = /^(?:(?:0x)?[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,90}|[0-9]+-[0-9]+)$/

/** The text of a swap, whether it was written while nobody should pay, and until when it holds. */
interface WrittenStatus {
  readonly text: string
  readonly isStopped: boolean
  readonly until: number
}

/** The failure for an id that no swap can have. */
const noSuchId = Effect.fail(new SwapNotFound())

export const StatusHandlers = handlersOf("status")(Effect.fnUntraced(function* (handlers) {
  const swaps = yield* Swaps
  const vaultSwaps = yield* VaultSwaps
  const journals = yield* Journals

  const cases = yield* Cases
  const guide = yield* Guide
  const presented = yield* presentEntries
  const { networkOf } = yield* OpeningRules

  // Each status belongs to one record, so its text is kept until the record gets another status, its channel expires,
  // a price that it lacks may be known, or payments to it are stopped, after which it is another.
  const written = new WeakMap<SwapStatus, WrittenStatus>()
  const textOf = Effect.fnUntraced(function* (record: SwapRecord, now: EpochMillis, isStopped: boolean) {
    const before = written.get(record.status)
    if (before !== undefined && before.isStopped === isStopped && now < before.until) return before
    const { shown: text, until } = yield* swaps.priced((priceAt) =>
      payableJson(record, { networkOf, now, isStopped, priceAt })
    )
    const expiry = record.status.depositChannel?.estimatedExpiryTime ?? Infinity
    const status = { text, isStopped, until: Math.min(until, now < expiry ? expiry : Infinity) }
    written.set(record.status, status)
    return status
  })

  // What is said of a swap that is over follows from its record alone, so the whole answer is kept, in each language, once
  // it has all its prices, or their hours are over.
  const ended = new WeakMap<SwapStatus, Partial<Record<Language, string>>>()
  const guidedText = Effect.fnUntraced(function* (swap: StandingSwap) {
    const language = yield* responseLanguage()
    const before = ended.get(swap.status)
    const kept = before?.[language]
    if (kept !== undefined) return kept
    const guidance = yield* guide.swap(swap, language)
    const isStopped = !asksForPayment(guidance.phase)
    const status = yield* textOf(swap, yield* currentMillis, isStopped)
    const text = guidedJson(status.text, guidance)
    if (isEnd(guidance.phase) && status.until === Infinity) {
      ended.set(swap.status, { ...before, [language]: text })
    }
    return text
  })

  /** Answers with the caller's swap that `find` returns. */
  const answer = <E>(find: (account: Account) => Effect.Effect<StandingSwap, E>) =>
    CurrentAccount.pipe(Effect.flatMap(find), Effect.flatMap(guidedText), Effect.map(jsonResponse))

  return handlers.handleAll({
    byId: ({ query }) =>
      answer((account) =>
        Option.match(SwapRecordId.makeOption(query.swapId), {
          onNone: () => noSuchId,
          onSome: (id) => swaps.byId(account, id),
        })
      ).pipe(failAsProblem),
    byDepositChannel: ({ query }) =>
      CurrentAccount.pipe(
        Effect.flatMap((account) => swaps.byChannel(account, query)),
        Effect.flatMap((swap) =>
          Effect.map(guidedText(swap), (text) => jsonResponse(countedJson(text, swap.swapCount)))
        ),
        failAsProblem,
      ),
    case: ({ params }) =>
      Effect.gen(function* () {
        return yield* presentCase(yield* cases.of(yield* CurrentAccount, params.id))
      }).pipe(failAsProblem),
    journal: ({ params, query }) =>
      Effect.gen(function* () {
        const page = yield* journals.page(yield* CurrentAccount, params.id, journalQuery(query))
        return yield* presented(yield* listed(page), yield* responseLanguage())
      }).pipe(failAsProblem),
    byTransactionHash: ({ query }) =>
      answer((account) => vaultSwaps.byTransaction(account, query.transactionHash)).pipe(
        Effect.catchTag(
          "SwapNotFound",
          () =>
            Effect.fail(
              new TransactionUnknown({ isMalformed: !transactionName.test(query.transactionHash) }),
            ),
        ),
        failAsProblem,
      ),
  })
}))

/** The image, or an empty 304 where the caller has it. Its caches ask each time, so that none shows a dead channel. */
const codeResponse = Effect.fnUntraced(function* (text: string) {
  const { headers: { "if-none-match": known } } = yield* HttpServerRequest.HttpServerRequest
  const svg = qrSvg(text)
  const headers = { etag: entityTag(svg), "cache-control": "private, no-cache" }
  return known !== undefined && isKnownTag(known, headers.etag)
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.text(svg, { contentType: "image/svg+xml", headers })
})

export const PayersHandlers = handlersOf("payers")(Effect.fnUntraced(function* (handlers) {
  const swaps = yield* Swaps
  const links = yield* PayLinks
  const guide = yield* Guide
  const publicUrl = yield* PublicUrl
  const { networkOf } = yield* OpeningRules

  const code = Effect.fnUntraced(function* (id: SwapRecordId) {
    const swap = yield* swaps.byId(yield* CurrentAccount, id)
    return yield* codeResponse(
      yield* Effect.provideService(codeText(swap, networkOf(swap.platform)), Guide, guide),
    )
  })

  const link = Effect.fnUntraced(function* (id: SwapRecordId) {
    const { headers: { host } } = yield* HttpServerRequest.HttpServerRequest
    const token = yield* links.make(yield* CurrentAccount, id)
    return { url: `${baseOf(publicUrl, host)}/pay/${Redacted.value(token)}` } satisfies PayLinkBody
  })

  return handlers.handleAll({
    code: ({ params }) => failAsProblem(code(params.id)),
    payLink: ({ params }) => failAsProblem(link(params.id)),
  })
}))
