import { Schema } from "effect"
import { type AssetId, assetIds, type Chain, chainOf, factsOf } from "#exports/domain.ts"
import { recordedOf } from "#test/providers/recorded.ts"
import { later } from "#test/tampering/support/later.ts"
import { follow, type Row } from "#sandbox/follow.ts"
import { addressOf, amountOut, formatted, idOf, leastOut, transactionOf } from "./market.ts"
import { ok, type Told, type Upstream } from "./upstream.ts"

/** Relay: its recorded quotes, states and requests. Its list of chains was not recorded: it is built (relay/wire.md 1). */

const read = recordedOf("relay")

/** The operator's wallet, and the key that requests are told for. */
export const relayWallet = "0x00000000000000000000000000000000000000fE"
export const relayKey = "key-of-the-replayed-relay"

interface ServedChain {
  readonly id: number
  readonly name: string
  readonly coin: string
}

const evmCoin = "0x0000000000000000000000000000000000000000"

const chains: { readonly [Name in Chain]?: ServedChain } = {
  Bitcoin: { id: 8_253_038, name: "bitcoin", coin: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8" },
  Ethereum: { id: 1, name: "ethereum", coin: evmCoin },
  Arbitrum: { id: 42_161, name: "arbitrum", coin: evmCoin },
  Bsc: { id: 56, name: "bsc", coin: evmCoin },
  Base: { id: 8_453, name: "base", coin: evmCoin },
  Polygon: { id: 137, name: "polygon", coin: evmCoin },
  Avalanche: { id: 43_114, name: "avalanche", coin: evmCoin },
  Optimism: { id: 10, name: "optimism", coin: evmCoin },
  Solana: { id: 792_703_809, name: "solana", coin: "11111111111111111111111111111111" },
  Tron: { id: 728_126_428, name: "tron", coin: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb" },
}

/** Bought on their chain, and taken by no deposit address. */
const boughtOnly: ReadonlyArray<AssetId> = ["wbtc.eth", "cbbtc.eth"]

interface Currency {
  readonly asset: AssetId
  readonly chain: ServedChain
  readonly address: string
}

const currencies: ReadonlyArray<Currency> = assetIds().flatMap((asset) => {
  const chain = chains[chainOf(asset)]
  const address = factsOf(asset).contractAddress ?? chain?.coin
  const isServed = asset !== "flip.eth"
  return chain === undefined || address === undefined || !isServed
    ? []
    : [{ asset, chain, address: address.startsWith("0x") ? address.toLowerCase() : address }]
})

export const relayDestinations: ReadonlyArray<AssetId> = currencies.map(({ asset }) => asset)
export const relaySources: ReadonlyArray<AssetId> = relayDestinations.filter((asset) =>
  !boughtOnly.includes(asset)
)

const listedCurrency = ({ address, asset }: Currency) => {
  const { decimals, name, ticker } = factsOf(asset)
  return { id: ticker.toLowerCase(), symbol: ticker, name, address, decimals }
}

/** Built, not recorded. */
const chainList = {
  chains: Object.values(chains).flatMap((chain) => chain ?? []).map((chain) => {
    const own = currencies.filter((currency) => currency.chain === chain)
    const tokens = own.filter(({ address }) => address !== chain.coin)
    return {
      id: chain.id,
      name: chain.name,
      disabled: false,
      depositEnabled: true,
      currency: own.filter(({ address }) => address === chain.coin).map(listedCurrency)[0],
      erc20Currencies: tokens.map(listedCurrency),
      featuredTokens: [],
      solverCurrencies: own.filter(({ asset }) => relaySources.includes(asset)).map(listedCurrency),
      protocol: { v2: { chainId: chain.name } },
    }
  }),
}

const Request = Schema.Struct({
  user: Schema.String,
  recipient: Schema.String,
  originChainId: Schema.Int,
  destinationChainId: Schema.Int,
  originCurrency: Schema.String,
  destinationCurrency: Schema.String,
  amount: Schema.String,
  tradeType: Schema.Literal("EXACT_INPUT"),
  slippageTolerance: Schema.String,
  appFees: Schema.optionalKey(Schema.Array(Schema.Struct({ recipient: Schema.String, fee: Schema.String }))),
  useDepositAddress: Schema.optionalKey(Schema.Boolean),
  strict: Schema.optionalKey(Schema.Boolean),
  refundTo: Schema.optionalKey(Schema.String),
  ttl: Schema.optionalKey(Schema.Int),
})
const readRequest = Schema.decodeUnknownSync(Request, { onExcessProperty: "error" })
type Request = typeof Request.Type

const findCurrency = (chainId: number, address: string): Currency => {
  const found = currencies.find((currency) => currency.chain.id === chainId && currency.address === address)
  if (found === undefined) throw new Error(`Relay has no currency ${address} on ${chainId}`)
  return found
}

const written = ({ address, asset, chain }: Currency, amount: bigint, minimum: bigint = amount) => {
  const { decimals, name, ticker } = factsOf(asset)
  return {
    currency: {
      chainId: chain.id,
      address,
      symbol: ticker,
      name,
      decimals,
      metadata: { logoURI: "", verified: true },
    },
    amount: `${amount}`,
    amountFormatted: formatted(asset, amount),
    amountUsd: "1.000000",
    minimumAmount: `${minimum}`,
  }
}

/** A request as it is asked for, with its figures. */
interface Asking {
  readonly request: Request
  readonly origin: Currency
  readonly destination: Currency
  readonly input: bigint
  readonly appFee: bigint
  readonly output: bigint
  readonly minimum: bigint
  readonly number: number
}

const askingOf = (request: Request, number: number): Asking => {
  const destination = findCurrency(request.destinationChainId, request.destinationCurrency)
  const bps = (request.appFees ?? []).reduce((sum, { fee }) => sum + Number(fee), 0)
  const input = BigInt(request.amount)
  const output = amountOut(destination.asset, bps)
  return {
    request,
    origin: findCurrency(request.originChainId, request.originCurrency),
    destination,
    input,
    appFee: input * BigInt(bps) / 10_000n,
    output,
    minimum: leastOut(output, Number(request.slippageTolerance)),
    number,
  }
}

const requestIdOf = ({ number }: Asking): string => idOf("relay", number)
const depositAddressOf = ({ number, origin }: Asking): string =>
  addressOf(chainOf(origin.asset), "relay", number)

/** The figures of any quote that follow the request. */
const figureRows = (asking: Asking): ReadonlyArray<Row> => {
  const { appFee, destination, input, minimum, origin, output, request } = asking
  return [
    ["steps.*.requestId", requestIdOf(asking)],
    ["steps.0.items.0.check.endpoint", `/intents/status/v3?requestId=${requestIdOf(asking)}`],
    ["fees.gas.currency.chainId", origin.chain.id],
    ["fees.gas.currency.address", origin.chain.coin],
    ["fees.relayer", written(origin, input / 1_000n)],
    ["fees.relayerGas?", written(origin, input / 2_000n)],
    ["fees.relayerService?", written(origin, input / 1_000n - input / 2_000n)],
    ["fees.app?", written(origin, appFee)],
    ["details.sender", request.user],
    ["details.recipient", request.recipient],
    ["details.currencyIn", written(origin, input)],
    ["details.currencyOut", written(destination, output, minimum)],
  ]
}

/** The transaction of the step, in the form that the origin has: `data` of a Bitcoin step stays as it was recorded. */
const transactionRows = (asking: Asking): ReadonlyArray<Row> => {
  const { input, origin, request } = asking
  const address = depositAddressOf(asking)
  if (chainOf(origin.asset) === "Bitcoin") return []
  const isToken = origin.address !== origin.chain.coin
  const isEvm = origin.address.startsWith("0x")
  const call = `0xa9059cbb${address.slice(2).toLowerCase().padStart(64, "0")}${
    input.toString(16).padStart(64, "0")
  }`
  return [
    ["steps.0.items.0.data.from", request.user],
    ["steps.0.items.0.data.chainId", origin.chain.id],
    ["steps.0.items.0.data.to", isToken ? origin.address : address],
    ["steps.0.items.0.data.data", isToken && isEvm ? call : "0x"],
    ["steps.0.items.0.data.value", isToken ? "0" : `${input}`],
  ]
}

/** What the strict order says, where it was recorded with the quote. */
const orderRows = (asking: Asking): ReadonlyArray<Row> => {
  const { destination, input, minimum, origin, output, request } = asking
  if (chainOf(origin.asset) === "Bitcoin") return []
  const deadline = Math.floor(later.now() / 1_000) + 7 * 86_400
  const data = "protocol.v2.orderData"
  return [
    [`${data}.inputs.0.payment.chainId`, origin.chain.name],
    [`${data}.inputs.0.payment.currency`, origin.address],
    [`${data}.inputs.0.payment.amount`, `${input}`],
    [`${data}.inputs.0.refunds.0.chainId`, origin.chain.name],
    [`${data}.inputs.0.refunds.0.recipient`, request.refundTo ?? request.user],
    [`${data}.inputs.0.refunds.0.currency`, origin.address],
    [`${data}.inputs.0.refunds.1.chainId`, destination.chain.name],
    [`${data}.inputs.0.refunds.1.recipient`, request.recipient],
    [`${data}.inputs.0.refunds.1.currency`, destination.address],
    [`${data}.inputs.0.refunds.*.deadline`, deadline],
    [`${data}.output.chainId`, destination.chain.name],
    [`${data}.output.payments.0.recipient`, request.recipient],
    [`${data}.output.payments.0.currency`, destination.address],
    [`${data}.output.payments.0.minimumAmount`, `${minimum}`],
    [`${data}.output.payments.0.expectedAmount`, `${output}`],
    [`${data}.output.deadline`, deadline],
  ]
}

const ofBitcoin = read("quote-btc-base-usdc-deposit-address-2026-02-05").body
const ofOthers = read("quote-base-op-eth-strict-deposit-address-2026-03-05").body
const recordedQuote = ({ origin }: Asking): unknown =>
  chainOf(origin.asset) === "Bitcoin" ? ofBitcoin : ofOthers

const waiting = read("status-waiting-2026-10-01").body
const pending = read("status-pending-2026-10-01").body
const filled = read("requests-v3-arb-eth-base-eth-2026-08-09").body
const filledTold = read("status-success-2026-10-01").body

const deposit = ({ number, origin }: Asking): string =>
  transactionOf(chainOf(origin.asset), "relay in", number)
const payout = ({ destination, number }: Asking): string =>
  transactionOf(chainOf(destination.asset), "relay out", number)

const pendingRows = (asking: Asking): ReadonlyArray<Row> => [
  ["inTxHashes.0", deposit(asking)],
  ["updatedAt", later.now()],
  ["originChainId", asking.origin.chain.id],
  ["destinationChainId", asking.destination.chain.id],
]

const filledRows = (asking: Asking): ReadonlyArray<Row> => {
  const { appFee, destination, input, minimum, origin, output, request } = asking
  const one = "requests.0"
  const currency = written(origin, 0n).currency
  const feesRow = appFee === 0n ? [] : [{
    recipient: relayWallet,
    bps: request.appFees?.[0]?.fee,
    amount: `${appFee}`,
    amountFormatted: formatted(origin.asset, appFee),
  }]
  const sides = (of: "quoted" | "actual", out: ReturnType<typeof written>): ReadonlyArray<Row> => [
    [`${one}.data.route.${of}.origin.inputCurrency`, written(origin, input)],
    [`${one}.data.route.${of}.origin.outputCurrency`, written(origin, input)],
    [`${one}.data.route.${of}.destination.inputCurrency`, out],
    [`${one}.data.route.${of}.destination.outputCurrency`, out],
  ]
  return [
    [`${one}.id`, requestIdOf(asking)],
    [`${one}.user`, request.user],
    [`${one}.recipient`, request.recipient],
    [`${one}.refundTo`, request.refundTo],
    [`${one}.depositAddress`, { address: depositAddressOf(asking), type: "strict", depositor: null }],
    [`${one}.data.inTxs.0.txHash`, deposit(asking)],
    [`${one}.data.inTxs.0.chainId`, origin.chain.id],
    [`${one}.data.outTxs.0.txHash`, payout(asking)],
    [`${one}.data.outTxs.0.chainId`, destination.chain.id],
    [`${one}.data.appFees.quoted`, feesRow],
    [`${one}.data.appFees.actual`, feesRow],
    [`${one}.data.appFees.currency`, currency],
    [`${one}.data.fees.currency`, currency],
    ...sides("quoted", written(destination, output, minimum)),
    ...sides("actual", written(destination, output)),
    [`${one}.protocol.deposit.origin.amount`, `${input}`],
    [`${one}.protocol.deposit.origin.chainId`, origin.chain.id],
    [`${one}.protocol.deposit.origin.currency`, origin.address],
    [`${one}.protocol.deposit.origin.transactionId`, deposit(asking)],
    [`${one}.updatedAt`, new Date(later.now()).toISOString()],
  ]
}

const told = (asking: Asking): ReadonlyArray<Row> => [...pendingRows(asking), ["txHashes.0", payout(asking)]]

/** The looks at which a request is still waiting, and at which its deposit is seen. */
const lastWaiting = 1
const lastPending = 2

interface Opened {
  readonly asking: Asking
  looks: number
}

/** Relay, which keeps its requests; its list of requests has one once it is filled. */
export const makeRelay = (): Upstream => {
  const opened = new Map<string, Opened>()
  let count = 0

  const quote = (body: unknown): Told => {
    const request = readRequest(body)
    const asking = askingOf(request, count++)
    const figures = follow(recordedQuote(asking), [
      ...figureRows(asking),
      ...transactionRows(asking),
      ...orderRows(asking),
    ])
    if (request.useDepositAddress !== true) return ok(follow(figures, [["steps.0.depositAddress", ""]]))
    opened.set(requestIdOf(asking), { asking, looks: 0 })
    return ok(follow(figures, [["steps.0.depositAddress", depositAddressOf(asking)]]))
  }

  const requests = (id: string): Told => {
    const one = opened.get(id)
    if (one === undefined || ++one.looks <= lastPending) return ok({ requests: [], continuation: null })
    return ok(follow(filled, filledRows(one.asking)))
  }

  const status = (id: string): Told => {
    const one = opened.get(id)
    if (one === undefined) return { status: 404, body: { message: "Request not found" } }
    if (one.looks <= lastWaiting) return ok(waiting)
    return ok(
      one.looks <= lastPending
        ? follow(pending, pendingRows(one.asking))
        : follow(filledTold, told(one.asking)),
    )
  }

  return ({ body, method, path, query }) => {
    if (path === "/chains") return ok(chainList)
    if (path === "/quote/v2" && method === "POST") return quote(body)
    if (path === "/requests/v3") return requests(query.get("id") ?? "")
    if (path === "/intents/status/v3") return status(query.get("requestId") ?? "")
    if (path.startsWith("/app-fees/")) return ok({ balances: [], totalBalanceUsd: 0 })
    throw new Error(`Relay has no ${method} ${path}`)
  }
}
