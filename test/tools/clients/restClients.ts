import { Effect, Schema } from "effect"
import {
  type Ask,
  type Offer,
  type Opened,
  type Order,
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
  number,
  openedChannel,
  quoteWithBoostPrice,
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

type Query = Parameters<typeof query>[0]
type Quote = Omit<Offer, "numberOfChunks" | "chunkIntervalBlocks"> & {
  readonly numberOfChunks?: number | null
  readonly chunkIntervalBlocks?: number | null
}

const toOffer = (
  { chunkIntervalBlocks, egressAmountNative, estimatedPrice, numberOfChunks }: Quote,
): Offer => ({
  estimatedPrice,
  egressAmountNative,
  ...(numberOfChunks == null ? {} : { numberOfChunks }),
  ...(chunkIntervalBlocks == null ? {} : { chunkIntervalBlocks }),
})

/** The offers with the most output first, as a client of doubles or of whole numbers sees it. */
const bestFirst = <One extends Quote>(quotes: ReadonlyArray<One>) =>
  quotes.toSorted((one, other) => BigInt(other.egressAmountNative) > BigInt(one.egressAmountNative) ? 1 : -1)

/** Asks for quotes with these parameters, and takes the first in the client's own order. */
const quoteBy = <One extends Quote>(
  path: string,
  parameters: (order: Order, key: string) => Query,
  quote: Schema.Codec<One, unknown>,
  order: (quotes: ReadonlyArray<One>) => ReadonlyArray<One> = bestFirst,
  request: Omit<Request, "path"> = {},
): PublicClient["quote"] =>
(ask, wanted, key) =>
  ask({ path: `${path}?${query(parameters(wanted, key))}`, ...request }, Schema.Array(quote)).pipe(
    Effect.map(order),
    Effect.flatMap(([first]) =>
      first === undefined ? missing(path, "there is no quote") : Effect.succeed(toOffer(first))
    ),
  )

/** Opens with these parameters, and keeps of the channel by what the client follows it. */
const openBy = (
  parameters: (order: Order, offer: Offer, key: string) => Query,
  opened: (key: string) => (channel: typeof openedChannel.Type) => Opened,
  request: Omit<Request, "path"> = {},
): PublicClient["open"] =>
(ask, order, offer, key) =>
  Effect.map(
    ask({ path: `/swap?${query(parameters(order, offer, key))}`, ...request }, openedChannel),
    opened(key),
  )

/** Looks for both assets in the list, of which `usable` keeps what the client can use. */
const findIn = <One extends { readonly id: string }>(
  one: Schema.Codec<One, unknown>,
  usable: (assets: ReadonlyArray<One>) => ReadonlyArray<One> = (assets) => assets,
  pathOf: (key: string) => string = () => "/assets",
): NonNullable<PublicClient["findAssets"]> =>
(ask, { destinationAsset, sourceAsset }, key) =>
  Effect.flatMap(ask({ path: pathOf(key) }, Schema.Struct({ assets: Schema.Array(one) })), ({ assets }) => {
    const ids = usable(assets).map(({ id }) => id)
    const wanted = [sourceAsset, destinationAsset]
    return wanted.every((id) => ids.includes(id))
      ? Effect.void
      : missing("/assets", `no ${wanted.join(" or no ")} that it can use`)
  })

const pairOf = ({ destinationAsset, sourceAsset }: Order) => ({ sourceAsset, destinationAsset })
const wayOf = (order: Order) => ({ ...pairOf(order), destinationAddress: order.destinationAddress })
const chunksOf = ({ chunkIntervalBlocks, numberOfChunks }: Offer) => ({ numberOfChunks, chunkIntervalBlocks })

/** So many percent below the quoted price, as a client of doubles works it out. */
const below = ({ estimatedPrice }: Offer, share: number, digits = 8) =>
  (estimatedPrice * share).toFixed(digits)

const nativeOf = (more: Query = {}) => (order: Order, apiKey: string) => ({
  apiKey,
  ...pairOf(order),
  amount: order.amountNative,
  ...more,
})

const walletPairs = [["btc.btc", "eth.eth"], ["eth.eth", "usdc.sol"], ["sol.sol", "btc.btc"]] as const

/** What a wallet opens with, beside a boost fee. */
const walletOpens = (order: Order, offer: Offer, apiKey: string, more: Query = {}) => ({
  apiKey,
  ...wayOf(order),
  commissionBps: "20",
  minimumPrice: `${offer.estimatedPrice * (100 - 2) / 100}`,
  refundAddress: order.refundAddress,
  ...more,
  retryDurationInBlocks: "150",
  ...chunksOf(offer),
})

/** Clients that speak the REST endpoints. */
export const restClients: ReadonlyArray<PublicClient> = [
  {
    name: "a wallet's releases of 2025",
    source: "cake-tech/cake_wallet lib/exchange/provider/chainflip_exchange_provider.dart at 05ae159f",
    pairs: walletPairs,
    stumblesOver: "error",
    findAssets: findIn(Schema.Struct({ id: text, minimalAmountNative: digits })),
    quote: quoteBy("/quotes-native", nativeOf({ commissionBps: "20" }), fullQuote),
    // A boost fee with every source asset, though only Bitcoin can be boosted.
    open: openBy(
      (order, offer, key) => walletOpens(order, offer, key, { boostFee: "6" }),
      (key) => byChannel(key, (network) => network.toUpperCase()),
    ),
    status: fullSeen,
  },
  {
    name: "the same wallet's releases of 2026",
    source: "cake-tech/cake_wallet lib/exchange/provider/chainflip/chainflip_api_schema.dart",
    pairs: [...walletPairs, ["trx.tron", "usdt.eth"], ["usdc.arb", "wbtc.eth"]],
    stumblesOver: "error",
    findAssets: findIn(fullAsset),
    quote: quoteBy("/quotes-native", nativeOf({ commissionBps: "20" }), fullQuote),
    // The name of the network in its own enumeration.
    open: openBy(walletOpens, (key) => byChannel(key, (network) => network.toLowerCase())),
    status: fullSeen,
  },
  {
    name: "the same wallet's releases of today",
    source: "cake-tech/cake_wallet lib/exchange/provider/chainflip/chainflip_api_schema.dart at 02266e6e",
    pairs: walletPairs,
    stumblesOver: "error",
    terms: { boostEstimatedPrice: true },
    findAssets: findIn(fullAsset),
    quote: quoteBy("/quotes-native", nativeOf({ commissionBps: "20" }), quoteWithBoostPrice),
    open: openBy(walletOpens, (key) => byChannel(key, (network) => network.toLowerCase())),
    status: fullSeen,
  },
  {
    name: "an exchange's swapper",
    source: "shapeshift/web packages/swapper/src/swappers/ChainflipSwapper/utils/helpers.ts, endpoints.ts",
    pairs: [["eth.eth", "btc.btc"], ["usdc.eth", "sol.sol"], ["btc.btc", "usdc.arb"], [
      "trx.tron",
      "eth.eth",
    ]],
    // It finds an asset by its network and, of a token, by its contract: a network has one coin without a contract.
    findAssets: findIn(
      Schema.Struct({
        id: asset,
        ticker: text,
        name: text,
        network: text,
        contractAddress: maybe(text),
      }),
      (assets) => {
        const coins = assets.filter(({ contractAddress }) => contractAddress == null)
        return new Set(coins.map(({ network }) => network)).size === coins.length ? assets : []
      },
    ),
    quote: quoteBy("/quotes-native", nativeOf({ commissionBps: "50" }), fullQuote),
    open: openBy((order, offer, apiKey) => ({
      apiKey,
      ...wayOf(order),
      boostFee: order.sourceAsset === "btc.btc" ? 10 : 0,
      minimumPrice: below(offer, 0.95),
      refundAddress: order.refundAddress,
      retryDurationInBlocks: 150,
      commissionBps: 50,
      numberOfChunks: offer.numberOfChunks,
      chunkIntervalBlocks: offer.numberOfChunks === undefined ? undefined : offer.chunkIntervalBlocks ?? 2,
    }), byId),
    status: fullSeen,
  },
  {
    name: "the same exchange's page for its own token",
    source: "shapeshift/og src/queries/chainflip/types.ts",
    pairs: [["eth.eth", "flip.eth"], ["usdc.eth", "eth.arb"]],
    findAssets: findIn(fullAsset),
    // It takes the first, whatever it is.
    quote: quoteBy("/quotes-native", nativeOf(), fullQuote, (quotes) => quotes),
    // Its own word for the boost fee goes along with ours.
    open: openBy((order, offer, apiKey) => ({
      apiKey,
      ...wayOf(order),
      refundAddress: order.refundAddress,
      minimumPrice: below(offer, 0.95),
      maxBoostFee: 0,
      retryDurationInBlocks: 150,
      boostFee: 0,
    }), byId),
    status: fullSeen,
  },
  {
    name: "a wallet that reads human amounts",
    source: "CumpsD/stack_wallet lib/services/exchange/chainflip/chainflip_api.dart",
    pairs: [["btc.btc", "eth.eth"]],
    // It prefers the chunks.
    quote: quoteBy(
      "/quotes",
      (order, apikey) => ({ apikey, commissionBps: "20", ...pairOf(order), amount: order.amount }),
      Schema.Struct({
        ingressAsset: asset,
        egressAsset: asset,
        ingressAmount: number,
        egressAmount: number,
        type: Schema.Literals(["dca", "regular"]),
        estimatedPrice: number,
        egressAmountNative: digits,
        numberOfChunks: maybe(whole),
        chunkIntervalBlocks: maybe(whole),
      }),
      (quotes) => quotes.toSorted(({ type }) => type === "dca" ? -1 : 1),
      { headers: { accept: "application/json" } },
    ),
    open: openBy((order, offer, apikey) => ({
      apikey,
      ...wayOf(order),
      refundAddress: order.refundAddress,
      commissionBps: "20",
      ...chunksOf(offer),
    }), byId),
    status: fullSeen,
  },
  {
    name: "a desk that compares services",
    source: "jsquaresec/swapdesk SwapDesk/providers/chainflip.py",
    pairs: [["btc.btc", "usdc.eth"], ["eth.eth", "sol.sol"], ["usdc.eth", "btc.btc"]],
    findAssets: findIn(
      Schema.Struct({
        id: asset,
        enabled: Schema.Boolean,
        direction: Schema.Literals(["both", "ingress", "egress"]),
        name: text,
        minimalAmount: number,
      }),
      (assets) => assets.filter(({ enabled, minimalAmount }) => enabled && minimalAmount > 0),
      (key) => `/assets?apiKey=${key}`,
    ),
    // Only the regular quote of the provider that /swap goes to unless told otherwise.
    quote: quoteBy(
      "/quotes",
      (order, apiKey) => ({ apiKey, ...pairOf(order), amount: order.amount }),
      fullQuote,
      (quotes) =>
        bestFirst(quotes.filter(({ platform, type }) => type === "regular" && platform === "chainflip")),
    ),
    open: openBy((order, offer, apiKey) => ({
      apiKey,
      ...wayOf(order),
      refundAddress: order.refundAddress,
      minimumPrice: below(offer, 0.975, 24),
      retryDurationInBlocks: "150",
    }), byId),
    status: fullSeen,
  },
  {
    name: "a chat bot",
    source: "CumpsD/swappy Commands/QuoteProvider.cs, StatusProvider.cs",
    pairs: [["eth.eth", "usdc.eth"], ["flip.eth", "btc.btc"]],
    quote: quoteBy(
      "/quote",
      (order, apiKey) => ({ amount: order.amount, ...pairOf(order), apiKey }),
      fullQuote,
    ),
    open: openBy(
      (order, _, apiKey) => ({ ...wayOf(order), apiKey }),
      (key) => byChannel(key, (network) => network),
    ),
    status: fullSeen,
  },
  {
    name: "another chat bot",
    source: "a Telegram bot of 2024 that speaks to three networks (utils.js)",
    pairs: [["eth.eth", "usdc.arb"]],
    quote: quoteBy(
      "/quote-native",
      (order, apikey) => ({ apikey, ...pairOf(order), amount: order.amountNative }),
      fullQuote,
    ),
    // The path of the status ends with a slash.
    open: openBy(
      (order, _, apikey) => ({ apikey, ...wayOf(order) }),
      (key) => ({ address, id }) => ({
        depositAddress: address,
        statusPath: `/status-by-id/?apikey=${key}&swapId=${id}`,
      }),
      {
        headers: { accept: "application/json" },
        body: { ccmPayload: { gas_budget: "1000000000000", message: "0xdeadbeef" } },
      },
    ),
    status: fullSeen,
  },
  {
    name: "a wallet's extension that sends the upstream's own names along",
    source:
      "Koniverse/SubWallet-Extension packages/extension-base/src/services/swap-service/handler/chainflip-handler.ts",
    pairs: [["usdc.eth", "sol.sol"]],
    quote: quoteBy("/quotes-native", nativeOf(), fullQuote),
    open: openBy((order, offer, apiKey) => ({
      apiKey,
      sourceChain: "Ethereum",
      destinationAddress: order.destinationAddress,
      destinationAsset: order.destinationAsset,
      destinationChain: "Solana",
      minimumPrice: below(offer, 0.9),
      refundAddress: order.refundAddress,
      retryDurationInBlocks: "100",
      sourceAsset: order.sourceAsset,
    }), (key) => byChannel(key, (network) => network)),
    status: fullSeen,
  },
]
