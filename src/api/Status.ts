import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { JournalEntryId } from "../domain/Journal.ts"
import { EpochMillis } from "../domain/Time.ts"
import { Authorization, needsScope, ParameterFaults } from "./Authorization.ts"
import { ChainName, Identifier, TransactionHash } from "./Parameters.ts"
import { BadRequest, InternalServerError, NotFound, ServiceUnavailable } from "./Problems.ts"
import { SwapRecordBody, SwapStatusBody } from "./SwapRecord.ts"
import { about } from "./endpoint.ts"
import { integer } from "./parameterKinds.ts"

const optional = Schema.optionalKey

/** An entry of a swap's journal. */
export const JournalEntryBody = Schema.Struct({
  id: JournalEntryId.annotate({ description: "Rises with every entry." }),
  at: EpochMillis.annotate({ description: "When the service learned of the change, by its own clock." }),
  atDate: Schema.String,
  kind: Schema.Literals(["opened", "found", "imported", "changed", "expired", "contradicted", "stalled"])
    .annotate({
      description: "`opened` with its channel; `found` by its transaction; `imported` as it was known when " +
        "journals began; `changed`: the upstream says something new; `expired`: the same, and the channel takes " +
        "no more deposits; `contradicted`: the upstream said what cannot be, and nothing changed; `stalled`: it " +
        "stays in its state for too long.",
    }),
  detail: optional(
    Schema.String.annotate({ description: "The contradiction or the stall, in words." }),
  ),
  status: optional(SwapStatusBody.annotate({
    description:
      "The status from then on; of `contradicted` what the upstream said instead, with the addresses and " +
      "terms that the swap has: only `upstreamBody` tells others.",
  })),
  upstreamBody: optional(Schema.String.annotate({
    description: "The upstream's answer, letter by letter; only its beginning where it is very long.",
  })),
  upstreamBodyLength: optional(Schema.Int.annotate({ description: "Characters of the whole answer." })),
}).annotate({ identifier: "JournalEntry" })
export type JournalEntryBody = typeof JournalEntryBody.Type

/** The journal of a swap, the first entry first. */
export const JournalBody = Schema.Array(JournalEntryBody).annotate({
  description: 'The first entry first. `Link: rel="next"` leads on when there is more.',
})

/** The page of a journal. */
export const JournalParameters = Schema.Struct({
  offset: optional(Identifier("Id of the entry to begin with, itself included.", "1")),
  limit: optional(integer({
    description: "How many entries to list, at most 500; 100 when absent.",
    example: "100",
    issue: "must be a whole number from 1 to 500",
  }, { minimum: 1, maximum: 500 })),
})

/** The number of a swap in a path; text that is no number matches no swap. */
export const swapPath = {
  id: Schema.String.annotate({ description: "The `id` of a swap.", examples: ["1"] }),
}

/** Parameters of `/status-by-id`. */
export const StatusByIdParameters = Schema.Struct({
  swapId: Identifier("The `id` of the answer that opened the channel.", "7"),
})

/** Parameters of `/status-by-deposit-channel`. */
export const StatusByChannelParameters = Schema.Struct({
  issuedBlock: Identifier("State-chain block of the answer that opened the channel.", "14138313"),
  network: ChainName,
  channelId: Identifier("Channel id of the answer that opened the channel.", "77"),
})

/** Parameters of `/status-by-transaction-hash`. */
export const StatusByTransactionParameters = Schema.Struct({ transactionHash: TransactionHash })

const error = [BadRequest, NotFound, InternalServerError, ServiceUnavailable] as const

/** The status of swaps (decision 23). Another account's swap looks as if it did not exist. */
export class StatusGroup extends HttpApiGroup.make("status").add(
  HttpApiEndpoint.get("byId", "/status-by-id", {
    query: StatusByIdParameters,
    success: SwapRecordBody,
    error,
  }).annotateMerge(
    about(
      "getStatusById",
      "Status by our number of the swap",
      "The swap as it stands, for the `id` that `/swap` answered. A channel that was just opened is " +
        "`waiting`. Ids of other accounts are 404, like those that were never given.",
    ),
  ),
  HttpApiEndpoint.get("byDepositChannel", "/status-by-deposit-channel", {
    query: StatusByChannelParameters,
    success: SwapRecordBody,
    error,
  }).annotateMerge(
    about(
      "getStatusByDepositChannel",
      "Status by deposit channel",
      "The swap as it stands, for `issuedBlock`, `network` and `channelId` of the answer of `/swap`.",
    ),
  ),
  HttpApiEndpoint.get("byTransactionHash", "/status-by-transaction-hash", {
    query: StatusByTransactionParameters,
    success: SwapRecordBody,
    error,
  }).annotateMerge(
    about(
      "getStatusByTransactionHash",
      "Status by deposit transaction; the latest swap where there are several",
      "The swap as it stands, for the transaction of its deposit: with a channel, or made of a payload " +
        "of `/tx-payload/*`. A hash that is not known yet is asked for upstream, within the account's " +
        "budget.",
    ),
  ),
  HttpApiEndpoint.get("journal", "/swaps/:id/journal", {
    params: swapPath,
    query: JournalParameters,
    success: JournalBody,
    error,
  }).annotateMerge(
    about(
      "getSwapJournal",
      "Everything that happened to a swap, with what its upstream said",
      'Every change of the swap that this service saw, in order, each with the words of the upstream that it came from. `Link: rel="next"` leads on when there is more.',
    ),
  ),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope("status", { title: "Status", description: "Follow a swap." }),
) {}
