import { Context, Duration, Effect, Layer, Option, Redacted, Result } from "effect"
import { type Settings, type SettingsWrong, settingsWrong } from "../Config.ts"
import { fault, type Faults, faultsOf } from "../domain/Faults.ts"
import type { ProvidersOptions } from "../providers/mod.ts"
import { brokerAccount as sandboxBrokerAccount } from "../sandbox/engine/constants.ts"
import { Sandbox, type SandboxFailure } from "../sandbox/Sandbox.ts"
import { sandboxOptions } from "./sandboxOptions.ts"

/** Where the upstreams are: simulated ones in sandbox mode, those of the settings in live mode. */
export class Upstreams extends Context.Service<Upstreams, {
  /** Where the sandbox is; only in sandbox mode. */
  readonly sandboxUrl: Option.Option<URL>
  readonly providers: ProvidersOptions
}>()("swap-broker/app/Upstreams") {
  static readonly layer = (settings: Settings): Layer.Layer<Upstreams, SandboxFailure | SettingsWrong> =>
    settings.mode === "live" ? live(settings) : Option.match(settings.sandboxUrl, {
      onSome: (url) => Layer.succeed(Upstreams, simulated(settings, url)),
      onNone: () =>
        Layer.effect(Upstreams, Effect.map(Sandbox, ({ url }) => simulated(settings, url))).pipe(
          Layer.provide(ownSandbox(settings)),
        ),
    })
}

/** The sandbox inside this process, on a port of its own that only this machine reaches. */
const ownSandbox = (settings: Settings) =>
  Sandbox.layer(sandboxOptions(settings, { hostname: "127.0.0.1", port: 0 }))

/** The sandbox's networks, but for those that the settings put elsewhere. */
const simulated = (settings: Settings, sandboxUrl: URL): Upstreams["Service"] => ({
  sandboxUrl: Option.some(sandboxUrl),
  providers: {
    chainflip: {
      backendUrl: Option.getOrElse(
        settings.chainflipBackendUrl,
        () => under(sandboxUrl, "/chainflip/backend"),
      ),
      nodeUrl: Option.getOrElse(settings.chainflipNodeUrl, () => under(sandboxUrl, "/chainflip/node")),
      brokerUrl: Option.getOrElse(
        settings.chainflipBrokerUrl,
        () => Redacted.make(under(sandboxUrl, "/chainflip/broker")),
      ),
      brokerAccount: Option.getOrElse(settings.chainflipBrokerAccount, () => sandboxBrokerAccount),
      explorerUrl: settings.chainflipExplorerUrl,
      // What a control changes shows at once.
      environmentMaxAge: Duration.zero,
    },
  },
})

const under = (base: URL, path: string): URL => new URL(path, base)

/** In live mode Chainflip needs all of its settings. */
const live = (settings: Settings): Layer.Layer<Upstreams, SettingsWrong> => {
  const parts = {
    backendUrl: needed("CHAINFLIP_BACKEND_URL", settings.chainflipBackendUrl),
    nodeUrl: needed("CHAINFLIP_NODE_URL", settings.chainflipNodeUrl),
    brokerUrl: needed("CHAINFLIP_BROKER_URL", settings.chainflipBrokerUrl),
    brokerAccount: needed("CHAINFLIP_BROKER_ACCOUNT", settings.chainflipBrokerAccount),
  }
  return Layer.effect(
    Upstreams,
    Effect.fromResult(
      Result.mapBoth(Result.all(parts), {
        onFailure: () => settingsWrong(faultsOf(Object.values(parts))),
        onSuccess: (chainflip) => ({
          sandboxUrl: Option.none(),
          providers: {
            chainflip: {
              ...chainflip,
              explorerUrl: settings.chainflipExplorerUrl,
              networks: [settings.chainflipNetwork],
            },
          },
        }),
      }),
    ),
  )
}

const needed = <A>(name: string, value: Option.Option<A>): Result.Result<A, Faults> =>
  Result.fromOption(value, () => fault(name, `${name} is required with MODE=live`))
