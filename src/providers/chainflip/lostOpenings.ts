import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { base58, createBase58check } from "@scure/base"
import { Effect, Option, Result, Schema } from "effect"
import { Address, type BrokerAccount } from "#domain/chains/Address.ts"
import { noAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { findNetworkAsset } from "#domain/chains/payload/contractNumbers.ts"
import { stateChainBlockMillis } from "#domain/chains/Chain.ts"
import * as DepositChannel from "#domain/chains/payload/depositChannel.ts"
import { toX128 } from "#domain/money/Price.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis } from "#domain/Time.ts"
import { type Channels, type ListedChannel, type Listing, OpeningTrace } from "../Provider.ts"
import { decode } from "../upstream/values.ts"
import { type Asking, failAs, type JsonRpc, ofNode } from "./client.ts"
import type { Conditions } from "./conditions.ts"
import { toOpenedChannel } from "./openings.ts"
import type { Options } from "./settings.ts"
import { decodeSs58 } from "#domain/chains/address/Ss58.ts"

/** Blocks more than a transaction's life: for its way to the broker, and for the time between our clock and theirs. */
const margin = 24

/** A channel is listed for longer than this: it takes deposits for a day, and its address rests for another. */
const listedMillis = 20 * 60 * 60 * 1000

/** How far back from the latest block the one of a channel is looked for; usual nodes keep the state of 256 blocks. */
const steps = [1, 2, 4, 8, 16, 32, 64, 128, 255, 512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768]

/** A row of `cf_all_open_deposit_channels`: an account, what its channels are for, and the channels. */
const WireListing = Schema.Array(Schema.Tuple([Schema.String, Schema.String, Schema.Unknown]))
const WireAccounts = Schema.Struct({
  chain_accounts: Schema.Array(Schema.Tuple([
    Schema.Record(
      Schema.String,
      Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))),
    ),
    Schema.Struct({ chain: Schema.String, asset: Schema.String }),
  ])),
})
type WireAccounts = typeof WireAccounts.Type

/** Channels of this kind are a liquidity provider's, and no swaps. */
const notOurs = "LiquidityProvision"

const tron = createBase58check(sha256)
const hex = (bytes: Uint8Array): string => `0x${bytesToHex(bytes)}`

/** How bytes of a listed address are written as text; Bitcoin's are the text itself. */
const writings: Readonly<Record<DepositChannel.ListedChain, (bytes: Uint8Array) => string>> = {
  Bitcoin: (bytes) => new TextDecoder().decode(bytes),
  Ethereum: hex,
  Arbitrum: hex,
  Bsc: hex,
  Solana: base58.encode,
  Tron: (bytes) => tron.encode(concatBytes(Uint8Array.of(0x41), bytes)),
}

const listedChainOf = (chain: string): DepositChannel.ListedChain | undefined =>
  DepositChannel.listedChains.find((one) => one === chain)

/** The listed channels whose assets we know; no request of ours can be about another. */
const toChannels = ({ chain_accounts }: WireAccounts): ReadonlyArray<ListedChannel> =>
  chain_accounts.flatMap(([address, { asset: ticker, chain }]) => {
    const network = listedChainOf(chain)
    const asset = network && findNetworkAsset(network, ticker)
    const [bytes] = Object.values(address)
    return network === undefined || asset === undefined || bytes === undefined
      ? []
      : [{ asset, depositAddress: Address.make(writings[network](Uint8Array.from(bytes))) }]
  })

/** What a request is opened with, as far as the chain keeps it. */
const termsOf = (request: SwapRequest, { brokerAccount }: Options) =>
  DepositChannel.encodeTerms({
    ...request,
    brokers: [{ account: brokerAccount, commissionBps: request.commissionBps }, ...request.affiliates],
    minimumPriceX128: toX128(request.minimumPrice, request.sourceAsset, request.destinationAsset),
  })

/** What the chain keeps of a listed channel, and the block that it was opened in, where that can be told. */
interface KeptListing {
  readonly value: Uint8Array
  readonly issued: Option.Option<{ readonly height: number; readonly at: EpochMillis }>
}

/** The storage key of the chain's time (chainflip/wire.md 2.8). */
const timeKey = "0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb"

/** The blocks within which a transaction of the broker's gets in, or never does (chainflip/wire.md 2.8). */
export const mortality = 128

const HexBytes = Schema.String.check(Schema.isPattern(/^0x(?:[0-9a-f]{2})*$/, { expected: "0x-hex bytes" }))
const WireHeader = Schema.Struct({ number: Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{1,8}$/)) })
const WireHash = Schema.NonEmptyString
const WireStorage = Schema.NullOr(HexBytes)

export const bytesOf = (hex: string): Uint8Array => hexToBytes(hex.slice(2))

const keyOf = (account: string) => Result.map(decodeSs58(account), ({ publicKey }) => bytesToHex(publicKey))

/** Whether a node writes this account, with whichever prefix. */
export const isAccount = (own: BrokerAccount) => {
  const key = Result.getOrUndefined(keyOf(own))
  return (account: string): boolean => key !== undefined && Result.getOrUndefined(keyOf(account)) === key
}

const readTime = (hex: string | null): EpochMillis =>
  EpochMillis.make(Number(bytesOf(hex ?? "0x").reduceRight((time, byte) => time * 256n + BigInt(byte), 0n)))

interface Block {
  readonly height: number
  readonly hash: string
}

/** Reads blocks and their storage (chainflip/wire.md 2.8); without a hash those of the latest block. */
export const makeState = ({ read }: JsonRpc) => {
  const storage = (key: string, ...at: ReadonlyArray<string>) =>
    read(WireStorage, "state_getStorage", key, ...at)
  const height = (...at: ReadonlyArray<string>) =>
    Effect.map(read(WireHeader, "chain_getHeader", ...at), ({ number }) => Number(number))
  return {
    storage,
    height,
    time: (...at: ReadonlyArray<string>) => Effect.map(storage(timeKey, ...at), readTime),
    /** The latest block that no other can take the place of. */
    finalized: Effect.flatMap(
      read(WireHash, "chain_getFinalizedHead"),
      (hash) => Effect.map(height(hash), (height): Block => ({ height, hash })),
    ),
    /** Looks at a block; nothing where the node has no such block or does not keep its state any more. */
    atHeight: <A>(
      height: number,
      look: (hash: string) => Asking<A>,
    ): Effect.Effect<Option.Option<A>, ProviderErrorReason> =>
      read(Schema.NullOr(WireHash), "chain_getBlockHash", height).pipe(
        Effect.flatMap((hash) => hash === null ? Effect.succeedNone : Effect.asSome(look(hash))),
        Effect.catchTag("RpcError", () => Effect.succeedNone),
      ),
  }
}

/** The look-ups of openings whose answers were lost (chainflip/wire.md 2.9). */
export const makeLostOpenings = (
  node: JsonRpc,
  conditions: Effect.Effect<Conditions, ProviderErrorReason>,
  options: Options,
): Required<Pick<Channels, "list" | "findOpening">> => {
  const state = makeState(node)
  const isOwn = isAccount(options.brokerAccount)

  const list = Effect.gen(function* (): Effect.fn.Return<Listing, ProviderErrorReason> {
    const head = yield* ofNode(state.finalized)
    const rows = yield* ofNode(node.read(WireListing, "cf_all_open_deposit_channels", head.hash))
    const channels: Array<ListedChannel> = []
    for (const [account, kind, accounts] of rows) {
      if (kind === notOurs || !isOwn(account)) continue
      channels.push(
        ...toChannels(yield* Effect.fromResult(decode(WireAccounts, accounts, ["result", account]))),
      )
    }
    const now = yield* ofNode(state.time(head.hash))
    const until = yield* state.atHeight(head.height - mortality - margin, state.time)
    return {
      channels,
      complete: {
        from: EpochMillis.make(Math.max(0, now - listedMillis)),
        until: Option.getOrElse(until, () => EpochMillis.make(0)),
      },
    }
  })

  const isThere = (key: string, height: number) =>
    Effect.map(
      state.atHeight(height, (hash) => state.storage(key, hash)),
      Option.map((value) => value !== null),
    )

  /** The first block with a channel that is there at `head`; nothing where the node cannot tell. */
  const firstBlock = Effect.fnUntraced(function* (key: string, head: Block) {
    let present = head.height
    let absent: number | undefined
    for (const step of steps) {
      const height = Math.max(0, head.height - step)
      const there = yield* isThere(key, height)
      if (Option.isNone(there)) return Option.none()
      if (!there.value) {
        absent = height
        break
      }
      present = height
    }
    if (absent === undefined) return Option.none()
    while (present - absent > 1) {
      const middle = Math.floor((present + absent) / 2)
      const there = yield* isThere(key, middle)
      if (Option.isNone(there)) return Option.none()
      if (there.value) present = middle
      else absent = middle
    }
    const height = present
    return Option.map(yield* state.atHeight(height, state.time), (at) => ({ height, at }))
  })

  /** Channels that were looked at already: each is looked at once, for however many openings. */
  const seen = new WeakMap<ListedChannel, KeptListing>()

  const look = Effect.fnUntraced(function* (channel: ListedChannel, head: Block): Effect.fn.Return<
    KeptListing | undefined,
    ProviderErrorReason
  > {
    const known = seen.get(channel)
    if (known !== undefined) return known
    const network = listedChainOf(chainOf(channel.asset))
    const key = network === undefined ? undefined : Result.getOrUndefined(
      DepositChannel.channelKey(network, channel.depositAddress),
    )
    if (key === undefined) return undefined
    const value = yield* ofNode(state.storage(key, head.hash))
    if (value === null) return undefined
    const kept = { value: bytesOf(value), issued: yield* firstBlock(key, head) }
    seen.set(channel, kept)
    return kept
  })

  const open = Effect.fnUntraced(function* (
    request: SwapRequest,
    { depositAddress }: ListedChannel,
    { channelId, expiryBlock }: DepositChannel.ChannelNumbers,
    { at, height }: { readonly height: number; readonly at: EpochMillis },
  ) {
    const current = yield* conditions
    const wire = {
      address: depositAddress,
      issued_block: height,
      channel_id: channelId,
      source_chain_expiry_block: expiryBlock,
      channel_opening_fee:
        current.environment.ingress_egress.channel_opening_fees?.[chainOf(request.sourceAsset)] ?? noAmount,
    }
    return yield* Effect.fromResult(toOpenedChannel(wire, { request, conditions: current, now: at, options }))
  })

  const find = Effect.fnUntraced(function* (
    request: SwapRequest,
    requestedAt: EpochMillis,
    { channels, complete }: Listing,
  ): Effect.fn.Return<OpeningTrace, ProviderErrorReason> {
    const terms = termsOf(request, options)
    if (Result.isFailure(terms) || listedChainOf(chainOf(request.sourceAsset)) === undefined) {
      return OpeningTrace.NotKnown()
    }
    const head = yield* ofNode(state.finalized)
    const earliest = requestedAt - margin * stateChainBlockMillis
    const looked = yield* Effect.forEach(
      channels.filter(({ asset }) => asset === request.sourceAsset),
      (channel) => Effect.map(look(channel, head), (kept) => ({ channel, kept })),
      { concurrency: 8 },
    )
    // A channel from before the request is another's, whatever its terms are.
    const possible = looked.filter(({ kept }) =>
      kept === undefined || Option.isNone(kept.issued) || kept.issued.value.at >= earliest
    )
    const fitting = possible.flatMap(({ channel, kept }) => {
      const numbers = kept && DepositChannel.findTerms(kept.value, terms.success)
      return kept === undefined || numbers === undefined ? [] : [{ channel, numbers, issued: kept.issued }]
    })
    const [first, ...others] = fitting
    if (first !== undefined && others.length === 0 && Option.isSome(first.issued)) {
      const opened = yield* open(request, first.channel, first.numbers, first.issued.value)
      return OpeningTrace.Found({ opened })
    }
    const isComplete = complete.from <= requestedAt && requestedAt <= complete.until
    return isComplete &&
        possible.every(({ kept }) => kept && DepositChannel.paysElsewhere(kept.value, terms.success))
      ? OpeningTrace.NothingOpened()
      : OpeningTrace.NotKnown()
  })

  return {
    list: list.pipe(failAs("status"), Effect.withSpan("Chainflip.list")),
    findOpening: Effect.fn("Chainflip.findOpening")(find, failAs("status")),
  }
}
