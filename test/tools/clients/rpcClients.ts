import { Effect, Schema } from "effect"
import { type Ask, type Offer, type Order, type PublicClient, query } from "./client.ts"
import { digits, fullQuote, fullStatus, maybe, rpcReply, text, whole } from "./readings.ts"

const wireAssets = {
  "btc.btc": { chain: "Bitcoin", asset: "BTC", decimals: 8 },
  "eth.eth": { chain: "Ethereum", asset: "ETH", decimals: 18 },
  "usdc.eth": { chain: "Ethereum", asset: "USDC", decimals: 6 },
  "usdc.arb": { chain: "Arbitrum", asset: "USDC", decimals: 6 },
  "sol.sol": { chain: "Solana", asset: "SOL", decimals: 9 },
  "trx.tron": { chain: "Tron", asset: "TRX", decimals: 6 },
} as const

const isWireAsset = (id: string): id is keyof typeof wireAssets => Object.hasOwn(wireAssets, id)

const factsOf = (id: string) => {
  if (!isWireAsset(id)) throw new Error(`The client does not know ${id}`)
  return wireAssets[id]
}

const wireAsset = (id: string) => {
  const { asset, chain } = factsOf(id)
  return { chain, asset }
}

const hex = (value: bigint): string => `0x${value.toString(16)}`

/** Native units of the destination for one of the source, times 2^128; `percent` below the quoted price. */
const minimumPrice = ({ estimatedPrice }: Offer, order: Order, percent: number): string => {
  const nano = BigInt(Math.floor(estimatedPrice * (1 - percent / 100) * 1e9))
  const up = 10n ** BigInt(factsOf(order.destinationAsset).decimals)
  const down = 10n ** BigInt(factsOf(order.sourceAsset).decimals)
  return hex((nano * 2n ** 128n * up) / (down * 10n ** 9n))
}

const quoteNative = (ask: Ask, order: Order, key: string, more: Readonly<Record<string, string>> = {}) => {
  const path = `/quotes-native?${
    query({
      amount: order.amountNative,
      sourceAsset: order.sourceAsset,
      destinationAsset: order.destinationAsset,
      ...more,
    })
  }`
  return Effect.flatMap(
    ask({ path, headers: { "x-api-key": key } }, Schema.NonEmptyArray(fullQuote)),
    (quotes) => {
      const [first] = quotes.filter(({ platform, type }) => platform === "chainflip" && type === "regular")
      return first === undefined ? Effect.die(new Error("There is no regular quote")) : Effect.succeed({
        estimatedPrice: first.estimatedPrice,
        egressAmountNative: first.egressAmountNative,
      })
    },
  )
}

const id = "6e4b5f2e-7c0c-4d7b-9b0e-3d5a3f1f2c11"

const opened = Schema.Struct({
  address: text,
  issued_block: whole,
  channel_id: whole,
  source_chain_expiry_block: Schema.Union([whole, text.check(Schema.isPattern(/^(?:0x[0-9a-f]+|[0-9]+)$/))]),
  channel_opening_fee: text.check(Schema.isPattern(/^0x[0-9a-f]+$/)),
})

/** The upstream's own library opens at a broker whose URL is ours; every body is a batch, holes are null. */
const library = (
  version: string,
  livePriceProtection: number | null,
  refundMetadata: Readonly<Record<string, null>>,
): PublicClient => ({
  name: `the upstream's library ${version}`,
  source: `npm @chainflip/sdk ${version} and the @chainflip/rpc that goes with it: the bodies that it sends`,
  pairs: [["btc.btc", "eth.eth"], ["eth.eth", "usdc.arb"], ["sol.sol", "usdc.eth"]],
  quote: quoteNative,
  open: (ask, order, offer, key) =>
    ask({
      path: `/rpc/${key}`,
      headers: { "x-chainflip-sdk-version": version },
      body: [{
        jsonrpc: "2.0",
        id,
        method: "broker_request_swap_deposit_address",
        params: [
          wireAsset(order.sourceAsset),
          wireAsset(order.destinationAsset),
          order.destinationAddress,
          25,
          null,
          order.sourceAsset === "btc.btc" ? 10 : null,
          [],
          {
            retry_duration: 150,
            refund_address: order.refundAddress,
            min_price: minimumPrice(offer, order, 5),
            max_oracle_price_slippage: livePriceProtection,
            ...refundMetadata,
          },
          null,
        ],
      }],
    }, Schema.Tuple([rpcReply(opened)])).pipe(
      Effect.map(([{ result }]) => ({
        depositAddress: result.address,
        statusPath: `/status-by-deposit-channel?${
          query({
            apiKey: key,
            issuedBlock: result.issued_block,
            network: factsOf(order.sourceAsset).chain,
            channelId: result.channel_id,
          })
        }`,
      })),
    ),
  status: (ask, { statusPath }) =>
    Effect.map(ask({ path: statusPath }, fullStatus), ({ status }) => ({
      state: status.state,
      destinationAddress: status.destinationAddress,
      outputTransaction: status.swapEgress?.transactionReference,
    })),
})

/** Clients that open channels over JSON-RPC. */
export const rpcClients: ReadonlyArray<PublicClient> = [
  library("1.11.2", null, {}),
  // From 2.2 on it protects by the live price unless told otherwise: 110 bps is what a quote recommends.
  library("2.2", 110, { refund_ccm_metadata: null }),
]

const evmCall = Schema.Struct({
  chain: Schema.Literals(["Ethereum", "Arbitrum"]),
  calldata: text,
  value: text,
  to: text,
  source_token_address: maybe(text),
})
const tronCall = Schema.Struct({
  chain: Schema.Literal("Tron"),
  calldata: text,
  value: text,
  to: text,
  note: text,
  source_token_address: maybe(text),
})
const solanaCall = Schema.Struct({
  chain: Schema.Literal("Solana"),
  program_id: text,
  data: text,
  accounts: Schema.Array(
    Schema.Struct({ pubkey: text, is_signer: Schema.Boolean, is_writable: Schema.Boolean }),
  ),
})

/** A wallet that swaps without channels: it asks for the transaction and signs it itself. */
export const vaultWallet = {
  name: "a wallet that signs the swap's own transaction",
  source: "gemwalletcom/core crates/swapper/src/chainflip/{provider,broker/client}.rs",
  pairs: [["eth.eth", "btc.btc"], ["usdc.eth", "sol.sol"], ["sol.sol", "usdc.arb"], ["trx.tron", "eth.eth"]],
  findAssets: (ask: Ask) =>
    ask(
      { path: "/assets" },
      Schema.Struct({
        assets: Schema.NonEmptyArray(Schema.Struct({
          id: text,
          enabled: Schema.Boolean,
          direction: text,
          ticker: text,
          network: text,
          minimalAmountNative: digits,
        })),
      }),
    ),
  quote: (ask: Ask, order: Order, key: string) =>
    quoteNative(ask, order, key, { commissionBps: "45", isVaultSwap: "true" }),
  /** The reply in the upstream's form. */
  encode: (ask: Ask, order: Order, offer: Offer, key: string) => {
    const { chain } = factsOf(order.sourceAsset)
    const solana = chain === "Solana"
      ? { from: order.refundAddress, seed: `0x${"5a".repeat(32)}`, input_amount: Number(order.amountNative) }
      : { input_amount: hex(BigInt(order.amountNative)) }
    return Effect.map(
      ask({
        path: `/rpc/${key}`,
        body: {
          jsonrpc: "2.0",
          id: 1,
          method: "broker_request_swap_parameter_encoding",
          params: [
            wireAsset(order.sourceAsset),
            wireAsset(order.destinationAsset),
            order.destinationAddress,
            45,
            {
              chain,
              ...solana,
              refund_parameters: {
                retry_duration: 150,
                refund_address: order.refundAddress,
                min_price: minimumPrice(offer, order, 5),
                max_oracle_price_slippage: null,
              },
            },
            null,
            null,
            [],
            null,
          ],
        },
      }, rpcReply(Schema.Union([evmCall, tronCall, solanaCall]))),
      ({ result }) => result,
    )
  },
} as const

/** What the wallet signs, in the form of `/tx-payload/*`, which the sandbox takes for a transaction. */
export const toTransaction = (
  call: typeof evmCall.Type | typeof tronCall.Type | typeof solanaCall.Type,
): Readonly<Record<string, unknown>> => {
  if (call.chain === "Solana") {
    return {
      network: call.chain,
      programId: call.program_id,
      accounts: call.accounts.map(({ is_signer, is_writable, pubkey }) => ({
        pubkey,
        isSigner: is_signer,
        isWritable: is_writable,
      })),
      data: call.data,
    }
  }
  return {
    network: call.chain,
    to: call.to,
    calldata: call.calldata,
    value: `${BigInt(call.value)}`,
    ...(call.chain === "Tron" ? { note: call.note } : {}),
    ...(call.source_token_address == null ? {} : { sourceTokenAddress: call.source_token_address }),
  }
}
