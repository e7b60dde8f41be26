import { Effect, Option, Schema } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { type JournalEntry, type JournalEntryId, JournalNote } from "#domain/swaps/Journal.ts"
import { SwapNotFound, type SwapRecord, type SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { LookupsRepo } from "#infrastructure/store/swaps/LookupsRepo.ts"
import { MovesRepo } from "#infrastructure/store/swaps/MovesRepo.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { PaymentsRepo } from "#infrastructure/store/swaps/PaymentsRepo.ts"
import { claimAccepted, claimantIn } from "./compareTerms.ts"
import { canChange, countEnd, eventsBetween, isSameEnd } from "./Progress.ts"

/** The end cannot be accepted; `detail` says why, and what to do. */
export class NoDisputedResult
  extends Schema.TaggedError<NoDisputedResult>()("NoDisputedResult", { detail: Schema.String }) {}

/** The latest entries that can have the end: a state stalls once, so that at most one entry is later. */
const latest = { limit: 2, sort: "descending" } as const

type DisputedNote = Extract<JournalNote, { readonly _tag: "Contradiction" }>

/** The end that the journal's latest entries dispute, where they do. */
export const disputedEndIn = (
  { status }: Pick<SwapRecord, "status">,
  entries: ReadonlyArray<JournalEntry>,
): { readonly entry: JournalEntryId; readonly note: DisputedNote } | undefined => {
  const last = entries.find(({ note }) => note._tag !== "Stall")
  return last !== undefined && JournalNote.$is("Contradiction")(last.note) &&
      last.note.status.state === "completed" && status.state !== "completed"
    ? { entry: last.id, note: last.note }
    : undefined
}

/** Ends that upstreams tell and that cannot be by our record (decision 37). Only the operator accepts one. */
export class DisputedEnds extends service<DisputedEnds>()(
  "swap-broker/swapping/DisputedEnds",
  Effect.gen(function* () {
    const audit = yield* AuditRepo
    const journal = yield* JournalRepo
    const lookups = yield* LookupsRepo
    const payments = yield* PaymentsRepo
    const swaps = yield* MovesRepo
    const { doorbell } = yield* OutboxRepo

    const seenBefore = (id: SwapRecordId, entry: JournalEntryId) =>
      Effect.map(
        journal.ofAny(id, { offset: entry, limit: 1 }),
        ([first]) =>
          first?.id === entry && JournalNote.$is("Contradiction")(first.note)
            ? Option.some(first.note.status)
            : Option.none(),
      )

    /** Accepts the disputed result that the operator saw as `entry`, no other. Repeating it does nothing. */
    const accept = Effect.fn("DisputedEnds.accept")(
      function* (id: SwapRecordId, entry: JournalEntryId, actor: Actor) {
        const at = yield* currentMillis
        const accepted = yield* audit.recorded("DisputedEnds.accept", { actor, at }, function* () {
          const swap = yield* swaps.lock(id)
          if (Option.isNone(swap)) return yield* new SwapNotFound()
          const { accountId, accountName, record } = swap.value
          const seen = yield* seenBefore(id, entry)
          if (Option.exists(seen, (seen) => isSameEnd(record.status, seen))) {
            return { value: Option.none(), changes: [] }
          }
          const held = disputedEndIn(record, yield* journal.ofAny(id, latest))
          const lease = { owner: crypto.randomUUID(), now: at, until: at }
          const lookup = yield* lookups.takeOver(id, lease)
          // An answer that was taken since explains the end.
          if (held === undefined || !Option.exists(lookup, ({ failures }) => failures > 0)) {
            return yield* new NoDisputedResult({ detail: "The end of this swap is not disputed" })
          }
          if (held.entry !== entry || Option.isNone(lookup)) {
            const detail =
              `The upstream tells another end by now, in entry ${held.entry} of the journal: look at ` +
              "that one before accepting it"
            return yield* new NoDisputedResult({ detail })
          }
          const { status } = held.note
          yield* claimAccepted(payments, claimantIn(lookup.value), status)
          yield* lookups.changed(lookup.value, {
            status,
            askedAt: at,
            nextLookupAt: canChange(status) ? Option.some(at) : Option.none(),
            note: JournalNote.Change({ kind: "changed", status, detail: "The operator accepted the result" }),
            events: eventsBetween(Option.some(record.status), status),
            entered: Option.some({ stallsAt: Option.none<EpochMillis>() }),
          })
          return {
            value: Option.some({ accountId, known: record, status }),
            changes: [{
              action: "swap.accepted",
              account: accountName,
              swapId: id,
              before: { state: record.status.state },
              after: { state: status.state, entry },
            }],
          }
        })
        if (Option.isSome(accepted)) {
          const { accountId, known, status } = accepted.value
          // What was rung for before the commit may not have been there yet.
          doorbell.ring(accountId)
          yield* countEnd(known.platform, Option.some(known.status), status)
          yield* Effect.logInfo("The operator accepted a disputed result").pipe(
            Effect.annotateLogs({ swap: id, platform: known.platform }),
          )
        }
        return { id, entry }
      },
    )

    return { accept }
  }),
) {}
