import { Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { issueAbout, type Issues } from "#domain/Issues.ts"
import type { BitcoinPayload, SolanaPayload, VaultSwapPayload } from "#domain/swaps/VaultSwap.ts"
import { vaultAddress } from "../../engine/identifiers.ts"
import type { RequestedSwap, VaultSwap } from "../../engine/Command.ts"
import { decodeEvm, decodeTron } from "./evm.ts"
import type { Affiliate } from "../../engine/State.ts"
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import {
  decodeNullData,
  encodeNullData,
  longestNullData,
  noOracleLimit,
} from "#domain/chains/payload/nullData.ts"
import {
  addressBytes,
  decodeParameters,
  destinationOf,
  encodeParameters,
  readAffiliates,
  readDestination,
  writeAffiliates,
} from "./parameters.ts"
import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { base58 } from "@scure/base"
import { assetNumber, chainNumber, networkAssets } from "#domain/chains/payload/contractNumbers.ts"
import { decodeSwapInstruction, encodeSwapInstruction } from "#domain/chains/payload/swapInstruction.ts"

export interface Transaction {
  readonly payload: VaultSwapPayload
  /** The amount of an asset that the transaction moves, if the control gives one. */
  readonly amountOf: (asset: AssetId) => Result.Result<NativeAmount | undefined, Issues>
  readonly changeAddress: string | undefined
}

/** The address of the change if the control gives none. */
const anyChange = vaultAddress("Bitcoin", "change")

type Decoded = Result.Result<Omit<VaultSwap, "_tag">, Issues>

const unreadable = (sentence: string): Issues => issueAbout("payload", `cannot be sent: ${sentence}`)

/** The single chunk of a regular swap, whose interval means nothing. */
const oneChunk = { numberOfChunks: 1, chunkIntervalBlocks: 2 }

/** Bytes of the two terms before the limit by an oracle: blocks to retry, and the least output. */
const limitsLength = 18

/** Null data as networks wrote it before they had a limit by an oracle. */
const withoutOracle = (payload: Uint8Array, destinationLength: number): Uint8Array => {
  const terms = payload.subarray(2 + destinationLength)
  return concatBytes(
    Uint8Array.of(0, ...payload.subarray(1, 2 + destinationLength)),
    terms.subarray(0, limitsLength),
    terms.subarray(limitsLength + 1),
  )
}

/** The null-data output of a swap; its price limit is of the whole output. Only the newest has an oracle limit. */
export const encodeBitcoin = (
  request: RequestedSwap,
  minimumOutput: bigint,
  registered: ReadonlyArray<Affiliate>,
  isNewest = true,
) => {
  const { destinationAsset, destinationAddress, refund, dca = oneChunk } = request
  const destination = addressBytes(chainOf(destinationAsset), destinationAddress)
  const payload = encodeNullData({
    destinationAsset,
    destination,
    terms: {
      retryDuration: refund.retryDurationBlocks,
      minimumOutput,
      maximumOraclePriceSlippage: refund.maximumOraclePriceSlippageBps ?? noOracleLimit,
      numberOfChunks: dca.numberOfChunks,
      chunkInterval: dca.chunkIntervalBlocks,
      boostFee: request.boostFeeBps,
      brokerFee: request.brokerCommissionBps,
      affiliates: writeAffiliates(request.affiliates, registered),
    },
  })
  return {
    chain: "Bitcoin",
    nulldata_payload: `0x${bytesToHex(isNewest ? payload : withoutOracle(payload, destination.length))}`,
    deposit_address: vaultAddress("Bitcoin"),
  }
}

const one = 2n ** 128n

/** The swap that a transaction with this amount asks for; refunds go to the address of its change. */
const decodeBitcoin = (
  { depositAddress, nulldataPayload }: BitcoinPayload,
  amount: bigint,
  changeAddress: string,
  registered: ReadonlyArray<Affiliate>,
): Result.Result<RequestedSwap, string> =>
  Result.gen(function* () {
    if (depositAddress !== vaultAddress("Bitcoin")) {
      return yield* Result.fail("its depositAddress is not one of this sandbox")
    }
    const bytes = hexToBytes(nulldataPayload.slice(2))
    const said = bytes.length > longestNullData ? undefined : decodeNullData(bytes)
    if (said === undefined) return yield* Result.fail("its nulldataPayload cannot be read")
    const { terms: read } = said
    const { chunkInterval, maximumOraclePriceSlippage: oracle, numberOfChunks } = read
    return {
      sourceAsset: "btc.btc",
      ...(yield* destinationOf(said.destinationAsset, said.destination)),
      brokerCommissionBps: read.brokerFee,
      boostFeeBps: read.boostFee,
      affiliates: yield* readAffiliates(read.affiliates, registered),
      refund: {
        retryDurationBlocks: read.retryDuration,
        refundAddress: changeAddress,
        minimumPriceX128: amount === 0n ? 0n : read.minimumOutput * one / amount,
        ...(oracle === noOracleLimit ? {} : { maximumOraclePriceSlippageBps: oracle }),
      },
      ...(numberOfChunks === 1 ? {} : { dca: { numberOfChunks, chunkIntervalBlocks: chunkInterval } }),
    }
  })

const decodePayment = (
  payload: Extract<VaultSwapPayload, { readonly _tag: "bitcoin" }>,
  { amountOf, changeAddress }: Transaction,
  registered: ReadonlyArray<Affiliate>,
): Decoded =>
  Result.gen(function* () {
    const amount = (yield* amountOf("btc.btc")) ?? payload.amountNative
    const request = yield* Result.mapError(
      decodeBitcoin(payload, amount, changeAddress ?? anyChange, registered),
      unreadable,
    )
    return { ...request, amount }
  })

type Call = Exclude<VaultSwapPayload, { readonly _tag: "bitcoin" | "xrpl" }>

/** Whether the transaction itself carries its amount, and not a call in its payload. */
const isCoin = (payload: Call): boolean =>
  payload._tag !== "solana" && payload.sourceTokenAddress === undefined

/** The instruction for a swap; its amount and its gas budget have at most 64 bits. */
export const encodeSolana = (
  request: RequestedSwap,
  amount: NativeAmount,
  sender: Sender,
  registered: ReadonlyArray<Affiliate>,
) => {
  const { sourceAsset, destinationAsset, destinationAddress, ccm } = request
  const destination = chainOf(destinationAsset)
  const { contractAddress: mint, decimals } = factsOf(sourceAsset)
  const said = {
    amount,
    destinationChain: chainNumber(destination),
    destinationAddress: addressBytes(destination, destinationAddress),
    destinationAsset: assetNumber(destinationAsset),
    message: ccm === undefined
      ? undefined
      : { message: hexToBytes(ccm.message.slice(2)), gasBudget: ccm.gasBudget },
    parameters: encodeParameters(request, registered),
    seed: hexToBytes(sender.seed.slice(2)),
  }
  const data = encodeSwapInstruction(mint === undefined ? said : { ...said, decimals })
  return {
    chain: "Solana",
    program_id: swapProgram,
    data: `0x${bytesToHex(data)}`,
    accounts: mint === undefined ? coinAccounts(sender) : tokenAccounts(sender, mint),
  }
}

const findMint = (mint: string | undefined): AssetId | undefined =>
  networkAssets.find((asset) => chainOf(asset) === "Solana" && factsOf(asset).contractAddress === mint)

const decodeSolana = (
  { instructions: [{ accounts, data, programId }, ...others] }: SolanaPayload,
  registered: ReadonlyArray<Affiliate>,
): Result.Result<Omit<VaultSwap, "_tag">, string> =>
  Result.gen(function* () {
    if (others.length > 0) return yield* Result.fail("it has more than one instruction")
    if (programId !== swapProgram) return yield* Result.fail("its programId is not one of this sandbox")
    const read = decodeSwapInstruction(hexToBytes(data.slice(2)))
    if (read === undefined) return yield* Result.fail("its data cannot be read")
    const isToken = read.decimals !== undefined
    const sourceAsset = findMint(isToken ? accounts[mintIndex]?.pubkey : undefined)
    if (sourceAsset === undefined || isToken !== (factsOf(sourceAsset).contractAddress !== undefined)) {
      return yield* Result.fail("its accounts are not those of a swap")
    }
    const destination = yield* readDestination(
      read.destinationAsset,
      read.destinationAddress,
      read.destinationChain,
    )
    const ccm = read.message === undefined ? {} : {
      ccm: {
        message: `0x${bytesToHex(read.message.message)}`,
        gasBudget: NativeAmount.make(read.message.gasBudget),
      },
    }
    const parameters = yield* decodeParameters(
      "Solana",
      { ...destination, ...ccm },
      read.parameters,
      registered,
    )
    return { sourceAsset, amount: NativeAmount.make(read.amount), ...destination, ...parameters, ...ccm }
  })

interface WireAccount {
  readonly pubkey: string
  readonly is_signer: boolean
  readonly is_writable: boolean
}

const systemProgram = "11111111111111111111111111111111"
const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
const associatedTokenProgram = "ATokenGPvbdGJxd6zaPQVtPJWDkJhNSHYd5aJmb4Jcd"

/** The program for swaps; the other accounts are also the sandbox's own. */
const swapProgram = vaultAddress("Solana", "swap program")
const vaultData = vaultAddress("Solana", "vault data")
const aggregateKey = vaultAddress("Solana")
const programData = vaultAddress("Solana", "swap program data")
const supportedToken = vaultAddress("Solana", "supported token")

const key = (address: string): Uint8Array => base58.decode(address)

const tokenAccountOf = (owner: string, mint: string): string =>
  base58.encode(programAddress(key(associatedTokenProgram), [key(owner), key(tokenProgram), key(mint)]))

/** The account that the event of a swap is written to: a separate one for each sender and seed. */
const eventAccount = (from: string, seed: string): string =>
  base58.encode(
    programAddress(key(swapProgram), [utf8ToBytes("swap_event"), key(from), hexToBytes(seed.slice(2))]),
  )

const reads = (pubkey: string): WireAccount => ({ pubkey, is_signer: false, is_writable: false })
const writes = (pubkey: string): WireAccount => ({ pubkey, is_signer: false, is_writable: true })
const signs = (pubkey: string): WireAccount => ({ pubkey, is_signer: true, is_writable: true })

interface Sender {
  readonly from: string
  readonly seed: string
  /** Absent: the sender's own account of the token. */
  readonly tokenAccount?: string
}

const coinAccounts = ({ from, seed }: Sender): ReadonlyArray<WireAccount> => [
  reads(vaultData),
  writes(aggregateKey),
  signs(from),
  writes(eventAccount(from, seed)),
  writes(programData),
  reads(systemProgram),
]

/** The position of the mint in `tokenAccounts`. */
const mintIndex = 8

const tokenAccounts = ({ from, seed, tokenAccount }: Sender, mint: string): ReadonlyArray<WireAccount> => [
  reads(vaultData),
  writes(tokenAccountOf(aggregateKey, mint)),
  signs(from),
  writes(tokenAccount ?? tokenAccountOf(from, mint)),
  writes(eventAccount(from, seed)),
  writes(programData),
  reads(supportedToken),
  reads(tokenProgram),
  reads(mint),
  reads(systemProgram),
]

const suffix = utf8ToBytes("ProgramDerivedAddress")

/** Whether a key is on the curve. Nobody can sign for other keys: only a program can own them. */
const isOnCurve = (key: Uint8Array): boolean =>
  Result.isSuccess(Result.try(() => ed25519.Point.fromBytes(key)))

/** The account that a Solana program derives from seeds: the first that is off the curve, counting down from 255. */
const programAddress = (program: Uint8Array, seeds: ReadonlyArray<Uint8Array>): Uint8Array => {
  for (let bump = 255; bump > 0; bump--) {
    const key = sha256(concatBytes(...seeds, Uint8Array.of(bump), program, suffix))
    if (!isOnCurve(key)) return key
  }
  throw new RangeError("No account can be derived from these seeds")
}

const decodeOther = (
  payload: Call,
  { amountOf, changeAddress }: Transaction,
  registered: ReadonlyArray<Affiliate>,
): Decoded =>
  Result.gen(function* () {
    if (changeAddress !== undefined) {
      return yield* Result.fail(issueAbout("changeAddress", "is for transactions on Bitcoin alone"))
    }
    const decode = payload._tag === "solana"
      ? decodeSolana(payload, registered)
      : payload._tag === "tron"
      ? decodeTron(payload, registered)
      : decodeEvm(payload, registered)
    const swap = yield* Result.mapError(decode, unreadable)
    const amount = (yield* amountOf(swap.sourceAsset)) ?? swap.amount
    return amount === swap.amount || isCoin(payload) ? { ...swap, amount } : yield* Result.fail(
      issueAbout("amount", `must be the ${swap.amount} native units that the payload moves`),
    )
  })

/** The swap that a transaction asks for, or why the transaction could not be sent. */
export const decodeTransaction = (
  transaction: Transaction,
  registered: ReadonlyArray<Affiliate>,
): Result.Result<VaultSwap, Issues> => {
  const { payload } = transaction
  if (payload._tag === "xrpl") return Result.fail(unreadable("no vault takes payments on the XRP Ledger"))
  const decoded = payload._tag === "bitcoin"
    ? decodePayment(payload, transaction, registered)
    : decodeOther(payload, transaction, registered)
  return Result.map(decoded, (swap) => ({ _tag: "VaultSwap", ...swap }))
}
