import { Effect, Layer } from "effect"
import type { Value } from "../config/Setting.ts"
import { logging, type logSettings } from "../platform/logging.ts"
import { announced } from "./announced.ts"
import { Sandbox } from "./Sandbox.ts"
import type { sandboxSettings } from "./settings.ts"

/** The settings of `deno task sandbox`. */
export interface StandaloneSettings {
  readonly sandbox: Value<typeof sandboxSettings>
  /** The host to listen on, with the sandbox's own port. */
  readonly http: { readonly hostname: string }
  readonly log: Value<typeof logSettings>
}

/** Logs the settings that lead a service to the simulated networks. */
const announce = Layer.effectDiscard(Effect.gen(function* () {
  const { url } = yield* Sandbox
  yield* Effect.logInfo(
    `Sandbox: simulated networks, no money moves. Controls at ${new URL("/sandbox", url)}`,
  )
  yield* Effect.logInfo(`SANDBOX_URL=${url.origin}`)
  for (const [name, text] of Object.entries(announced(url))) yield* Effect.logInfo(`${name}=${text}`)
}))

/** The sandbox as a process of its own. */
export const standalone = ({ http: { hostname }, log, sandbox: { port, world } }: StandaloneSettings) =>
  announce.pipe(
    Layer.provide(Sandbox.layer({ ...world, hostname, port })),
    Layer.provide(logging(log)),
  )
