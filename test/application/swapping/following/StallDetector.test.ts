import { Effect, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { AccountId } from "#domain/accounts/Account.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { StallsRepo } from "#infrastructure/store/swaps/StallsRepo.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import { assert, it } from "#test/support/it.ts"
import { statusIn } from "#test/support/swap.ts"

it.effect("the line of a swap that stalls has the swap, its account, pair, state and age", function* () {
  const seen: Array<unknown> = []
  const logger = Logger.make(({ fiber }) => {
    seen.push(fiber.getRef(References.CurrentLogAnnotations))
  })
  yield* TestClock.setTime(7_200_000)
  const stalled = {
    id: SwapRecordId.make(7),
    accountId: AccountId.make(3),
    platform: ProviderName.make("first"),
    status: statusIn("receiving"),
    since: EpochMillis.make(7_000_000),
    enteredAt: EpochMillis.make(0),
  }
  const stalls = Layer.mock(StallsRepo, { flag: () => Effect.succeed([stalled]) })
  yield* Effect.flatMap(StallDetector, ({ flagStalled }) => flagStalled).pipe(
    Effect.provide(Layer.merge(Layer.provide(StallDetector.layer, stalls), Logger.layer([logger]))),
  )
  assert.deepStrictEqual(seen, [{
    swap: 7,
    account: 3,
    platform: "first",
    pair: "btc.btc to eth.eth",
    state: "receiving",
    age: "2 h",
  }])
})
