import { assert, describe, it } from "#test/support/it.ts"
import { type JournalEntry, JournalEntryId, JournalNote, keepBody } from "#domain/swaps/Journal.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapState, SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import {
  figureMatch,
  latestReport,
  stateMatch,
  stateWordIn,
} from "#interfaces/dashboard/swaps/providerComparison.tsx"
import { freshStanding, paid, statusIn } from "#test/support/swap.ts"

const entry = (id: number, note: JournalNote): JournalEntry => ({
  id: JournalEntryId.make(id),
  platform: ProviderName.make("chainflip"),
  at: EpochMillis.make(id),
  note,
})

const body = (word: string) => keepBody(JSON.stringify({ state: word }))
const change = (id: number, status: SwapStatus, word?: string) =>
  entry(
    id,
    JournalNote.Change({ kind: "changed", status, ...(word === undefined ? {} : { body: body(word) }) }),
  )
const contradiction = (id: number, status: SwapStatus) =>
  entry(id, JournalNote.Contradiction({ detail: "It cannot be", status, body: body("completed") }))
const stall = (id: number) => entry(id, JournalNote.Stall({ detail: "It stays" }))

const disputed = { ...freshStanding, contradictedAt: EpochMillis.make(9), lookupFailures: 1 }

describe("the upstream's latest word", () => {
  const swapping = statusIn("swapping")
  const idOf = (entries: ReadonlyArray<JournalEntry>, status = swapping, standing = freshStanding) =>
    latestReport(entries, { standing, status })?.entry.id

  it("is that of the latest entry with a body, whatever our record has", () => {
    for (const state of ["waiting", "receiving", "completed", "failed"] satisfies Array<SwapState>) {
      const known = statusIn(state)
      const found = latestReport([stall(4), change(3, known), change(2, swapping, "swapping")], {
        standing: freshStanding,
        status: known,
      })
      assert.deepStrictEqual([found?.entry.id, found?.status.state], [2, "swapping"], state)
    }
  })

  it("is none where the journal keeps no response: of a swap that waits", () => {
    assert.isUndefined(idOf([]))
    assert.isUndefined(idOf([stall(2), change(1, statusIn("waiting"))]))
  })

  it("is a refused one while it stands, and no longer once the upstream agrees with us again", () => {
    const entries = [contradiction(2, statusIn("completed")), change(1, swapping, "swapping")]
    assert.strictEqual(idOf(entries, swapping, disputed), 2)
    assert.strictEqual(idOf(entries), 1)
    assert.isUndefined(idOf(entries.slice(0, 1)))
  })

  it("is the refused one that the operator accepted", () => {
    const accepted = statusIn("completed")
    assert.strictEqual(idOf([change(3, accepted), contradiction(2, accepted)], accepted), 2)
  })
})

describe("a state compared with our record", () => {
  const refunded: SwapStatus = { ...statusIn("sending"), state: "completed", refundEgress: paid }
  const rows: ReadonlyArray<readonly [SwapStatus, SwapStatus, word: string, isStale: boolean, string]> = [
    [statusIn("swapping"), statusIn("swapping"), "swapping", false, "same"],
    [statusIn("swapping"), statusIn("swapping"), "PROCESSING", false, "same"],
    [statusIn("swapping"), statusIn("swapping"), "swapping", true, "stale"],
    [statusIn("receiving"), statusIn("receiving"), "QUARANTINED", false, "unknown"],
    [statusIn("completed"), statusIn("swapping"), "SUCCESS", false, "differs"],
    [statusIn("failed"), statusIn("waiting"), "failed", true, "differs"],
    [statusIn("completed"), refunded, "completed", false, "differs"],
    [refunded, refunded, "REFUNDED", false, "same"],
  ]

  it.each(rows.map(([reported, held, word, isStale, match]) => ({ reported, held, word, isStale, match })))(
    "of $word is $match",
    ({ held, isStale, match, reported, word }) => {
      assert.strictEqual(stateMatch({ status: reported, body: body(word) }, held, isStale), match)
    },
  )

  it("is read from the top of a response alone", () => {
    assert.strictEqual(stateWordIn(keepBody('{"status":"pending"}')), "pending")
    for (const text of ['{"a":{"state":"sent"}}', '{"state":1}', "null", "<html>", '{"state":"se']) {
      assert.isUndefined(stateWordIn(keepBody(text)), text)
    }
  })
})

describe("an amount compared with our record", () => {
  it("is open, the same or differs", () => {
    assert.deepStrictEqual(
      [
        figureMatch(undefined, undefined),
        figureMatch(1n, 1n),
        figureMatch(1n, 2n),
        figureMatch(undefined, 1n),
      ],
      ["open", "same", "differs", "differs"],
    )
  })
})
