import { bytesToHex, bytesToNumberBE, hexToBytes, numberToBytesBE } from "@noble/curves/utils.js"
import { Result } from "effect"
import type { Address } from "#domain/chains/Address.ts"
import { accountBytes, accountText } from "#domain/chains/address/accountBytes.ts"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import { decodeCall, isSameBytes, transferFunction, vaultFunction } from "#domain/chains/payload/abi.ts"
import { assetNumber, chainNumber } from "#domain/chains/payload/contractNumbers.ts"
import { decodeNullData, longestNullData, noOracleLimit } from "#domain/chains/payload/nullData.ts"
import { decodeSwapInstruction } from "#domain/chains/payload/swapInstruction.ts"
import { decodeTronNote } from "#domain/chains/payload/tronNote.ts"
import { toX128 } from "#domain/money/Price.ts"
import type { MalformedBody } from "#domain/ProviderError.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { malformed } from "../upstream/decode.ts"
import { minimumOutput } from "./parameters.ts"

// Checks of the bytes of a payload against the request: a wallet shows its user hardly any of them, and the network
// does what they say.

type Check = Result.Result<void, MalformedBody>

/** Conditions that have to hold, by the name that a failure gives them. */
type Rules = ReadonlyArray<readonly [name: string, holds: boolean]>

const all = (member: string, rules: Rules): Check => {
  const broken = rules.find(([, holds]) => !holds)
  return broken === undefined
    ? Result.void
    : malformed(`result.${member}: expected the ${broken[0]} that was asked for`)
}

const bytesOf = (hex: string): Uint8Array => hexToBytes(hex.slice(2))

const noBytes = new Uint8Array()

/** The bytes of an address in payloads; none where it is no address of the chain. */
const addressBytes = (chain: ReturnType<typeof chainOf>, address: Address): Uint8Array =>
  Result.getOrElse(accountBytes(chain, address), () => noBytes)

const destinationBytes = ({ destinationAddress, destinationAsset }: VaultSwapRequest): Uint8Array =>
  addressBytes(chainOf(destinationAsset), destinationAddress)

const tokenOf = ({ sourceAsset }: VaultSwapRequest): string | undefined =>
  factsOf(sourceAsset).contractAddress

const contains = (bytes: Uint8Array, part: Uint8Array): boolean =>
  part.length > 0 && bytesToHex(bytes).includes(bytesToHex(part))

const wordLength = 32

/** Looks for the refund address and the price limit only: the form of the rest changes with network versions. */
const parameterRules = (parameters: Uint8Array, request: VaultSwapRequest): Rules => {
  const { destinationAsset, minimumPrice, refundAddress, sourceAsset } = request
  const price = numberToBytesBE(toX128(minimumPrice, sourceAsset, destinationAsset), wordLength).toReversed()
  return [
    ["refund address", contains(parameters, addressBytes(chainOf(sourceAsset), refundAddress))],
    ["price limit", contains(parameters, price)],
  ]
}

const messageRule = (
  said: { readonly gasBudget: bigint; readonly message: Uint8Array } | undefined,
  { ccm }: VaultSwapRequest,
): Rules => [[
  "message",
  said === undefined || ccm === undefined
    ? said === ccm
    : said.gasBudget === ccm.gasBudget && isSameBytes(said.message, bytesOf(ccm.message)),
]]

export const isTokenOf = (request: VaultSwapRequest, address: Address): boolean => {
  const token = tokenOf(request)
  const chain = chainOf(request.sourceAsset)
  return token !== undefined && accountText(chain, address) === accountText(chain, token)
}

/** Checks the bytes after OP_RETURN of a Bitcoin transaction. */
export const checkNullData = (nullData: string, request: VaultSwapRequest): Check => {
  const bytes = bytesOf(nullData)
  if (bytes.length === 0 || bytes.length > longestNullData) {
    return malformed(`result.nulldata_payload: expected 1 to ${longestNullData} bytes, got ${bytes.length}`)
  }
  const said = decodeNullData(bytes)
  const terms = said?.terms
  const { affiliates, commissionBps, dca, destinationAsset, maximumBoostFeeBps, retryDurationBlocks } =
    request
  return all("nulldata_payload", [
    ["form", said !== undefined],
    ["destination asset", said?.destinationAsset === destinationAsset],
    ["destination address", isSameBytes(said?.destination ?? noBytes, destinationBytes(request))],
    ["least output", terms?.minimumOutput === minimumOutput(request)],
    ["commission", terms?.brokerFee === commissionBps],
    [
      "shares of affiliates",
      terms?.affiliates.map(({ bps }) => bps).join() ===
        affiliates.map(({ commissionBps }) => commissionBps).join(),
    ],
    ["retry duration", terms?.retryDuration === retryDurationBlocks],
    ["number of chunks", terms?.numberOfChunks === (dca?.numberOfChunks ?? 1)],
    ["interval of chunks", dca === undefined || terms?.chunkInterval === dca.chunkIntervalBlocks],
    ["boost fee", terms?.boostFee === maximumBoostFeeBps],
    ["oracle limit", terms?.maximumOraclePriceSlippage === noOracleLimit],
  ])
}

export const checkVaultCall = (calldata: string, request: VaultSwapRequest): Check => {
  const { amount, ccm, destinationAsset, sourceAsset } = request
  const call = decodeCall(vaultFunction(sourceAsset, ccm !== undefined), bytesOf(calldata))
  const { strings, words } = call ?? { strings: [], words: [] }
  const token = tokenOf(request)
  const [destination = noBytes, message = noBytes] = strings
  const [chain, asset, gasBudget = 0n] = words
  return all("calldata", [
    ["function", call !== undefined],
    ["destination chain", chain === BigInt(chainNumber(chainOf(destinationAsset)))],
    ["destination asset", asset === BigInt(assetNumber(destinationAsset))],
    ["destination address", isSameBytes(destination, destinationBytes(request))],
    ...messageRule(ccm === undefined ? undefined : { gasBudget, message }, request),
    ["token", token === undefined || words.at(-2) === BigInt(token)],
    ["amount", token === undefined || words.at(-1) === amount],
    ...parameterRules(strings.at(-1) ?? noBytes, request),
  ])
}

export const checkNote = (note: string, request: VaultSwapRequest): Check => {
  const said = decodeTronNote(bytesOf(note))
  return all("note", [
    ["form", said !== undefined],
    ["destination asset", said?.destinationAsset === request.destinationAsset],
    ["destination address", isSameBytes(said?.destination ?? noBytes, destinationBytes(request))],
    ...messageRule(said?.message, request),
    ...parameterRules(said?.parameters ?? noBytes, request),
  ])
}

/** Checks the transfer of a token to the vault on Tron. TRX has no such call. */
export const checkTransfer = (calldata: string, to: Address, request: VaultSwapRequest): Check => {
  const bytes = bytesOf(calldata)
  if (tokenOf(request) === undefined) return all("calldata", [["empty call", bytes.length === 0]])
  const call = decodeCall(transferFunction, bytes)
  const [recipient, amount] = call?.words ?? []
  return all("calldata", [
    ["function", call !== undefined],
    ["recipient", recipient === bytesToNumberBE(addressBytes("Tron", to))],
    ["amount", amount === request.amount],
  ])
}

export const checkInstruction = (data: string, request: VaultSwapRequest): Check => {
  const { amount, destinationAsset, sender, sourceAsset } = request
  const said = decodeSwapInstruction(bytesOf(data))
  const decimals = tokenOf(request) === undefined ? undefined : factsOf(sourceAsset).decimals
  return all("data", [
    ["instruction", said !== undefined && said.decimals === decimals],
    ["amount", said?.amount === amount],
    ["destination chain", said?.destinationChain === chainNumber(chainOf(destinationAsset))],
    ["destination asset", said?.destinationAsset === assetNumber(destinationAsset)],
    ["destination address", isSameBytes(said?.destinationAddress ?? noBytes, destinationBytes(request))],
    ["seed", sender._tag === "solana" && isSameBytes(said?.seed ?? noBytes, bytesOf(sender.seed))],
    ...messageRule(said?.message, request),
    ...parameterRules(said?.parameters ?? noBytes, request),
  ])
}
