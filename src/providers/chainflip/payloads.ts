import { Duration, Effect, Match, Result, Schema } from "effect"
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
import { Amount, maybe } from "../upstream/values.ts"
import { encodingReason } from "./brokerErrors.ts"
import type { JsonRpc } from "./client.ts"
import { type Conditions, estimateDuration, type Limits, limitsOf, minimumDeposit } from "./conditions.ts"
import { failAs } from "./errors.ts"
import { checkEncoding } from "./limits.ts"
import { toEncodingParameters } from "./parameters.ts"
import {
  checkInstruction,
  checkNote,
  checkNullData,
  checkTransfer,
  checkVaultCall,
  isTokenOf,
} from "./payloadContents.ts"
import { addressAt } from "../upstream/channelNumbers.ts"
import { decode, malformed } from "../upstream/decode.ts"
import { beforeOpening } from "../upstream/failures.ts"
import type { Options } from "./settings.ts"

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
      to: wire.to,
      calldata: wire.calldata,
      value: wire.value,
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
      to: wire.to,
      calldata: wire.calldata,
      value: wire.value,
      note: wire.note,
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
