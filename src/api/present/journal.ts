import { type JournalEntry, JournalNote, type KeptBody } from "../../domain/Journal.ts"
import { toIsoDate } from "../../domain/Time.ts"
import type { JournalEntryBody } from "../Journal.ts"
import { when } from "./figures.ts"
import { presentStatus } from "./swapStatus.ts"

const presentBody = ({ length, text }: KeptBody) => ({ upstreamBody: text, upstreamBodyLength: length })

/** A line of a journal as the contract shows it. */
export const presentEntry = ({ at, id, note }: JournalEntry): JournalEntryBody => ({
  id,
  at,
  atDate: toIsoDate(at),
  ...JournalNote.$match(note, {
    Change: ({ body, kind, status }) => ({
      kind,
      status: presentStatus(status),
      ...when(body, presentBody),
    }),
    Contradiction: ({ body, detail, status }) => ({
      kind: "contradicted" as const,
      detail,
      status: presentStatus(status),
      ...presentBody(body),
    }),
    Stall: ({ detail }) => ({ kind: "stalled" as const, detail }),
  }),
})
