import { Effect } from "effect"
import { type AssetId, assetIds, chainOf } from "#exports/domain.ts"
import { tokens } from "#sandbox/near-intents/engine/tokens.ts"
import { currencies } from "#sandbox/relay/engine/currencies.ts"
import { families, pooledAssets } from "#sandbox/thorchain/families.ts"
import { addresses, addressFor } from "#test/contract/support/addresses.ts"
import { find, isList, type Json, numberAt, parseJson, textAt } from "#test/contract/support/Json.ts"
import type { PayloadKind } from "#test/contract/support/payloads.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"
import { later } from "#test/tampering/support/later.ts"
import { chainflipAssets } from "./chainflip.ts"
import { Networks } from "./services.ts"
import { amountIn, transactionOf } from "./market.ts"

/** What clients do at the service with a pair: quotes, openings, payloads, and looks at swaps until they end. */

/** A pair of different assets. */
export interface Pair {
  readonly source: AssetId
  readonly destination: AssetId
}

export type Provider = "chainflip" | "near-intents" | "relay" | "thorchain" | "maya"

/** What a provider's own lists say that it serves, and from which of it payloads begin. */
interface Served {
  readonly sources: ReadonlyArray<AssetId>
  readonly destinations: ReadonlyArray<AssetId>
  readonly hasChannels: boolean
  readonly payloads: ReadonlyArray<AssetId>
}

const of = (assets: ReadonlyArray<AssetId>): Pick<Served, "sources" | "destinations"> => ({
  sources: assets,
  destinations: assets,
})

const kinds: Readonly<Partial<Record<ReturnType<typeof chainOf>, PayloadKind>>> = {
  Bitcoin: "bitcoin",
  Ethereum: "evm",
  Arbitrum: "evm",
  Bsc: "evm",
  Base: "evm",
  Avalanche: "evm",
  Solana: "solana",
  Tron: "tron",
}

/** What is pooled and trades: Maya's Zcash is at rest. */
const onVaults = (name: "thorchain" | "maya"): Served => {
  const pooled = pooledAssets(families[name]).filter((asset) => chainOf(asset) !== "Zcash")
  const payloads = pooled.filter((asset) =>
    chainOf(asset) !== "Solana" && kinds[chainOf(asset)] !== undefined
  )
  return { sources: payloads, destinations: pooled, hasChannels: false, payloads }
}

export const served: Readonly<Record<Provider, Served>> = {
  chainflip: {
    ...of(chainflipAssets),
    hasChannels: true,
    payloads: chainflipAssets.filter((asset) => chainOf(asset) !== "Assethub"),
  },
  "near-intents": { ...of(tokens.map(({ asset }) => asset)), hasChannels: true, payloads: [] },
  relay: {
    sources: currencies.filter(({ isSolverCurrency }) => isSolverCurrency).map(({ asset }) => asset),
    destinations: currencies.map(({ asset }) => asset),
    hasChannels: true,
    payloads: [],
  },
  thorchain: onVaults("thorchain"),
  maya: onVaults("maya"),
}

const serves = (provider: Provider, { destination, source }: Pair): boolean =>
  served[provider].sources.includes(source) && served[provider].destinations.includes(destination)

/** Those of the providers that serve a pair. */
export const serving = (providers: ReadonlyArray<Provider>, pair: Pair): ReadonlyArray<Provider> =>
  providers.filter((provider) => serves(provider, pair))

/** Every pair that any of the providers serves. */
export const pairsOf = (providers: ReadonlyArray<Provider>): ReadonlyArray<Pair> =>
  assetIds().flatMap((source) =>
    assetIds().filter((destination) => destination !== source).map((destination) => ({ source, destination }))
  ).filter((pair) => serving(providers, pair).length > 0)

interface Answer {
  readonly status: number
  /** What each provider that was asked had to say. */
  readonly providers: string
  readonly body: Json
}

const ask = Effect.fnUntraced(function* (path: string, query: Readonly<Record<string, string>>) {
  const url = new URL(path, yield* brokerUrl)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return yield* Effect.promise(async (): Promise<Answer> => {
    const response = await reach(url, { headers: { "x-api-key": testKey } })
    const providers = response.headers.get("provider-status") ?? ""
    return { status: response.status, providers, body: parseJson(await response.text()) }
  })
})

/** How a step of a journey failed; undefined where it did not. */
export type Fault = string | undefined

const faultOf = ({ body, status }: Answer): string => `${status} ${JSON.stringify(body).slice(0, 400)}`

/** So long, and the service may ask upstreams again about what they may not know. */
const budgetMillis = 61_000

/** By then every chain has confirmed a transaction: what is seen as confirmed was sent so long before. */
const confirmedMillis = 2 * 60 * 60 * 1_000

/** The quotes of a pair, or why there are none. */
export const quotesOf = Effect.fnUntraced(function* ({ destination, source }: Pair, commissionBps: number) {
  later.pass(budgetMillis)
  const answer = yield* ask("/quotes-native", {
    sourceAsset: source,
    destinationAsset: destination,
    amount: `${amountIn(source)}`,
    commissionBps: `${commissionBps}`,
    start: "any",
  })
  const quotes = answer.status === 200 && isList(answer.body) ? answer.body : []
  const idOf = (provider: Provider): string | undefined => {
    const own = quotes.find((quote) => textAt(quote, "platform") === provider)
    return own === undefined ? undefined : textAt(own, "quoteId")
  }
  return { idOf, told: quotes.length === 0 ? faultOf(answer) : answer.providers }
})

/** Why the limits of a pair are not what its providers can tell; Relay states none. */
export const limitsFault = Effect.fnUntraced(function* (
  providers: ReadonlyArray<Provider>,
  { destination, source }: Pair,
) {
  const pair = { sourceAsset: source, destinationAsset: destination, start: "any" }
  const { body, providers: told, status } = yield* ask("/limits", pair)
  const rows = status === 200 ? find(body, "limits") : undefined
  const known = isList(rows) ? rows : []
  const has = (provider: Provider): boolean =>
    known.some((row) =>
      textAt(row, "platform") === provider &&
      (find(row, "minimumAmountNative") !== undefined) === (provider !== "relay")
    )
  return providers.every(has) ? undefined : `${status} ${JSON.stringify(body).slice(0, 400)} ${told}`
})

/** Looks until a swap has ended; upstreams have five states at most. */
const mostLooks = 6

const follow = (look: Effect.Effect<Answer, never, Effect.Services<ReturnType<typeof ask>>>) =>
  Effect.gen(function* () {
    let last = "nothing was looked up"
    for (let looks = 0; looks < mostLooks; looks++) {
      const answer = yield* look
      if (answer.status === 200 && find(answer.body, "status", "state") === "completed") return undefined
      last = answer.status === 200 ? JSON.stringify(find(answer.body, "status", "state")) : faultOf(answer)
    }
    return `it did not end: ${last}`
  })

/** Has the simulated networks see a transaction, and its confirmations pass; the answer. */
const seen = Effect.fnUntraced(function* (path: string, members: Readonly<Record<string, Json>>) {
  const { sandboxUrl } = yield* Networks
  const text = yield* Effect.promise((signal) =>
    fetch(new URL(path, sandboxUrl), {
      method: "POST",
      signal,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(members),
    }).then((answer) => answer.text())
  )
  later.pass(confirmedMillis)
  return parseJson(text)
})

/** Opens a swap by its quote, pays, and follows it to its end. */
export const openAndFollow = Effect.fnUntraced(
  function* (
    provider: Provider,
    { destination, source }: Pair,
    quoteId: string,
    commissionBps: number,
  ) {
    const opened = yield* ask("/swap", {
      sourceAsset: source,
      destinationAsset: destination,
      quoteId,
      commissionBps: `${commissionBps}`,
      destinationAddress: addressFor(destination),
      refundAddress: addressFor(source),
    })
    if (opened.status !== 200) return { opening: faultOf(opened), status: undefined }
    const swapId = numberAt(opened.body, "id")
    if (provider !== "chainflip") {
      const address = textAt(opened.body, "address")
      yield* seen("/sandbox/deposits", { address, amountNative: `${amountIn(source)}` })
    }
    return { opening: undefined, status: yield* follow(ask("/status-by-id", { swapId })) }
  },
)

let transactions = 0

/** Makes a payload, sends its transaction, and follows the swap to its end. */
export const payAndFollow = Effect.fnUntraced(
  function* (
    provider: "chainflip" | "thorchain" | "maya",
    { destination, source }: Pair,
    commissionBps: number,
  ) {
    const { chainflip } = yield* Networks
    const chain = chainOf(source)
    const kind = kinds[chain]
    if (kind === undefined) return { payload: `there are no payloads on ${chain}`, status: undefined }
    const made = yield* ask(`/tx-payload/${kind}`, {
      sourceAsset: source,
      destinationAsset: destination,
      amountNative: `${amountIn(source)}`,
      commissionBps: `${commissionBps}`,
      platform: provider,
      destinationAddress: addressFor(destination),
      refundAddress: addressFor(source),
      ...(kind === "solana" ? { sourceAddress: addresses.sol } : {}),
    })
    if (made.status !== 200) return { payload: faultOf(made), status: undefined }
    const transaction = provider === "chainflip"
      ? transactionOf(chain, provider, ++transactions)
      : textAt(yield* seen("/sandbox/vault-swaps", { payload: made.body }), "transactionHash")
    if (provider === "chainflip") {
      later.pass(confirmedMillis)
      chainflip.send(transaction)
    }
    return {
      payload: undefined,
      status: yield* follow(ask("/status-by-transaction-hash", { transactionHash: transaction })),
    }
  },
)
