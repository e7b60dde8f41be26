import { BigDecimal, Schema } from "effect"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { fromX128 } from "#domain/money/Price.ts"
import {
  environment,
  networkInfo,
  safeMode,
  switches,
} from "#test/providers/chainflip/fixtures/environment.ts"
import { recordedOf } from "#test/providers/recorded.ts"
import { type Encoding, encodingReply } from "./encodings.ts"
import { later } from "#test/tampering/support/later.ts"
import { follow, type Row } from "#sandbox/follow.ts"
import { addressOf, amountIn, amountOut, transactionOf } from "./market.ts"
import { ok, type Told, type Upstream } from "./upstream.ts"
import { findNetworkAsset, internalIdOf, networkAssets } from "#domain/chains/payload/contractNumbers.ts"

/**
 * Chainflip's backend, node and broker: recorded quotes, records and payloads. The node's environment, the backend's
 * switches and the broker's answer to an opening were not recorded whole: they are built (chainflip/wire.md 1.5, 3.8, 2.2).
 */

const read = recordedOf("chainflip")

/** The operator's account. */
export const chainflipAccount = "cFJFriHLc7J1Rau7T1qAEHDsrWWH7QBbJt4D2Q38YkrtfwqoV"

/** In older or newer runtimes only. */
const notServed: ReadonlyArray<AssetId> = ["dot.dot", "bnb.bsc", "usdt.bsc", "cbbtc.eth"]

export const chainflipAssets: ReadonlyArray<AssetId> = networkAssets.filter((asset) =>
  !notServed.includes(asset)
)

const middle: AssetId = "usdc.eth"

const twoLegs = read("quote-eth-btc-broker-perseverance").body
const oneLeg = read("quote-upstream-usdc-one-leg").body

const wireAsset = (asset: AssetId) => {
  const { chain, ticker } = factsOf(asset)
  return { chain, asset: ticker }
}

const pool = (asset: AssetId, feeAsset: AssetId) => ({
  baseAsset: wireAsset(asset),
  quoteAsset: wireAsset(middle),
  fee: { ...wireAsset(feeAsset), amount: "0" },
})

const assetAt = (query: URLSearchParams, side: "src" | "dest"): AssetId => {
  const found = findNetworkAsset(query.get(`${side}Chain`) ?? "", query.get(`${side}Asset`) ?? "")
  if (found === undefined) throw new Error(`Chainflip has no such asset: ${query}`)
  return found
}

/** The share of a broker in the middle asset, where a swap has any worth there. */
const brokerFee = (bps: number): bigint => amountIn(middle) * BigInt(bps) / 10_000n

const priceOf = (source: AssetId, destination: AssetId, input: bigint, output: bigint): string =>
  formatDecimal(
    BigDecimal.round(
      BigDecimal.divideUnsafe(
        BigDecimal.make(output, factsOf(destination).decimals),
        BigDecimal.make(input, factsOf(source).decimals),
      ),
      { scale: 20, mode: "to-zero" },
    ),
  )

const feesOf = (source: AssetId, destination: AssetId, bps: number) => [
  { type: "INGRESS", ...wireAsset(source), amount: "0" },
  { type: "NETWORK", ...wireAsset(middle), amount: "500000" },
  ...(bps === 0 ? [] : [{ type: "BROKER", ...wireAsset(middle), amount: `${brokerFee(bps)}` }]),
  { type: "EGRESS", ...wireAsset(destination), amount: "0" },
]

const quote = (query: URLSearchParams): Told => {
  const [source, destination] = [assetAt(query, "src"), assetAt(query, "dest")]
  const bps = Number(query.get("brokerCommissionBps"))
  const input = query.get("amount") ?? ""
  const output = amountOut(destination, bps)
  const isOneLeg = source === middle || destination === middle
  const rows: ReadonlyArray<Row> = [
    ["0.srcAsset", wireAsset(source)],
    ["0.destAsset", wireAsset(destination)],
    ["0.depositAmount", input],
    ["0.egressAmount", `${output}`],
    ["0.estimatedPrice", priceOf(source, destination, BigInt(input), output)],
    ["0.includedFees", feesOf(source, destination, bps)],
    ...(isOneLeg ? [["0.poolInfo", [pool(source === middle ? destination : source, source)]]] as const : [
      ["0.intermediateAmount", `${amountIn(middle)}`],
      ["0.poolInfo", [pool(source, source), pool(destination, middle)]],
    ] as const),
  ]
  return ok(follow(isOneLeg ? oneLeg : twoLegs, rows))
}

const noLimits = follow(environment, [
  ["ingress_egress.minimum_deposit_amounts", {}],
  ["swapping.maximum_swap_amounts", {}],
])

const WireAsset = Schema.Struct({ chain: Schema.String, asset: Schema.String })
type WireAsset = typeof WireAsset.Type

const Refund = Schema.Struct({
  retry_duration: Schema.Int,
  refund_address: Schema.String,
  min_price: Schema.String,
})

const shared = [WireAsset, WireAsset, Schema.String, Schema.Int] as const
const OpenParams = Schema.Tuple([...shared, Schema.Null, Schema.Null, Schema.Null, Refund, Schema.Null])
const readOpening = Schema.decodeUnknownSync(OpenParams)

const Extra = Schema.Struct({
  chain: Schema.String,
  min_output_amount: Schema.optionalKey(Schema.String),
  retry_duration: Schema.optionalKey(Schema.Int),
  input_amount: Schema.optionalKey(Schema.String),
  refund_parameters: Schema.optionalKey(Refund),
  from: Schema.optionalKey(Schema.String),
  seed: Schema.optionalKey(Schema.String),
  from_token_account: Schema.optionalKey(Schema.String),
})
const readEncoding = Schema.decodeUnknownSync(
  Schema.Tuple([...shared, Extra, Schema.Null, Schema.Null, Schema.Null, Schema.Null]),
)

const known = ({ asset, chain }: WireAsset): AssetId => {
  const found = findNetworkAsset(chain, asset)
  if (found === undefined) throw new Error(`Chainflip has no ${asset} on ${chain}`)
  return found
}

/** The terms of a swap as its record tells them. */
interface Terms {
  readonly source: AssetId
  readonly destination: AssetId
  readonly destinationAddress: string
  readonly commissionBps: number
  readonly amount: bigint
  readonly refundAddress?: string
  readonly retryBlocks: number
  readonly minimumPriceX128?: bigint
}

interface Channel {
  readonly id: string
  readonly address: string
  readonly createdAt: number
}

interface Swap {
  readonly terms: Terms
  readonly number: number
  /** Absent: a vault swap. */
  readonly channel?: Channel
  readonly transaction: string
  looks: number
}

const channelStates = [
  "swap-waiting",
  "swap-receiving-channel",
  "swap-swapping",
  "swap-sent",
  "swap-completed-upstream",
]

const recordOf = (name: string): unknown => read(name).body
const channelRecords = channelStates.map(recordOf)

const paidLive = recordOf("swap-completed-usdc-btc-live")

/** Records of vault swaps that have ended, which take turns; the source of the last has left out what was paid. */
const vaultEnds = [
  recordOf("swap-completed-vault-upstream"),
  paidLive,
  Object.assign({}, paidLive, recordOf("chainflip-swap-sol-btc-two-brokers-2026-02")),
]

const received = recordOf("swap-receiving-vault")

const vaultRecords = ({ number }: Swap) => [received, vaultEnds[number % vaultEnds.length]]

const block = 9_000_000

/** Members of every record that follow the swap. */
const termRows = ({ channel, terms, transaction }: Swap): ReadonlyArray<Row> => {
  const { amount, commissionBps, destination, destinationAddress, source } = terms
  const [from, to] = [factsOf(source), factsOf(destination)]
  const price = terms.minimumPriceX128 === undefined
    ? undefined
    : formatDecimal(fromX128(terms.minimumPriceX128, source, destination))
  return [
    ["srcChain", from.chain],
    ["srcAsset", from.ticker],
    ["destChain", to.chain],
    ["destAsset", to.ticker],
    ["destAddress", destinationAddress],
    ["brokers", [{ account: chainflipAccount, commissionBps }]],
    ["lastStatechainUpdateAt", later.now()],
    // A payload of Bitcoin names no refund address: the network sends back to the sender, who is another in each body.
    ...(terms.refundAddress === undefined
      ? [["fillOrKillParams?", undefined]] as const
      : [["fillOrKillParams?", {
        refundAddress: terms.refundAddress,
        minPrice: price,
        retryDurationBlocks: terms.retryBlocks,
      }]] as const),
    ...(channel === undefined ? [] : [
      ["depositChannel.id", channel.id],
      ["depositChannel.depositAddress", channel.address],
      ["depositChannel.createdAt", channel.createdAt],
      ["depositChannel.estimatedExpiryTime", channel.createdAt + 86_400_000],
      ["depositChannel.srcChainExpiryBlock", "1000000"],
    ] as const),
    ...(channel !== undefined ? [] : [["boost?", null], ["ccmParams?", null], ["dcaParams?", null]] as const),
    ...(transaction === ""
      ? []
      : [["deposit.amount", `${amount}`], ["deposit.txRef?", transaction]] as const),
  ]
}

const at = (minutes: number) => ({ at: later.now() + minutes, index: `${block + minutes}-1` })

/** Members of a record whose deposit was witnessed. */
const swapRows = (
  { number, terms: { amount, commissionBps, destination, source } }: Swap,
  isExecuted: boolean,
): ReadonlyArray<Row> => {
  const [witnessed, scheduled, executed] = [at(0), at(1), at(2)]
  const output = amountOut(destination, commissionBps)
  const isOneLeg = source === middle || destination === middle
  return [
    ["swapId", `${number}`],
    ["fees", feesOf(source, destination, isExecuted ? commissionBps : 0)],
    ["deposit.witnessedAt", witnessed.at],
    ["deposit.witnessedBlockIndex", witnessed.index],
    ["swap.originalInputAmount", `${amount}`],
    ["swap.remainingInputAmount", isExecuted ? "0" : `${amount}`],
    ["swap.regular.inputAmount", `${amount}`],
    ["swap.regular.scheduledAt", scheduled.at],
    ["swap.regular.scheduledBlockIndex", scheduled.index],
    ...(!isExecuted ? [] : [
      ["swap.swappedInputAmount", `${amount}`],
      ["swap.swappedIntermediateAmount", isOneLeg ? "0" : `${amountIn(middle)}`],
      ["swap.swappedOutputAmount", `${output}`],
      ["swap.regular.executedAt", executed.at],
      ["swap.regular.executedBlockIndex", executed.index],
      ["swap.regular.intermediateAmount?", isOneLeg ? null : `${amountIn(middle)}`],
      ["swap.regular.outputAmount", `${output}`],
    ] as const),
  ]
}

const egressRows = (
  { number, terms: { commissionBps, destination } }: Swap,
  isWitnessed: boolean,
): ReadonlyArray<Row> => {
  const [scheduled, witnessed] = [at(3), at(4)]
  return [
    ["swapEgress.amount", `${amountOut(destination, commissionBps)}`],
    ["swapEgress.scheduledAt", scheduled.at],
    ["swapEgress.scheduledBlockIndex", scheduled.index],
    ["swapEgress.txRef", transactionOf(chainOf(destination), "chainflip out", number)],
    ...(isWitnessed
      ? [["swapEgress.witnessedAt", witnessed.at], [
        "swapEgress.witnessedBlockIndex",
        witnessed.index,
      ]] as const
      : []),
  ]
}

const channelRecord = (swap: Swap, state: number): unknown =>
  follow(channelRecords[state], [
    ...termRows(state === 0 ? { ...swap, transaction: "" } : swap),
    ...(state < 2 ? [] : swapRows(swap, state > 2)),
    ...(state < 3 ? [] : egressRows(swap, state > 3)),
  ])

const vaultRecord = (swap: Swap, state: number): unknown =>
  follow(vaultRecords(swap)[state], [
    ...termRows(swap),
    ...(state === 0 ? [] : [...swapRows(swap, true), ...egressRows(swap, true)]),
  ])

const RpcCall = Schema.Struct({
  id: Schema.String,
  method: Schema.String,
  params: Schema.Array(Schema.Unknown),
})
const readCall = Schema.decodeUnknownSync(RpcCall)

/** The three servers, and how a transaction of the latest payload is sent. */
export interface Chainflip {
  readonly backend: Upstream
  readonly rpc: Upstream
  readonly send: (transaction: string) => void
}

export const makeChainflip = (): Chainflip => {
  const channels = new Map<string, Swap>()
  const vaultSwaps = new Map<string, Swap>()
  let encoded: Terms | undefined
  let count = 0

  const open = (params: ReadonlyArray<unknown>): unknown => {
    const [from, to, destinationAddress, commissionBps, , , , refund] = readOpening(params)
    const [source, destination] = [known(from), known(to)]
    const number = ++count
    const chain = chainOf(source)
    const address = addressOf(chain, "chainflip", number)
    channels.set(`${block}-${chain}-${number}`.toLowerCase(), {
      terms: {
        source,
        destination,
        destinationAddress,
        commissionBps,
        amount: amountIn(source),
        refundAddress: refund.refund_address,
        retryBlocks: refund.retry_duration,
        minimumPriceX128: BigInt(refund.min_price),
      },
      number,
      channel: { id: `${block}-${chain}-${number}`, address, createdAt: later.now() },
      transaction: transactionOf(chain, "chainflip in", number),
      looks: 0,
    })
    return {
      address,
      issued_block: block,
      channel_id: number,
      source_chain_expiry_block: 1_000_000,
      channel_opening_fee: "0x0",
      refund_parameters: refund,
    }
  }

  const encode = (params: ReadonlyArray<unknown>): unknown => {
    const [from, to, destinationAddress, commissionBps, extra] = readEncoding(params)
    const [source, destination] = [known(from), known(to)]
    const { refund_parameters: refund } = extra
    const asked: Encoding = {
      source,
      destination,
      destinationAddress,
      commissionBps,
      amount: BigInt(extra.input_amount ?? amountIn(source)),
      refundAddress: refund?.refund_address ?? "",
      minimumPriceX128: BigInt(refund?.min_price ?? 0),
      minimumOutput: BigInt(extra.min_output_amount ?? 0),
      retryBlocks: extra.retry_duration ?? refund?.retry_duration ?? 0,
      sender: { from: extra.from ?? "", seed: extra.seed ?? "", tokenAccount: extra.from_token_account },
    }
    const { minimumPriceX128, refundAddress, ...terms } = asked
    encoded = refund === undefined ? terms : { ...terms, minimumPriceX128, refundAddress }
    return readResult(encodingReply(asked)).result
  }

  const methods: Readonly<Record<string, (params: ReadonlyArray<unknown>) => unknown>> = {
    cf_environment: () => noLimits,
    cf_safe_mode_statuses: () => safeMode(),
    broker_request_swap_deposit_address: open,
    broker_request_swap_parameter_encoding: encode,
    cf_account_info: () => ({
      role: "broker",
      flip_balance: "0xde0b6b3a7640000000",
      estimated_redeemable_balance: "0x0",
      earned_fees: {},
      asset_balances: {},
      bond: "0x0",
    }),
  }

  const look = (id: string): Told => {
    const channel = channels.get(id.toLowerCase())
    if (channel !== undefined) {
      return ok(channelRecord(channel, Math.min(channel.looks++, channelStates.length - 1)))
    }
    const swap = vaultSwaps.get(id)
    return swap === undefined
      ? { status: 404, body: { message: "resource not found" } }
      : ok(vaultRecord(swap, Math.min(swap.looks++, vaultRecords(swap).length - 1)))
  }

  return {
    backend: ({ path, query }) => {
      if (path === "/api/networkInfo") {
        return ok(networkInfo(...chainflipAssets.map((asset) => switches(internalIdOf(asset)))))
      }
      if (path === "/v2/quote") return quote(query)
      if (path.startsWith("/v2/swaps/")) return look(decodeURIComponent(path.slice("/v2/swaps/".length)))
      throw new Error(`Chainflip's backend has no ${path}`)
    },
    rpc: ({ body }) => {
      const { id, method, params } = readCall(body)
      const answer = methods[method]
      return ok(
        answer === undefined
          ? { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }
          : { jsonrpc: "2.0", id, result: answer(params) },
      )
    },
    send: (transaction) => {
      if (encoded === undefined) throw new Error("No payload was made")
      vaultSwaps.set(transaction, { terms: encoded, number: ++count, transaction, looks: 0 })
    },
  }
}

const readResult = Schema.decodeUnknownSync(Schema.Struct({ result: Schema.Unknown }))
