import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { stores } from "#test/support/store.ts"
import { Play, play, type Played } from "../interleaving/play.ts"

/** Everything that has to come up, or the plays show little. */
const everything = [
  "takes the key",
  "takes the key over",
  "looks the opening up",
  "records the channel",
  "records the refusal",
  "records that it is unknown",
  "retargets",
  "gives up what lapsed",
  "a process dies",
  "a channel is opened",
  "a request is refused",
  "a request is lost",
  "an answer arrives",
  "KeyInUse",
  "OutcomeUnknown",
  "ProviderError",
  "InsufficientLiquidity",
]

for (const store of stores) {
  layer(store.layer)(`Two replicas over ${store.name}`, (it) => {
    const seen = new Set<string>()
    const note = ({ happened, told }: Played) => {
      for (const each of [...happened, ...told]) seen.add(each)
    }

    it.effect.prop(
      "open at most one channel under a key, and tell all the same, however they are retried and die",
      { one: Play },
      ({ one }) => Effect.map(play(one), note),
      { arbitrary: { runs: 80, size: 80, seed: "idempotency" }, timeout: 60_000 },
    )

    it("have been through everything in these plays", () => {
      assert.deepStrictEqual(everything.filter((each) => !seen.has(each)), [])
    })
  })
}
