import { Context, Effect, Layer, Redacted } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { AlertsGroup } from "../api/Alerts.ts"
import { Api } from "../api/Api.ts"
import { BusinessGroup } from "../api/Business.ts"
import { OperatorGroup } from "../api/Operator.ts"
import { mostListed } from "../api/OperatorBodies.ts"
import { PortalGroup } from "../api/Portal.ts"
import { type ProviderBody, ProvidersGroup, type ReindexedBody } from "../api/Providers.ts"
import { OperatorRequestErrorsGroup } from "../api/RequestErrors.ts"
import { TreasuryGroup, TreasuryOrdersGroup } from "../api/Treasury.ts"
import { OperatorWebhooksGroup } from "../api/Webhooks.ts"
import type { PageQuery } from "../domain/Page.ts"
import type { SwitchChange } from "../domain/ProviderSwitch.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
import type { OperatorFailure } from "./failures.ts"

/** The operator's part of the contract, which the service's own handlers implement. */
export const OperatorApi = HttpApi.make(Api.identifier)
  .add(OperatorGroup)
  .add(BusinessGroup)
  .add(PortalGroup)
  .add(OperatorWebhooksGroup)
  .add(OperatorRequestErrorsGroup)
  .add(AlertsGroup)
  .add(TreasuryGroup)
  .add(TreasuryOrdersGroup)

/** A provider with its switches. Only a running service knows the state of its operations. */
export type ProviderSeen =
  & Pick<ProviderBody, "name" | "enabled" | "disabledReason" | "switches">
  & Pick<Partial<ProviderBody>, "registered" | "operations">

/** The operator's acts on providers, of which a database knows less than a running service. */
export interface ProviderActs {
  readonly list: Effect.Effect<ReadonlyArray<ProviderSeen>, OperatorFailure>
  readonly switch: (change: SwitchChange) => Effect.Effect<ProviderSeen, OperatorFailure>
  /** Only a running service has providers to ask. */
  readonly reindex: (swap: SwapRecordId) => Effect.Effect<ReindexedBody, OperatorFailure>
}

/**
 * The operator's acts, by the names of the contract: over HTTP at a running service (`overNetwork`), or through its
 * handlers in this process over the opened database (`overDatabase`). Every change is in the audit log.
 */
export class OperatorClient extends Context.Service<
  OperatorClient,
  HttpApiClient.ForApi<typeof OperatorApi> & { readonly providers: ProviderActs }
>()("swap-broker/cli/OperatorClient") {}

/** The service to call, and a key with the scope `operate`. */
export interface ServiceOptions {
  readonly url: URL
  readonly apiKey: Redacted.Redacted<string>
}

/** Calls a running service; the audit log names the account of the API key as the actor. */
export const overNetwork = (
  { url, apiKey }: ServiceOptions,
): Layer.Layer<OperatorClient, never, HttpClient.HttpClient> =>
  Layer.effect(
    OperatorClient,
    Effect.gen(function* () {
      const httpClient = HttpClient.mapRequest(
        yield* HttpClient.HttpClient,
        HttpClientRequest.setHeader("x-api-key", Redacted.value(apiKey)),
      )
      const { providers, ...client } = yield* HttpApiClient.makeWith(OperatorApi.add(ProvidersGroup), {
        httpClient,
        baseUrl: url,
      })
      return OperatorClient.of({
        ...client,
        providers: {
          list: providers.providers(),
          switch: ({ platform, ...payload }) => providers.switch({ params: { name: platform }, payload }),
          reindex: (swap) => providers.reindexSwap({ params: { id: `${swap}` } }),
        },
      })
    }),
  )

/** The whole of a list that comes in pages: each page but the first begins with the last item of the one before. */
export const wholeList = Effect.fnUntraced(function* <A, Id, E, R>(
  ask: (part: PageQuery<Id>) => Effect.Effect<ReadonlyArray<A>, E, R>,
  idOf: (item: A) => Id,
) {
  let part = yield* ask({ limit: mostListed })
  const all = [...part]
  let last = part.at(-1)
  while (part.length === mostListed && last !== undefined) {
    part = yield* ask({ limit: mostListed, offset: idOf(last) })
    all.push(...part.slice(1))
    last = part.at(-1)
  }
  return all
})
