import { layer } from "#test/support/it.ts"
import { Context, Effect, Layer } from "effect"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { broker } from "#test/support/broker.ts"
import { stretchedSettings } from "#test/support/slowness.ts"
import { sandbox, settings } from "./Chaos.ts"
import { type Gate, gate } from "./Gate.ts"
import type { Trouble } from "./troubles.ts"

/** All providers. */
export const five = ["chainflip", "near-intents", "relay", "thorchain", "maya"] as const
export type Fifth = (typeof five)[number]

/** A gate before all simulated upstreams at once; the path tells whose call it is. */
export class Front extends Context.Service<Front, Gate>()("swap-broker/test/chaos/Front") {}

/** What a quote is asked for with. */
const quotePaths: Readonly<Record<Fifth, RegExp>> = {
  chainflip: /^\/chainflip\/backend\/v2\/quote/,
  "near-intents": /^\/near-intents\/v0\/quote/,
  relay: /^\/relay\/quote/,
  thorchain: /^\/thorchain\/thorchain\/quote/,
  maya: /^\/maya\/mayachain\/quote/,
}

/** The part of the front where one provider is asked for quotes. */
export const doorOf = ({ behave, calls, misbehave }: Gate, provider: Fifth) => ({
  misbehave: (trouble: Trouble) => misbehave(trouble, quotePaths[provider]),
  behave,
  attempts: () => calls(quotePaths[provider]),
})

const front = Layer.effect(Front, Effect.flatMap(Sandbox, ({ url }) => gate(url)))

/** Long enough that a busy machine does not make a provider that is well look slow. */
const patient = { QUOTE_TIMEOUT: "1 second", QUOTE_GRACE: "900 millis", QUOTE_DEADLINE: "2 seconds" }

const brokerBehind = (environment: Readonly<Record<string, string>>) =>
  Layer.unwrap(
    Effect.map(Front, ({ url }) =>
      broker(
        stretchedSettings({
          ...settings,
          PROVIDERS: five.join(),
          SANDBOX_URL: url.origin,
          ...patient,
          ...environment,
        }),
      )),
  )

/** A broker of five providers over sockets, whose upstreams stand behind one gate, for the tests of a file. */
export const withFront = (environment: Readonly<Record<string, string>> = {}) =>
  layer(
    brokerBehind(environment).pipe(Layer.provideMerge(front), Layer.provide(sandbox)),
    { excludeTestServices: true },
  )
