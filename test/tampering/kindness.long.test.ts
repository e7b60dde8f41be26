import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { brokerUrl } from "#test/support/broker.ts"
import { kindly } from "./support/kindness.ts"
import { play, type Scene, type Tally } from "./support/Scene.ts"
import { relayScenes } from "./support/requests.ts"
import { scenes, stage, stageOverV3 } from "./support/stage.ts"
import { countOf } from "./support/table.ts"

/** `deno task tampering` makes all changes, the suite a third of them. */
const isWhole = Deno.env.get("TAMPERING") === "all"

/** How many changes there are at least, so that the generator cannot shrink unseen. */
const leastPossible = {
  chainflip: 500,
  "near-intents": 110,
  relay: 800,
  thorchain: 290,
  maya: 75,
} as const

/** What the service itself counts as refused or contradicted, with its count. */
const counted = Effect.gen(function* () {
  const url = new URL("/metrics", yield* brokerUrl)
  const text = yield* Effect.promise((signal) => fetch(url, { signal }).then((answer) => answer.text()))
  return text.split("\n").filter((line) => /^swap_broker_(?:answers_refused|contradictions)_total/.test(line))
})

/** What becomes of a swap once its upstream tells the truth again is no part of this. */
const kind = (scene: Scene) =>
  play(
    { ...scene, signs: scene.provider === "near-intents", afterwards: Effect.succeed([]), everyNth: 3 },
    kindly,
    isWhole,
  )

/** Says all of the scenes otherwise, of each provider as often as there are ways at least. */
const areTaken = Effect.fnUntraced(
  function* (all: ReadonlyArray<Scene>, leastOf: Readonly<Record<string, number>>) {
    const before = yield* counted
    const tallies = yield* Effect.forEach(all, kind)
    const faults = tallies.flatMap((tally) => tally.faults)
    for (const [provider, least] of Object.entries(leastOf)) {
      const own = tallies.filter(({ scene }) => scene.provider === provider)
      const sum = (count: (tally: Tally) => number) => own.reduce((total, tally) => total + count(tally), 0)
      const possible = sum((tally) => tally.possible)
      console.log(`Kindness, ${provider}: ${sum(countOf)} answers said otherwise of ${possible} possible`)
      assert.isAtLeast(possible, least, provider)
    }
    assert.deepStrictEqual(yield* counted, before)
    assert.deepStrictEqual(faults.slice(0, 30), [], `${faults.length} faults`)
  },
)

describe("an upstream's answer that says the same in another way", () => {
  it.live(
    "is taken as before: with other members, in another order or spelling, without those that recorded ones lack",
    () => Effect.flatMap(scenes, (all) => areTaken(all, leastPossible)).pipe(Effect.provide(stage)),
  )

  it.live("is taken so over v3 of Relay's quotes", () =>
    areTaken(relayScenes, { relay: 200 }).pipe(Effect.provide(stageOverV3)))
})
