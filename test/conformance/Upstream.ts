import { Context, type Effect } from "effect"

/** The world behind a provider: real sockets, a fake client or plain memory. */
export class Upstream extends Context.Service<Upstream, {
  /** How many channels it has opened so far; 0 where the provider opens none. */
  readonly openings: Effect.Effect<number>
  /** Swaps are in a state that nobody has heard of. */
  readonly inventStates: Effect.Effect<void>
  /** Everything that was made to go wrong goes right again. */
  readonly heal: Effect.Effect<void>
}>()("swap-broker/test/conformance/Upstream") {}
