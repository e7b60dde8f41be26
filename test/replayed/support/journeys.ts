import { hexToBytes } from "@noble/curves/utils.js"
import { Effect } from "effect"
import { type AssetId, assetIds, chainOf, decodeCall } from "#exports/domain.ts"
import { depositFunction } from "#providers/thorchain/transactions.ts"
import { addresses, addressFor } from "#test/contract/support/addresses.ts"
import { find, isList, type Json, numberAt, parseJson, textAt } from "#test/contract/support/Json.ts"
import type { PayloadKind } from "#test/contract/support/payloads.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"
import { later } from "#test/tampering/support/later.ts"
import { chainflipAssets } from "./chainflip.ts"
import { Upstreams } from "./LiveService.ts"
import { amountIn, transactionOf } from "./market.ts"
import { maya, type Network, thorchain } from "./nodes.ts"
import { oneClickAssets } from "./oneClick.ts"
import { relayDestinations, relaySources } from "./relay.ts"

/** What clients do at the live service with a pair: quotes, openings, payloads, and looks at swaps until they end. */

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

const onVaults = ({ assets, sources }: Network): Served => {
  const payloads = assets.filter((asset) => sources.includes(chainOf(asset)))
  return { sources: payloads, destinations: assets, hasChannels: false, payloads }
}

export const served: Readonly<Record<Provider, Served>> = {
  chainflip: {
    ...of(chainflipAssets),
    hasChannels: true,
    payloads: chainflipAssets.filter((asset) => chainOf(asset) !== "Assethub"),
  },
  "near-intents": { ...of(oneClickAssets), hasChannels: true, payloads: [] },
  relay: { sources: relaySources, destinations: relayDestinations, hasChannels: true, payloads: [] },
  thorchain: onVaults(thorchain),
  maya: onVaults(maya),
}

export const providers: ReadonlyArray<Provider> = ["chainflip", "near-intents", "relay", "thorchain", "maya"]

const serves = (provider: Provider, { destination, source }: Pair): boolean =>
  served[provider].sources.includes(source) && served[provider].destinations.includes(destination)

/** The providers that serve a pair. */
export const serving = (pair: Pair): ReadonlyArray<Provider> =>
  providers.filter((provider) => serves(provider, pair))

/** Every pair that any provider serves. */
export const pairs: ReadonlyArray<Pair> = assetIds().flatMap((source) =>
  assetIds().filter((destination) => destination !== source).map((destination) => ({ source, destination }))
).filter((pair) => serving(pair).length > 0)

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

/** Opens a swap by its quote and follows it to its end. */
export const openAndFollow = Effect.fnUntraced(
  function* ({ destination, source }: Pair, quoteId: string, commissionBps: number) {
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
    return { opening: undefined, status: yield* follow(ask("/status-by-id", { swapId })) }
  },
)

const kinds: Readonly<Partial<Record<ReturnType<typeof chainOf>, PayloadKind>>> = {
  Bitcoin: "bitcoin",
  Ethereum: "evm",
  Arbitrum: "evm",
  Bsc: "evm",
  Solana: "solana",
  Tron: "tron",
}

const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)
const bytesOf = (hex: string): Uint8Array => hexToBytes(hex.slice(2))

/** The memo in a payload to a vault. */
const memoOf = (payload: Json): string => {
  const carrier = ["nulldataPayload", "note", "calldata"]
    .map((name) => find(payload, name)).find((found) => typeof found === "string")
  const bytes = bytesOf(typeof carrier === "string" ? carrier : "0x")
  return text(decodeCall(depositFunction, bytes)?.strings[0] ?? bytes)
}

let transactions = 0

/** Makes a payload, sends its transaction, and follows the swap to its end. */
export const payAndFollow = Effect.fnUntraced(
  function* (
    provider: "chainflip" | "thorchain" | "maya",
    { destination, source }: Pair,
    commissionBps: number,
  ) {
    const upstreams = yield* Upstreams
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
    const transaction = transactionOf(chain, provider, ++transactions)
    later.pass(confirmedMillis)
    if (provider === "chainflip") upstreams.chainflip.send(transaction)
    else {
      upstreams[provider].pay(transaction, {
        asset: source,
        destination,
        destinationAddress: addressFor(destination),
        amount: amountIn(source),
        memo: memoOf(made.body),
        sender: addressFor(source),
        commissionBps,
      })
    }
    return {
      payload: undefined,
      status: yield* follow(ask("/status-by-transaction-hash", { transactionHash: transaction })),
    }
  },
)
