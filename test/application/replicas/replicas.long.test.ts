import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Option, Random } from "effect"
import { places, shortLeases } from "#test/durability/places.ts"
import { wage } from "./campaign.ts"
import { receiveStream } from "./Receiver.ts"
import { receiveWebhook } from "./WebhookReceiver.ts"

/** One process may have the embedded database at a time. */
const sizeOn = (place: string) =>
  place === "Postgres"
    ? {
      replicas: 3,
      swaps: 40,
      speed: 100,
      duration: Duration.seconds(10),
      kills: 3,
      pause: Option.some(Duration.seconds(9)),
      receive: receiveWebhook,
    }
    : {
      replicas: 1,
      swaps: 20,
      speed: 200,
      duration: Duration.seconds(4),
      kills: 2,
      pause: Option.none(),
      receive: receiveStream,
    }

describe.each(places)(
  "Swaps in flight over $name, while processes are killed and paused at random",
  ({ environment, name }) => {
    it.live(
      "come to their end, each followed by one process at a time, and every event is delivered in order",
      () =>
        Effect.gen(function* () {
          const size = sizeOn(name)
          const outcome = yield* wage({
            ...size,
            leases: shortLeases,
            patience: Duration.seconds(60),
            environment,
          })
          assert.deepStrictEqual(outcome.breaches, [])
          assert.isTrue(outcome.exitCodes.every((code) => code === 0), `${outcome.exitCodes}`)
          assert.isAtLeast(outcome.kills, size.kills)
          assert.isAbove(outcome.leases.owners, size.replicas, "nobody followed swaps after the kills")
        }).pipe(Random.withSeed("replicas")),
    )
  },
)
