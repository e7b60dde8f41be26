import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import { CaseQuoteBody } from "#api/Cases.ts"
import { JournalEntryBody } from "#api/JournalEntry.ts"
import { writerOf } from "#api/bodyText.ts"
import { presentEntry, recordJson, type RecordSetting } from "#api/presentSwap.ts"
import { NativeAmount, toHuman } from "#domain/money/Amount.ts"
import type { RequestedQuote } from "#domain/quotes/BoundQuote.ts"
import { anyPrice, outputAt } from "#domain/money/Price.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Guidance } from "#domain/swaps/Guidance.ts"
import type { JournalEntry } from "#domain/swaps/Journal.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { version } from "#infrastructure/platform/version.ts"
import type { CaseRecord } from "#infrastructure/store/swaps/CaseRepo.ts"
import type { CaseKey } from "./keyPair.ts"

/** All that a case file tells. */
export interface Case {
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
export const caseFile = (told: Case, key: CaseKey): string => {
  const signed = `{"case":${caseJson(told, key.id)},\n`
  const signature = key.sign(Buffer.from(signed, "utf8"))
  return `${signed}"signature":{"algorithm":"Ed25519","keyId":"${key.id}","value":"${signature}"}}\n`
}
