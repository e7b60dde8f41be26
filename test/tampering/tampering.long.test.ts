import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { brokerOfTwo } from "../contract/support/accounts.ts"
import { laterClock } from "./support/later.ts"
import { Middleman } from "./support/Middleman.ts"
import { nodePayloadScenes } from "./support/nodePayloads.ts"
import { paymentScenes } from "./support/payments.ts"
import { requestScenes } from "./support/requests.ts"
import { play, type Tally } from "./support/Scene.ts"
import { statusScenes } from "./support/status.ts"
import { countOf, lineOf, tableOf } from "./support/table.ts"
import { vaultSwap } from "./support/vaultSwaps.ts"

/** `deno task tampering` makes all changes, the suite some of each operation. */
const isWhole = Deno.env.get("TAMPERING") === "all"

/** How many changes there are at least, so that the generator cannot shrink unseen. */
const leastPossible = {
  chainflip: 5_000,
  "near-intents": 1_100,
  relay: 1_000,
  thorchain: 1_000,
  maya: 100,
} as const

/** Nothing is kept, nothing is told of failures but their answers, and nobody asks but the test. */
const settings = {
  PROVIDERS: "chainflip,near-intents,relay,thorchain,maya",
  QUOTE_CACHE_TTL: "1 millis",
  QUOTE_REFUSAL_TTL: "1 millis",
  CIRCUIT_MINIMUM_CALLS: "10000",
  CIRCUIT_WINDOW: "10000",
  OPEN_FAILURES: "1000",
  TRACKER_INTERVAL: "1 hour",
}

const service = Layer.unwrap(
  Effect.map(Middleman, ({ url }) => brokerOfTwo({ ...settings, SANDBOX_URL: url.origin })),
).pipe(Layer.provideMerge(Middleman.layer), Layer.provide(laterClock))

/** The whole takes minutes: what is found is said at once. */
const tell = (tally: Tally): void => console.log([tableOf([tally]), ...tally.faults].join("\n"))

describe("an upstream's answer that is changed on its way, one member at a time", () => {
  it.live(
    "never makes the service fail, nor show an address, an amount or an owner that nobody asked for or opened",
    () =>
      Effect.gen(function* () {
        const scenes = [
          ...requestScenes,
          ...nodePayloadScenes,
          yield* vaultSwap,
          ...(yield* statusScenes),
          ...(yield* paymentScenes),
        ]
        const tallies = yield* Effect.forEach(scenes, (scene) =>
          Effect.tap(play(scene, isWhole), (tally) => Effect.sync(() => isWhole && tell(tally))))
        const faults = tallies.flatMap((tally) =>
          tally.faults
        )
        if (isWhole) console.log(tableOf(tallies))
        for (const [provider, least] of Object.entries(leastPossible)) {
          console.log(lineOf(provider, tallies))
          const own = tallies.filter(({ scene }) => scene.provider === provider)
          assert.isAtLeast(own.reduce((sum, { possible }) => sum + possible, 0), least, provider)
        }
        for (const tally of tallies) assert.isAbove(countOf(tally), 0, tally.scene.name)
        assert.deepStrictEqual(faults.slice(0, 30), [], `${faults.length} faults`)
      }).pipe(Effect.provide(service)),
  )
})
