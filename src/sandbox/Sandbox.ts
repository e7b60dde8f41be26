import { Context, Effect, Layer } from "effect"
import { SimulatedProvider } from "#api/SandboxFaults.ts"
import { mounts } from "./announced.ts"
import { serveBackend } from "./chainflip/backend.ts"
import { brokerMethods } from "./chainflip/broker.ts"
import { nodeMethods } from "./chainflip/node.ts"
import { serveRpc } from "./chainflip/rpc.ts"
import { makeControls } from "./controls.ts"
import { brokerAccount } from "./engine/figures.ts"
import { type UnusableLog, World, type WorldOptions } from "./World.ts"
import { Faults } from "./Faults.ts"
import { serveNearIntents } from "./near-intents/api.ts"
import { publicKey } from "./near-intents/signature.ts"
import { serveRelay } from "./relay/api.ts"
import { serveVaults } from "./thorchain/api.ts"
import { json, serveWire, type WireAnswer, type WireRequest } from "./Wire.ts"

/** Options of the sandbox: the address to listen on, and the start of its world. */
export interface SandboxOptions extends WorldOptions {
  readonly hostname: string
  /** 0 picks a free port. */
  readonly port: number
}

/** Everything that can keep a sandbox from starting; each message says what to do. */
export type SandboxFailure = Layer.Error<ReturnType<typeof Sandbox.layer>>

/** The simulated upstream networks, on one port, each behind its own wire format. */
export class Sandbox extends Context.Service<Sandbox>()("swap-broker/sandbox/Sandbox", {
  make: Effect.fnUntraced(function* ({ hostname, port }: SandboxOptions) {
    const context = yield* Effect.context<World | Faults>()
    const run = Effect.runPromiseWith(context)
    const handlers: Handlers = { ...upstreams, "/sandbox": yield* makeControls }
    const url = yield* serveWire({ hostname, port, handler: (request) => run(answer(handlers, request)) })
    return {
      /** The URL of the sandbox; its controls are below `/sandbox`. */
      url,
      /** Base URLs of the simulated Chainflip network, and the account of its broker. */
      chainflip: {
        backendUrl: new URL(mounts.backend, url),
        nodeUrl: new URL(mounts.node, url),
        brokerUrl: new URL(mounts.broker, url),
        brokerAccount,
      },
      /** Base URL of the simulated 1Click, and the key that verifies its quotes (`ed25519:<base58>`). */
      nearIntents: { url: new URL(mounts.nearIntents, url), publicKey },
      relay: { url: new URL(mounts.relay, url) },
      thorchain: { url: new URL(mounts.thorchain, url) },
      maya: { url: new URL(mounts.maya, url) },
    }
  }),
}) {
  /** Listens until the scope closes. */
  static readonly layer = (options: SandboxOptions) =>
    Layer.effect(this, this.make(options)).pipe(
      Layer.provide([World.layer(options), Faults.layer(options.seed)]),
    )
}

type Mount = (path: string, request: WireRequest) => Effect.Effect<WireAnswer, UnusableLog, World | Faults>

const methodsOfBroker = brokerMethods("standalone")

/** A node whose key store holds a broker's key serves the broker's methods, too (chainflip/wire.md 2.1). */
const methodsOfNode = new Map([...nodeMethods, ...brokerMethods("node")])

type Handlers = Readonly<Record<string, Mount>>

const upstreams: Handlers = {
  [mounts.backend]: serveBackend,
  [mounts.node]: (_, request) => serveRpc(methodsOfNode, request, "node"),
  [mounts.broker]: (_, request) => serveRpc(methodsOfBroker, request, "standalone"),
  [mounts.nearIntents]: serveNearIntents,
  [mounts.relay]: serveRelay,
  [mounts.thorchain]: serveVaults("thorchain"),
  [mounts.maya]: serveVaults("maya"),
}

const answer = (handlers: Handlers, request: WireRequest) => {
  const prefix = Object.keys(handlers).find((prefix) =>
    request.path === prefix || request.path.startsWith(`${prefix}/`)
  )
  const mount = prefix === undefined ? undefined : handlers[prefix]
  if (prefix === undefined || mount === undefined) {
    return Effect.succeed(json(404, { message: `Nothing is simulated at ${request.path}` }))
  }
  const path = request.path.slice(prefix.length).replace(/\/$/, "")
  const answered = Effect.suspend(() => mount(path, request))
  const provider = SimulatedProvider.literals.find((name) => prefix.startsWith(`/${name}`))
  const act = provider === undefined
    ? answered
    : Effect.flatMap(Faults, ({ announce }) => announce(provider, { ...request, path }, answered))
  return act.pipe(Effect.catchCause((cause) =>
    Effect.as(
      Effect.logError("The sandbox failed to answer", cause),
      json(500, { message: "the sandbox itself failed: see its log" }),
    )
  ))
}
