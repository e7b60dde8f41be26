import { Predicate, Schema } from "effect"
import type { Form } from "./changes.ts"
import { WireEnvironment, WireNetworkInfo, WireSafeMode } from "#providers/chainflip/conditions.ts"
import { WireOpenedChannel } from "#providers/chainflip/openings.ts"
import {
  WireBitcoinEncoding,
  WireEvmEncoding,
  WireSolanaEncoding,
  WireTronEncoding,
} from "#providers/chainflip/payloads.ts"
import { WireQuote } from "#providers/chainflip/quotes.ts"
import { WireSwap } from "#providers/chainflip/records.ts"
import { WireDryQuote, WireOrder } from "#providers/near-intents/quotes.ts"
import { WireStatus } from "#providers/near-intents/status.ts"
import { WireOpening } from "#providers/relay/openings.ts"
import { WireQuote as WireRelayQuote } from "#providers/relay/answer.ts"
import { WireRequest, WireStatus as WireRelayStatus } from "#providers/relay/requests.ts"
import { WirePools } from "#providers/thorchain/conditions.ts"
import { WireQuote as WireVaultQuote } from "#providers/thorchain/quotes.ts"
import { WireStatus as WirePayment } from "#providers/thorchain/stages.ts"
import { WireInbound } from "#providers/thorchain/vaults.ts"
import { tokenOf } from "#sandbox/chainflip/vault/evm.ts"
import { Count } from "#providers/upstream/values.ts"

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

/** A request by its path, and by what else tells it from others. */
const on = (
  path: RegExp,
  name: string,
  schema: Form["schema"],
  isIt: (asked: Asked) => boolean = () => true,
): Operation => ({ name, isAsked: (asked) => path.test(asked.path) && isIt(asked), schema, at: [] })

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

/**
 * A quote into USDC on Ethereum without a commission: the service asks for these by itself, for the prices of the hour,
 * at any moment. No scene asks for one, so that each changed answer is one that a scene asked for.
 */
const isOfPrices = (body: unknown): boolean => isIntoDollars(body) && !Predicate.hasProperty(body, "appFees")

const isIntoDollars = Schema.is(Schema.Struct({
  destinationChainId: Schema.Literal(1),
  destinationCurrency: Schema.String.check(
    Schema.makeFilter((currency) => currency.toLowerCase() === tokenOf("usdc.eth")),
  ),
}))

const isRelayQuote = (asked: Asked): boolean => !asksForAddress(asked) && !isOfPrices(asked.body)

/** What a node of THORChain or of Maya Protocol is asked. */
const nodeOperations = (provider: "thorchain" | "maya") => {
  const height = provider === "thorchain" ? "thorchain" : "mayachain"
  const base = `/${provider}/${height}`
  const get = (path: string, schema: Form["schema"]) =>
    on(new RegExp(`^${base}${path}`), `GET ${path}`, schema)
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
  quote: on(/^\/chainflip\/backend\/v2\/quote$/, "GET /v2/quote", Schema.Array(WireQuote)),
  swap: on(/^\/chainflip\/backend\/v2\/swaps\//, "GET /v2/swaps/:id", WireSwap),
  networkInfo: on(/^\/chainflip\/backend\/api\/networkInfo$/, "GET /api/networkInfo", WireNetworkInfo),
  environment: rpc("cf_environment", WireEnvironment),
  safeMode: rpc("cf_safe_mode_statuses", WireSafeMode),
  depositAddress: rpc("broker_request_swap_deposit_address", WireOpenedChannel),
  bitcoin: encoding("Bitcoin", WireBitcoinEncoding),
  evm: encoding("EVM", WireEvmEncoding),
  solana: encoding("Solana", WireSolanaEncoding),
  tron: encoding("Tron", WireTronEncoding),
  dryQuote: on(/^\/near-intents\/v0\/quote$/, "POST /v0/quote (dry)", WireDryQuote, isDry),
  order: on(/^\/near-intents\/v0\/quote$/, "POST /v0/quote", WireOrder, (asked) => !isDry(asked)),
  status: on(/^\/near-intents\/v0\/status$/, "GET /v0/status", WireStatus),
  // Of either version: both are read as one form.
  relayQuote: on(/^\/relay\/quote\/v[23]$/, "POST /quote", WireRelayQuote, isRelayQuote),
  relayOpening: on(/^\/relay\/quote\/v[23]$/, "POST /quote (deposit address)", WireOpening, asksForAddress),
  relayStatus: on(/^\/relay\/intents\/status\/v3$/, "GET /intents/status/v3", WireRelayStatus),
  relayRequests: on(
    /^\/relay\/requests\/v3$/,
    "GET /requests/v3",
    Schema.Struct({ requests: Schema.Array(WireRequest) }),
  ),
} satisfies Readonly<Record<string, Operation>>

/** Those of the networks that take payments with a memo. */
export const ofNodes = { thorchain: nodeOperations("thorchain"), maya: nodeOperations("maya") } as const

export const everyOperation: ReadonlyArray<Operation> = [operations, ...Object.values(ofNodes)].flatMap((
  part,
) => Object.values(part))
