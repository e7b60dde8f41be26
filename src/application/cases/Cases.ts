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
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { type CaseRecord, CaseRepo } from "#infrastructure/store/swaps/CaseRepo.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { type Case, caseFile } from "./caseFile.ts"
import { CaseKeys } from "./CaseKeys.ts"

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
