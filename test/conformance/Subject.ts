import { Context, type Effect } from "effect"
import type { NativeAmount } from "../../src/domain/Amount.ts"
import type { OpenedChannel, Provider } from "../../src/providers/Provider.ts"

/** The provider of a suite as it is behind the port, without a guard. */
export class Subject extends Context.Service<Subject, Provider>()("swap-broker/test/conformance/Subject") {}

/** What every suite makes of the world behind a provider: real sockets, a fake client or plain memory. */
export class Upstream extends Context.Service<Upstream, {
  /** How many channels it has opened so far. */
  readonly openings: Effect.Effect<number>
  /** A deposit of native units of the source asset, now. */
  readonly deposit: (opened: OpenedChannel, amount: NativeAmount) => Effect.Effect<void>
  /** Openings happen, but their answers are lost on the way. */
  readonly loseAnswers: Effect.Effect<void>
  /** The swaps of channels are in a state that nobody has heard of. */
  readonly inventStates: Effect.Effect<void>
  /** Everything that was made to go wrong goes right again. */
  readonly heal: Effect.Effect<void>
}>()("swap-broker/test/conformance/Upstream") {}
