import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { Schema } from "effect"
import { type AssetId, assetIds, type Chain, chainOf, factsOf } from "#exports/domain.ts"
import { signedMessage } from "#sandbox/near-intents/signature.ts"
import { recordedOf } from "#test/providers/recorded.ts"
import { later } from "#test/tampering/support/later.ts"
import { follow, type Row } from "#sandbox/follow.ts"
import { addressOf, amountOut, formatted, leastOut, transactionOf } from "./market.ts"
import { ok, type Told, type Upstream } from "./upstream.ts"

/** 1Click: its recorded list, quotes and states, signed with a key of these tests. */

const read = recordedOf("near-intents")

const secretKey = sha256(utf8ToBytes("replayed upstreams: 1Click's signing key"))

/** What the service is told to verify quotes with. */
export const oneClickKey = `ed25519:${base58.encode(ed25519.getPublicKey(secretKey))}`

/** The operator's account, whose row is halved. */
export const oneClickAccount = "operator.near"

/** The account of 1Click's own row, as it was recorded. */
const ownAccount = "5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd"
const leastOwnBps = 20

const TokenRow = Schema.Struct({
  assetId: Schema.String,
  blockchain: Schema.String,
  contractAddress: Schema.optionalKey(Schema.NullOr(Schema.String)),
})
type TokenRow = typeof TokenRow.Type

const tokenList = read("tokens-2026-08-11").body
const rows = Schema.decodeUnknownSync(Schema.Array(TokenRow))(tokenList)

const blockchains: Readonly<Partial<Record<Chain, string>>> = {
  Bitcoin: "btc",
  Ethereum: "eth",
  Arbitrum: "arb",
  Solana: "sol",
  Tron: "tron",
  Bsc: "bsc",
  Base: "base",
  Polygon: "pol",
  Avalanche: "avax",
  Optimism: "op",
  Litecoin: "ltc",
  Dogecoin: "doge",
  BitcoinCash: "bch",
  Zcash: "zec",
  Dash: "dash",
  XrpLedger: "xrp",
}

const isRowOf = (asset: AssetId, { assetId, blockchain, contractAddress }: TokenRow): boolean => {
  const contract = factsOf(asset).contractAddress
  if (blockchain !== blockchains[chainOf(asset)]) return false
  if (contract === undefined) return contractAddress == null || assetId.endsWith(":native:coin")
  return contractAddress?.toLowerCase() === contract.toLowerCase()
}

/** The assets of ours that the recorded list has, with the ids that it has for each; the newest is the last. */
const listed: ReadonlyMap<AssetId, ReadonlyArray<string>> = new Map(
  assetIds().map((asset) =>
    [asset, rows.filter((row) => isRowOf(asset, row)).map(({ assetId }) => assetId)] as const
  )
    .filter(([, ids]) => ids.length > 0),
)

export const oneClickAssets: ReadonlyArray<AssetId> = [...listed.keys()]

const assetOfId = (id: string): AssetId | undefined => [...listed].find(([, ids]) => ids.includes(id))?.[0]

const newestId = (asset: AssetId): string => listed.get(asset)?.at(-1) ?? ""

const Members = Schema.Record(Schema.String, Schema.Unknown)
const Signable = Schema.Struct({ quote: Members, quoteRequest: Members, timestamp: Schema.String })
const readSignable = Schema.decodeUnknownSync(Signable)

const signed = (body: unknown): unknown => {
  const signature = ed25519.sign(signedMessage(readSignable(body)), secretKey)
  return follow(body, [["signature", `ed25519:${base58.encode(signature)}`]])
}

const Request = Schema.Struct({
  dry: Schema.Boolean,
  swapType: Schema.String,
  slippageTolerance: Schema.Int,
  originAsset: Schema.String,
  depositType: Schema.String,
  destinationAsset: Schema.String,
  amount: Schema.String,
  refundTo: Schema.String,
  refundType: Schema.String,
  recipient: Schema.String,
  recipientType: Schema.String,
  deadline: Schema.String,
  appFees: Schema.optionalKey(
    Schema.Array(Schema.Struct({ recipient: Schema.String, fee: Schema.Int })),
  ),
})
const readRequest = Schema.decodeUnknownSync(Request, { onExcessProperty: "error" })
type Request = typeof Request.Type

/** What is charged of what is asked: half to who asked, the other half or 20 to 1Click. */
const chargedFees = ({ appFees = [], dry }: Request) => {
  const asked = appFees.reduce((sum, { fee }) => sum + fee, 0)
  return [
    ...appFees.map(({ fee, recipient }) => ({ recipient, fee: Math.ceil(fee / 2) })),
    { recipient: ownAccount, fee: Math.max(Math.floor(asked / 2), leastOwnBps) },
  ].map((row) => dry ? row : { ...row, limitOrderId: null })
}

const coldMillis = 72 * 60 * 60 * 1_000

const isoAt = (millis: number): string => new Date(millis).toISOString()

/** The pair of a request, by the ids of the list. */
interface Sides {
  readonly origin: AssetId
  readonly destination: AssetId
}

/** What follows the request in the answer to it. */
const quoteRows = (request: Request, { destination, origin }: Sides): ReadonlyArray<Row> => {
  const fees = chargedFees(request)
  const input = BigInt(request.amount)
  const out = amountOut(destination, fees.reduce((sum, { fee }) => sum + fee, 0))
  return [
    ["timestamp", isoAt(later.now())],
    ["quoteRequest.dry", request.dry],
    ["quoteRequest.swapType", request.swapType],
    ["quoteRequest.slippageTolerance", request.slippageTolerance],
    ["quoteRequest.originAsset", newestId(origin)],
    ["quoteRequest.depositType", request.depositType],
    ["quoteRequest.destinationAsset", newestId(destination)],
    ["quoteRequest.amount", request.amount],
    ["quoteRequest.refundTo", request.refundTo],
    ["quoteRequest.refundType", request.refundType],
    ["quoteRequest.recipient", request.recipient],
    ["quoteRequest.recipientType", request.recipientType],
    ["quoteRequest.deadline", request.deadline],
    ["quoteRequest.appFees", fees],
    ["quote.amountIn", request.amount],
    ["quote.amountInFormatted", formatted(origin, input)],
    ["quote.minAmountIn", `${leastOut(input, request.slippageTolerance)}`],
    ["quote.amountOut", `${out}`],
    ["quote.amountOutFormatted", formatted(destination, out)],
    ["quote.minAmountOut", `${leastOut(out, request.slippageTolerance)}`],
  ]
}

/** What follows the order besides, where one is opened. */
const orderRows = (request: Request, { origin }: Sides, number: number): ReadonlyArray<Row> => [
  ["quote.depositAddress", addressOf(chainOf(origin), "1Click", number)],
  ["quote.deadline", isoAt(Date.parse(request.deadline) + coldMillis)],
  ["quote.timeWhenInactive", isoAt(Date.parse(request.deadline) + coldMillis)],
]

const Order = Schema.Struct({
  quoteRequest: Members,
  quote: Schema.StructWithRest(
    Schema.Struct({ depositAddress: Schema.String, amountIn: Schema.String, amountOut: Schema.String }),
    [Members],
  ),
  timestamp: Schema.String,
  signature: Schema.String,
})
const readOrder = Schema.decodeUnknownSync(Order)
type Order = typeof Order.Type

/** The states of an order, one at each look. */
const states = [
  "status-pending-deposit-2026-10-02",
  "status-processing-xlm-usdc-2026-06-18",
  "status-success-xlm-usdc-2026-06-18",
]
  .map((name) => read(name).body)

interface Opened {
  readonly order: Order
  readonly sides: Sides
  looks: number
}

const statusRows = ({ order, sides: { destination } }: Opened, state: number): ReadonlyArray<Row> => [
  ["updatedAt", isoAt(later.now())],
  ["quoteResponse.timestamp", order.timestamp],
  ["quoteResponse.signature", order.signature],
  ["quoteResponse.quoteRequest", order.quoteRequest],
  ["quoteResponse.quote", order.quote],
  ...(state === 0 ? [] : [["swapDetails.depositedAmount", order.quote.amountIn]] as const),
  ...(state < 2 ? [] : [
    ["swapDetails.amountIn", order.quote.amountIn],
    ["swapDetails.amountOut", order.quote.amountOut],
    [
      "swapDetails.destinationChainTxHashes.0.hash",
      transactionOf(chainOf(destination), "1Click", order.quote.depositAddress),
    ],
  ] as const),
]

const dryQuote = read("quote-dry-sol-usdc-zec-2026-10-02").body
const wetQuote = read("quote-sol-usdc-zec-2026-10-02").body
const unknownAddress = read("refusal-404-status-unknown-address-2026-06-13")
const unknownToken = read("refusal-400-tokenin-not-valid")

/** 1Click, which keeps its orders. */
export const makeOneClick = (): Upstream => {
  const opened = new Map<string, Opened>()

  const quote = (body: unknown): Told => {
    const request = readRequest(body)
    const [origin, destination] = [assetOfId(request.originAsset), assetOfId(request.destinationAsset)]
    if (origin === undefined || destination === undefined) return unknownToken
    const sides = { origin, destination }
    if (request.dry) return { status: 201, body: signed(follow(dryQuote, quoteRows(request, sides))) }
    const answer = signed(
      follow(wetQuote, [...quoteRows(request, sides), ...orderRows(request, sides, opened.size)]),
    )
    const order = readOrder(answer)
    opened.set(order.quote.depositAddress, { order, sides, looks: 0 })
    return { status: 201, body: answer }
  }

  const status = (address: string): Told => {
    const one = opened.get(address)
    if (one === undefined) return unknownAddress
    const state = Math.min(one.looks++, states.length - 1)
    return ok(follow(states[state], statusRows(one, state)))
  }

  return ({ body, method, path, query }) => {
    if (path === "/v0/tokens") return ok(tokenList)
    if (path === "/v0/quote" && method === "POST") return quote(body)
    if (path === "/v0/status") return status(query.get("depositAddress") ?? "")
    throw new Error(`1Click has no ${method} ${path}`)
  }
}
