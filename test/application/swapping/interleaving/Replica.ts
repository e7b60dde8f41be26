import { type Context, Effect, identity, Layer } from "effect"
import { ProviderName } from "#domain/ProviderName.ts"
import { Guard } from "#providers/guard/Guard.ts"
import type { Provider } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { IdempotencyRepo } from "#infrastructure/store/swaps/IdempotencyRepo.ts"
import { LostOpeningsRepo } from "#infrastructure/store/swaps/LostOpeningsRepo.ts"
import { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"
import { Idempotency } from "#application/swapping/opening/Idempotency.ts"
import { Lookups } from "#application/swapping/following/Lookups.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { lookupOptions, noRequests, openingOptions, swapsOptions } from "#test/support/swapping.ts"
import type { Network } from "./Network.ts"
import type { Steps } from "./Steps.ts"

/** One process of the service. */
export interface Replica {
  isAlive: boolean
  readonly services: Context.Context<Idempotency | Swaps>
}

/** The networks of both providers, and whether they can be asked what became of an opening. */
export interface World {
  readonly networks: { readonly first: Network; readonly second: Network }
  readonly canFind: boolean
  readonly steps: Steps
}

type Step = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** What comes of sending a request has no need of the process; hearing of it has. */
const providerOf = (name: "first" | "second", { canFind, networks }: World, step: Step): Provider => {
  const scripted = new ScriptedProvider(name)
  const network = networks[name]
  const { assets, capabilities, quotes } = scripted
  return {
    name: scripted.name,
    capabilities,
    assets,
    quotes,
    channels: {
      status: (_, known) => Effect.succeed(network.status(known)),
      open: () =>
        network.open((reason) => scripted.fails(reason)).pipe(
          Effect.exit,
          Effect.flatMap((exit) => step("hears of the opening", exit)),
        ),
      ...(canFind ? { findOpening: () => step("looks the opening up", Effect.sync(network.trace)) } : {}),
    },
  }
}

/** The repositories, of which each call is a step; what matters most is heard of later than it is done. */
const stepwise = Effect.fnUntraced(function* (step: Step, { during }: Steps) {
  const openings = yield* OpeningsRepo
  const lost = yield* LostOpeningsRepo
  const keys = yield* IdempotencyRepo
  const acknowledged: Step = (name, effect) =>
    Effect.flatMap(step(name, effect), (result) => step("hears of it", Effect.succeed(result)))
  return Layer.mergeAll(
    Layer.succeed(OpeningsRepo, {
      ...openings,
      retarget: (...all) => acknowledged("retargets", openings.retarget(...all)),
      opened: (...all) => acknowledged("records the channel", openings.opened(...all)),
      refused: (...all) => step("records the refusal", openings.refused(...all)),
      unknown: (...all) => step("records that it is unknown", openings.unknown(...all)),
      giveUpLapsed: (now) => step("gives up what lapsed", openings.giveUpLapsed(now)),
    }),
    Layer.succeed(LostOpeningsRepo, {
      ...lost,
      pending: (...all) => during(lost.pending(...all)),
      recorded: (...all) => during(lost.recorded(...all)),
    }),
    Layer.succeed(IdempotencyRepo, {
      ...keys,
      find: (keyed) => step("looks at the key", keys.find(keyed)),
      takeForOpening: (...all) => acknowledged("takes the key", keys.takeForOpening(...all)),
      takeOver: (...all) => acknowledged("takes the key over", keys.takeOver(...all)),
    }),
  )
})

/** Starts a process over the store; it is ready when this is done. */
export const startReplica = Effect.fnUntraced(function* (world: World) {
  let isStarting = true
  const step: Step = (name, effect) =>
    Effect.suspend(() => isStarting ? effect : world.steps.take(replica, name, effect))

  const providers = Layer.effectDiscard(
    Effect.gen(function* () {
      const registry = yield* Registry
      for (const name of ["first", "second"] as const) yield* registry.register(providerOf(name, world, step))
    }),
  ).pipe(
    Layer.provideMerge(Registry.layer([ProviderName.make("first"), ProviderName.make("second")])),
    Layer.provide(Layer.mock(Guard, { wrap: identity })),
  )
  const services = yield* Layer.build(
    Layer.mergeAll(Swaps.layer(swapsOptions), Idempotency.layer(openingOptions)).pipe(
      Layer.provide(Lookups.layer(lookupOptions)),
      Layer.provide([yield* stepwise(step, world.steps), noRequests, providers]),
    ),
  )
  const replica: Replica = { isAlive: true, services }
  isStarting = false
  return replica
})
