import { Duration, Effect, Layer } from "effect"
import { ownProviders } from "#cli/ownProviders.ts"
import { Bps } from "#domain/money/Bps.ts"
import { WireWitness } from "#providers/witness/WireWitness.ts"
import { patient } from "#test/cli/rehearse/support/rehearsed.ts"
import { readFrom } from "#test/infrastructure/config/read.ts"
import type { Environment } from "#test/support/process.ts"
import { embeddedStore } from "#test/support/store.ts"

/** So short that a round is due as soon as the last one has ended. */
const interval = Duration.millis(1)

/**
 * The service's witness with the service's readers, over upstreams at the places of the settings; without a pause between
 * its questions.
 */
export const witnessing = (env: Environment, questions = 1_000) =>
  Layer.unwrap(Effect.gen(function* () {
    const settings = yield* readFrom({ ...patient, ...env })
    const configured = yield* settings.providersAt(settings.sandbox.url)
    const enabled = configured.filter(({ name }) => settings.enabledProviders.includes(name))
    return WireWitness.layer({
      interval,
      questions,
      commissionBps: Bps.make(15),
      parties: settings.addresses.fallbackRefundAddresses,
    }).pipe(Layer.provideMerge(ownProviders(settings, enabled)), Layer.provideMerge(embeddedStore.layer))
  }))

/** The rounds that end now, of every provider. */
export const nextRounds = Effect.gen(function* () {
  const { lookAtAll, rounds } = yield* WireWitness
  yield* lookAtAll
  return yield* rounds
})
