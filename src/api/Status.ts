import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authorization, needsScope, ParameterFaults } from "./Authorization.ts"
import { JournalBody, JournalParameters, swapPath } from "./Journal.ts"
import { ChainName, Identifier, TransactionHash } from "./Parameters.ts"
import { BadRequest, InternalServerError, NotFound, ServiceUnavailable } from "./Problems.ts"
import { SwapRecordBody } from "./SwapStatusBody.ts"

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

/** What became of a swap (api.md 4.4). A swap of another account looks like none at all. */
export class StatusGroup extends HttpApiGroup.make("status").add(
  HttpApiEndpoint.get("byId", "/status-by-id", {
    query: StatusByIdParameters,
    success: SwapRecordBody,
    error,
  }).annotate(OpenApi.Summary, "Status by our number of the swap"),
  HttpApiEndpoint.get("byDepositChannel", "/status-by-deposit-channel", {
    query: StatusByChannelParameters,
    success: SwapRecordBody,
    error,
  }).annotate(OpenApi.Summary, "Status by deposit channel"),
  HttpApiEndpoint.get("byTransactionHash", "/status-by-transaction-hash", {
    query: StatusByTransactionParameters,
    success: SwapRecordBody,
    error,
  }).annotate(OpenApi.Summary, "Status by deposit transaction; the latest swap where there are several"),
  HttpApiEndpoint.get("journal", "/swaps/:id/journal", {
    params: swapPath,
    query: JournalParameters,
    success: JournalBody,
    error,
  }).annotate(OpenApi.Summary, "Everything that happened to a swap, with what its upstream said"),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope("status", { title: "Status", description: "Follow a swap." }),
) {}
