import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { advance, startSandbox } from "#test/sandbox/support.ts"
import { simulatedNames } from "#test/support/simulated.ts"
import { isOnlyShown, some, sweep } from "./support/sweep.ts"
import { nextRounds, witnessing } from "./support/witnessing.ts"

/** `deno task rehearsals` makes all changes, the suite some of each provider. */
const share = some(Deno.env.get("REHEARSALS") === "all" ? 1 : 9)

/** How many changes there are at least, so that the generator cannot shrink unseen. */
const leastPossible: Readonly<Record<string, number>> = {
  chainflip: 100,
  "near-intents": 50,
  relay: 100,
  thorchain: 60,
  maya: 50,
}

describe("The witness of the wires", () => {
  for (const provider of simulatedNames) {
    it.live(
      `names each member of ${provider}'s answers that is read and is gone or of another kind, in one round`,
      function* () {
        const { made, missed, possible } = yield* sweep(provider, share)
        console.log(`The witness, ${provider}: ${made} changes of ${possible}, ${missed.length} missed`)
        assert.isAtLeast(possible, leastPossible[provider] ?? Infinity)
        assert.deepStrictEqual(missed.filter((change) => !isOnlyShown(change)), [])
      },
    )
  }

  it.live("raises no false alarm in an hour of the networks' time", function* () {
    const client = yield* startSandbox()
    const rounds = 30
    const asked = new Set<string>()
    yield* Effect.gen(function* () {
      for (let round = 0; round < rounds; round++) {
        yield* advance(client, 3_600 / rounds)
        for (const { drift, provider } of yield* nextRounds) {
          assert.deepStrictEqual(drift, [], `${provider}, round ${round}`)
          asked.add(provider)
        }
      }
    }).pipe(Effect.provide(witnessing({ SANDBOX_URL: client.url.origin }, 60)))
    assert.sameMembers([...asked], [...simulatedNames])
  })
})
