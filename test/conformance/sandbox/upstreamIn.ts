import { Effect, Layer } from "effect"
import { at } from "#test/sandbox/support.ts"
import { Upstream } from "../Upstream.ts"
import { type Change, SandboxWorld } from "./SandboxWorld.ts"

/**
 * A provider's upstream in a sandbox of its own. `openings` is where the sandbox counts them, for a provider that opens
 * something; `path` has answers whose `state` becomes one that nobody knows; `first` is how the network is made.
 */
export const upstreamIn = ({ first, openings = [], path, state, unknown }: {
  readonly openings?: ReadonlyArray<string>
  readonly path: RegExp
  readonly state: RegExp
  readonly unknown: string
  readonly first?: Change["change"]
}) =>
  Layer.provideMerge(
    Layer.effect(
      Upstream,
      Effect.gen(function* () {
        const { heal, settle, tamper, view } = yield* SandboxWorld
        if (first !== undefined) yield* settle(first)
        return Upstream.of({
          openings: openings.length === 0
            ? Effect.succeed(0)
            : Effect.map(view, (json) => Number(at(json, ...openings))),
          inventStates: tamper({ path, does: (body) => body.replace(state, unknown) }),
          heal,
        })
      }),
    ),
    SandboxWorld.layer,
  )
