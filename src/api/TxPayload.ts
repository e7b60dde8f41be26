import { Schema, Struct } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { ProviderName } from "../domain/ProviderName.ts"
import {
  BitcoinPayload,
  EvmPayload,
  type PayloadKind,
  SolanaInstruction,
  SolanaPayload,
  TronPayload,
} from "../domain/VaultSwap.ts"
import { about } from "./endpoint.ts"
import { Authorization, needsScope, RuleFaults } from "./Authorization.ts"
import { FeeBody, member, NativeText } from "./shape.ts"
import { beginsSwap, IdempotencyHeaders, idempotencyProblems } from "./Idempotency.ts"
import {
  PayloadChunkIntervalBlocks,
  PayloadRefundAddress,
  PayloadSeed,
  SolanaSourceAddress,
  SourceAddress,
  SourceTokenAccount,
} from "./Parameters.ts"
import { ContentTooLarge, Gone, QuoteConflict, UnsupportedMediaType, upstreamProblems } from "./Problems.ts"
import { posted, SwapBody, SwapQuery } from "./Swap.ts"

const optional = Schema.optionalKey

/** The parameters of `/tx-payload/*`: those of `/swap`, with a refund address, and perhaps who sends the transaction. */
export const PayloadQuery = Schema.Struct({
  ...SwapQuery.fields,
  chunkIntervalBlocks: optional(PayloadChunkIntervalBlocks),
  refundAddress: PayloadRefundAddress,
  sourceAddress: optional(SourceAddress),
})

/** The parameters on Solana: the sender of the transaction has to be known there, and perhaps its token account. */
export const SolanaPayloadQuery = Schema.Struct({
  ...PayloadQuery.fields,
  sourceAddress: SolanaSourceAddress,
  seed: optional(PayloadSeed),
  sourceTokenAccount: optional(SourceTokenAccount),
})

/** Every name that `/tx-payload/*` accepts in its query and its body, by the kind of transaction. */
export const payloadNamesOf = (kind: PayloadKind): ReadonlyArray<string> =>
  kind === "solana"
    ? Struct.keys(posted(SolanaPayloadQuery).fields)
    : Struct.keys(posted(PayloadQuery).fields)

const text = (description: string) => optional(Schema.NullOr(Schema.String).annotate({ description }))

const PayloadBody = Schema.Struct({
  ...SwapBody.fields,
  sourceAddress: text("As in the query."),
}).annotate({ identifier: "PayloadRequest" })

const SolanaBody = Schema.Struct({
  ...PayloadBody.fields,
  seed: text("As in the query."),
  sourceTokenAccount: text("As in the query."),
}).annotate({ identifier: "SolanaPayloadRequest" })

/** The members of every payload's answer. */
const terms = {
  platform: ProviderName.annotate({ description: "The provider that made the payload." }),
  expiresAt: member.time(
    "When the payload goes stale, in epoch milliseconds: do not send it any more from then on. A " +
      "request that is sent again under its Idempotency-Key is then answered with 410.",
  ),
  ...member.amount("minimumDeposit", "A transaction that moves less than this of the source asset is lost."),
  estimatedDurationSeconds: member.decimal("Expected seconds from the transaction to the payout."),
  includedFees: optional(
    Schema.Array(FeeBody).annotate({
      description: "The fees that the provider states; absent where it states none.",
    }),
  ),
}

/** Null data, deposit and change of a Bitcoin transaction. */
export const BitcoinPayloadBody = Schema.Struct({
  network: BitcoinPayload.fields.network,
  depositAddress: BitcoinPayload.fields.depositAddress.annotate({
    description: "Address that the first output pays.",
  }),
  nulldataPayload: BitcoinPayload.fields.nulldataPayload.annotate({
    description: "The bytes after OP_RETURN in the second output. The third output is the change: a refund " +
      "goes to its address, which should be refundAddress.",
  }),
  amountNative: NativeText,
  psbt: BitcoinPayload.fields.psbt,
  ...terms,
}).annotate({ identifier: "BitcoinPayload" })

/** One transaction on an EVM chain. */
const EvmStepBody = Schema.Struct({
  kind: Schema.Literals(["approve", "call"]).annotate({
    description: "`approve` lets the spender take the token, `call` begins the swap.",
  }),
  to: EvmPayload.fields.to,
  calldata: EvmPayload.fields.calldata,
  value: NativeText,
}).annotate({ identifier: "EvmStep" })

/** A call on an EVM chain. */
export const EvmPayloadBody = Schema.Struct({
  network: EvmPayload.fields.network,
  to: EvmPayload.fields.to,
  calldata: EvmPayload.fields.calldata,
  value: NativeText,
  sourceTokenAddress: optional(EvmPayload.fields.to.annotate({
    description: "Contract of the token that is swapped, which has to allow `spender` the amount first.",
  })),
  spender: optional(EvmPayload.fields.to.annotate({
    description: "Contract that takes the token that is swapped, often `to` itself.",
  })),
  steps: Schema.NonEmptyArray(EvmStepBody).annotate({
    description:
      "The transactions in their order, each after the one before is confirmed. An allowance that is " +
      "there already makes `approve` needless; some tokens want it set to 0 before it is set anew.",
  }),
  ...terms,
}).annotate({ identifier: "EvmPayload" })

/** The instructions of a transaction on Solana; the only one also by its own members. */
export const SolanaPayloadBody = Schema.Struct({
  network: SolanaPayload.fields.network,
  instructions: SolanaPayload.fields.instructions.annotate({
    description: "The instructions of the transaction, in this order.",
  }),
  programId: optional(SolanaInstruction.fields.programId.annotate({
    description: "Of the only instruction, like `accounts` and `data`; absent where there are several.",
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
    description: "Call of the token's contract; empty where TRX is sent to `to`.",
  }),
  value: NativeText,
  note: TronPayload.fields.note.annotate({ description: "The memo of the transaction." }),
  sourceTokenAddress: optional(TronPayload.fields.to),
  ...terms,
}).annotate({ identifier: "TronPayload" })

const problems = [...upstreamProblems, QuoteConflict, ...idempotencyProblems, Gone] as const
const postProblems = [...problems, ContentTooLarge, UnsupportedMediaType] as const

const postedQuery = PayloadQuery.mapFields(Struct.map(optional))
const summary = (what: string) => `Encode a swap for ${what}; opens nothing`
const postedSummary = (what: string) => `${summary(what)}; parameters in the query, the body, or both`

/** Payloads for transactions that swap without a deposit channel (decision 13). Never cached. */
export class TxPayloadGroup extends HttpApiGroup.make("txPayload").add(
  HttpApiEndpoint.get("bitcoinPayload", "/tx-payload/bitcoin", {
    headers: IdempotencyHeaders,
    query: PayloadQuery,
    success: BitcoinPayloadBody,
    error: problems,
  }).annotateMerge(
    about(
      "getBitcoinPayload",
      summary("a Bitcoin transaction"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed, unless a `quoteId` has the amount.",
    ),
  ).annotateMerge(beginsSwap(Struct.keys(PayloadQuery.fields))),
  HttpApiEndpoint.post("bitcoinPayloadPost", "/tx-payload/bitcoin", {
    headers: IdempotencyHeaders,
    query: postedQuery,
    payload: PayloadBody,
    success: BitcoinPayloadBody,
    error: postProblems,
  }).annotateMerge(
    about(
      "createBitcoinPayload",
      postedSummary("a Bitcoin transaction"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed, unless a `quoteId` has the amount.",
    ),
  ).annotateMerge(beginsSwap(payloadNamesOf("bitcoin"))),
  HttpApiEndpoint.get("evmPayload", "/tx-payload/evm", {
    headers: IdempotencyHeaders,
    query: PayloadQuery,
    success: EvmPayloadBody,
    error: problems,
  }).annotateMerge(
    about(
      "getEvmPayload",
      summary("a call on Ethereum or Arbitrum"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed, unless a `quoteId` has the amount. For a token, its contract has to allow " +
        "`to` the amount first.",
    ),
  ).annotateMerge(beginsSwap(Struct.keys(PayloadQuery.fields))),
  HttpApiEndpoint.post("evmPayloadPost", "/tx-payload/evm", {
    headers: IdempotencyHeaders,
    query: postedQuery,
    payload: PayloadBody,
    success: EvmPayloadBody,
    error: postProblems,
  }).annotateMerge(
    about(
      "createEvmPayload",
      postedSummary("a call on Ethereum or Arbitrum"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed, unless a `quoteId` has the amount. For a token, its contract has to allow " +
        "`to` the amount first. Only a body can have a `ccmPayload`.",
    ),
  ).annotateMerge(beginsSwap(payloadNamesOf("evm"))),
  HttpApiEndpoint.get("solanaPayload", "/tx-payload/solana", {
    headers: IdempotencyHeaders,
    query: SolanaPayloadQuery,
    success: SolanaPayloadBody,
    error: problems,
  }).annotateMerge(
    about(
      "getSolanaPayload",
      summary("an instruction on Solana"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed, unless a `quoteId` has the amount.",
    ),
  ).annotateMerge(beginsSwap(Struct.keys(SolanaPayloadQuery.fields))),
  HttpApiEndpoint.post("solanaPayloadPost", "/tx-payload/solana", {
    headers: IdempotencyHeaders,
    query: SolanaPayloadQuery.mapFields(Struct.map(optional)),
    payload: SolanaBody,
    success: SolanaPayloadBody,
    error: postProblems,
  }).annotateMerge(
    about(
      "createSolanaPayload",
      postedSummary("an instruction on Solana"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed, unless a `quoteId` has the amount. Only a body can have a `ccmPayload`.",
    ),
  ).annotateMerge(beginsSwap(payloadNamesOf("solana"))),
  HttpApiEndpoint.get("tronPayload", "/tx-payload/tron", {
    headers: IdempotencyHeaders,
    query: PayloadQuery,
    success: TronPayloadBody,
    error: problems,
  }).annotateMerge(
    about(
      "getTronPayload",
      summary("a Tron transaction"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed, unless a `quoteId` has the amount.",
    ),
  ).annotateMerge(beginsSwap(Struct.keys(PayloadQuery.fields))),
  HttpApiEndpoint.post("tronPayloadPost", "/tx-payload/tron", {
    headers: IdempotencyHeaders,
    query: postedQuery,
    payload: PayloadBody,
    success: TronPayloadBody,
    error: postProblems,
  }).annotateMerge(
    about(
      "createTronPayload",
      postedSummary("a Tron transaction"),
      "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
        "Exactly one of `amount` and `amountNative` is needed, unless a `quoteId` has the amount. Only a body can have a `ccmPayload`.",
    ),
  ).annotateMerge(beginsSwap(payloadNamesOf("tron"))),
).middleware(RuleFaults).middleware(Authorization).annotateMerge(
  needsScope("swap", {
    title: "Transaction payloads",
    description:
      "Start a swap by a transaction of your own, without a deposit channel. Its status is found " +
      "by the transaction's hash, and from then on it is in the history.",
  }),
) {}
