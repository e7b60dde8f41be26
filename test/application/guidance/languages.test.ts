import { assert, describe, it } from "@effect/vitest"
import { Language } from "#domain/Language.ts"
import { Price } from "#domain/money/Price.ts"
import { Address } from "#domain/chains/Address.ts"
import { GuidancePhase } from "#domain/swaps/Guidance.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { goodProvider } from "#application/guidance/facts.ts"
import type { Reader } from "#application/guidance/textValues.ts"
import german from "#application/guidance/words/german.json" with { type: "json" }
import { phrases, sharedPhrases } from "#application/guidance/words/phrases.ts"
import { recordlessWords } from "#application/guidance/words/trouble.ts"
import {
  renderGuidance,
  strangersText,
  type Translation,
  translations,
  words,
  wordsIn,
} from "#application/guidance/words/renderGuidance.ts"
import { linesOf } from "#application/guidance/words/sentences.ts"
import { BigDecimal } from "effect"
import { Dice, now } from "#test/domain/swaps/payment/support/deposits.ts"
import { randomSwap } from "#test/support/randomSwap.ts"
import { namesIn } from "#test/support/words.ts"

const platform = ProviderName.make("chainflip")
const lateDeposits = ["swapped", "refunded", "lost", "untold"] as const

const subjectOf = (dice: Dice) => {
  const { status } = randomSwap(dice)
  const limited: SwapStatus = {
    ...status,
    fillOrKill: {
      retryDurationBlocks: dice.below(3_000),
      refundAddress: Address.make(`refund${dice.bigint(60)}`),
      minimumPrice: Price.make(BigDecimal.make(dice.bigint(40) + 1n, dice.below(20))),
    },
  }
  const provider = {
    ...goodProvider,
    lateDeposit: dice.pick(lateDeposits),
    addsDeposits: dice.below(2) === 0,
  }
  return { platform, status: limited, facts: { provider, now } }
}

const months = ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"]

/** A time as English has it, which sorts. */
const isoTime = (day = "", month: string | number = "", year = "", time = "") =>
  `${year}-${`${month}`.padStart(2, "0")}-${day.padStart(2, "0")}T${time.padStart(5, "0")}`

/** Numbers, times, addresses and hashes of a text, in one notation whatever its language. */
const figuresIn = (language: Language, text: string): ReadonlyArray<string> => {
  const plain = language === "en"
    ? text.replaceAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g, "$1T$2").replaceAll(/(?<=\d),(?=\d{3})/g, "")
    : text.replaceAll(
      /(\d+)\.(\d+)\.(\d{4}), (\d+:\d+) UTC/g,
      (_, day, month, year, time) => isoTime(day, month, year, time),
    )
      .replaceAll(
        /(\d+) ([a-z]+) (\d{4}), (\d+:\d+) UTC/g,
        (_, day, month, year, time) => isoTime(day, months.indexOf(month) + 1, year, time),
      )
      .replaceAll(/(?<=\d),(?=\d)/g, ".")
  const found = plain.match(/[^\s(]*\d[^\s]*(?: [A-Z]{3,}\b(?! UTC))?/g) ?? []
  return [...new Set(found.map((figure) => figure.replace(/[.,:;)]+$/, "")))].toSorted()
}

const sentencesOf = (told: ReturnType<typeof renderGuidance>) => [told.text, ...told.whatYouCanDo]

describe("guidance in a language", () => {
  it("has the same amounts, prices, addresses, transactions and times in each, in every phase", () => {
    const dice = new Dice(20_261_130)
    let figures = 0
    for (const phase of GuidancePhase.literals) {
      for (let round = 0; round < 40; round++) {
        const subject = subjectOf(dice)
        const [first = [], ...others] = Language.literals.map((language) => {
          const told = sentencesOf(renderGuidance(phase, subject, language))
          for (const sentence of told) {
            assert.match(sentence, /^[\p{Lu}0-9].*[.]$/su, phase)
            assert.notMatch(sentence, /undefined|NaN|\[object|\{|\}| {2}/, phase)
          }
          return figuresIn(language, told.join("\n"))
        })
        for (const other of others) assert.deepStrictEqual(other, first, phase)
        figures += first.length
      }
    }
    assert.isAbove(figures, 4_000)
  })

  it("has other sentences in each language, in every phase", () => {
    for (const phase of GuidancePhase.literals) {
      const subject = subjectOf(new Dice(1))
      const texts = Language.literals.map((language) => renderGuidance(phase, subject, language).text)
      assert.lengthOf(new Set(texts), Language.literals.length, phase)
    }
    assert.lengthOf(new Set(Language.literals.map(strangersText)), Language.literals.length)
  })

  const lines = Object.fromEntries(
    Object.entries({ ...words, ...recordlessWords }).map(([phase, text]) => [phase, linesOf(text)]),
  )
  const own = Object.fromEntries(Object.entries(phrases).filter(([name]) => !(name in sharedPhrases)))

  it.each(Object.entries(translations))(
    "lacks no word in %s, and each has the names in braces of the English one",
    (_, translation: Translation) => {
      const expected = namesIn({ strangers: "", shared: sharedPhrases, phrases: own, phases: lines })
      const given = namesIn(translation)
      assert.deepStrictEqual([...given.keys()].toSorted(), [...expected.keys()].toSorted())
      for (const [key, names] of expected) assert.deepStrictEqual(given.get(key), names, key)
    },
  )

  it("is English as a whole where a word of a text is missing", () => {
    const subject = subjectOf(new Dice(2))
    const tell = (translation: Translation, phase: GuidancePhase = "deposit_seen", reader: Reader = "de") =>
      renderGuidance(phase, subject, reader, wordsIn("de", translation))
    const english = renderGuidance("deposit_seen", subject, "en")
    assert.notDeepEqual(tell(german), english)
    assert.deepStrictEqual(tell({}), english)
    const { deposit_seen: _text, ...phases } = german.phases
    assert.deepStrictEqual(tell({ ...german, phases }), english)
    const { confirmed, deposit: _deposit, ...others } = german.phrases
    assert.deepStrictEqual(tell({ ...german, phrases: { ...others, confirmed } }), english)
    const { unknown: _unknown, ...cases } = confirmed
    assert.deepStrictEqual(tell({ ...german, phrases: { ...german.phrases, confirmed: cases } }), english)
    const { noAction: _nothing, ...shared } = german.shared
    assert.deepStrictEqual(tell({ ...german, shared }), english)
    assert.deepStrictEqual(
      tell({ ...german, shared }, "swap_late"),
      renderGuidance("swap_late", subject, "de"),
      "What names nothing that is missing stays German",
    )
  })
})
