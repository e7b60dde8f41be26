import { assert } from "@effect/vitest"
import { BigDecimal, Option, Result } from "effect"
import { encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"
import { formatDecimal, parseDecimal } from "#domain/money/Decimal.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { ChannelOpened, Offer, QuoteQuery, SwapView } from "#sandbox/engine/State.ts"
import type { Control, OpenChannel } from "#sandbox/engine/Command.ts"
import { openChannel } from "#sandbox/engine/terms.ts"
import { depositToChannel } from "#sandbox/engine/deposits.ts"
import { controlActs } from "#sandbox/engine/controls.ts"
import type { QuoteRefusal } from "#sandbox/engine/Refusal.ts"
import { quote } from "#sandbox/engine/quotes.ts"
import * as Network from "#sandbox/engine/Network.ts"

export const genesis = EpochMillis.make(1_785_333_864_000)
export const seconds = (count: number): number => count * 1_000

/** A new network with the usual seed. */
export const makeNetwork = (seed = "test"): Network.Network => Network.make({ seed, time: genesis })

/** Lets time pass. */
export const pass = (network: Network.Network, millis: number): void =>
  Network.advance(network, EpochMillis.make(Network.time(network).time + millis))

/** Lets time pass, a state-chain block at a time, until the record is in this state. */
export const passUntil = (
  network: Network.Network,
  opened: ChannelOpened,
  state: SwapView["state"],
): SwapView => {
  for (let blocks = 0; blocks < 20_000; blocks++) {
    const record = recordOf(network, opened)
    if (record.state === state) return record
    pass(network, 6_000)
  }
  throw new Error(`The swap never was ${state}; it is ${recordOf(network, opened).state}`)
}

/** The success, or the test fails with the failure. */
export const succeed = <A, E>(result: Result.Result<A, E>): A => {
  if (Result.isFailure(result)) throw new Error(`Refused: ${JSON.stringify(result.failure, replacer)}`)
  return result.success
}

const replacer = (_: string, value: unknown): unknown => typeof value === "bigint" ? `${value}` : value

/** The failure, or the test fails. */
export const refused = <A, E>(result: Result.Result<A, E>): E => {
  if (Result.isSuccess(result)) throw new Error("Not refused")
  return result.failure
}

/** Something that is there, or the test fails. */
export const present = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error("Nothing is there")
  return value
}

export const native = (amount: bigint): NativeAmount => NativeAmount.make(amount)

/** Native units of a human amount such as "0.25". */
export const units = (asset: AssetId, human: string): NativeAmount => {
  const decimal = Option.getOrThrow(parseDecimal(human))
  return NativeAmount.make(BigDecimal.scale(decimal, factsOf(asset).decimals).value)
}

const polkadot = encodeSs58(0, new Uint8Array(32).fill(7))

const ownAddresses: ReadonlyMap<Chain, string> = new Map<Chain, string>([
  ["Bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  ["Ethereum", "0x1111111111111111111111111111111111111111"],
  ["Arbitrum", "0x2222222222222222222222222222222222222222"],
  ["Bsc", "0x3333333333333333333333333333333333333333"],
  ["Solana", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
  ["Assethub", polkadot],
  ["Polkadot", polkadot],
  ["Tron", "TQNPGpohiZLiWQvc6wTWjHCae8VoxaXnej"],
])

export const addresses = (chain: Chain): string => ownAddresses.get(chain) ?? chainFacts(chain).nobody

export type Terms = Partial<Omit<OpenChannel, "_tag" | "refund">> & {
  readonly refund?: Partial<OpenChannel["refund"]>
}

/** A request from BTC to ETH at any price, but for what the terms say. */
export const request = ({ refund, ...terms }: Terms = {}): OpenChannel => {
  const sourceAsset = terms.sourceAsset ?? "btc.btc"
  const destinationAsset = terms.destinationAsset ?? "eth.eth"
  return {
    _tag: "OpenChannel",
    sourceAsset,
    destinationAsset,
    destinationAddress: addresses(chainOf(destinationAsset)),
    brokerCommissionBps: 0,
    boostFeeBps: 0,
    affiliates: [],
    refund: {
      retryDurationBlocks: 150,
      refundAddress: addresses(chainOf(sourceAsset)),
      minimumPriceX128: 0n,
      ...refund,
    },
    openedThroughBackend: false,
    ...terms,
  }
}

export const open = (network: Network.Network, terms: Terms = {}): ChannelOpened =>
  succeed(openChannel(network, request(terms)))

export const deposit = (
  network: Network.Network,
  opened: ChannelOpened,
  amount: bigint,
): string =>
  succeed(
    depositToChannel(network, { _tag: "Deposit", address: opened.depositAddress, amount: native(amount) }),
  ).transactionReference

export const recordOf = (network: Network.Network, opened: ChannelOpened): SwapView =>
  present(Network.swapOfChannel(network, opened.id))

type Controls = { readonly [One in Control as One["_tag"]]: One }

/** Carries out a control. */
export const applyControl = <Tag extends Control["_tag"]>(
  network: Network.Network,
  command: Controls[Tag] & { readonly _tag: Tag },
) => controlActs[command._tag]({ network }, command)

export const turn = (network: Network.Network, command: Control): void => {
  succeed(applyControl(network, command))
}

export const quoteOf = (
  network: Network.Network,
  query: Partial<QuoteQuery> & Pick<QuoteQuery, "amount">,
): Result.Result<ReadonlyArray<Offer>, QuoteRefusal> =>
  quote(network, {
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    commissionBps: Bps.make(0),
    dcaEnabled: true,
    ...query,
  })

export const feeOf = (
  fees: SwapView["fees"],
  type: SwapView["fees"][number]["type"],
  asset: AssetId,
): bigint | undefined => fees.find((fee) => fee.type === type && fee.asset === asset)?.amount

export const assertDecimal = (actual: BigDecimal.BigDecimal, expected: string): void =>
  assert.strictEqual(formatDecimal(actual), expected)
