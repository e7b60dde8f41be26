import { Effect, Layer } from "effect"
import { TimedOut } from "../../src/domain/ProviderError.ts"
import { MemoryUpstream } from "../support/memoryProvider/MemoryUpstream.ts"
import { make } from "../support/memoryProvider/provider.ts"
import { memory } from "./memory/fixtures.ts"
import { suite } from "./Provider.ts"
import { Subject, Upstream } from "./Subject.ts"

const upstream = Layer.effect(
  Upstream,
  Effect.map(MemoryUpstream, ({ deposit, heal, inventStates, openings, refuse }) =>
    Upstream.of({
      openings,
      deposit: ({ channel }, amount) => deposit(channel.id, amount),
      loseAnswers: refuse("open", new TimedOut({ detail: "The answer was lost", reached: true })),
      inventStates,
      heal,
    })),
)

suite(
  "in memory",
  Layer.mergeAll(Layer.effect(Subject, make), upstream).pipe(Layer.provideMerge(MemoryUpstream.layer)),
  memory,
)
