import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import { JournalEntryBody } from "../api/JournalEntry.ts"
import { writerOf } from "../api/bodyText.ts"
import { presentEntry, recordJson } from "../api/presentSwap.ts"
import type { Guidance } from "../domain/Guidance.ts"
import type { JournalEntry } from "../domain/Journal.ts"
import { type EpochMillis, toIsoDate } from "../domain/Time.ts"
import { version } from "../platform/version.ts"
import type { CaseRecord } from "../store/swaps/CaseRepo.ts"
import type { CaseKey } from "./keyPair.ts"

/** All that a case file tells. */
export interface Case {
  readonly record: CaseRecord
  readonly guidance: Guidance
  readonly journal: ReadonlyArray<{ readonly entry: JournalEntry; readonly guidance: Guidance }>
  /** Whether that is the whole journal, and not only its latest part. */
  readonly isWhole: boolean
  readonly madeAt: EpochMillis
}

const writeEntry = writerOf(JournalEntryBody)

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const entryJson = ({ entry, guidance }: Case["journal"][number]): string => {
  const body = presentEntry(entry, guidance)
  const text = writeEntry(body)
  return body.upstreamBody === undefined
    ? text
    : `${text.slice(0, -1)},"upstreamBodySha256":"${sha256(body.upstreamBody)}"}`
}

const caseJson = ({ guidance, isWhole, journal, madeAt, record }: Case, keyId: string): string => {
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
  const shown = swap === undefined ? "" : `,"record":${recordJson(swap)}`
  return `${head.slice(0, -1)}${shown},"journal":[${journal.map(entryJson).join(",")}]}`
}

/**
 * The text of a case file: two lines. The first one, with its line break, is what the signature is of, byte for byte; JSON
 * text has no other line break. The second one has a fixed form.
 */
export const caseFile = (told: Case, key: CaseKey): string => {
  const signed = `{"case":${caseJson(told, key.id)},\n`
  const signature = key.sign(Buffer.from(signed, "utf8"))
  return `${signed}"signature":{"algorithm":"Ed25519","keyId":"${key.id}","value":"${signature}"}}\n`
}
