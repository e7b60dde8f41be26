import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { QuoteBody } from "../../../src/api/Quotes.ts"
import { presentQuote } from "../../../src/http/present/quote.ts"
import { quotesJson } from "../../../src/http/present/quotesJson.ts"
import { encode } from "./json.ts"
import { full, minimal } from "./quotes.ts"

const bySchema = (quotes: typeof full[]) => encode(Schema.Array(QuoteBody), quotes.map(presentQuote))

describe("quotesJson", () => {
  it("writes what the contract's schema encodes, to the letter", () => {
    assert.strictEqual(quotesJson([full, minimal]), bySchema([full, minimal]))
  })

  it("writes the same when a quote is written again, alone or in another order", () => {
    quotesJson([full, minimal])
    assert.strictEqual(quotesJson([minimal, full]), bySchema([minimal, full]))
    assert.strictEqual(quotesJson([full]), bySchema([full]))
  })

  it("writes no quotes as an empty array", () => {
    assert.strictEqual(quotesJson([]), "[]")
  })
})
