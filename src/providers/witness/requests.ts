import { Address } from "#domain/chains/Address.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import { type Chain, chainFacts, findChain } from "#domain/chains/Chain.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import { type NodeCall, NodeMethod } from "#domain/operations/NodeCall.ts"
import { JsonText } from "#domain/JsonText.ts"
import { anyPrice, minimumPrice } from "#domain/money/Price.ts"
import type { Quote, QuoteRequest } from "#domain/quotes/Quote.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import type { TakenWithdrawal, WithdrawalOrder } from "#domain/operations/Treasury.ts"
import { kindOf, type PayloadSender, Seed, type VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { asHonoured, type Capabilities } from "../Capabilities.ts"

export type SentRequest = QuoteRequest & Pick<VaultSwapRequest, "amount">

/** Addresses that stand for a sender and a recipient; the operator's own where they are set. */
export type Parties = { readonly [Key in Chain]?: Address }

const partyOn = (parties: Parties, asset: AssetId): Address =>
  parties[chainOf(asset)] ?? Address.make(chainFacts(chainOf(asset)).nobody)

/** A request for a quote; with addresses where quotes depend on them. */
export const quoteRequest = (
  { quoteParties }: Capabilities,
  parties: Parties,
  pair: Pick<QuoteRequest, "sourceAsset" | "destinationAsset">,
  amount: NativeAmount,
  commissionBps: Bps,
): SentRequest => ({
  ...pair,
  amount,
  commissionBps,
  ...(quoteParties === undefined ? {} : {
    sender: partyOn(parties, pair.sourceAsset),
    recipient: partyOn(parties, pair.destinationAsset),
  }),
})

const seed = Seed.make(`0x${"5e".repeat(32)}`)

const senderOf = (chain: Chain, address: Address): PayloadSender | undefined => {
  const kind = kindOf(chain)
  if (kind === undefined) return undefined
  return kind === "solana" ? { _tag: kind, address, seed } : { _tag: kind, address }
}

/** Any amount: what a record says where the upstream does not tell how much was paid. */
const someAmount = NativeAmount.make(1n)

const tolerance = Bps.make(500)
const retryBlocks = 100

export const swapRequest = (
  capabilities: Capabilities,
  parties: Parties,
  { amount, commissionBps, destinationAsset, sourceAsset }: SentRequest,
  { estimatedPrice }: Quote,
): SwapRequest & Pick<VaultSwapRequest, "amount"> =>
  asHonoured(capabilities, {
    sourceAsset,
    destinationAsset,
    amount,
    commissionBps,
    destinationAddress: partyOn(parties, destinationAsset),
    refundAddress: partyOn(parties, sourceAsset),
    minimumPrice: minimumPrice(estimatedPrice, tolerance),
    retryDurationBlocks: retryBlocks,
    maximumBoostFeeBps: noBps,
    affiliates: [],
  })

/** A request for a payload of what was quoted; nothing where transactions on its chain have no payloads. */
export const payloadRequest = (
  capabilities: Capabilities,
  parties: Parties,
  request: SentRequest,
  quote: Quote,
): VaultSwapRequest | undefined => {
  const sender = senderOf(chainOf(request.sourceAsset), partyOn(parties, request.sourceAsset))
  return sender === undefined ? undefined : { ...swapRequest(capabilities, parties, request, quote), sender }
}

/** An order to withdraw what was earned in the asset, which nobody gave. */
export const withdrawalOrder = (parties: Parties, asset: AssetId): WithdrawalOrder => ({
  asset,
  destination: partyOn(parties, asset),
})

export const unknownWithdrawal = (order: WithdrawalOrder): TakenWithdrawal => ({
  reference: unknownReference,
  amount: someAmount,
  fee: noAmount,
  destination: order.destination,
})

/** A channel that nobody opened: channels of the first block are none. */
export const unknownChannel: ChannelId = { issuedBlock: 1, network: "Ethereum", channelId: 1 }

/** The upstream's name of an order that nobody made. */
export const unknownReference = `0x${"0".repeat(63)}1`

/** The coordinates in `<block>-<chain>-<number>`; nothing in any other text. */
export const channelIn = (text: string): ChannelId | undefined => {
  const [, block, network = "", number] = /^([0-9]{1,15})-([A-Za-z]+)-([0-9]{1,15})$/.exec(text) ?? []
  const chain = findChain(network)
  return chain === undefined
    ? undefined
    : { issuedBlock: Number(block), network: chain, channelId: Number(number) }
}

/** A record to look a channel up with: upstreams find theirs by coordinates, address or reference. */
export const recordOf = (
  id: ChannelId,
  assets: Partial<Pick<SwapStatus, "sourceAsset" | "destinationAsset">>,
  reference: string,
  address?: string,
): SwapStatus => {
  const longAgo = EpochMillis.make(0)
  return {
    state: "waiting",
    sourceAsset: chainFacts(id.network).coin,
    destinationAsset: "eth.eth",
    ...assets,
    destinationAddress: Address.make(chainFacts("Ethereum").nobody),
    depositChannel: {
      id,
      createdAt: longAgo,
      brokerCommissionBps: noBps,
      affiliateBrokers: [],
      depositAddress: Address.make(address ?? chainFacts(id.network).nobody),
      sourceChainExpiryBlock: 1,
      estimatedExpiryTime: longAgo,
      isExpired: true,
      openedThroughBackend: false,
      expectedDepositAmount: someAmount,
      expectedOutputAmount: someAmount,
      reference,
    },
    fees: [],
    brokers: [],
    fillOrKill: {
      retryDurationBlocks: 0,
      refundAddress: Address.make(chainFacts(id.network).nobody),
      minimumPrice: anyPrice,
    },
  }
}

export const unknownTransactions: ReadonlyArray<string> = [`0x${"0".repeat(63)}1`, `${"0".repeat(63)}1`]

const rateParameters = JsonText.make(
  `[{"chain":"Bitcoin","asset":"BTC"},{"chain":"Ethereum","asset":"ETH"},"0x989680"]`,
)

/** A call of every method that is passed on to a node. */
export const nodeCalls: ReadonlyArray<NodeCall> = NodeMethod.literals.map((method) =>
  method === "cf_swap_rate_v3" ? { method, params: rateParameters } : { method }
)
