import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { assetNumber, chainNumber, networkAssets } from "#domain/chains/payload/contractNumbers.ts"
import { decodeSwapInstruction, encodeSwapInstruction } from "#domain/chains/payload/swapInstruction.ts"
import type { SolanaPayload } from "#domain/swaps/VaultSwap.ts"
import type { RequestedSwap, VaultSwap } from "../../engine/Command.ts"
import { vaultAddress } from "../../engine/identifiers.ts"
import { addressBytes, readDestination } from "./destination.ts"
import { decodeParameters, encodeParameters } from "./parameters.ts"
import type { Affiliate } from "../../engine/State.ts"

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

export const decodeSolana = (
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
