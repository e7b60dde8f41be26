import { Effect, Layer } from "effect"
import { MemoryUpstream } from "./MemoryUpstream.ts"
import { Upstream } from "../Upstream.ts"

const upstream = Layer.effect(
  Upstream,
  Effect.map(
    MemoryUpstream,
    ({ heal, inventStates, openings }) => Upstream.of({ openings, inventStates, heal }),
  ),
)

/** The network in memory, for the kit. */
export const memoryWorld: Layer.Layer<Upstream | MemoryUpstream> = Layer.provideMerge(
  upstream,
  MemoryUpstream.layer,
)
