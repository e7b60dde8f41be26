import { Console, Effect, Layer, Schema } from "effect"
import type { Value } from "#infrastructure/config/Setting.ts"
import { logging, type logSettings } from "#infrastructure/platform/logging.ts"
import { logAtStop } from "#infrastructure/platform/runMain.ts"
import { announced } from "./announced.ts"
import { Sandbox } from "./Sandbox.ts"
import type { sandboxSettings } from "./settings.ts"

/** Settings were to be printed of a sandbox that takes any free port when it starts. */
class PortUnknown extends Schema.TaggedError<PortUnknown>()("PortUnknown", {}) {
  override get message(): string {
    return "With SANDBOX_PORT=0 the port is known only once the sandbox runs: set another"
  }
}

export interface StandaloneSettings {
  readonly sandbox: Value<typeof sandboxSettings>
  /** The host to listen on, with the sandbox's own port. */
  readonly http: { readonly hostname: string }
  readonly log: Value<typeof logSettings>
}

/** The settings that lead a service to the simulated networks at this URL, a line `NAME=value` each. */
export const settingLines = (url: URL): ReadonlyArray<string> =>
  Object.entries({ SANDBOX_URL: url.origin, ...announced(url) }).map(([name, text]) => `${name}=${text}`)

/** Logs the settings that lead a service to the simulated networks. */
const announce = Layer.effectDiscard(Effect.gen(function* () {
  const { url } = yield* Sandbox
  yield* Effect.logInfo(
    `Sandbox: simulated networks, no money moves. Controls at ${new URL("/sandbox", url)}`,
  )
  for (const line of settingLines(url)) yield* Effect.logInfo(line)
  yield* logAtStop("Stopping")
}))

/** Prints the settings that lead a service to the sandbox of these settings, for a shell or a file to read. */
export const printSettings = ({ http: { hostname }, sandbox: { port } }: StandaloneSettings) =>
  Effect.gen(function* () {
    if (port === 0) return yield* new PortUnknown()
    const url = new URL(`http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`)
    yield* Console.log(settingLines(url).join("\n"))
  })

export const standalone = ({ http: { hostname }, log, sandbox: { port, world } }: StandaloneSettings) =>
  announce.pipe(
    Layer.provide(Sandbox.layer({ ...world, hostname, port })),
    Layer.provide(Layer.effectDiscard(logAtStop("Stopped"))),
    Layer.provide(logging(log)),
  )
