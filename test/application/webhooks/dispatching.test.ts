import { assert, it } from "#test/support/it.ts"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeDoorbell, OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { DeliveriesRepo } from "#infrastructure/store/webhooks/DeliveriesRepo.ts"
import { WebhooksRepo } from "#infrastructure/store/webhooks/WebhooksRepo.ts"
import { Dispatcher } from "#application/webhooks/Dispatcher.ts"
import { dispatching } from "#application/webhooks/dispatching.ts"

const options = { concurrency: 4, interval: Duration.seconds(1), keep: Duration.days(1) }

it.effect("delivers what is due though new events cannot be made deliveries of", function* () {
  let claims = 0
  const claim = () => Effect.sync(() => void (claims += 1)).pipe(Effect.as([]))
  yield* Layer.build(
    dispatching(options).pipe(Layer.provide([
      Layer.mock(Dispatcher, { fanOut: Effect.die("fanning out went wrong"), claim }),
      Layer.mock(DeliveriesRepo, { expire: () => Effect.succeed(0) }),
      Layer.mock(WebhooksRepo, { forgetSecrets: () => Effect.void }),
      Layer.mock(OutboxRepo, { doorbell: makeDoorbell() }),
    ])),
  )
  yield* TestClock.adjust("10 seconds")
  assert.isAbove(claims, 5)
})

it.effect("goes on with deliveries, and with forgetting them, after a round that went wrong inside", function* () {
  const done = { claim: 0, expire: 0 }
  /** Goes wrong the first time. */
  const count = (what: keyof typeof done) =>
    Effect.suspend(() => {
      done[what] += 1
      return done[what] === 1 ? Effect.die(`${what} went wrong`) : Effect.void
    })
  yield* Layer.build(
    dispatching(options).pipe(Layer.provide([
      Layer.mock(Dispatcher, { fanOut: Effect.succeed(0), claim: () => Effect.as(count("claim"), []) }),
      Layer.mock(DeliveriesRepo, { expire: () => Effect.as(count("expire"), 0) }),
      Layer.mock(WebhooksRepo, { forgetSecrets: () => Effect.void }),
      Layer.mock(OutboxRepo, { doorbell: makeDoorbell() }),
    ])),
  )
  yield* TestClock.adjust("5 minutes")
  assert.isAbove(done.claim, 2)
  assert.isAbove(done.expire, 2)
})
