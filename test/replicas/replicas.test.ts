import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Random } from "effect"
import { places } from "../durability/places.ts"
import { wage } from "./campaign.ts"
import { receiveStream } from "./Receiver.ts"

/** One process may have the embedded database at a time. */
const replicasOn = (place: string): number => place === "Postgres" ? 3 : 1

describe.each(places)(
  "Swaps in flight over $name, while processes are killed at random",
  ({ environment, name }) => {
    it.live(
      "come to their end, each followed by one process at a time, and every event is delivered in order",
      () =>
        Effect.gen(function* () {
          const outcome = yield* wage({
            replicas: replicasOn(name),
            swaps: 40,
            speed: 100,
            duration: Duration.seconds(10),
            kills: 3,
            patience: Duration.seconds(60),
            receive: receiveStream,
            environment,
          })
          assert.deepStrictEqual(outcome.breaches, [])
          assert.isTrue(outcome.exitCodes.every((code) => code === 0), `${outcome.exitCodes}`)
          assert.isAtLeast(outcome.kills, 3)
          assert.isAbove(outcome.leases.owners, replicasOn(name), "nobody followed swaps after the kills")
          assert.isAbove(outcome.events, 40 * 2, "nobody saw a swap on its way")
        }).pipe(Random.withSeed("replicas")),
      150_000,
    )
  },
)
