import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { QuoteBody } from "#api/QuoteBodies.ts"
import { Bps } from "#domain/money/Bps.ts"
import type { IdentifiedQuotes } from "#application/quoting/RankedQuotes.ts"
import { type OpeningTerms, presentQuote, quotesJson } from "#interfaces/requests/present/quotes.ts"
import { encode } from "./json.ts"
import { answered, beginning, full, minimal, unpriced } from "./someQuotes.ts"

const plain: OpeningTerms = { beginnings: beginning(false, "channel"), commissionBps: undefined, ...unpriced }

const bySchema = ({ by, quotes }: IdentifiedQuotes, terms: OpeningTerms) =>
  encode(Schema.Array(QuoteBody), quotes.map((quote) => presentQuote(quote, by, terms)))

describe("quotesJson", () => {
  it.each<readonly [string, OpeningTerms]>([
    ["that can be opened with the account's own terms", plain],
    ["whose provider prices each deposit", { ...plain, beginnings: beginning(true, "channel") }],
    ["whose provider takes transactions only", { ...plain, beginnings: beginning(false, "transaction") }],
    ["whose provider gives quotes only", { ...plain, beginnings: beginning(false) }],
    ["that were asked for with a commission", { ...plain, commissionBps: Bps.make(25) }],
  ])("writes quotes %s as the contract's schema encodes them, to the letter", (_, terms) => {
    for (const areShared of [false, true]) {
      const answer = answered(full, minimal)
      assert.strictEqual(quotesJson(answer, terms, areShared), bySchema(answer, terms))
    }
  })

  it("writes no quotes as an empty array", () => {
    assert.strictEqual(quotesJson(answered(), plain, false), "[]")
  })
})
