import { Schema } from "effect"
import { type AssetId, type Chain, chainOf, factsOf } from "#exports/domain.ts"
import { recordedOf } from "#test/providers/recorded.ts"
import { later } from "#test/tampering/support/later.ts"
import { follow, type Row } from "#sandbox/follow.ts"
import { addressOf, amountOut, transactionOf } from "./market.ts"
import { ok, type Told, type Upstream } from "./upstream.ts"

/**
 * Nodes of THORChain and of Maya: their recorded vaults, pools, quotes and states. Of pools and vaults some rows alone
 * were recorded; those of other assets and chains have the same members. `lastblock` is built (thorchain/wire.md 4).
 */

const read = recordedOf("thorchain")

/** What differs between the networks. */
export interface Network {
  readonly name: "thorchain" | "maya"
  readonly path: string
  readonly chains: Readonly<Partial<Record<Chain, string>>>
  readonly sources: ReadonlyArray<Chain>
  readonly assets: ReadonlyArray<AssetId>
  readonly inbound: unknown
  readonly pools: unknown
  readonly unknown: unknown
  readonly quote: unknown
  readonly pending: unknown
  readonly completed: unknown
  readonly affiliate: string
  readonly nativeChain: string
}

const Rows = Schema.Array(Schema.Record(Schema.String, Schema.Unknown))
const readRows = Schema.decodeUnknownSync(Rows)

export const thorchain: Network = {
  name: "thorchain",
  path: "/thorchain",
  chains: { Bitcoin: "BTC", Ethereum: "ETH", Bsc: "BSC", Tron: "TRON", Solana: "SOL" },
  sources: ["Bitcoin", "Ethereum", "Bsc", "Tron"],
  assets: [
    "btc.btc",
    "eth.eth",
    "usdc.eth",
    "usdt.eth",
    "wbtc.eth",
    "sol.sol",
    "trx.tron",
    "usdt.tron",
    "bnb.bsc",
    "usdt.bsc",
  ],
  inbound: read("inbound-addresses-2026-10").body,
  pools: read("pools-2026-10").body,
  unknown: read("status-unknown").body,
  quote: read("quote-btc-eth-2026-10").body,
  pending: read("status-pending-bnb-trx").body,
  completed: read("status-completed-bnb-trx").body,
  affiliate: "broker",
  nativeChain: "THOR",
}

export const maya: Network = {
  name: "maya",
  path: "/mayachain",
  chains: { Bitcoin: "BTC", Ethereum: "ETH", Arbitrum: "ARB" },
  sources: ["Bitcoin", "Ethereum", "Arbitrum"],
  assets: ["btc.btc", "eth.eth", "usdc.eth", "usdt.eth", "eth.arb", "usdc.arb"],
  inbound: read("maya-inbound-addresses-2026").body,
  pools: read("maya-pools-2026").body,
  unknown: read("maya-status-unknown").body,
  quote: read("maya-quote-btc-eth-xchainjs").body,
  pending: read("maya-status-pending").body,
  completed: read("maya-status-completed-usdc-arb-usdc").body,
  affiliate: "broker",
  nativeChain: "MAYA",
}

const nameOf = ({ chains }: Network, asset: AssetId): string => {
  const { contractAddress, ticker } = factsOf(asset)
  const coin = `${chains[chainOf(asset)]}.${ticker}`
  return contractAddress === undefined ? coin : `${coin}-${contractAddress.toUpperCase()}`
}

const assetNamed = (network: Network, name: string): AssetId => {
  const found = network.assets.find((asset) => nameOf(network, asset) === name)
  if (found === undefined) throw new Error(`${network.name} has no pool of ${name}`)
  return found
}

const wireDigits = 8

const toWire = (asset: AssetId, native: bigint): bigint =>
  native * 10n ** BigInt(wireDigits) / 10n ** BigInt(factsOf(asset).decimals)

/** The vault of a chain. */
const vaultOf = ({ name }: Network, chain: Chain): string => addressOf(chain, name, "vault")

const chainsOf = ({ chains }: Network): ReadonlyArray<readonly [Chain, string]> =>
  Object.entries(chains).flatMap(([chain, code]) =>
    isChain(chain, chains) && code !== undefined ? [[chain, code] as const] : []
  )

const isChain = (text: string, chains: Network["chains"]): text is Chain => text in chains

/** The recorded contract of a chain whose row is another's. */
const bscRouter = readRows(read("inbound-addresses-halted-2026").body)
  .find((row) => row["chain"] === "BSC")?.["router"]

/** The recorded row of a chain, or one of a chain of the same kind. */
const inboundRow = (network: Network, chain: Chain, code: string): unknown => {
  const rows = readRows(network.inbound)
  const own = rows.find((row) => row["chain"] === code)
  const other = rows.find((row) => row["chain"] === "ETH")
  const changes: ReadonlyArray<Row> = own === undefined
    ? [
      ["chain", code],
      ...(chain === "Bsc"
        ? [["router", bscRouter] as const]
        : [["router", ""] as const, ["gas_rate_units", ""] as const]),
    ]
    : []
  return follow(own ?? other, [...changes, ["address", vaultOf(network, chain)]])
}

const Routed = Schema.Struct({ router: Schema.optionalKey(Schema.String) })
const readRouted = Schema.decodeUnknownSync(Routed)

/** The contract of a chain; empty where it has none. */
const routerOf = (network: Network, chain: Chain): string =>
  readRouted(inboundRow(network, chain, network.chains[chain] ?? "")).router ?? ""

const inbound = (network: Network): unknown => {
  const codes = chainsOf(network).map(([, code]) => code)
  const others = readRows(network.inbound).filter((row) => !codes.some((code) => row["chain"] === code))
  return [...others, ...chainsOf(network).map(([chain, code]) => inboundRow(network, chain, code))]
}

const poolsOf = (network: Network): unknown => {
  const [row] = readRows(network.pools)
  return network.assets.map((asset) => follow(row, [["asset", nameOf(network, asset)]]))
}

/** Built: the network makes a block each six seconds. */
const lastBlocks = (network: Network): unknown =>
  chainsOf(network).map(([, code]) => ({
    chain: code,
    last_observed_in: 900_000,
    last_signed_out: 900_000,
    [network.name === "maya" ? "mayachain" : "thorchain"]: Math.floor(later.now() / 6_000),
  }))

const quoteMillis = 15 * 60_000

const quoteRows = (network: Network, query: URLSearchParams): ReadonlyArray<Row> => {
  const from = assetNamed(network, query.get("from_asset") ?? "")
  const to = assetNamed(network, query.get("to_asset") ?? "")
  const bps = Number(query.get("affiliate_bps") ?? "0")
  const out = toWire(to, amountOut(to, bps))
  const router = routerOf(network, chainOf(from))
  return [
    ["inbound_address", vaultOf(network, chainOf(from))],
    ...(router === "" ? [] : [["router?", router]] as const),
    ["fees.asset", nameOf(network, to)],
    ["fees.affiliate", `${out * BigInt(bps) / 10_000n}`],
    ["expected_amount_out", `${out}`],
    // Maya's recorded answer has no expiry, and its reader does without one.
    ...(network.name === "maya"
      ? []
      : [["expiry", Math.floor((later.now() + quoteMillis) / 1_000)]] as const),
  ]
}

/** A payment to a vault, as who makes it knows it. */
export interface Payment {
  readonly asset: AssetId
  readonly destination: AssetId
  readonly destinationAddress: string
  /** Native units. */
  readonly amount: bigint
  readonly memo: string
  readonly sender: string
  readonly commissionBps: number
}

/** Solana's alone has more digits than a hash. */
const isSignature = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/

const hashOnNode = (transaction: string): string =>
  isSignature.test(transaction) ? transaction : transaction.replace(/^0x/, "").toUpperCase()

const txRows = (network: Network, transaction: string, payment: Payment): ReadonlyArray<Row> => {
  const chain = chainOf(payment.asset)
  const coin = { asset: nameOf(network, payment.asset), amount: `${toWire(payment.asset, payment.amount)}` }
  return [
    ["tx.id", hashOnNode(transaction)],
    ["tx.chain", network.chains[chain]],
    ["tx.from_address", payment.sender],
    ["tx.to_address", vaultOf(network, chain)],
    ["tx.coins.0", coin],
    ["tx.memo", payment.memo],
  ]
}

/** Recorded: the user's payment, and the affiliate's share, which is a row of its own where there is one. */
const outRows = (
  network: Network,
  transaction: string,
  payment: Payment,
  isCompleted: boolean,
): ReadonlyArray<Row> => {
  const { commissionBps, destination, destinationAddress } = payment
  const chain = chainOf(destination)
  const coin = {
    asset: nameOf(network, destination),
    amount: `${toWire(destination, amountOut(destination, commissionBps))}`,
  }
  const plan = { chain: network.chains[chain], to_address: destinationAddress, coin, refund: false }
  const paid = {
    id: hashOnNode(transactionOf(chain, network.name, transaction)),
    chain: network.chains[chain],
    from_address: vaultOf(network, chain),
    to_address: destinationAddress,
    coins: [coin],
    gas: [],
    memo: `OUT:${hashOnNode(transaction)}`,
  }
  const { out_txs: out, planned_out_txs: planned } = readOuts(network.completed)
  const shareOf = <Leg extends Readonly<Record<string, unknown>>>(legs: ReadonlyArray<Leg>) =>
    commissionBps === 0 ? [] : legs.filter((leg) => leg["chain"] === network.nativeChain)
  return [
    ["planned_out_txs?", [plan, ...shareOf(planned)]],
    ["out_txs?", [...shareOf(out), ...(isCompleted ? [paid] : [])]],
  ]
}

const Outs = Schema.Struct({ planned_out_txs: Rows, out_txs: Rows })
const readOuts = Schema.decodeUnknownSync(Outs)

/** A node, and how a payment to its network is made. */
export interface Node {
  readonly upstream: Upstream
  readonly pay: (transaction: string, payment: Payment) => void
}

export const makeNode = (network: Network): Node => {
  const payments = new Map<string, Payment & { readonly transaction: string; looks: number }>()

  const status = (hash: string): Told => {
    const payment = payments.get(hash)
    if (payment === undefined) return ok(network.unknown)
    const isCompleted = payment.looks++ > 0
    const { transaction } = payment
    return ok(
      isCompleted
        ? follow(network.completed, [
          ...txRows(network, transaction, payment),
          ...outRows(network, transaction, payment, true),
        ])
        : follow(network.pending, [
          ...txRows(network, transaction, payment),
          ...(network.name === "maya" ? [] : outRows(network, transaction, payment, false)),
        ]),
    )
  }

  const answer: Upstream = ({ path, query }) => {
    const rest = path.slice(network.path.length)
    if (rest === "/inbound_addresses") return ok(inbound(network))
    if (rest === "/pools") return ok(poolsOf(network))
    if (rest === "/lastblock") return ok(lastBlocks(network))
    if (rest === "/quote/swap") return ok(follow(network.quote, quoteRows(network, query)))
    if (rest.startsWith("/tx/status/")) return status(rest.slice("/tx/status/".length))
    throw new Error(`${network.name} has no ${path}`)
  }

  return {
    upstream: answer,
    pay: (transaction, payment) =>
      void payments.set(hashOnNode(transaction), { ...payment, transaction, looks: 0 }),
  }
}
