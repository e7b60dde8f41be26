import { Effect, Layer } from "effect"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import { ParameterFaults } from "../api/Authorization.ts"
import { Registry } from "../providers/Registry.ts"
import { AddressPolicy } from "../swapping/AddressPolicy.ts"
import { problemResponse } from "./orProblem.ts"
import { withKeyIssues } from "./readIdempotencyKey.ts"
import { readStatusStream, readSwapEvents } from "./readEventsQuery.ts"
import { readCommissionQuery } from "./readCommissionQuery.ts"
import { readJournalQuery } from "./readJournalQuery.ts"
import { readHistoryQuery } from "./readHistoryQuery.ts"
import { readAccountPage, readAuditQuery, readKeyPage, readRoutePair } from "./readOperator.ts"
import { readPayloadOrder, readPostedPayloadOrder } from "./readPayloadOrder.ts"
import { readQuoteNativeOrder, readQuoteOrder } from "./readQuoteOrder.ts"
import { readStatusByChannel, readStatusById, readStatusByTransaction } from "./readStatusQuery.ts"
import { readPostedSwapOrder, readSwapOrder } from "./readSwapOrder.ts"
import { readDeliveryQuery } from "./readWebhooks.ts"
import { listIgnored } from "./unknownParameters.ts"

/** How the parameters of each endpoint are read; the schemas alone do not know the rules between them. */
const readers = {
  quotes: readQuoteOrder,
  quotesNative: readQuoteNativeOrder,
  quote: readQuoteOrder,
  quoteNative: readQuoteNativeOrder,
  swap: readSwapOrder,
  swapPost: readPostedSwapOrder,
  byId: readStatusById,
  byDepositChannel: readStatusByChannel,
  byTransactionHash: readStatusByTransaction,
  swaps: readHistoryQuery,
  swapEvents: readSwapEvents,
  statusStream: readStatusStream,
  commission: readCommissionQuery,
  journal: readJournalQuery,
  swapJournal: readJournalQuery,
  removeRoute: readRoutePair,
  accounts: readAccountPage,
  keys: readKeyPage,
  audit: readAuditQuery,
  deliveries: readDeliveryQuery,
  bitcoinPayload: readPayloadOrder("bitcoin"),
  bitcoinPayloadPost: readPostedPayloadOrder("bitcoin"),
  evmPayload: readPayloadOrder("evm"),
  evmPayloadPost: readPostedPayloadOrder("evm"),
  solanaPayload: readPayloadOrder("solana"),
  solanaPayloadPost: readPostedPayloadOrder("solana"),
  tronPayload: readPayloadOrder("tron"),
  tronPayloadPost: readPostedPayloadOrder("tron"),
}

const isRead = (endpoint: string): endpoint is keyof typeof readers => Object.hasOwn(readers, endpoint)

/**
 * When the schema of an endpoint refuses a request, reads it again in the way that collects every issue.
 * An answer of ours that does not encode stays a defect, as does a refusal that the reader cannot explain.
 */
export const ParameterFaultsLayer: Layer.Layer<ParameterFaults, never, Registry | AddressPolicy> = Layer
  .effect(
    ParameterFaults,
    Effect.gen(function* () {
      const registry = yield* Registry
      const settings = yield* AddressPolicy

      const explain = (name: string, hasKey: boolean, refusal: HttpApiSchemaError) =>
        isRead(name) && (refusal.kind === "Query" || refusal.kind === "Headers")
          ? (hasKey ? withKeyIssues(readers[name]) : readers[name]).pipe(
            Effect.andThen(Effect.die(refusal)),
            Effect.catch(problemResponse),
            Effect.provideService(Registry, registry),
            Effect.provideService(AddressPolicy, settings),
          )
          : Effect.die(refusal)

      return ParameterFaults.of((answer, { endpoint }) =>
        listIgnored(
          endpoint.identifier,
          Effect.catch(
            answer,
            (error) =>
              HttpApiSchemaError.is(error)
                // The only header that an endpoint reads is the key that it can be sent again under.
                ? explain(endpoint.identifier, endpoint.headers !== undefined, error)
                : Effect.fail(error),
          ),
        )
      )
    }),
  )
