import { Effect, Schema } from "effect"
import {
  BitcoinPayloadBody,
  EvmPayloadBody,
  payloadNamesOf,
  SolanaPayloadBody,
  TronPayloadBody,
  XrplPayloadBody,
} from "#api/TxPayload.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import {
  BitcoinPayload,
  EvmPayload,
  type PayloadKind,
  SolanaPayload,
  TronPayload,
  type VaultSwapPayload,
  type VaultSwapRequest,
  XrplPayload,
} from "#domain/swaps/VaultSwap.ts"
import type { EncodingRequest, PayloadInput } from "#application/swapping/payloads/PayloadRules.ts"
import { type HandedOutPayload, VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { type IdempotentRequest, makeIdempotent } from "../requests/idempotent.ts"
import { accept } from "../requests/parameterIssues.ts"
import { failAsProblem, handlersOf } from "../requests/failedRequests.ts"
import {
  makeRepeatedOpening,
  makeWithFreshQuote,
  presentOpened,
  readPayload,
  readPostedPayload,
  readPostedSwap,
  readSwap,
  refusePrefetch,
  requestPayload,
  requestSwap,
} from "../requests/openings.ts"
import type { Failure } from "../requests/problems.ts"
import { type Endpoint, givenInBoth, givenInQuery, type RequestServices } from "../requests/nearNames.ts"
import { noValue, presentFee, presentRefund, seconds } from "#api/shape.ts"
import { outOfReachWarning, warningText } from "#domain/swaps/payment/warnings.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Address } from "#domain/chains/Address.ts"
import { noAmount, toHuman } from "#domain/money/Amount.ts"
import { encodeCall } from "#domain/chains/payload/abi.ts"
import { bytesToHex } from "@noble/hashes/utils.js"
import { DepositChannelBody, swapParameterNames } from "#api/Swap.ts"
import type { OpeningRequest } from "#application/swapping/opening/SwapRules.ts"
import type { OpenedSwap } from "#application/swapping/opening/OpeningRecord.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"

/** The members that payloads of every chain have. */
type PayloadTerms = Pick<
  typeof BitcoinPayloadBody.Type,
  | "platform"
  | "expiresAt"
  | "minimumDeposit"
  | "minimumDepositNative"
  | "estimatedDurationSeconds"
  | "includedFees"
  | "refundsTo"
  | "refundAddress"
  | "warnings"
>

/** The members of a payload that its sender has to heed. */
const presentTerms = (
  { estimatedDuration, expiresAt, fees, minimumDeposit, outOfReach, platform, refundsTo }: HandedOutPayload,
  { refundAddress, ...pair }: Pick<VaultSwapRequest, "sourceAsset" | "destinationAsset" | "refundAddress">,
): PayloadTerms => ({
  platform,
  expiresAt,
  ...presentRefund(refundsTo, refundAddress),
  ...optionalMembers(outOfReach, (reach) => ({ warnings: [warningText(outOfReachWarning(reach, pair))] })),
  minimumDeposit: toHuman(pair.sourceAsset, minimumDeposit),
  minimumDepositNative: minimumDeposit,
  estimatedDurationSeconds: seconds(estimatedDuration),
  ...(fees.length === 0 ? {} : { includedFees: fees.map(presentFee(noValue)) }),
})

/** Takes a payload of one chain. Another chain's is a defect: the provider broke the port. */
const only = <Payload extends VaultSwapPayload>(schema: Schema.Codec<Payload, unknown>) => {
  const isIt = Schema.is(schema)
  return (payload: VaultSwapPayload): Effect.Effect<Payload> =>
    isIt(payload) ? Effect.succeed(payload) : Effect.die(`A payload for ${payload.network} came instead`)
}

const asItIs = <Payload>(payload: Payload): Payload => payload

/** The payload, with its only instruction also as its own members; one of several would be half a transaction. */
const showSolana = ({ instructions, network }: SolanaPayload) => {
  const [only, ...others] = instructions
  return { network, instructions, ...(others.length === 0 ? only : {}) }
}

/** The transaction that lets the spender take the swapped amount of the token, and no more. */
const approvalOf = (token: Address, spender: Address, { amount }: VaultSwapRequest) => ({
  kind: "approve" as const,
  to: token,
  calldata: `0x${bytesToHex(encodeCall("approve(address,uint256)", [BigInt(spender), amount]))}`,
  value: noAmount,
})

/** The payload with its transactions in order: an approval first where a token is swapped, then the call. */
const showEvm = (payload: EvmPayload, request: VaultSwapRequest) => {
  const { calldata, sourceTokenAddress: token, spender = payload.to, to, value } = payload
  const call = { kind: "call" as const, to, calldata, value }
  return token === undefined
    ? { ...payload, steps: [call] as const }
    : { ...payload, spender, steps: [approvalOf(token, spender, request), call] as const }
}

/** Writes the body of an answer. A repetition under the same key gets the same text. */
const writing = <Body>(schema: Schema.Codec<Body, unknown>) => {
  const encode = Schema.encodeSync(schema)
  return (body: Body): string => JSON.stringify(encode(body))
}

/** The parameter names of all paths: Solana's has those of the others and two more. */
const parameters = payloadNamesOf("solana")

/** How the parameters of a refused request are read again, to tell every issue. */
export const payloadReadings = {
  bitcoinPayload: readPayload("bitcoin"),
  bitcoinPayloadPost: readPostedPayload("bitcoin"),
  evmPayload: readPayload("evm"),
  evmPayloadPost: readPostedPayload("evm"),
  solanaPayload: readPayload("solana"),
  solanaPayloadPost: readPostedPayload("solana"),
  tronPayload: readPayload("tron"),
  tronPayloadPost: readPostedPayload("tron"),
  xrplPayload: readPayload("xrpl"),
  xrplPayloadPost: readPostedPayload("xrpl"),
}

type PayloadReadingServices =
  | Effect.Services<ReturnType<ReturnType<typeof readPostedPayload>>>
  | RequestServices

interface PayloadRequest extends Pick<IdempotentRequest<never, never, never>, "headers"> {
  readonly endpoint: Endpoint
}

export const TxPayloadHandlers = handlersOf("txPayload")(Effect.fnUntraced(function* (handlers) {
  const vaultSwaps = yield* VaultSwaps

  const idempotent = yield* makeIdempotent
  const withFreshQuote = yield* makeWithFreshQuote

  const answersWith = <Payload extends VaultSwapPayload, Shown>(
    kind: PayloadKind,
    only: (payload: VaultSwapPayload) => Effect.Effect<Payload>,
    show: (payload: Payload, request: VaultSwapRequest) => Shown,
    write: (payload: Shown & PayloadTerms) => string,
  ) => {
    const requestOf = requestPayload(kind)
    const readPosted = readPostedPayload(kind)
    const answer = <Unread extends Failure>(
      sent: IdempotentRequest<EncodingRequest, Unread, PayloadReadingServices>,
    ) =>
      refusePrefetch("would start a swap").pipe(
        Effect.andThen(idempotent.repeatable({
          ...sent,
          parameters,
          perform: (order) =>
            Effect.gen(function* () {
              const encoded = yield* vaultSwaps.encode(yield* CurrentAccount, order)
              const payload = yield* only(encoded.payload)
              return { ...show(payload, order.request), ...presentTerms(encoded, order.request) }
            }).pipe(withFreshQuote(order, "transaction")),
          write,
          staleAt: ({ expiresAt }) => expiresAt,
        })),
        Effect.provideService(VaultSwaps, vaultSwaps),
      )
    return {
      get: ({ endpoint, headers, query }: PayloadRequest & { readonly query: PayloadInput }) =>
        failAsProblem(answer({
          headers,
          given: givenInQuery(endpoint),
          read: ({ issues }) => Effect.flatMap(requestOf(query), (order) => accept([issues], order)),
        })),
      post: ({ endpoint, headers }: PayloadRequest) =>
        failAsProblem(answer({
          headers,
          given: givenInBoth(endpoint),
          read: ({ issues, raw }) => readPosted(raw, issues),
        })),
    }
  }

  const bitcoin = answersWith("bitcoin", only(BitcoinPayload), asItIs, writing(BitcoinPayloadBody))
  const evm = answersWith("evm", only(EvmPayload), showEvm, writing(EvmPayloadBody))
  const solana = answersWith("solana", only(SolanaPayload), showSolana, writing(SolanaPayloadBody))
  const tron = answersWith("tron", only(TronPayload), asItIs, writing(TronPayloadBody))
  const xrpl = answersWith("xrpl", only(XrplPayload), asItIs, writing(XrplPayloadBody))

  return handlers
    .handle("bitcoinPayload", bitcoin.get)
    .handleRaw("bitcoinPayloadPost", bitcoin.post)
    .handle("evmPayload", evm.get)
    .handleRaw("evmPayloadPost", evm.post)
    .handle("solanaPayload", solana.get)
    .handleRaw("solanaPayloadPost", solana.post)
    .handle("tronPayload", tron.get)
    .handleRaw("tronPayloadPost", tron.post)
    .handle("xrplPayload", xrpl.get)
    .handleRaw("xrplPayloadPost", xrpl.post)
}))

const encodeBody = Schema.encodeSync(DepositChannelBody)

/** The body of the answer. A repetition under the same key gets the same text until the channel expires. */
const writeOpened = ({ networkOf }: OpeningRules["Service"]) => (opened: OpenedSwap): string =>
  JSON.stringify(encodeBody(presentOpened(opened, networkOf(opened.platform))))

/** How the parameters of a refused opening are read again, to tell every issue. */
export const swapReadings = { swap: readSwap, swapPost: readPostedSwap }

type SwapReadingServices = Effect.Services<ReturnType<typeof readPostedSwap>> | RequestServices

export const SwapHandlers = handlersOf("swap")(Effect.fnUntraced(function* (handlers) {
  const swaps = yield* Swaps
  const rules = yield* OpeningRules

  const idempotent = yield* makeIdempotent
  const withFreshQuote = yield* makeWithFreshQuote
  const repeat = yield* makeRepeatedOpening
  const write = writeOpened(rules)

  const answer = <Unread extends Failure>(
    sent: IdempotentRequest<OpeningRequest, Unread, SwapReadingServices>,
  ) =>
    refusePrefetch("would open a deposit channel").pipe(
      Effect.andThen(idempotent.opening({
        ...sent,
        parameters: swapParameterNames,
        perform: (order, claim) =>
          Effect.flatMap(
            CurrentAccount,
            (caller) => swaps.open(caller, order, claim === undefined ? undefined : { claim }),
          ).pipe(withFreshQuote(order, "channel")),
        write,
        repeat,
      })),
      Effect.provideService(Swaps, swaps),
      // An opening's answer never goes stale: its address is repeated for as long as its key is kept.
      Effect.catchTag("AnswerStale", Effect.die),
    )

  return handlers
    .handle("swap", ({ endpoint, headers, query }) =>
      failAsProblem(answer({
        headers,
        given: givenInQuery(endpoint),
        read: ({ issues }) => Effect.flatMap(requestSwap(query), (order) => accept([issues], order)),
      })))
    .handleRaw("swapPost", ({ endpoint, headers }) =>
      failAsProblem(answer({
        headers,
        given: givenInBoth(endpoint),
        read: ({ issues, raw }) => readPostedSwap(raw, issues),
      })))
}))
