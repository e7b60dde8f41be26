import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { Result } from "effect"
import { accountBytes } from "../address/accountBytes.ts"
import { payeeOn } from "../address/ownerless.ts"
import { decodeSs58 } from "../address/Ss58.ts"
import { type AssetId, chainOf } from "../Asset.ts"
import type { Chain } from "../Chain.ts"
import type { CcmPayload, DcaParameters } from "../../swaps/SwapRequest.ts"
import { addressLength, addressVariant, assetNumber, networkAssets } from "./contractNumbers.ts"
import * as Scale from "./scale.ts"
import { twox128, twox64 } from "./twox.ts"

/** A deposit channel in the state chain's storage: its key and its value (chainflip/wire.md 2.9). */

/** The chains whose channels a node lists. */
export const listedChains = [
  "Bitcoin",
  "Ethereum",
  "Arbitrum",
  "Solana",
  "Tron",
  "Bsc",
] as const satisfies ReadonlyArray<Chain>
export type ListedChain = typeof listedChains[number]

/** The numbers of the kinds of Bitcoin's scripts. */
const scripts: Readonly<Record<string, number>> = { pkh: 0, sh: 1, wpkh: 2, wsh: 3, tr: 4 }

/** A Bitcoin address as the script that it stands for, which is how the state chain keeps it. */
const scriptOf = (address: string): Result.Result<Uint8Array, string> =>
  Result.flatMap(payeeOn("Bitcoin", address), (payee) => {
    const kind = scripts[payee.type]
    const program = "hash" in payee ? payee.hash : "pubkey" in payee ? payee.pubkey : undefined
    return kind === undefined || !(program instanceof Uint8Array)
      ? Result.fail("it is of a kind that is not known")
      : Result.succeed(concatBytes(Uint8Array.of(kind), program))
  })

const stored = (chain: Chain, address: string): Result.Result<Uint8Array, string> =>
  chain === "Bitcoin" ? scriptOf(address) : accountBytes(chain, address)

/** An address of any chain, with the number of its chain before it. */
const foreign = (chain: Chain, address: string) =>
  Result.map(stored(chain, address), (bytes) => concatBytes(Uint8Array.of(addressVariant(chain)), bytes))

/** The storage key of the channel with this address, as a node takes it. */
export const channelKey = (chain: ListedChain, address: string): Result.Result<string, string> =>
  Result.map(stored(chain, address), (account) =>
    `0x${
      bytesToHex(concatBytes(
        twox128(`${chain}IngressEgress`),
        twox128("DepositChannelLookup"),
        twox64(account),
        account,
      ))
    }`)

/** Who gets a share of the commission. */
interface Beneficiary {
  readonly account: string
  readonly commissionBps: number
}

/** What a channel was opened with, as far as the chain keeps it. */
export interface ChannelTerms {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly destinationAddress: string
  readonly refundAddress: string
  /** The broker that opened it comes first, with a commission of 0, too. */
  readonly brokers: ReadonlyArray<Beneficiary>
  readonly retryDurationBlocks: number
  readonly minimumPriceX128: bigint
  readonly maximumOraclePriceSlippageBps?: number
  readonly maximumBoostFeeBps: number
  readonly dca?: DcaParameters
  readonly ccm?: CcmPayload
}

const swapAction = Uint8Array.of(0)
const shares = Scale.list(P.struct({ account: P.bytes(32), bps: P.U16LE }))
/** A message that needs no further data on its destination chain. */
const message = Scale.option(
  P.struct({ message: Scale.bytes, gasBudget: P.U128LE, further: P.magic(P.U8, 0) }),
)
const slippage = Scale.option(P.U16LE)
const chunks = Scale.option(P.struct({ numberOfChunks: P.U32LE, chunkIntervalBlocks: P.U32LE }))
const noMessage = Uint8Array.of(0)

/** The part of a channel's value that says what it was opened with; fails for an address that no chain has. */
export const encodeTerms = (terms: ChannelTerms): Result.Result<Uint8Array, string> =>
  Result.gen(function* () {
    const brokers: Array<{ readonly account: Uint8Array; readonly bps: number }> = []
    for (const { account, commissionBps } of terms.brokers) {
      brokers.push({ account: (yield* decodeSs58(account)).publicKey, bps: commissionBps })
    }
    const { ccm } = terms
    return concatBytes(
      swapAction,
      Uint8Array.of(assetNumber(terms.destinationAsset)),
      yield* foreign(chainOf(terms.destinationAsset), terms.destinationAddress),
      shares.encode(brokers),
      message.encode(ccm && { message: hexToBytes(ccm.message.slice(2)), gasBudget: ccm.gasBudget }),
      P.U32LE.encode(terms.retryDurationBlocks),
      yield* foreign(chainOf(terms.sourceAsset), terms.refundAddress),
      P.U256LE.encode(terms.minimumPriceX128),
      noMessage,
      slippage.encode(terms.maximumOraclePriceSlippageBps),
      chunks.encode(terms.dca),
      P.U16LE.encode(terms.maximumBoostFeeBps),
    )
  })

/** What tells a channel from the others, whatever it was opened with. */
export interface ChannelNumbers {
  readonly channelId: number
  readonly expiryBlock: number
}

const head = P.struct({ owner: P.bytes(32), channelId: P.U64LE })
const block = P.U64LE

/** What becomes of fetches from a new address, by chain; its form is the chain's own. */
const freshState = (chain: ListedChain): Uint8Array => {
  if (chain === "Bitcoin") return new Uint8Array(33)
  return Uint8Array.of(chain === "Solana" ? 255 : 0)
}
const notBoosted = Uint8Array.of(1)
const notRejected = Uint8Array.of(0)

export const encodeChannel = (
  { channelId, depositAddress, expiryBlock, openedAtBlock, terms }: ChannelNumbers & {
    readonly depositAddress: string
    readonly openedAtBlock: number
    readonly terms: ChannelTerms
  },
  chain: ListedChain,
): Result.Result<Uint8Array, string> =>
  Result.gen(function* () {
    const [owner] = terms.brokers
    return concatBytes(
      head.encode({
        owner: (yield* decodeSs58(owner?.account ?? "")).publicKey,
        channelId: BigInt(channelId),
      }),
      yield* stored(chain, depositAddress),
      Uint8Array.of(assetNumber(terms.sourceAsset)),
      freshState(chain),
      block.encode(BigInt(openedAtBlock)),
      block.encode(BigInt(expiryBlock)),
      yield* encodeTerms(terms),
      notBoosted,
      notRejected,
    )
  })

const indexOf = (bytes: Uint8Array, part: Uint8Array, from = 0): number => {
  for (let at = from; at + part.length <= bytes.length; at++) {
    if (part.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}

/** The numbers of a stored channel with exactly these terms, found by bytes; else none. */
export const findTerms = (value: Uint8Array, terms: Uint8Array): ChannelNumbers | undefined => {
  const at = indexOf(value, terms)
  if (at < 48) return undefined
  return {
    channelId: Number(head.decode(value, { allowUnreadBytes: true }).channelId),
    expiryBlock: Number(block.decode(value.subarray(at - 8, at))),
  }
}

const lengthsOf = (chain: Chain): ReadonlyArray<number> => {
  const length = addressLength(chain)
  return length === undefined ? [21, 33] : [length]
}

/** The bytes up to `end` that are a swap's destination, in each way in which they can be one. */
const destinationsBefore = (value: Uint8Array, end: number): ReadonlyArray<Uint8Array> =>
  networkAssets.flatMap((asset) => {
    const start = concatBytes(swapAction, Uint8Array.of(assetNumber(asset), addressVariant(chainOf(asset))))
    return lengthsOf(chainOf(asset)).map((length) =>
      value.subarray(Math.max(0, end - length - start.length), end)
    )
      .filter((part) => indexOf(part, start) === 0)
  })

/** Whether a stored channel certainly pays to another destination, which stands before its shares. */
export const paysElsewhere = (value: Uint8Array, terms: Uint8Array): boolean => {
  const { owner } = head.decode(value, { allowUnreadBytes: true })
  const shares = indexOf(value, owner, owner.length)
  const [destination, ...others] = shares < 0 ? [] : destinationsBefore(value, shares - 1)
  return destination !== undefined && others.length === 0 && indexOf(terms, destination) !== 0
}
