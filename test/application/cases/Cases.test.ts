import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer, Option } from "effect"
import { CaseKeys } from "#application/cases/CaseKeys.ts"
import { casePage } from "#interfaces/http/Cases.tsx"
import { Cases } from "#application/cases/Cases.ts"
import { type JournalEntry, JournalEntryId, JournalNote, keepBody } from "#domain/swaps/Journal.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { Guide } from "#application/guidance/Guide.ts"
import { CaseRepo } from "#infrastructure/store/swaps/CaseRepo.ts"
import { JournalRepo } from "#infrastructure/store/swaps/JournalRepo.ts"
import { hostile } from "#test/interfaces/dashboard/support/hostile.ts"
import { statusIn } from "#test/support/swap.ts"

const platform = ProviderName.make("first")
const at = EpochMillis.make(1_790_692_455_000)
const record = {
  id: SwapRecordId.make(1),
  platform,
  opening: "unknown",
  requestedAt: at,
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  request: {},
} as const

/** A journal in which every answer of the upstream has so many characters. */
const journalOf = (
  entries: number,
  characters: number,
  text = "x".repeat(characters),
): ReadonlyArray<JournalEntry> =>
  Array.from({ length: entries }, (_, index) => ({
    id: JournalEntryId.make(index + 1),
    platform,
    at,
    note: JournalNote.Change({
      kind: "changed",
      status: statusIn("waiting"),
      body: keepBody(text),
    }),
  }))

/** The case file of a swap with a journal, its page, and the most characters of answers that were read at once. */
const made = (journal: ReadonlyArray<JournalEntry>, characters: number) => {
  const newest = journal.toReversed()
  let mostRead = 0
  const journals = Layer.mock(JournalRepo, {
    ofAny: (_, { limit, offset } = {}) => {
      const found = newest.filter(({ id }) => offset === undefined || id <= offset).slice(0, limit)
      mostRead = Math.max(mostRead, found.length * characters)
      return Effect.succeed(found)
    },
  })
  const layer = Layer.provide(
    Cases.layer,
    Layer.mergeAll(
      journals,
      Layer.mock(CaseRepo, { ofAny: () => Effect.succeed(Option.some(record)) }),
      CaseKeys.layer({ keys: Option.none(), folder: Option.none(), isForgotten: true }),
      Guide.layerOfRecords,
    ),
  )
  return Effect.flatMap(Cases, (cases) => cases.ofAny(record.id)).pipe(
    Effect.map((file) => ({ file, page: casePage(file), mostRead })),
    Effect.provide(layer),
  )
}

describe("a case file of a long journal", () => {
  it.effect("has the latest answers of the upstream, 4 MB of them, and no more is read at once", function* () {
    const characters = 32_768
    const { file: { told, text }, mostRead, page } = yield* made(journalOf(400, characters), characters)
    assert.isFalse(told.isWhole)
    assert.include(text, '"journalIsWhole":false')
    const ids = told.journal.map(({ entry }) => Number(entry.id))
    assert.deepStrictEqual(ids, Array.from({ length: 128 }, (_, index) => 273 + index))
    assert.isAtMost(mostRead, 4 * 1024 * 1024)
    assert.isBelow(page.length, 1_000_000)
    assert.include(page, "It does not stand here")
  })

  it.effect("lets nothing of an upstream run in its page, where the whole file stands in it", function* () {
    const { file: { text }, page } = yield* made(journalOf(3, hostile.length, hostile), hostile.length)
    assert.include(page, "journalIsWhole")
    assert.notMatch(page, /<(?:script>|img|svg(?! viewBox)|iframe)|\u202e|\u200b|href="javascript/i)
    assert.strictEqual(
      page.split("&lt;script&gt;canary()").length,
      text.split("<script>canary()").length + 3,
    )
  })

  it.effect("has the latest 1,000 entries", function* () {
    const { file: { told } } = yield* made(journalOf(1_001, 1), 1)
    assert.isFalse(told.isWhole)
    assert.lengthOf(told.journal, 1_000)
    assert.strictEqual(Number(told.journal[0]?.entry.id), 2)
  })

  it.effect("is whole up to there, in its order, and stands in its page where it is short", function* () {
    for (const length of [0, 1, 49, 50, 51, 1_000]) {
      const { file: { told, text }, page } = yield* made(journalOf(length, 1), 1)
      assert.isTrue(told.isWhole)
      const ids = told.journal.map(({ entry }) => Number(entry.id))
      assert.deepStrictEqual(ids, Array.from({ length }, (_, index) => index + 1))
      assert.strictEqual(page.includes("journalIsWhole"), text.length <= 256 * 1024)
    }
  })
})
