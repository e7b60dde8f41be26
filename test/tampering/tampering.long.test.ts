import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { lies, play, type Scene, type Tally } from "./support/Scene.ts"
import { relayScenes } from "./support/requests.ts"
import { scenes, stage, stageOverV3 } from "./support/stage.ts"
import { countOf, lineOf, tableOf } from "./support/table.ts"

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

/** The whole takes minutes: what is found is said at once. */
const tell = (tally: Tally): void => console.log([tableOf([tally]), ...tally.faults].join("\n"))

/** Changes all of the scenes, of each provider as often as there are changes at least. */
const areSafe = Effect.fnUntraced(
  function* (all: ReadonlyArray<Scene>, leastOf: Readonly<Record<string, number>>) {
    const tallies = yield* Effect.forEach(
      all,
      (scene) =>
        Effect.tap(play(scene, lies(isWhole), isWhole), (tally) => Effect.sync(() => isWhole && tell(tally))),
    )
    const faults = tallies.flatMap((tally) => tally.faults)
    if (isWhole) console.log(tableOf(tallies))
    for (const [provider, least] of Object.entries(leastOf)) {
      console.log(lineOf(provider, tallies))
      const own = tallies.filter(({ scene }) => scene.provider === provider)
      assert.isAtLeast(own.reduce((sum, { possible }) => sum + possible, 0), least, provider)
    }
    for (const tally of tallies) assert.isAbove(countOf(tally), 0, tally.scene.name)
    assert.deepStrictEqual(faults.slice(0, 30), [], `${faults.length} faults`)
  },
)

describe("an upstream's answer that is changed on its way, one member at a time", () => {
  it.live(
    "never makes the service fail, nor show an address, an amount or an owner that nobody asked for or opened",
    () => Effect.flatMap(scenes, (all) => areSafe(all, leastPossible)).pipe(Effect.provide(stage)),
  )

  it.live("never does so over v3 of Relay's quotes", () =>
    areSafe(relayScenes, { relay: 500 }).pipe(Effect.provide(stageOverV3)))
})
