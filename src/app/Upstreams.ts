import { Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import type { Settings } from "../Config.ts"
import type { ProvidersOptions } from "../providers/mod.ts"
import type { Options as NearIntentsOptions } from "../providers/near-intents/Options.ts"
import { brokerAccount as sandboxBrokerAccount } from "../sandbox/engine/constants.ts"
import { publicKey as sandboxPublicKey } from "../sandbox/near-intents/signature.ts"
import { Sandbox, type SandboxFailure } from "../sandbox/Sandbox.ts"
import { sandboxOptions } from "./sandboxOptions.ts"
import { SigningKey } from "../providers/near-intents/signature.ts"

/** Where the upstreams are: simulated ones in sandbox mode, those of the settings in live mode. */
export class Upstreams extends Context.Service<Upstreams, {
  /** Where the sandbox is; only in sandbox mode. */
  readonly sandboxUrl: Option.Option<URL>
  readonly providers: ProvidersOptions
}>()("swap-broker/app/Upstreams") {
  static readonly layer = (settings: Settings): Layer.Layer<Upstreams, SandboxFailure> =>
    Option.match(upstreamsElsewhere(settings), {
      onSome: (upstreams) => Layer.succeed(Upstreams, upstreams),
      onNone: () =>
        Layer.effect(Upstreams, Effect.map(Sandbox, ({ url }) => simulated(settings, url))).pipe(
          Layer.provide(ownSandbox(settings)),
        ),
    })
}

/** The upstreams outside of the service; none where it simulates them itself. */
export const upstreamsElsewhere = (settings: Settings): Option.Option<Upstreams["Service"]> =>
  settings.mode === "live"
    ? Option.some(live(settings))
    : Option.map(settings.sandboxUrl, (url) => simulated(settings, url))

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
      payloadLifetime: settings.chainflipPayloadLifetime,
      // What a control changes shows at once.
      environmentMaxAge: Duration.zero,
      lookupTimeout: settings.quoteTimeout,
    },
    nearIntents: {
      ...nearIntents(
        settings,
        Option.getOrElse(settings.nearIntentsUrl, () => under(sandboxUrl, "/near-intents")),
      ),
      ...(Option.isNone(settings.nearIntentsUrl)
        ? { publicKey: SigningKey.make(sandboxPublicKey), simulatedTime: true }
        : {}),
      feeAccount: Option.orElseSome(settings.nearIntentsFeeAccount, () => "sandbox-operator.near"),
    },
  },
})

const under = (base: URL, path: string): URL => new URL(path, base)

const nearIntents = (settings: Settings, url: URL): NearIntentsOptions => ({
  url,
  token: settings.nearIntentsToken,
  publicKey: settings.nearIntentsKey,
  simulatedTime: settings.nearIntentsKey === sandboxPublicKey,
  feeAccount: settings.nearIntentsFeeAccount,
  explorerUrl: settings.nearIntentsExplorerUrl,
  lookupTimeout: settings.quoteTimeout,
})

/** The providers whose places are set; that there is one at all has been checked with the settings. */
const live = (settings: Settings): Upstreams["Service"] => ({
  sandboxUrl: Option.none(),
  providers: {
    ...Option.match(
      Option.all({
        backendUrl: settings.chainflipBackendUrl,
        nodeUrl: settings.chainflipNodeUrl,
        brokerUrl: settings.chainflipBrokerUrl,
        brokerAccount: settings.chainflipBrokerAccount,
      }),
      {
        onNone: () => ({}),
        onSome: (places) => ({
          chainflip: {
            ...places,
            explorerUrl: settings.chainflipExplorerUrl,
            payloadLifetime: settings.chainflipPayloadLifetime,
            networks: [settings.chainflipNetwork],
            lookupTimeout: settings.quoteTimeout,
          },
        }),
      },
    ),
    ...Option.match(settings.nearIntentsUrl, {
      onNone: () => ({}),
      onSome: (url) => ({ nearIntents: nearIntents(settings, url) }),
    }),
  },
})
