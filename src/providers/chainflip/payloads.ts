import { Duration, Effect, Match, Result, Schema, Struct } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { noAmount } from "#domain/money/Amount.ts"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, Network } from "#domain/chains/Chain.ts"
import type { MalformedBody, ProviderErrorReason } from "#domain/ProviderError.ts"
import { EpochMillis } from "#domain/Time.ts"
import {
  HexBytes,
  type PayloadSender,
  type VaultSwapPayload,
  type VaultSwapRequest,
} from "#domain/swaps/VaultSwap.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { VaultSwaps } from "../Provider.ts"
import { Amount, decode, malformed, maybe } from "../upstream/values.ts"
import { encodingReason } from "./brokerErrors.ts"
import { failAs, type JsonRpc } from "./client.ts"
import { type Conditions, estimateDuration, type Limits, limitsOf, minimumDeposit } from "./conditions.ts"
import { checkEncoding, minimumOutput, toEncodingParameters } from "./openings.ts"
import { addressAt } from "../upstream/openedOrder.ts"
import { beforeOpening } from "../upstream/failures.ts"
import type { Options } from "./settings.ts"
import { bytesToHex, bytesToNumberBE, hexToBytes, numberToBytesBE } from "@noble/curves/utils.js"
import { accountBytes, accountText } from "#domain/chains/address/accountBytes.ts"
import { decodeCall, isSameBytes, transferFunction, vaultFunction } from "#domain/chains/payload/abi.ts"
import { assetNumber, chainNumber } from "#domain/chains/payload/contractNumbers.ts"
import { decodeNullData, longestNullData, noOracleLimit } from "#domain/chains/payload/nullData.ts"
import { decodeSwapInstruction } from "#domain/chains/payload/swapInstruction.ts"
import { decodeTronNote } from "#domain/chains/payload/tronNote.ts"
import { toX128 } from "#domain/money/Price.ts"

/** The results of `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */

export const WireBitcoinEncoding = Schema.Struct({
  chain: Schema.Literal("Bitcoin"),
  nulldata_payload: HexBytes,
  deposit_address: Address,
})

const call = { calldata: HexBytes, value: Amount, to: Address, source_token_address: maybe(Address) }

export const WireEvmEncoding = Schema.Struct({ chain: Schema.Literals(["Ethereum", "Arbitrum"]), ...call })
type WireEvmEncoding = typeof WireEvmEncoding.Type

export const WireSolanaEncoding = Schema.Struct({
  chain: Schema.Literal("Solana"),
  program_id: Address,
  data: HexBytes,
  accounts: Schema.NonEmptyArray(Schema.Struct({
    pubkey: Address,
    is_signer: Schema.Boolean,
    is_writable: Schema.Boolean,
  })),
})

export const WireTronEncoding = Schema.Struct({ chain: Schema.Literal("Tron"), ...call, note: HexBytes })

type Payload = Result.Result<VaultSwapPayload, MalformedBody>
type Check = Result.Result<void, MalformedBody>

const holds = (condition: boolean, detail: string): Check => condition ? Result.void : malformed(detail)

const isOn = (member: string, chain: Chain, networks: ReadonlyArray<Network>, address: Address) =>
  addressAt(`result.${member}`, chain, address, networks)

const isFor = (chain: Chain, request: VaultSwapRequest): Check =>
  holds(
    chain === chainOf(request.sourceAsset),
    `result.chain: expected ${chainOf(request.sourceAsset)}, got ${chain}`,
  )

// Checks of the bytes of a payload against the request: a wallet shows its user hardly any of them, and the network
// does what they say.

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

const isTokenOf = (request: VaultSwapRequest, address: Address): boolean => {
  const token = tokenOf(request)
  const chain = chainOf(request.sourceAsset)
  return token !== undefined && accountText(chain, address) === accountText(chain, token)
}

/** Checks the bytes after OP_RETURN of a Bitcoin transaction. */
const checkNullData = (nullData: string, request: VaultSwapRequest): Check => {
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

const checkVaultCall = (calldata: string, request: VaultSwapRequest): Check => {
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

const checkNote = (note: string, request: VaultSwapRequest): Check => {
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
const checkTransfer = (calldata: string, to: Address, request: VaultSwapRequest): Check => {
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

const checkInstruction = (data: string, request: VaultSwapRequest): Check => {
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

/** Checks the transaction's own value: the whole amount of a chain's own coin, and nothing where a token is called. */
const movesAll = (
  { source_token_address: token, value }: Pick<WireEvmEncoding, "source_token_address" | "value">,
  request: VaultSwapRequest,
): Check =>
  factsOf(request.sourceAsset).contractAddress === undefined
    ? holds(
      value === request.amount && token === undefined,
      "result.value: expected the amount that is swapped",
    )
    : holds(
      value === noAmount && token !== undefined && isTokenOf(request, token),
      "result.source_token_address: expected the token that is swapped, and nothing else of value",
    )

const readBitcoin = (result: unknown, request: VaultSwapRequest, networks: ReadonlyArray<Network>): Payload =>
  Result.gen(function* () {
    const wire = yield* decode(WireBitcoinEncoding, result, ["result"])
    yield* isFor(wire.chain, request)
    yield* isOn("deposit_address", "Bitcoin", networks, wire.deposit_address)
    yield* checkNullData(wire.nulldata_payload, request)
    return {
      _tag: "bitcoin",
      network: "Bitcoin",
      depositAddress: wire.deposit_address,
      nulldataPayload: wire.nulldata_payload,
      amountNative: request.amount,
    }
  })

const readEvm = (result: unknown, request: VaultSwapRequest, networks: ReadonlyArray<Network>): Payload =>
  Result.gen(function* () {
    const wire = yield* decode(WireEvmEncoding, result, ["result"])
    yield* isFor(wire.chain, request)
    yield* isOn("to", wire.chain, networks, wire.to)
    yield* movesAll(wire, request)
    yield* checkVaultCall(wire.calldata, request)
    return {
      _tag: "evm",
      network: wire.chain,
      ...Struct.pick(wire, ["to", "calldata", "value"]),
      ...optionalMembers(wire.source_token_address, (sourceTokenAddress) => ({ sourceTokenAddress })),
    }
  })

const readSolana = (
  result: unknown,
  request: VaultSwapRequest,
  sender: Extract<PayloadSender, { readonly _tag: "solana" }>,
  networks: ReadonlyArray<Network>,
): Payload =>
  Result.gen(function* () {
    const wire = yield* decode(WireSolanaEncoding, result, ["result"])
    yield* isFor(wire.chain, request)
    yield* isOn("program_id", "Solana", networks, wire.program_id)
    yield* Result.all(
      wire.accounts.map(({ pubkey }, index) => isOn(`accounts[${index}].pubkey`, "Solana", networks, pubkey)),
    )
    const signers = wire.accounts.filter(({ is_signer }) => is_signer)
    yield* holds(
      signers.length > 0 && signers.every(({ pubkey }) => pubkey === sender.address),
      "result.accounts: expected the sender as the only signer",
    )
    const needed = [factsOf(request.sourceAsset).contractAddress, sender.tokenAccount]
    yield* holds(
      needed.every((address) =>
        address === undefined || wire.accounts.some(({ pubkey }) => pubkey === address)
      ),
      "result.accounts: expected the token that is swapped, and the account that it is taken from",
    )
    yield* checkInstruction(wire.data, request)
    return {
      _tag: "solana",
      network: "Solana",
      instructions: [{
        programId: wire.program_id,
        accounts: wire.accounts.map(({ is_signer, is_writable, pubkey }) => ({
          pubkey,
          isSigner: is_signer,
          isWritable: is_writable,
        })),
        data: wire.data,
      }] as const,
    }
  })

const readTron = (result: unknown, request: VaultSwapRequest, networks: ReadonlyArray<Network>): Payload =>
  Result.gen(function* () {
    const wire = yield* decode(WireTronEncoding, result, ["result"])
    yield* isFor(wire.chain, request)
    yield* isOn("to", "Tron", networks, wire.to)
    yield* movesAll(wire, request)
    yield* checkTransfer(wire.calldata, wire.to, request)
    yield* checkNote(wire.note, request)
    return {
      _tag: "tron",
      network: "Tron",
      ...Struct.pick(wire, ["to", "calldata", "value", "note"]),
      ...optionalMembers(wire.source_token_address, (sourceTokenAddress) => ({ sourceTokenAddress })),
    }
  })

/** Reads the result of an encoding, and checks that money sent by it arrives (chainflip/wire.md 2.3). */
const readPayload = (result: unknown, request: VaultSwapRequest, networks: ReadonlyArray<Network>): Payload =>
  Match.value(request.sender).pipe(
    Match.withReturnType<Payload>(),
    Match.tagsExhaustive({
      bitcoin: () => readBitcoin(result, request, networks),
      evm: () => readEvm(result, request, networks),
      solana: (sender) => readSolana(result, request, sender, networks),
      tron: () => readTron(result, request, networks),
      xrpl: () => malformed("result: expected none, as the chain has no vault, got one"),
    }),
  )

interface Endpoints {
  readonly broker: JsonRpc
  readonly conditions: Effect.Effect<Conditions, ProviderErrorReason>
  readonly lookUps: Required<Pick<VaultSwaps, "list" | "status">>
}

/** A payload has no end upstream, but its price limit ages: it is handed out for an hour. */
const usualLifetime = Duration.hours(1)

/** Makes the operations of vault swaps, by the operator's own broker. Asset Hub has no vault (chainflip/wire.md 2.3). */
export const makeVaultSwaps = ({ broker, conditions, lookUps }: Endpoints, options: Options): VaultSwaps => {
  const encodeAtBroker = (request: VaultSwapRequest, limits: Limits) =>
    broker.call("broker_request_swap_parameter_encoding", toEncodingParameters(request), {
      endpoint: "broker",
      opening: true,
      pair: request,
    }).pipe(Effect.catchTag("RpcError", (error) => Effect.fail(encodingReason(error, request, limits))))

  const lifetime = options.payloadLifetime ?? usualLifetime

  return {
    chains: ["Bitcoin", "Ethereum", "Arbitrum", "Solana", "Tron"],
    encode: Effect.fn("Chainflip.encode")(function* (request) {
      const current = yield* beforeOpening(conditions)
      yield* Effect.fromResult(checkEncoding(current, request))
      const result = yield* encodeAtBroker(request, limitsOf(current))
      return {
        payload: yield* Effect.fromResult(readPayload(result, request, options.networks ?? Network.literals)),
        // Null data has no room for a refund address: the network takes that of the third output.
        refundsTo: request.sender._tag === "bitcoin" ? "change" as const : "address" as const,
        expiresAt: EpochMillis.make((yield* currentMillis) + Math.floor(Duration.toMillis(lifetime))),
        minimumDeposit: minimumDeposit(current, request.sourceAsset),
        estimatedDuration: estimateDuration(current, request),
        fees: [],
      }
    }, failAs("encode")),
    ...lookUps,
  }
}
