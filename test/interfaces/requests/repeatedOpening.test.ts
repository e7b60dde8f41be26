import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { CurrentAccount } from "#api/Authorization.ts"
import { SwapNotFound } from "#domain/swaps/SwapRecord.ts"
import { makeRepeatedOpening } from "#interfaces/requests/openings.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { callerWith } from "#test/support/account.ts"
import { noRequests } from "#test/support/swapping.ts"

const services = Layer.mergeAll(
  // The record is gone, so that the time in the answer is all that is known.
  Layer.mock(Swaps, { byId: () => Effect.fail(new SwapNotFound()) }),
  noRequests,
  Layer.succeed(CurrentAccount, callerWith()),
)

const expiresAt = 1_000_000
const payment = {
  scheme: "bip321",
  uri: "bitcoin:bc1q?amount=0.25",
  amount: "0.25",
  expiresAt,
  warnings: ["Mind."],
}
const kept = {
  status: 200,
  body: JSON.stringify({ id: 7, platform: "relay", address: "bc1q", payment, nextStep: "Pay." }),
}

const repeatedAt = (at: number, answer = kept) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(at)
    const repeat = yield* makeRepeatedOpening
    return yield* repeat(answer, { nextStep: "Stop." })
  }).pipe(Effect.provide(services))

describe("a kept answer of an opening on a live network", () => {
  it.effect("is repeated to the letter until its channel expires", function* () {
    assert.deepStrictEqual(yield* repeatedAt(expiresAt - 1), kept)
  })

  it.effect("has no link and no other warning from then on", function* () {
    const { body, status } = yield* repeatedAt(expiresAt)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(JSON.parse(body), {
      id: 7,
      platform: "relay",
      address: "bc1q",
      payment: {
        scheme: "address",
        amount: "0.25",
        expiresAt,
        warnings: [
          "This address takes no more deposits: what is sent to it now may be lost. Ask for a new one.",
        ],
      },
      nextStep: "Stop.",
    })
  })

  it.effect("stays as it is where it is a refusal", function* () {
    const refusal = { ...kept, status: 503 }
    assert.deepStrictEqual(yield* repeatedAt(expiresAt, refusal), refusal)
  })
})
