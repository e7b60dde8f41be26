import { assert, describe, it } from "@effect/vitest"
import { redactValues } from "#interfaces/requests/failedRequests.ts"

describe("withoutValues", () => {
  it.each([
    ["amount must be at least 2, at most 995", [], "amount must be at least 2, at most 995"],
    ["The amount is 123456 too much", [], "The amount is … too much"],
    ["btc.btc to eth.eth is not served", ["btc.btc"], "btc.btc to eth.eth is not served"],
    ['There is an account "alice" already', [], "There is an account … already"],
    ["There is an account alice already", ["alice"], "There is an account … already"],
    ["There is an account Alice already", ["{alice}"], "There is an account … already"],
    ["is 77, but must not be", ["77"], "is …, but must not be"],
    ["0x2222222222222222222222222222222222222222 is no address", [], "… is no address"],
    ["(bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4) is no address", [], "(…) is no address"],
    ["see https://hook.example/secret now", [], "see … now"],
    ["abcdefghijklmnopqrstuvwxyz is a key", [], "… is a key"],
    ["<script>alert(1)</script> is odd", [], "… is odd"],
  ])("%s", (sentence, values, expected) => {
    assert.strictEqual(redactValues(sentence, values), expected)
  })

  it("is short, however long the sentence", () => {
    assert.isAtMost(redactValues("word ".repeat(100_000), []).length, 300)
  })
})
