import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import {
  type ChangeKind,
  type JournalEntry,
  JournalEntryId,
  JournalNote,
  keepBody,
} from "#domain/swaps/Journal.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { replay } from "./replay.ts"
import { expired, statusIn } from "./swap.ts"

const journal = (...notes: ReadonlyArray<JournalNote>): ReadonlyArray<JournalEntry> =>
  notes.map((note, index) => ({
    id: JournalEntryId.make(index + 1),
    platform: ProviderName.make("chainflip"),
    at: EpochMillis.make(index),
    note,
  }))

const change = (kind: ChangeKind, status: SwapStatus) => JournalNote.Change({ kind, status })
const opened = change("opened", statusIn("waiting"))

const faultOf = (...notes: ReadonlyArray<JournalNote>): string | undefined =>
  Option.getOrUndefined(Option.map(Result.getFailure(replay(journal(...notes))), ({ detail }) => detail))

describe("A journal", () => {
  it("comes to its last change", () => {
    const end = statusIn("completed", { swapId: "7" })
    const begun = change("changed", statusIn("swapping", { swapId: "7" }))
    const replayed = replay(journal(opened, begun, change("changed", end), change("expired", expired(end))))
    assert.deepStrictEqual(replayed, Result.succeed(expired(end)))
  })

  it("is not changed by what cannot be, nor by a stall", () => {
    const unproven = { ...statusIn("failed"), state: "completed" as const }
    const contradiction = JournalNote.Contradiction({ detail: "no", status: unproven, body: keepBody("{}") })
    const replayed = replay(journal(opened, contradiction, JournalNote.Stall({ detail: "late" })))
    assert.deepStrictEqual(replayed, Result.succeed(statusIn("waiting")))
  })

  it("begins with how the swap came into the records, and with nothing else", () => {
    for (const kind of ["opened", "found", "imported"] as const) {
      assert.isUndefined(faultOf(change(kind, statusIn("sending"))))
      assert.include(faultOf(opened, change(kind, statusIn("sending"))), "only at its beginning")
    }
    assert.include(faultOf(change("changed", statusIn("waiting"))), "does not begin")
    assert.include(faultOf(JournalNote.Stall({ detail: "late" })), "no status")
    assert.include(faultOf(), "no status")
  })

  it("has no change that could not have been made", () => {
    const end = change("changed", statusIn("completed", { swapId: "7" }))
    const { swapEgress: _, ...unpaid } = statusIn("completed")
    assert.include(
      faultOf(opened, end, change("changed", statusIn("swapping", { swapId: "7" }))),
      "our record says",
    )
    assert.include(faultOf(opened, change("changed", unpaid)), "without a payment")
    assert.include(faultOf(opened, change("changed", expired(statusIn("waiting")))), "not one")
    assert.include(faultOf(opened, change("expired", statusIn("receiving"))), "not one")
  })
})
