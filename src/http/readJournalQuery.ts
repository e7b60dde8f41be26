import { Effect, Result } from "effect"
import { JournalParameters } from "../api/Journal.ts"
import { JournalEntryId } from "../domain/Journal.ts"
import { accept } from "./accept.ts"
import { queryParameters } from "./rawParameters.ts"
import { parameterReader } from "./readParameters.ts"

const read = parameterReader(JournalParameters, [])

const defaultLimit = 100

/** Which part of a journal a query asks for; no entry has an id below 1. */
export const readJournalQuery = Effect.flatMap(queryParameters, (raw) => {
  const { values: { limit = defaultLimit, offset }, issues } = read(raw)
  const from = offset === undefined || offset === 0 ? {} : { offset: JournalEntryId.make(offset) }
  return accept([issues], Result.succeed({ limit, ...from }))
})
