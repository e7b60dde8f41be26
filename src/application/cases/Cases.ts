import { Effect, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { Buffer } from "node:buffer"
import type { JournalEntry, JournalEntryId } from "#domain/swaps/Journal.ts"
import { pageOf } from "#domain/Page.ts"
import { SwapNotFound, type SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { Guide } from "../guidance/Guide.ts"
import { SwapNetworks } from "#providers/SwapNetworks.ts"
import { guidanceOfOpening } from "../guidance/guidanceOf.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { type CaseRecord, CaseRepo } from "#infrastructure/store/swaps/CaseRepo.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { type CaseKey, CaseKeys } from "./CaseKeys.ts"
import { createHash } from "node:crypto"
import { CaseQuoteBody } from "#api/Cases.ts"
import { JournalEntryBody } from "#api/JournalEntry.ts"
import { writerOf } from "#api/bodyText.ts"
import { presentEntry, recordJson, type RecordSetting } from "#api/presentSwap.ts"
import { NativeAmount, toHuman } from "#domain/money/Amount.ts"
import type { RequestedQuote } from "#domain/quotes/BoundQuote.ts"
import { anyPrice, outputAt } from "#domain/money/Price.ts"
import type { Guidance } from "#domain/swaps/Guidance.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { version } from "#infrastructure/platform/version.ts"

/** All that a case file tells. */
interface Case {
  readonly record: CaseRecord
  readonly guidance: Guidance
  readonly journal: ReadonlyArray<{ readonly entry: JournalEntry; readonly guidance: Guidance }>
  /** Whether that is the whole journal, and not only its latest part. */
  readonly isWhole: boolean
  readonly madeAt: EpochMillis
  readonly networks: RecordSetting
}

const writeEntry = writerOf(JournalEntryBody)

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const entryJson = ({ entry, guidance }: Case["journal"][number], networks: RecordSetting): string => {
  const body = presentEntry(entry, guidance, networks)
  const text = writeEntry(body)
  return body.upstreamBody === undefined
    ? text
    : `${text.slice(0, -1)},"upstreamBodySha256":"${sha256(body.upstreamBody)}"}`
}

/** What the provider itself named when it opened the channel, for the deposit that was expected. */
const openingQuote = ({ destinationAsset, sourceAsset, swap }: CaseRecord): RequestedQuote | undefined => {
  const { depositChannel, fillOrKill } = swap?.status ?? {}
  const { createdAt, estimatedExpiryTime, expectedDepositAmount, expectedOutputAmount } = depositChannel ?? {}
  if (expectedDepositAmount === undefined || expectedOutputAmount === undefined) return undefined
  if (createdAt === undefined || estimatedExpiryTime === undefined) return undefined
  const limit = fillOrKill?.minimumPrice ?? anyPrice
  const least = outputAt(limit, expectedDepositAmount, sourceAsset, destinationAsset)
  return {
    quotedAt: createdAt,
    expiresAt: estimatedExpiryTime,
    amount: expectedDepositAmount,
    quoted: expectedOutputAmount,
    promised: least < expectedOutputAmount ? NativeAmount.make(least) : expectedOutputAmount,
  }
}

const details: Readonly<Record<CaseQuoteBody["basis"], string>> = {
  quoteId: "The swap was asked for by this quote",
  opening:
    "The swap was asked for without a quoteId: this is what the provider named when it opened the channel",
  none:
    "No quote is on record: the swap was asked for without a quoteId, or before quotes were kept, and its provider " +
    "named no output",
}

export const quoteOf = (record: CaseRecord): CaseQuoteBody => {
  const { destinationAsset, quote, sourceAsset } = record
  const basis = quote === undefined ? "opening" : "quoteId"
  const shown = quote ?? openingQuote(record)
  if (shown === undefined) return { basis: "none", detail: details.none }
  return {
    basis,
    detail: details[basis],
    ...defined({ quoteId: shown.id }),
    ...optionalMembers(shown.quotedAt, (quotedAt) => ({ quotedAt, quotedAtDate: toIsoDate(quotedAt) })),
    expiresAt: shown.expiresAt,
    expiresAtDate: toIsoDate(shown.expiresAt),
    amount: toHuman(sourceAsset, shown.amount),
    amountNative: shown.amount,
    quoted: toHuman(destinationAsset, shown.quoted),
    quotedNative: shown.quoted,
    promised: toHuman(destinationAsset, shown.promised),
    promisedNative: shown.promised,
    ...defined({ estimatedPrice: shown.estimatedPrice }),
  }
}

const writeQuote = writerOf(CaseQuoteBody)

const caseJson = ({ guidance, isWhole, journal, madeAt, networks, record }: Case, keyId: string): string => {
  const { id, opening, platform, request, requestedAt, swap } = record
  const head = JSON.stringify({
    format: "swap-broker-case/1",
    service: { name: "swap-broker", version },
    madeAt,
    madeAtDate: toIsoDate(madeAt),
    keyId,
    id,
    platform,
    opening: { outcome: opening, requestedAt, requestedAtDate: toIsoDate(requestedAt) },
    request,
    guidance,
    journalIsWhole: isWhole,
  })
  const shown = swap === undefined ? "" : `,"record":${recordJson(swap, networks)}`
  return `${head.slice(0, -1)},"quote":${writeQuote(quoteOf(record))}${shown},"journal":[${
    journal.map((entry) => entryJson(entry, networks)).join(",")
  }]}`
}

/** A case file: two lines. The signature, which is in the second, is of the bytes of the first with its line break. */
const caseFile = (told: Case, key: CaseKey): string => {
  const signed = `{"case":${caseJson(told, key.id)},\n`
  const signature = key.sign(Buffer.from(signed, "utf8"))
  return `${signed}"signature":{"algorithm":"Ed25519","keyId":"${key.id}","value":"${signature}"}}\n`
}

/** A case file: its text, which is signed, and what it tells. */
export interface MadeCase {
  readonly text: string
  readonly told: Case
}

/** The most entries of a journal in one file, the latest. */
const mostEntries = 1_000

/** The most bytes of upstreams' answers in one file, those of the latest entries. */
const mostBytes = 4 * 1024 * 1024

/** How many entries are read at a time: each can have 32,768 characters of an upstream's answer. */
const lot = 50

const bytesOf = ({ note }: JournalEntry): number =>
  note._tag === "Stall" || note.body === undefined ? 0 : Buffer.byteLength(note.body.text)

/** Makes case files: everything that is on record of a swap, signed, for whoever has to judge what happened. */
export class Cases extends service<Cases>()(
  "swap-broker/cases/Cases",
  Effect.gen(function* () {
    const repo = yield* CaseRepo
    const journals = yield* JournalRepo
    const keys = yield* CaseKeys
    const guide = yield* Guide
    const networks = yield* SwapNetworks

    const standing = ({ opening, platform, requestedAt, swap }: CaseRecord) => {
      if (swap !== undefined) return guide.swap(swap)
      const outcome = opening === "opened" ? "requested" : opening
      return Effect.succeed(guidanceOfOpening({ platform, outcome, at: requestedAt }))
    }

    /** The latest entries that fit into a file, the first one first. */
    const latestOf = Effect.fnUntraced(function* (id: SwapRecordId) {
      const latest: Array<JournalEntry> = []
      let bytes = 0
      let offset: JournalEntryId | undefined
      do {
        const part = { limit: lot + 1, sort: "descending", ...defined({ offset }) } as const
        const { items, next } = pageOf(yield* journals.ofAny(id, part), lot, ({ id }) => id)
        for (const entry of items) {
          bytes += bytesOf(entry)
          if (latest.length === mostEntries || bytes > mostBytes) {
            return { entries: latest.toReversed(), isWhole: false }
          }
          latest.push(entry)
        }
        offset = next
      } while (offset !== undefined)
      return { entries: latest.toReversed(), isWhole: true }
    })

    const make = Effect.fnUntraced(function* (found: Option.Option<CaseRecord>) {
      const record = yield* Effect.mapError(Effect.fromOption(found), () => new SwapNotFound())
      const [key] = yield* keys.all
      const { entries, isWhole } = yield* latestOf(record.id)
      const journal = yield* Effect.forEach(
        entries,
        (entry) => Effect.map(guide.entry(entry), (guidance) => ({ entry, guidance })),
      )
      const told: Case = {
        record,
        guidance: yield* standing(record),
        journal,
        isWhole,
        madeAt: yield* currentMillis,
        networks,
      }
      return { text: caseFile(told, key), told }
    })

    return {
      /** The case file of the account's own opening. Another account's looks as if it did not exist (decision 23). */
      of: Effect.fn("Cases.of")((account, id) => Effect.flatMap(repo.of(account.id, id), make)),
      /** The case file of any account's opening, for the operator. */
      ofAny: Effect.fn("Cases.ofAny")((id) => Effect.flatMap(repo.ofAny(id), make)),
    }
  }),
) {}
