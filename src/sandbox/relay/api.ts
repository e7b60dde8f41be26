import { Effect } from "effect"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import { Faults } from "../Faults.ts"
import { dated, route, serveRest } from "../rest.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { amountMembers, listedCurrency } from "./encode.ts"
import { currencies, type Currency, type RelayChain, relayChains } from "./engine/currencies.ts"
import { asksForAddress, postQuote } from "./quote.ts"
import { faults, keyMissing, plainRefusal, tooManyQuotes, unauthorized } from "./refusals.ts"
import { getRequests, getStatus, postReindex } from "./requests.ts"
import * as Relay from "./engine/Relay.ts"
import type { RelayRequest } from "./engine/State.ts"

/** The REST API of Relay (relay/wire.md 1). */

/** `GET /app-fees/{wallet}/balances`: commission, which is added up in USDC (relay/wire.md 1). */

const dollar = 10n ** 6n

/** What a request that was filled has earned a wallet, in native usdc.eth at the prices of its quote. */
const earnedBy = (wallet: string) => (request: RelayRequest): bigint => {
  const { offer, terms: { origin } } = request
  const share = Relay.feesPaidBy(request)
    .filter(({ account }) => account.toLowerCase() === wallet.toLowerCase())
    .reduce((sum, { amount }) => sum + amount, 0n)
  return share * offer.prices.origin / 10n ** BigInt(factsOf(origin.asset).decimals)
}

const isUsdc = ({ asset }: Currency): boolean => asset === "usdc.eth"

/** Answers what a wallet has earned and not claimed. */
const getAppFees = Effect.fn("sandbox.relay.appFees")(function* (
  wallet: string,
): Effect.fn.Return<Reply, never, World> {
  if (!/^0x[0-9a-fA-F]{40}$/.test(wallet)) return plainRefusal(400, "Invalid wallet")
  return yield* World.read(({ relay }) => {
    const sum = Relay.allRequests(relay).reduce((sum, request) => sum + earnedBy(wallet)(request), 0n)
    const total = Number(sum) / Number(dollar)
    return json(200, {
      balances: sum === 0n ? [] : currencies.filter(isUsdc).map((usdc) => amountMembers(usdc, dollar, sum)),
      totalBalanceUsd: total,
      outstandingFastFillBalanceUsd: 0,
      availableBalanceUsd: total,
    })
  })
})

/** Quotes and openings together (relay/wire.md 1). */
const quoteLimit = { most: 50 }

const limitedQuote = Effect.fnUntraced(function* (body: string) {
  return (yield* Faults.isTooMany("relay quote", quoteLimit)) ? tooManyQuotes : yield* postQuote(body)
})

/** The only key that is refused. Most calls need none. */
const rejectedKey = "wrong"

/** The list of chains was not recorded: it is built (relay/wire.md 1, chains). */
const writeChain = ({ chain, coin, id, protocolId, vmType }: RelayChain, disabled: boolean) => {
  const all = currencies.filter(({ asset }) => chainOf(asset) === chain)
  const listed = (currency: Currency) => ({ ...listedCurrency(currency), supportsBridging: true })
  return {
    id,
    name: protocolId,
    displayName: chain,
    depositEnabled: true,
    disabled,
    currency: all.filter(({ address }) => address === coin).map(listed)[0],
    featuredTokens: [],
    erc20Currencies: all.filter(({ address }) => address !== coin).map(listed),
    solverCurrencies: all.filter(({ isSolverCurrency }) => isSolverCurrency).map(listedCurrency),
    vmType,
    protocol: { v2: { chainId: protocolId } },
  }
}

/** A chain that the broker does not know. */
const otherChain = {
  id: 7_777_777,
  name: "zora",
  displayName: "Zora",
  disabled: false,
  depositEnabled: true,
  currency: currencies.filter(({ asset }) => asset === "eth.eth").map(listedCurrency)[0],
  erc20Currencies: [],
  featuredTokens: [],
  solverCurrencies: [],
  vmType: "evm",
}

/** `GET /chains`: the chains with their currencies. */
const getChains = World.read(({ relay }) =>
  json(200, {
    chains: [
      otherChain,
      ...relayChains.map((chain) => writeChain(chain, relay.disabledChains.has(chain.chain))),
    ],
  })
)

/** Answers a request to Relay. */
export const serveRelay = serveRest({
  provider: "relay",
  routes: [
    route("GET /chains", () => getChains),
    route(
      "POST /quote/v2",
      ({ body }) => limitedQuote(body),
      ({ body }) => asksForAddress(body) ? "open" : "quote",
    ),
    route("GET /intents/status/v3", ({ query }) => getStatus(query), "status"),
    route(
      "GET /requests/v3",
      ({ apiKey, query }) => apiKey === undefined ? Effect.succeed(keyMissing) : getRequests(query),
      "status",
    ),
    route("POST /transactions/deposit-address/reindex", ({ body }) => postReindex(body)),
    route("GET /app-fees/([^/]+)/balances", (_, wallet) => getAppFees(wallet), "treasury"),
  ],
  elsewhere: ({ method }, path) => plainRefusal(404, `Route ${method}:${path} not found`),
  refusal: ({ apiKey }) => apiKey === rejectedKey ? unauthorized : undefined,
  fault: (code) => faults[code],
  finish: dated,
})
