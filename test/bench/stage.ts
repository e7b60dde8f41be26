import { Effect } from "effect"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { publicKey } from "#sandbox/near-intents/signature.ts"
import { type Gate, gate } from "#test/chaos/support/Gate.ts"
import {
  type Environment,
  type RunningService,
  startProgram,
  startService,
  startServiceIn,
} from "#test/support/process.ts"

/** The simulated networks in a process of their own, where time stands still. */
export const startNetworks = startProgram("src/sandbox.ts", {
  SANDBOX_PORT: "0",
  SANDBOX_SPEED: "0",
  DATA_DIR: "memory",
  LOG_FORMAT: "json",
})

/** A service whose providers stand behind gates. */
export interface GatedService {
  readonly service: RunningService
  readonly gates: { readonly chainflip: Gate; readonly nearIntents: Gate }
}

/** The service in live mode, as in operation, over the simulated networks. */
export const startBehindGates = Effect.fnUntraced(function* (
  networks: URL,
  environment: Environment,
  start: typeof startService = startService,
) {
  const gates = { chainflip: yield* gate(networks), nearIntents: yield* gate(networks) }
  const service = yield* start({
    MODE: "live",
    CHAINFLIP_BACKEND_URL: `${gates.chainflip.url.origin}/chainflip/backend`,
    CHAINFLIP_NODE_URL: `${gates.chainflip.url.origin}/chainflip/node`,
    CHAINFLIP_BROKER_URL: `${gates.chainflip.url.origin}/chainflip/broker`,
    CHAINFLIP_BROKER_ACCOUNT: brokerAccount,
    NEAR_INTENTS_URL: `${gates.nearIntents.url.origin}/near-intents`,
    NEAR_INTENTS_KEY: publicKey,
    ...environment,
  })
  const gated: GatedService = { service, gates }
  return gated
})

/** The service in a process that says what it holds (`footprint.ts`). */
export const weighed = startServiceIn("test/bench/weighedService.ts")
