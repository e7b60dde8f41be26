import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Authorization, needsScope, ParameterFaults } from "./Authorization.ts"
import { ChainName, Identifier, TransactionHash } from "./Parameters.ts"
import { BadRequest, InternalServerError, NotFound, ServiceUnavailable } from "./Problems.ts"
import { caseForms } from "./Cases.ts"
import { JournalEntryBody } from "./JournalEntry.ts"
import { GuidedSwapBody, swapPath } from "./SwapRecord.ts"
import { about } from "./endpoint.ts"
import { rowLimit } from "./parameterKinds.ts"
import { optional } from "#domain/optional.ts"

export const JournalBody = Schema.Array(JournalEntryBody).annotate({
  description: 'The first entry first. `Link: rel="next"` has the next page.',
})

export const JournalParameters = Schema.Struct({
  offset: optional(Identifier("Id of the entry to begin with, itself included.", "1")),
  limit: optional(rowLimit("entries to list", { most: 500, usual: 100 })),
})

export const StatusByIdParameters = Schema.Struct({
  swapId: Identifier(
    "The `id` of the response that opened the channel. The `swapId` of a status is another number: the network's own.",
    "7",
  ),
})

export const StatusByChannelParameters = Schema.Struct({
  issuedBlock: Identifier("State-chain block of the response that opened the channel.", "14138313"),
  network: ChainName,
  channelId: Identifier("Channel id of the response that opened the channel.", "77"),
})

export const StatusByTransactionParameters = Schema.Struct({ transactionHash: TransactionHash })

const error = [BadRequest, NotFound, InternalServerError, ServiceUnavailable] as const

/** The status of swaps (decision 23). Another account's swap looks as if it did not exist. */
export class StatusGroup extends HttpApiGroup.make("status").add(
  HttpApiEndpoint.get("byId", "/status-by-id", {
    query: StatusByIdParameters,
    success: GuidedSwapBody,
    error,
  }).annotateMerge(about(
    "getStatusById",
    "Get a status by swap ID",
    "The present status of the swap by its `id`, from `/swap` or `/swaps`. The `id` of `/swap` stays that of " +
      "the first deposit. A channel that was just opened is `waiting`. Ids of other accounts are 404, like those that do not exist.",
  )),
  HttpApiEndpoint.get("byDepositChannel", "/status-by-deposit-channel", {
    query: StatusByChannelParameters,
    success: GuidedSwapBody,
    error,
  }).annotateMerge(about(
    "getStatusByDepositChannel",
    "Get a status by deposit channel",
    "The present status of the swap, for `issuedBlock`, `network` and `channelId` of the response of `/swap`: the " +
      "latest, where several deposits became swaps (`swapCount`). `/swaps` lists each, by an `id` of its own.",
  )),
  HttpApiEndpoint.get("byTransactionHash", "/status-by-transaction-hash", {
    query: StatusByTransactionParameters,
    success: GuidedSwapBody,
    error,
  }).annotateMerge(about(
    "getStatusByTransactionHash",
    "Get a status by transaction hash",
    "The present status of the swap, for the transaction of its deposit: with a channel, or made of a " +
      "payload of `/tx-payload/*`. A hash that is not known yet is asked for upstream, within the account's " +
      "budget; a look-up that was not made is a 503 with `Retry-After`.",
  )),
  HttpApiEndpoint.get("journal", "/swaps/:id/journal", {
    params: swapPath,
    query: JournalParameters,
    success: JournalBody,
    error,
  }).annotateMerge(about(
    "getSwapJournal",
    "Get a swap's timeline",
    'Every change of the swap that this service saw, in order, each with the words of the upstream that it came from. `Link: rel="next"` has the next page.',
  )),
  HttpApiEndpoint.get("case", "/swaps/:id/case", {
    params: swapPath,
    success: caseForms,
    error: [...error],
  }).annotateMerge(about(
    "getCaseFile",
    "Get a signed case file",
    "One file with everything that happened to the swap: the request, the opening, every entry of the " +
      "journal with the upstream's responses, and the present status of the swap. It is verified offline, with " +
      "a key of `/.well-known/swap-broker-case-keys`. With `Accept: text/html` it comes as a page.",
  )),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope("status", { title: "Status", description: "Follow a swap." }),
) {}
