import { assert, describe, it } from "@effect/vitest"
import { asksForPayment, GuidancePhase, type SwapPhase } from "#domain/swaps/Guidance.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { goodProvider } from "#application/guidance/facts.ts"
import { translations, words } from "#application/guidance/words/renderGuidance.ts"
import { payerTold } from "#application/guidance/textValues.ts"
import { stateOf } from "#interfaces/payer/payerState.ts"
import { languageOf, languages } from "#interfaces/payer/words/languages.ts"
import { languageFor } from "#interfaces/requests/language.ts"
import german from "#interfaces/payer/words/german.json" with { type: "json" }
import spanish from "#interfaces/payer/words/spanish.json" with { type: "json" }
import { english, wordsOf } from "#interfaces/payer/words/translation.ts"
import { type PageText, pageTextOf } from "#interfaces/payer/parts.tsx"
import { EpochMillis } from "#domain/Time.ts"
import type { Html } from "#interfaces/pages/jsx-runtime.ts"
import { statusIn } from "#test/support/swap.ts"
import { namesIn } from "#test/support/words.ts"

const isOfSwap = (phase: GuidancePhase): phase is SwapPhase => phase in words
const phases = GuidancePhase.literals.filter(isOfSwap)

/** What an upstream may write wherever it writes: nothing of it may be in a text. */
const hostile = "<b>send 1 BTC to bc1qthief</b> {now}"

const deposit = { amount: NativeAmount.make(12_345_678n), transactionReference: hostile }

const statuses: ReadonlyArray<SwapStatus> = [
  { ...statusIn("failed"), swapId: hostile, deposit },
  statusIn("waiting"),
  { ...statusIn("completed"), deposit: { ...deposit, isExpected: true } },
]

const linesIn = (writer: PageText, phase: SwapPhase, status: SwapStatus): ReadonlyArray<string> =>
  writer.guidance(phase, {
    ...payerTold(status, { provider: goodProvider }),
    merchant: "Acme",
    helper: "Acme",
    swapNumber: "4812",
  })
    .map((line) => `${line}`.replaceAll(/<[^>]*>/g, ""))

describe.each(languages)("the words in $name", (language) => {
  const writer = pageTextOf(language)

  it("has a text of its own for every form of a swap, with what can be done", () => {
    for (const status of statuses) {
      const texts = phases.map((phase) => {
        const [text = "", ...advice] = linesIn(writer, phase, status)
        if (!asksForPayment(phase)) assert.isAbove(advice.length, 0, phase)
        for (const line of [text, ...advice]) {
          assert.match(line, /^¿?[\p{Lu}0-9].*[.]$/su, phase)
          assert.notMatch(line, /undefined|NaN|\[object|<|\{|thief| {2}/, phase)
        }
        return text
      })
      assert.lengthOf(new Set(texts), texts.length)
    }
    assert.lengthOf(phases, GuidancePhase.literals.length - 5)
  })

  it("names no provider, operator, address, transaction or trade word of ours", () => {
    for (const phase of phases) {
      for (const status of statuses) {
        for (const line of linesIn(writer, phase, status)) {
          assert.notMatch(
            line,
            /provider|operator|channel|payload|chainflip|API|[0-9a-f]{20}|`|Anbieter|Kanal|proveedor|operador|canal/i,
          )
          assert.notInclude(line, status.destinationAddress)
        }
      }
    }
  })

  it("has no word of the page with a name that is never given", () => {
    for (const [key, text] of Object.entries(language.words.page)) {
      assert.notMatch(text, /\{[^a-z]|[^a-z]\}|^\s|\s$|^$/, key)
    }
  })
})

describe("the figures of a language", () => {
  const amount = { asset: "eth.eth", native: 1_234_567_800_000_000_000_001n } as const
  const at = EpochMillis.make(Date.UTC(2026, 10, 24, 15, 40, 59))

  it.each([
    ["en", "1234.567800000000000001", "24 Nov 2026, 15:40 UTC", "1 day 2 h", "12 days"],
    ["de", "1234,567800000000000001", "24.11.2026, 15:40 UTC", "1 Tag 2 h", "12 Tagen"],
    ["es", "1234,567800000000000001", "24 nov 2026, 15:40 UTC", "1 día 2 h", "12 días"],
  ])("are those of %s", (tag, digits, date, day, days) => {
    const writer = pageTextOf(languageOf[languageFor(undefined, tag)])
    const plain = (html: Html) => `${html}`.replaceAll(/<[^>]*>/g, "")
    assert.strictEqual(plain(writer.money(amount)), `${digits}\u00a0ETH Ethereum`)
    assert.strictEqual(plain(writer.short(amount)), `${digits.slice(0, 9)}\u00a0ETH Ethereum`)
    assert.include(`${writer.short(amount)}`, '<data value="1234.567800000000000001">')
    assert.strictEqual(plain(writer.exact(at)), date)
    assert.strictEqual(writer.duration(93_600_000), day)
    assert.strictEqual(writer.duration(12 * 86_400_000), days)
  })
})

describe("the words of the page", () => {
  it("asks for money in no phase but those that ask for the payment", () => {
    for (const phase of phases) {
      for (const isSeen of [true, false]) {
        assert.strictEqual(stateOf(phase, isSeen) === "waiting", asksForPayment(phase), phase)
      }
    }
  })

  it("tells of what is not heard of by whether the payment was seen", () => {
    for (const phase of ["provider_contradicts", "provider_not_followed", "provider_silent"] as const) {
      assert.strictEqual(stateOf(phase, false), "stop")
      assert.strictEqual(stateOf(phase, true), "delayed")
    }
  })

  it("is the English one wherever a language has none", () => {
    assert.deepStrictEqual(wordsOf({}), english)
    const some = wordsOf({
      page: { copy: "Kopioi" },
      phrases: { late: { lost: "Nyt tuleva maksu menetetään." } },
    }, { noAction: "Odota." })
    assert.strictEqual(some.page.copy, "Kopioi")
    assert.strictEqual(some.page.copied, english.page.copied)
    assert.deepStrictEqual(some.phrases.late, {
      ...english.phrases.late,
      lost: "Nyt tuleva maksu menetetään.",
    })
    assert.strictEqual(some.phrases.noAction, "Odota.")
    assert.deepStrictEqual(some.phases, english.phases)
    assert.deepStrictEqual(some.warnings, english.warnings)
  })

  it.each([
    ["german.json", { ...german, phrases: { ...translations.de.shared, ...german.phrases } }],
    ["spanish.json", { ...spanish, phrases: { ...translations.es.shared, ...spanish.phrases } }],
  ])(
    "has in %s each word of the English ones, with the same names in braces, and no other",
    (file, translation) => {
      const expected = namesIn(english)
      const given = namesIn(translation)
      const keys = (words: typeof given) => [...words.keys()].toSorted()
      assert.deepStrictEqual(keys(given), keys(expected), file)
      for (const [key, names] of expected) assert.deepStrictEqual(given.get(key), names, `${file}: ${key}`)
    },
  )
})

describe("the language of a reader", () => {
  it.each<[accepted: string | undefined, tag: string]>([
    [undefined, "en"],
    ["", "en"],
    ["de", "de"],
    ["DE-at", "de"],
    ["es-419,es;q=0.9,en;q=0.8", "es"],
    ["fr-CH, fr;q=0.9, de;q=0.7, en;q=0.8, *;q=0.5", "en"],
    ["fr, de;q=0.7, es;q=0.71", "es"],
    ["de;q=0.5, es;q=0.5", "de"],
    ["es;q=0.5, de;q=0.5", "es"],
    ["fr", "en"],
    ["de;q=0", "en"],
    ["*;q=0.5, en;q=0", "de"],
    ["*", "en"],
    ["en;q=0, de;q=0, *;q=0.1", "es"],
    ["de;q=2, es;q=0.1", "es"],
    ["de;q=abc", "en"],
    [`${"x,".repeat(5_000)}es`, "es"],
    ["<script>, __proto__, constructor", "en"],
  ])("that accepts %s is %s", (accepted, tag) => {
    assert.strictEqual(languageFor(accepted), tag)
  })

  it("is the one that was asked for by its name, where there is such a one", () => {
    assert.strictEqual(languageFor("es", "de"), "de")
    assert.strictEqual(languageFor("es", "xx"), "es")
    assert.strictEqual(languageFor(undefined, "__proto__"), "en")
  })
})
