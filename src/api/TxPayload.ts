import { Schema, Struct } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ProviderName } from "../domain/ProviderName.ts"
import { EpochMillis } from "../domain/Time.ts"
import {
  BitcoinPayload,
  EvmPayload,
  type PayloadKind,
  SolanaInstruction,
  SolanaPayload,
  TronPayload,
} from "../domain/VaultSwap.ts"
import { about, optionalBody } from "./endpoint.ts"
import { Authorization, needsScope, ParameterFaults } from "./Authorization.ts"
import { ExactDecimal, NativeText } from "./shape.ts"
import { documentKey, IdempotencyHeaders, idempotencyProblems } from "./Idempotency.ts"
import { PayloadRefundAddress, PayloadSeed, SourceAddress, SourceTokenAccount } from "./Parameters.ts"
import { ContentTooLarge, Gone, UnsupportedMediaType, upstreamProblems } from "./Problems.ts"
import { requiredSwapParameters, SwapBody, SwapParameters } from "./Swap.ts"

const optional = Schema.optionalKey

/** What `/tx-payload/*` is told, in a query or a body: as `/swap`, with a refund address; here all may be absent. */
export const PayloadParameters = Schema.Struct({
  ...SwapParameters.fields,
  refundAddress: optional(PayloadRefundAddress),
})

/** On Solana also who sends the transaction, and from which account. */
export const SolanaPayloadParameters = Schema.Struct({
  ...PayloadParameters.fields,
  sourceAddress: optional(SourceAddress),
  seed: optional(PayloadSeed),
  sourceTokenAccount: optional(SourceTokenAccount),
})

/** Every name that `/tx-payload/*` knows in its query, by the kind of transaction. */
export const payloadQueryNames = (kind: PayloadKind): ReadonlyArray<string> =>
  Struct.keys((kind === "solana" ? SolanaPayloadParameters : PayloadParameters).fields)

/** Those that it knows in its query and its body. */
export const payloadNamesOf = (kind: PayloadKind): ReadonlyArray<string> => [
  ...payloadQueryNames(kind),
  "ccmPayload",
]

/** Every name that one of the paths knows. */
export const payloadParameterNames: ReadonlyArray<string> = payloadNamesOf("solana")

/** The names that a request cannot do without, besides one of the two amounts. */
export const requiredPayloadParameters = [...requiredSwapParameters, "refundAddress"] as const
export const requiredSolanaParameters = [...requiredPayloadParameters, "sourceAddress"] as const

/** The same fields, of which some may no longer be absent. */
const requiring = <F extends Schema.Struct.Fields, const Names extends ReadonlyArray<keyof F & string>>(
  { fields }: Schema.Struct<F>,
  names: Names,
) => Schema.Struct({ ...fields, ...Struct.map(Struct.pick(fields, names), Schema.requiredKey) })

const text = (description: string) => optional(Schema.NullOr(Schema.String).annotate({ description }))

const SolanaBody = Schema.Struct({
  ...SwapBody.fields,
  sourceAddress: text("As in the query."),
  seed: text("As in the query."),
  sourceTokenAccount: text("As in the query."),
}).annotate({ identifier: "SolanaPayloadRequest" })

/** What every payload comes with. */
const terms = {
  platform: ProviderName.annotate({ description: "The provider that made the payload." }),
  expiresAt: EpochMillis.annotate({
    description:
      "When the payload goes stale, in epoch milliseconds: do not send it any more from then on. A " +
      "request that is sent again under its Idempotency-Key is then answered with 410.",
  }),
  minimumDeposit: ExactDecimal.annotate({
    description: "A transaction that moves less than this of the source asset is lost.",
  }),
  minimumDepositNative: NativeText,
  estimatedDurationSeconds: ExactDecimal.annotate({
    description: "From the transaction to the payout, as far as it can be told.",
  }),
}

/** Null data, deposit and change of a Bitcoin transaction. */
export const BitcoinPayloadBody = Schema.Struct({
  network: BitcoinPayload.fields.network,
  depositAddress: BitcoinPayload.fields.depositAddress.annotate({
    description: "What the first output pays.",
  }),
  nulldataPayload: BitcoinPayload.fields.nulldataPayload.annotate({
    description: "The bytes that the second output says after OP_RETURN. The third is the change: a refund " +
      "goes to its address, so let it be refundAddress.",
  }),
  amountNative: NativeText,
  ...terms,
}).annotate({ identifier: "BitcoinPayload" })

/** A call on an EVM chain. */
export const EvmPayloadBody = Schema.Struct({
  network: EvmPayload.fields.network,
  to: EvmPayload.fields.to,
  calldata: EvmPayload.fields.calldata,
  value: NativeText,
  sourceTokenAddress: optional(EvmPayload.fields.to.annotate({
    description: "Where a token is swapped: its contract, which has to allow `to` the amount first.",
  })),
  ...terms,
}).annotate({ identifier: "EvmPayload" })

/** The instructions of a transaction on Solana; the only one also by its own members. */
export const SolanaPayloadBody = Schema.Struct({
  network: SolanaPayload.fields.network,
  instructions: SolanaPayload.fields.instructions.annotate({
    description: "All of the transaction, in this order.",
  }),
  programId: optional(SolanaInstruction.fields.programId.annotate({
    description: "Of the only instruction, as are `accounts` and `data`; absent where there are several.",
  })),
  accounts: optional(SolanaInstruction.fields.accounts),
  data: optional(SolanaInstruction.fields.data),
  ...terms,
}).annotate({
  identifier: "SolanaPayload",
})

/** A transaction on Tron. */
export const TronPayloadBody = Schema.Struct({
  network: TronPayload.fields.network,
  to: TronPayload.fields.to,
  calldata: TronPayload.fields.calldata.annotate({
    description: "Where a token is swapped: the call of its contract. Empty where TRX is sent to `to`.",
  }),
  value: NativeText,
  note: TronPayload.fields.note.annotate({ description: "The memo of the transaction." }),
  sourceTokenAddress: optional(TronPayload.fields.to),
  ...terms,
}).annotate({ identifier: "TronPayload" })

const problems = [...upstreamProblems, ...idempotencyProblems, Gone] as const
const postProblems = [...problems, ContentTooLarge, UnsupportedMediaType] as const

const query = requiring(PayloadParameters, requiredPayloadParameters)
const summary = (what: string) => `Encode a swap for ${what}; opens nothing`
const posted = (what: string) => `${summary(what)}; parameters in the query, the body, or both`

/** Payloads for transactions that swap without a deposit channel (decision 13). Never cached. */
export class TxPayloadGroup extends HttpApiGroup.make("txPayload").add(
  HttpApiEndpoint.get("bitcoinPayload", "/tx-payload/bitcoin", {
    headers: IdempotencyHeaders,
    query,
    success: BitcoinPayloadBody,
    error: problems,
  }).annotateMerge(
    about(
      "getBitcoinPayload",
      summary("a Bitcoin transaction"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed.",
    ),
  ).annotate(OpenApi.Transform, documentKey),
  HttpApiEndpoint.post("bitcoinPayloadPost", "/tx-payload/bitcoin", {
    headers: IdempotencyHeaders,
    query: PayloadParameters,
    payload: SwapBody,
    success: BitcoinPayloadBody,
    error: postProblems,
  }).annotateMerge(
    about(
      "createBitcoinPayload",
      posted("a Bitcoin transaction"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed.",
    ),
  ).annotate(
    OpenApi.Transform,
    (operation) => documentKey(optionalBody(operation)),
  ),
  HttpApiEndpoint.get("evmPayload", "/tx-payload/evm", {
    headers: IdempotencyHeaders,
    query,
    success: EvmPayloadBody,
    error: problems,
  }).annotateMerge(
    about(
      "getEvmPayload",
      summary("a call on Ethereum or Arbitrum"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed. For a token, its contract has to allow " +
        "`to` the amount first.",
    ),
  ).annotate(
    OpenApi.Transform,
    documentKey,
  ),
  HttpApiEndpoint.post("evmPayloadPost", "/tx-payload/evm", {
    headers: IdempotencyHeaders,
    query: PayloadParameters,
    payload: SwapBody,
    success: EvmPayloadBody,
    error: postProblems,
  }).annotateMerge(
    about(
      "createEvmPayload",
      posted("a call on Ethereum or Arbitrum"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed. For a token, its contract has to allow " +
        "`to` the amount first. Only a body can have a `ccmPayload`.",
    ),
  )
    .annotate(OpenApi.Transform, (operation) => documentKey(optionalBody(operation))),
  HttpApiEndpoint.get("solanaPayload", "/tx-payload/solana", {
    headers: IdempotencyHeaders,
    query: requiring(SolanaPayloadParameters, requiredSolanaParameters),
    success: SolanaPayloadBody,
    error: problems,
  }).annotateMerge(
    about(
      "getSolanaPayload",
      summary("an instruction on Solana"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed.",
    ),
  ).annotate(OpenApi.Transform, documentKey),
  HttpApiEndpoint.post("solanaPayloadPost", "/tx-payload/solana", {
    headers: IdempotencyHeaders,
    query: SolanaPayloadParameters,
    payload: SolanaBody,
    success: SolanaPayloadBody,
    error: postProblems,
  }).annotateMerge(
    about(
      "createSolanaPayload",
      posted("an instruction on Solana"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed. Only a body can have a `ccmPayload`.",
    ),
  ).annotate(
    OpenApi.Transform,
    (operation) => documentKey(optionalBody(operation)),
  ),
  HttpApiEndpoint.get("tronPayload", "/tx-payload/tron", {
    headers: IdempotencyHeaders,
    query,
    success: TronPayloadBody,
    error: problems,
  }).annotateMerge(
    about(
      "getTronPayload",
      summary("a Tron transaction"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed.",
    ),
  ).annotate(OpenApi.Transform, documentKey),
  HttpApiEndpoint.post("tronPayloadPost", "/tx-payload/tron", {
    headers: IdempotencyHeaders,
    query: PayloadParameters,
    payload: SwapBody,
    success: TronPayloadBody,
    error: postProblems,
  }).annotateMerge(
    about(
      "createTronPayload",
      posted("a Tron transaction"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed. Only a body can have a `ccmPayload`.",
    ),
  ).annotate(
    OpenApi.Transform,
    (operation) => documentKey(optionalBody(operation)),
  ),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope("swap", {
    title: "Transaction payloads",
    description:
      "Start a swap by a transaction of your own, without a deposit channel. Its status is found " +
      "by the transaction's hash, and from then on it is in the history.",
  }),
) {}
