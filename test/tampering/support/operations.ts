import { Predicate, Schema } from "effect"
import type { Form } from "./changes.ts"
import {
  WireEnvironment,
  WireNetworkInfo,
  WireSafeMode,
} from "../../../src/providers/chainflip/conditions.ts"
import { WireOpenedChannel } from "../../../src/providers/chainflip/openings.ts"
import {
  WireBitcoinEncoding,
  WireEvmEncoding,
  WireSolanaEncoding,
  WireTronEncoding,
} from "../../../src/providers/chainflip/payloads.ts"
import { WireQuote } from "../../../src/providers/chainflip/quotes.ts"
import { WireSwap } from "../../../src/providers/chainflip/records.ts"
import { WireDryQuote, WireOrder } from "../../../src/providers/near-intents/quotes.ts"
import { WireStatus } from "../../../src/providers/near-intents/stages.ts"
import { WireOpening } from "../../../src/providers/relay/order.ts"
import { WireQuote as WireRelayQuote } from "../../../src/providers/relay/quotes.ts"
import { WireRequest, WireStatus as WireRelayStatus } from "../../../src/providers/relay/requests.ts"
import { WirePools } from "../../../src/providers/thorchain/conditions.ts"
import { WireQuote as WireVaultQuote } from "../../../src/providers/thorchain/quotes.ts"
import { WireStatus as WirePayment } from "../../../src/providers/thorchain/stages.ts"
import { WireInbound } from "../../../src/providers/thorchain/vaults.ts"
import { Count } from "../../../src/providers/upstream/values.ts"

/** A request on its way to an upstream. */
export interface Asked {
  readonly path: string
  /** Parsed; null where there is none. */
  readonly body: unknown
}

/** An operation of an upstream: which requests are of it, and what its answers are like. */
export interface Operation extends Form {
  readonly name: string
  readonly isAsked: (asked: Asked) => boolean
}

const method = (name: string) => ({ path, body }: Asked): boolean =>
  /^\/chainflip\/(?:node|broker)/.test(path) && Predicate.hasProperty(body, "method") && body.method === name

const rpc = (name: string, schema: Form["schema"]): Operation => ({
  name,
  isAsked: method(name),
  schema,
  at: ["result"],
})

const encoding = (chain: string, schema: Form["schema"]): Operation => ({
  ...rpc("broker_request_swap_parameter_encoding", schema),
  name: `broker_request_swap_parameter_encoding (${chain})`,
})

const isDry = ({ body }: Asked): boolean => Predicate.hasProperty(body, "dry") && body.dry === true

const asksForAddress = ({ body }: Asked): boolean => Predicate.hasProperty(body, "useDepositAddress")

/** What a node of THORChain or of Maya Protocol is asked. */
const nodeOperations = (provider: "thorchain" | "maya") => {
  const height = provider === "thorchain" ? "thorchain" : "mayachain"
  const base = `/${provider}/${height}`
  const get = (path: string, schema: Form["schema"]): Operation => ({
    name: `GET ${path}`,
    isAsked: (asked) => asked.path.startsWith(`${base}${path}`),
    schema,
    at: [],
  })
  return {
    quote: get("/quote/swap", WireVaultQuote),
    inbound: get("/inbound_addresses", WireInbound),
    // The provider reads the height by the network's name for it.
    lastBlock: get("/lastblock", Schema.Array(Schema.Struct({ [height]: Count }))),
    pools: get("/pools", WirePools),
    payment: get("/tx/status/", WirePayment),
  }
}

/** Every operation that a provider has a wire schema for, but lists of tokens and chains that are read now and then. */
export const operations = {
  quote: {
    name: "GET /v2/quote",
    isAsked: ({ path }) => path === "/chainflip/backend/v2/quote",
    schema: Schema.Array(WireQuote),
    at: [],
  },
  swap: {
    name: "GET /v2/swaps/:id",
    isAsked: ({ path }) => path.startsWith("/chainflip/backend/v2/swaps/"),
    schema: WireSwap,
    at: [],
  },
  networkInfo: {
    name: "GET /api/networkInfo",
    isAsked: ({ path }) => path === "/chainflip/backend/api/networkInfo",
    schema: WireNetworkInfo,
    at: [],
  },
  environment: rpc("cf_environment", WireEnvironment),
  safeMode: rpc("cf_safe_mode_statuses", WireSafeMode),
  depositAddress: rpc("broker_request_swap_deposit_address", WireOpenedChannel),
  bitcoin: encoding("Bitcoin", WireBitcoinEncoding),
  evm: encoding("EVM", WireEvmEncoding),
  solana: encoding("Solana", WireSolanaEncoding),
  tron: encoding("Tron", WireTronEncoding),
  dryQuote: {
    name: "POST /v0/quote (dry)",
    isAsked: (asked) => asked.path === "/near-intents/v0/quote" && isDry(asked),
    schema: WireDryQuote,
    at: [],
  },
  order: {
    name: "POST /v0/quote",
    isAsked: (asked) => asked.path === "/near-intents/v0/quote" && !isDry(asked),
    schema: WireOrder,
    at: [],
  },
  status: {
    name: "GET /v0/status",
    isAsked: ({ path }) => path === "/near-intents/v0/status",
    schema: WireStatus,
    at: [],
  },
  relayQuote: {
    name: "POST /quote/v2",
    isAsked: (asked) => asked.path === "/relay/quote/v2" && !asksForAddress(asked),
    schema: WireRelayQuote,
    at: [],
  },
  relayOpening: {
    name: "POST /quote/v2 (deposit address)",
    isAsked: (asked) => asked.path === "/relay/quote/v2" && asksForAddress(asked),
    schema: WireOpening,
    at: [],
  },
  relayStatus: {
    name: "GET /intents/status/v3",
    isAsked: ({ path }) => path === "/relay/intents/status/v3",
    schema: WireRelayStatus,
    at: [],
  },
  relayRequests: {
    name: "GET /requests/v3",
    isAsked: ({ path }) => path === "/relay/requests/v3",
    schema: Schema.Struct({ requests: Schema.Array(WireRequest) }),
    at: [],
  },
} satisfies Readonly<Record<string, Operation>>

/** Those of the networks that take payments with a memo. */
export const ofNodes = { thorchain: nodeOperations("thorchain"), maya: nodeOperations("maya") } as const

export const everyOperation: ReadonlyArray<Operation> = [operations, ...Object.values(ofNodes)].flatMap((
  part,
) => Object.values(part))
