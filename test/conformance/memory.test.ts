import { Effect, Layer } from "effect"
import { MemoryUpstream } from "../support/memoryProvider/MemoryUpstream.ts"
import { make } from "../support/memoryProvider/provider.ts"
import { memory } from "./memory/fixtures.ts"
import { suite } from "./Provider.ts"
import { Upstream } from "./Upstream.ts"

const upstream = Layer.effect(
  Upstream,
  Effect.map(
    MemoryUpstream,
    ({ heal, inventStates, openings }) => Upstream.of({ openings, inventStates, heal }),
  ),
)

suite("in memory", make, Layer.provideMerge(upstream, MemoryUpstream.layer), memory)
