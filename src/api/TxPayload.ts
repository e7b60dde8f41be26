import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { ProviderName } from "#domain/ProviderName.ts"
import {
  BitcoinPayload,
  EvmPayload,
  type PayloadKind,
  SolanaInstruction,
  SolanaPayload,
  TronPayload,
  XrplPayload,
} from "#domain/swaps/VaultSwap.ts"
import { about } from "./endpoint.ts"
import { Authorization, needsScope, RuleFaults } from "./Authorization.ts"
import { FeeBody, member, NativeText, refundMembers } from "./shape.ts"
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
import { optional } from "#domain/optional.ts"

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

/** The members of every payload's answer. */
const terms = {
  platform: ProviderName.annotate({ description: "The provider that made the payload." }),
  expiresAt: member.time(
    "When the payload goes stale, in epoch milliseconds: do not send it any more from then on. A " +
      "request that is sent again under its Idempotency-Key then gets a 410.",
  ),
  ...refundMembers,
  warnings: optional(
    Schema.Array(Schema.String).annotate({
      description:
        "What the sender has to know before paying, in sentences to be shown unchanged; absent where there is none.",
    }),
  ),
  ...member.amount(
    "minimumDeposit",
    "A transaction that moves less than this of the source asset can be lost.",
  ),
  estimatedDurationSeconds: member.decimal("Expected seconds from the transaction to the payout."),
  includedFees: optional(
    Schema.Array(FeeBody).annotate({
      description: "The fees that the provider states; absent where it states none.",
    }),
  ),
}

/** Null data, deposit and change of a transaction of Bitcoin's family. */
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
  outputs: optional(BitcoinPayload.fields.outputs.schema.annotate({
    description:
      "The order of the outputs, where it is another. The change goes to the sender of the first input, who also " +
      "gets a refund.",
  })),
  psbt: BitcoinPayload.fields.psbt,
  ...terms,
}).annotate({ identifier: "BitcoinPayload" })

const EvmStepBody = Schema.Struct({
  kind: Schema.Literals(["approve", "call"]).annotate({
    description: "`approve` lets the spender take the token, `call` begins the swap.",
  }),
  to: EvmPayload.fields.to,
  calldata: EvmPayload.fields.calldata,
  value: NativeText,
}).annotate({ identifier: "EvmStep" })

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
      "The transactions in their order, each after the one before is confirmed. If the allowance is large " +
      "enough already, `approve` is not needed; some tokens require it to be set to 0 before it is changed.",
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
}).annotate({ identifier: "SolanaPayload" })

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

export const XrplPayloadBody = Schema.Struct({
  network: XrplPayload.fields.network,
  depositAddress: XrplPayload.fields.depositAddress.annotate({
    description: "Account that a Payment in XRP is sent to, without a DestinationTag.",
  }),
  amountNative: NativeText,
  memoData: XrplPayload.fields.memoData.annotate({
    description:
      "`MemoData` of the only memo: of several the first is read, and without one the money is lost.",
  }),
  ...terms,
}).annotate({ identifier: "XrplPayload" })

const problems = [...upstreamProblems, QuoteConflict, ...idempotencyProblems, Gone] as const
const postProblems = [...problems, ContentTooLarge, UnsupportedMediaType] as const

/** How payloads of one kind are asked for, and what is documented of them. */
interface Kind<Fields extends Schema.Struct.Fields, Body extends Schema.Top, Answer extends Schema.Top> {
  readonly query: Schema.Struct<Fields>
  readonly body: Body
  readonly success: Answer
  /** The end of the `operationId`. */
  readonly named: string
  readonly what: string
  /** What has to be known beside what is true of every kind. */
  readonly hint?: string
  readonly bodyHint?: string
}

const inBodyAlone = " Only a body can have a `ccmPayload`."

/** The two endpoints of a kind of transactions: with parameters in the query, and in query and body. */
const endpointsOf = <
  const K extends PayloadKind,
  Fields extends Schema.Struct.Fields,
  Body extends Schema.Top,
  Answer extends Schema.Top,
>(kind: K, { bodyHint = inBodyAlone, hint = "", named, what, ...schemas }: Kind<Fields, Body, Answer>) => {
  const { body: payload, query, success } = schemas
  const summary = `Prepare ${what}`
  const description =
    "Nothing is opened: the user signs and sends the transaction, and the swap is found by its hash. " +
    `Exactly one of \`amount\` and \`amountNative\` is needed, unless a \`quoteId\` has the amount: a transaction moves ` +
    `what is sent, so \`amountOut\` (and the \`quoteId\` of a quote for it) is refused here, and is for /swap.${hint}`
  return [
    HttpApiEndpoint.get(`${kind}Payload`, `/tx-payload/${kind}`, {
      headers: IdempotencyHeaders,
      query,
      success,
      error: problems,
    }).annotateMerge(about(`get${named}Payload`, summary, description))
      .annotateMerge(beginsSwap(Struct.keys(query.fields))),
    HttpApiEndpoint.post(`${kind}PayloadPost`, `/tx-payload/${kind}`, {
      headers: IdempotencyHeaders,
      query: query.mapFields(Struct.map(optional)),
      payload,
      success,
      error: postProblems,
    }).annotateMerge(about(
      `create${named}Payload`,
      `${summary} by POST`,
      `As \`GET /tx-payload/${kind}\`, with parameters in the query, the body, or both.${bodyHint}`,
    )).annotateMerge(beginsSwap(payloadNamesOf(kind))),
  ] as const
}

/** Payloads for transactions that swap without a deposit channel (decision 13). Never cached. */
export class TxPayloadGroup extends HttpApiGroup.make("txPayload").add(
  ...endpointsOf("bitcoin", {
    query: PayloadQuery,
    body: PayloadBody,
    success: BitcoinPayloadBody,
    named: "Bitcoin",
    what: "a transaction on Bitcoin or a chain of its family",
    bodyHint: "",
  }),
  ...endpointsOf("evm", {
    query: PayloadQuery,
    body: PayloadBody,
    success: EvmPayloadBody,
    named: "Evm",
    what: "a call on an EVM chain",
    hint: " For a token, its contract has to allow `to` the amount first.",
  }),
  ...endpointsOf("solana", {
    query: SolanaPayloadQuery,
    body: Schema.Struct({
      ...PayloadBody.fields,
      seed: text("As in the query."),
      sourceTokenAccount: text("As in the query."),
    }).annotate({ identifier: "SolanaPayloadRequest" }),
    success: SolanaPayloadBody,
    named: "Solana",
    what: "an instruction on Solana",
  }),
  ...endpointsOf("tron", {
    query: PayloadQuery,
    body: PayloadBody,
    success: TronPayloadBody,
    named: "Tron",
    what: "a Tron transaction",
  }),
  ...endpointsOf("xrpl", {
    query: PayloadQuery,
    body: PayloadBody,
    success: XrplPayloadBody,
    named: "Xrpl",
    what: "a payment on the XRP Ledger",
  }),
).middleware(RuleFaults).middleware(Authorization).annotateMerge(needsScope("swap", {
  title: "Transaction payloads",
  description: "Start a swap by a transaction of your own, without a deposit channel. Its status is found " +
    "by the transaction's hash, and from then on it is in the history.",
})) {}
