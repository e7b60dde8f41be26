import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { QuoteBody } from "../../../src/api/Quotes.ts"
import { quotesJson } from "../../../src/http/present/quotesJson.ts"
import { encode } from "./json.ts"
import { quoteBody } from "./quoteBody.ts"
import { full, minimal } from "./quotes.ts"

const bySchema = (quotes: typeof full[]) => encode(Schema.Array(QuoteBody), quotes.map(quoteBody))

describe("quotesJson", () => {
  it("writes what the contract's schema encodes, to the letter", () => {
    assert.strictEqual(quotesJson([full, minimal]), bySchema([full, minimal]))
  })

  it("writes no quotes as an empty array", () => {
    assert.strictEqual(quotesJson([]), "[]")
  })
})
