import { Effect } from "effect"
import type { FaultOperation } from "../../api/SandboxFaults.ts"
import { chainOf, factsOf } from "../../domain/Asset.ts"
import type { UnusableLog } from "../EventLog.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply, type WireAnswer, type WireRequest } from "../Wire.ts"
import { World } from "../World.ts"
import { getAppFees } from "./appFees.ts"
import { listedCurrency } from "./encode.ts"
import { currencies, type RelayChain, relayChains } from "./engine/currencies.ts"
import { asksForAddress, postQuote } from "./quote.ts"
import { plainRefusal, relayFault, relayRefusal, tooManyQuotes } from "./refusals.ts"
import { getRequests, getStatus, postReindex } from "./requests.ts"

/** The REST API of Relay (relay/wire.md 1). */

interface Route {
  /** The operations that faults see in the request; empty: faults leave it alone. */
  readonly operations: (request: WireRequest) => ReadonlyArray<FaultOperation>
  readonly handle: (request: WireRequest) => Effect.Effect<Reply, UnusableLog, World | Faults>
}

/** The wallet in a path to its balances. */
const walletOf = (path: string): string | undefined => /^\/app-fees\/([^/]+)\/balances$/.exec(path)?.[1]

const routeOf = ({ method }: WireRequest, path: string): Route | undefined => {
  const wallet = method === "GET" ? walletOf(path) : undefined
  return wallet === undefined
    ? routes[`${method} ${path}`]
    : { operations: () => ["treasury"], handle: () => getAppFees(wallet) }
}

const needsKey = ({ apiKey }: WireRequest, answer: Route["handle"]): Route["handle"] =>
  apiKey === undefined
    ? () => Effect.succeed(relayRefusal(401, "UNAUTHORIZED", "An API key is required"))
    : answer

/** Quotes and openings together (relay/wire.md 1). */
const quoteLimit = { most: 50 }

const limitedQuote = Effect.fnUntraced(function* (body: string) {
  return (yield* Faults.isTooMany("relay quote", quoteLimit)) ? tooManyQuotes : yield* postQuote(body)
})

/** By method and path behind the base URL. */
const routes: Readonly<Record<string, Route>> = {
  "GET /chains": { operations: () => [], handle: () => getChains },
  "POST /quote/v2": {
    operations: ({ body }) => [asksForAddress(body) ? "open" : "quote"],
    handle: ({ body }) => limitedQuote(body),
  },
  "GET /intents/status/v3": { operations: () => ["status"], handle: ({ query }) => getStatus(query) },
  "GET /requests/v3": {
    operations: () => ["status"],
    handle: (request) => needsKey(request, ({ query }) => getRequests(query))(request),
  },
  "POST /transactions/deposit-address/reindex": {
    operations: () => [],
    handle: ({ body }) => postReindex(body),
  },
}

/** The only key that is refused. Most calls need none. */
const rejectedKey = "wrong"

/** The simulated time as an HTTP date, so that a client can tell whether a TTL has passed. */
const dated = Effect.fnUntraced(function* (reply: Reply): Effect.fn.Return<Reply, never, World> {
  const time = yield* World.read(({ relay }) => relay.time)
  return { ...reply, headers: { ...reply.headers, date: new Date(time).toUTCString() } }
})

/** Answers a request to Relay; `path` is the part behind its base URL. */
export const serveRelay = Effect.fnUntraced(function* (
  path: string,
  request: WireRequest,
): Effect.fn.Return<WireAnswer, UnusableLog, World | Faults> {
  const route = routeOf(request, path)
  if (route === undefined) return plainRefusal(404, `Route ${request.method}:${path} not found`)
  if (request.apiKey === rejectedKey) return relayRefusal(401, "UNAUTHORIZED", "Invalid API key")
  const faults = yield* Faults
  return yield* faults.disturb({
    provider: "relay",
    operations: route.operations(request),
    act: Effect.flatMap(route.handle(request), dated),
    refuse: (code) => dated(relayFault(code)),
  })
})

const writeChain = ({ chain, id, name, protocolId, vmType }: RelayChain, disabled: boolean) => {
  const all = currencies.filter(({ asset }) => chainOf(asset) === chain)
  const isToken = ({ asset }: typeof all[number]) => factsOf(asset).contractAddress !== undefined
  const listed = (currency: typeof all[number]) => ({ ...listedCurrency(currency), supportsBridging: true })
  return {
    id,
    name,
    displayName: chain,
    explorerUrl: `https://explorer.invalid/${name}`,
    explorerName: "Explorer",
    depositEnabled: true,
    tokenSupport: "Limited",
    disabled,
    partialDisableLimit: 0,
    blockProductionLagging: false,
    currency: all.filter((currency) => !isToken(currency)).map(listed)[0],
    withdrawalFee: 0,
    depositFee: 0,
    surgeEnabled: false,
    featuredTokens: [],
    erc20Currencies: all.filter(isToken).map((currency) => ({
      ...listed(currency),
      supportsPermit: false,
      withdrawalFee: 0,
      depositFee: 0,
      surgeEnabled: false,
    })),
    solverCurrencies: all.filter(({ isSolverCurrency }) => isSolverCurrency).map(listedCurrency),
    iconUrl: null,
    vmType,
    baseChainId: null,
    statusMessage: null,
    protocol: { v2: { chainId: protocolId } },
  }
}

/** `GET /chains`: the chains with their currencies. */
const getChains: Effect.Effect<Reply, never, World> = Effect.gen(function* () {
  return yield* World.read(({ relay }) =>
    json(200, {
      chains: relayChains.map((chain) => writeChain(chain, relay.disabledChains.has(chain.chain))),
    })
  )
})
