import { Effect, Schema } from "effect"
import {
  type Ask,
  type Offer,
  type Opened,
  type PublicClient,
  query,
  Refused,
  type Request,
} from "./client.ts"
import {
  asset,
  digits,
  fullAsset,
  fullQuote,
  type FullStatus,
  fullStatus,
  maybe,
  networkName,
  number,
  openedChannel,
  text,
  whole,
} from "./readings.ts"

const missing = (path: string, why: string) => Effect.fail(new Refused({ path, why }))

const seen = ({ status }: FullStatus) => ({
  state: status.state,
  destinationAddress: status.destinationAddress,
  outputTransaction: status.swapEgress?.transactionReference,
})

/** The status of a client that reads every member. */
const fullSeen = (ask: Ask, { statusPath }: Opened) => Effect.map(ask({ path: statusPath }, fullStatus), seen)

const byId = (key: string) => (opened: { readonly id: number; readonly address: string }): Opened => ({
  depositAddress: opened.address,
  statusPath: `/status-by-id?apiKey=${key}&swapId=${opened.id}`,
})

interface Coordinates {
  readonly address: string
  readonly issuedBlock: number
  readonly network: string
  readonly channelId: number
}

const byChannel =
  (key: string, spelt: (network: string) => string) =>
  ({ address, channelId, issuedBlock, network }: Coordinates): Opened => ({
    depositAddress: address,
    statusPath: `/status-by-deposit-channel?${
      query({ apiKey: key, issuedBlock, network: spelt(network), channelId })
    }`,
  })

/** The offer with the most output, as a client of doubles or of whole numbers sees it. */
const best = <Quote extends { readonly egressAmountNative: string }>(
  path: string,
  quotes: ReadonlyArray<Quote>,
) => {
  const [first] = quotes.toSorted((one, other) =>
    BigInt(other.egressAmountNative) > BigInt(one.egressAmountNative) ? 1 : -1
  )
  return first === undefined ? missing(path, "there is no quote") : Effect.succeed(first)
}

type Chunked = {
  readonly estimatedPrice: number
  readonly egressAmountNative: string
  readonly numberOfChunks?: number | null
  readonly chunkIntervalBlocks?: number | null
}

const toOffer = (
  { chunkIntervalBlocks, egressAmountNative, estimatedPrice, numberOfChunks }: Chunked,
): Offer => ({
  estimatedPrice,
  egressAmountNative,
  ...(numberOfChunks == null ? {} : { numberOfChunks }),
  ...(chunkIntervalBlocks == null ? {} : { chunkIntervalBlocks }),
})

const bestOf = (ask: Ask, request: Request) =>
  ask(request, Schema.Array(fullQuote)).pipe(
    Effect.flatMap((quotes) => best(request.path, quotes)),
    Effect.map(toOffer),
  )

const walletPairs = [["btc.btc", "eth.eth"], ["eth.eth", "usdc.sol"], ["sol.sol", "btc.btc"]] as const

const twoPercentBelow = ({ estimatedPrice }: Offer): number => estimatedPrice * (100 - 2) / 100

const found = (ids: ReadonlyArray<string>, wanted: ReadonlyArray<string>) =>
  wanted.every((id) => ids.includes(id)) ? Effect.void : missing("/assets", `no ${wanted.join(" or no ")}`)

/** Clients that speak the REST endpoints. */
export const restClients: ReadonlyArray<PublicClient> = [
  {
    name: "a wallet's releases of 2025",
    source: "cake-tech/cake_wallet lib/exchange/provider/chainflip_exchange_provider.dart at 05ae159f",
    pairs: walletPairs,
    stumblesOver: "error",
    findAssets: (ask, { destinationAsset, sourceAsset }) =>
      ask(
        { path: "/assets" },
        Schema.Struct({ assets: Schema.Array(Schema.Struct({ id: text, minimalAmountNative: digits })) }),
      )
        .pipe(
          Effect.flatMap(({ assets }) => found(assets.map(({ id }) => id), [sourceAsset, destinationAsset])),
        ),
    quote: (ask, { amountNative, destinationAsset, sourceAsset }, key) =>
      bestOf(ask, {
        path: `/quotes-native?${
          query({ apiKey: key, sourceAsset, destinationAsset, amount: amountNative, commissionBps: "20" })
        }`,
      }),
    open: (ask, { destinationAddress, destinationAsset, refundAddress, sourceAsset }, offer, key) =>
      Effect.map(
        ask({
          path: `/swap?${
            query({
              apiKey: key,
              sourceAsset,
              destinationAsset,
              destinationAddress,
              commissionBps: "20",
              minimumPrice: `${twoPercentBelow(offer)}`,
              refundAddress,
              // With every source asset, though only Bitcoin can be boosted.
              boostFee: "6",
              retryDurationInBlocks: "150",
              numberOfChunks: offer.numberOfChunks,
              chunkIntervalBlocks: offer.chunkIntervalBlocks,
            })
          }`,
        }, openedChannel),
        byChannel(key, (network) => network.toUpperCase()),
      ),
    status: fullSeen,
  },
  {
    name: "the same wallet's releases of 2026",
    source: "cake-tech/cake_wallet lib/exchange/provider/chainflip/chainflip_api_schema.dart",
    pairs: [...walletPairs, ["trx.tron", "usdt.eth"], ["usdc.arb", "wbtc.eth"]],
    stumblesOver: "error",
    findAssets: (ask, { destinationAsset, sourceAsset }) =>
      ask({ path: "/assets" }, Schema.Struct({ assets: Schema.Array(fullAsset) })).pipe(
        Effect.flatMap(({ assets }) => found(assets.map(({ id }) => id), [sourceAsset, destinationAsset])),
      ),
    quote: (ask, { amountNative, destinationAsset, sourceAsset }, key) =>
      bestOf(ask, {
        path: `/quotes-native?${
          query({ apiKey: key, sourceAsset, destinationAsset, amount: amountNative, commissionBps: "20" })
        }`,
      }),
    open: (ask, { destinationAddress, destinationAsset, refundAddress, sourceAsset }, offer, key) =>
      Effect.map(
        ask({
          path: `/swap?${
            query({
              apiKey: key,
              sourceAsset,
              destinationAsset,
              destinationAddress,
              commissionBps: "20",
              minimumPrice: `${twoPercentBelow(offer)}`,
              refundAddress,
              retryDurationInBlocks: 150,
              numberOfChunks: offer.numberOfChunks,
              chunkIntervalBlocks: offer.chunkIntervalBlocks,
            })
          }`,
        }, openedChannel),
        // The name of its own enumeration.
        byChannel(key, (network) => network.toLowerCase()),
      ),
    status: fullSeen,
  },
  {
    name: "an exchange's swapper",
    source: "shapeshift/web packages/swapper/src/swappers/ChainflipSwapper/utils/helpers.ts, endpoints.ts",
    pairs: [["eth.eth", "btc.btc"], ["usdc.eth", "sol.sol"], ["btc.btc", "usdc.arb"], [
      "trx.tron",
      "eth.eth",
    ]],
    findAssets: (ask, { destinationAsset, sourceAsset }) =>
      ask(
        { path: "/assets" },
        Schema.Struct({
          assets: Schema.Array(
            Schema.Struct({
              id: asset,
              ticker: text,
              name: text,
              network: networkName,
              contractAddress: maybe(text),
            }),
          ),
        }),
      ).pipe(Effect.flatMap(({ assets }) => {
        // It finds an asset by its network and, of a token, by its contract.
        const coins = assets.filter(({ contractAddress }) => contractAddress == null)
        const networks = new Set(coins.map(({ network }) => network))
        return networks.size === coins.length
          ? found(assets.map(({ id }) => id), [sourceAsset, destinationAsset])
          : missing("/assets", "a network has two coins without a contract")
      })),
    quote: (ask, { amountNative, destinationAsset, sourceAsset }, key) => {
      const path =
        `/quotes-native?apiKey=${key}&sourceAsset=${sourceAsset}&destinationAsset=${destinationAsset}` +
        `&amount=${amountNative}&commissionBps=50`
      return bestOf(ask, { path })
    },
    open: (ask, order, offer, key) =>
      Effect.map(
        ask({
          path:
            `/swap?apiKey=${key}&sourceAsset=${order.sourceAsset}&destinationAsset=${order.destinationAsset}` +
            `&destinationAddress=${order.destinationAddress}` +
            `&boostFee=${order.sourceAsset === "btc.btc" ? 10 : 0}` +
            `&minimumPrice=${(offer.estimatedPrice * 0.95).toFixed(8)}&refundAddress=${order.refundAddress}` +
            "&retryDurationInBlocks=150&commissionBps=50" +
            (offer.numberOfChunks === undefined
              ? ""
              : `&numberOfChunks=${offer.numberOfChunks}&chunkIntervalBlocks=${
                offer.chunkIntervalBlocks ?? 2
              }`),
        }, openedChannel),
        byId(key),
      ),
    status: fullSeen,
  },
  {
    name: "the same exchange's page for its own token",
    source: "shapeshift/og src/queries/chainflip/types.ts",
    pairs: [["eth.eth", "flip.eth"], ["usdc.eth", "eth.arb"]],
    findAssets: (ask, { destinationAsset, sourceAsset }) =>
      ask({ path: "/assets" }, Schema.Struct({ assets: Schema.Array(fullAsset) })).pipe(
        Effect.flatMap(({ assets }) => found(assets.map(({ id }) => id), [sourceAsset, destinationAsset])),
      ),
    quote: (ask, { amountNative, destinationAsset, sourceAsset }, key) => {
      const path = `/quotes-native?${
        query({ apiKey: key, sourceAsset, destinationAsset, amount: amountNative })
      }`
      return ask({ path }, Schema.Array(fullQuote)).pipe(
        // It takes the first, whatever it is.
        Effect.flatMap(([first]) =>
          first === undefined ? missing(path, "there is no quote") : Effect.succeed(first)
        ),
        Effect.map(toOffer),
      )
    },
    open: (ask, { destinationAddress, destinationAsset, refundAddress, sourceAsset }, offer, key) =>
      Effect.map(
        ask({
          path: `/swap?${
            query({
              apiKey: key,
              sourceAsset,
              destinationAsset,
              destinationAddress,
              refundAddress,
              minimumPrice: (offer.estimatedPrice * 0.95).toFixed(8),
              // Its own word for the boost fee goes along with ours.
              maxBoostFee: 0,
              retryDurationInBlocks: 150,
              boostFee: 0,
            })
          }`,
        }, openedChannel),
        byId(key),
      ),
    status: fullSeen,
  },
  {
    name: "a wallet that reads human amounts",
    source: "CumpsD/stack_wallet lib/services/exchange/chainflip/chainflip_api.dart",
    pairs: [["btc.btc", "eth.eth"]],
    quote: (ask, { amount }, key) => {
      const path = `/quotes?${
        query({
          apikey: key,
          commissionBps: "20",
          sourceAsset: "btc.btc",
          destinationAsset: "eth.eth",
          amount,
        })
      }`
      const quote = Schema.Struct({
        ingressAsset: asset,
        egressAsset: asset,
        ingressAmount: number,
        egressAmount: number,
        type: Schema.Literals(["dca", "regular"]),
        estimatedPrice: number,
        egressAmountNative: digits,
        numberOfChunks: maybe(whole),
        chunkIntervalBlocks: maybe(whole),
      })
      return ask({ path, headers: { accept: "application/json" } }, Schema.Array(quote)).pipe(
        // It prefers the chunks.
        Effect.flatMap((quotes) =>
          best(path, quotes.toSorted(({ type }) => type === "dca" ? -1 : 1).slice(0, 1))
        ),
        Effect.map(toOffer),
      )
    },
    open: (ask, { destinationAddress, destinationAsset, refundAddress, sourceAsset }, offer, key) =>
      Effect.map(
        ask({
          path: `/swap?${
            query({
              apikey: key,
              sourceAsset,
              destinationAsset,
              destinationAddress,
              refundAddress,
              commissionBps: "20",
              numberOfChunks: offer.numberOfChunks,
              chunkIntervalBlocks: offer.chunkIntervalBlocks,
            })
          }`,
        }, openedChannel),
        byId(key),
      ),
    status: fullSeen,
  },
  {
    name: "a desk that compares services",
    source: "jsquaresec/swapdesk SwapDesk/providers/chainflip.py",
    pairs: [["btc.btc", "usdc.eth"], ["eth.eth", "sol.sol"], ["usdc.eth", "btc.btc"]],
    findAssets: (ask, { destinationAsset, sourceAsset }, key) =>
      ask(
        { path: `/assets?apiKey=${key}` },
        Schema.Struct({
          assets: Schema.Array(Schema.Struct({
            id: asset,
            enabled: Schema.Boolean,
            direction: Schema.Literals(["both", "ingress", "egress"]),
            name: text,
            minimalAmount: number,
          })),
        }),
      ).pipe(Effect.flatMap(({ assets }) => {
        const usable = assets.filter(({ enabled, minimalAmount }) => enabled && minimalAmount > 0)
        return found(usable.map(({ id }) => id), [sourceAsset, destinationAsset])
      })),
    quote: (ask, { amount, destinationAsset, sourceAsset }, key) => {
      const path = `/quotes?${query({ apiKey: key, sourceAsset, destinationAsset, amount })}`
      return ask({ path }, Schema.Array(fullQuote)).pipe(
        // Only the regular quote of the provider that /swap goes to unless told otherwise.
        Effect.map((quotes) =>
          quotes.filter(({ platform, type }) => type === "regular" && platform === "chainflip")
        ),
        Effect.flatMap((quotes) => best(path, quotes)),
        Effect.map(toOffer),
      )
    },
    open: (ask, { destinationAddress, destinationAsset, refundAddress, sourceAsset }, offer, key) =>
      Effect.map(
        ask({
          path: `/swap?${
            query({
              apiKey: key,
              sourceAsset,
              destinationAsset,
              destinationAddress,
              refundAddress,
              minimumPrice: (offer.estimatedPrice * 0.975).toFixed(24),
              retryDurationInBlocks: "150",
            })
          }`,
        }, openedChannel),
        byId(key),
      ),
    status: fullSeen,
  },
  {
    name: "a chat bot",
    source: "CumpsD/swappy Commands/QuoteProvider.cs, StatusProvider.cs",
    pairs: [["eth.eth", "usdc.eth"], ["flip.eth", "btc.btc"]],
    quote: (ask, { amount, destinationAsset, sourceAsset }, key) => {
      const path =
        `/quote?amount=${amount}&sourceAsset=${sourceAsset}&destinationAsset=${destinationAsset}&apiKey=${key}`
      return bestOf(ask, { path })
    },
    open: (ask, { destinationAddress, destinationAsset, sourceAsset }, _offer, key) =>
      Effect.map(
        ask({
          path: `/swap?sourceAsset=${sourceAsset}&destinationAsset=${destinationAsset}` +
            `&destinationAddress=${destinationAddress}&apiKey=${key}`,
        }, openedChannel),
        byChannel(key, (network) => network),
      ),
    status: fullSeen,
  },
  {
    name: "another chat bot",
    source: "a Telegram bot of 2024 that speaks to three networks (utils.js)",
    pairs: [["eth.eth", "usdc.arb"]],
    quote: (ask, { amountNative, destinationAsset, sourceAsset }, key) => {
      const path =
        `/quote-native?apikey=${key}&sourceAsset=${sourceAsset}&destinationAsset=${destinationAsset}` +
        `&amount=${amountNative}`
      return bestOf(ask, { path })
    },
    open: (ask, { destinationAddress, destinationAsset, sourceAsset }, _offer, key) =>
      Effect.map(
        ask({
          path: `/swap?apikey=${key}&sourceAsset=${sourceAsset}&destinationAsset=${destinationAsset}` +
            `&destinationAddress=${destinationAddress}`,
          headers: { accept: "application/json" },
          body: { ccmPayload: { gas_budget: "1000000000000", message: "0xdeadbeef" } },
        }, openedChannel),
        // The path ends with a slash.
        ({ address, id }) => ({
          depositAddress: address,
          statusPath: `/status-by-id/?apikey=${key}&swapId=${id}`,
        }),
      ),
    status: fullSeen,
  },
  {
    name: "a wallet's extension that sends the upstream's own names along",
    source:
      "Koniverse/SubWallet-Extension packages/extension-base/src/services/swap-service/handler/chainflip-handler.ts",
    pairs: [["usdc.eth", "sol.sol"]],
    quote: (ask, { amountNative, destinationAsset, sourceAsset }, key) =>
      bestOf(ask, {
        path: `/quotes-native?${query({ apiKey: key, sourceAsset, destinationAsset, amount: amountNative })}`,
      }),
    open: (ask, { destinationAddress, destinationAsset, refundAddress, sourceAsset }, offer, key) =>
      Effect.map(
        ask({
          path: `/swap?${
            query({
              apiKey: key,
              sourceChain: "Ethereum",
              destinationAddress,
              destinationAsset,
              destinationChain: "Solana",
              minimumPrice: (offer.estimatedPrice * 0.9).toFixed(8),
              refundAddress,
              retryDurationInBlocks: "100",
              sourceAsset,
            })
          }`,
        }, openedChannel),
        byChannel(key, (network) => network),
      ),
    status: fullSeen,
  },
]
