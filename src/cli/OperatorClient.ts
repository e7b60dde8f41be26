import { Context, Effect, Layer, Redacted } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { Api } from "../api/Api.ts"
import { OperatorGroup } from "../api/Operator.ts"
import { mostListed } from "../api/OperatorBodies.ts"
import { type ProviderBody, ProvidersGroup } from "../api/Providers.ts"
import { OperatorWebhooksGroup } from "../api/Webhooks.ts"
import type { PageQuery } from "../domain/Page.ts"
import type { SwitchChange } from "../domain/ProviderSwitch.ts"
import type { OperatorFailure } from "./failures.ts"

/** The operator's part of the contract, which the service's own handlers answer. */
export const OperatorApi = HttpApi.make(Api.identifier).add(OperatorGroup).add(OperatorWebhooksGroup)

/** A provider and its switches; how its operations fare is known only to a running service. */
export type ProviderSeen =
  & Pick<ProviderBody, "name" | "enabled" | "disabledReason" | "switches">
  & Pick<Partial<ProviderBody>, "registered" | "operations">

/** The providers, which a database knows less of than a running service. */
export interface ProviderActs {
  readonly list: Effect.Effect<ReadonlyArray<ProviderSeen>, OperatorFailure>
  readonly switch: (change: SwitchChange) => Effect.Effect<ProviderSeen, OperatorFailure>
}

/**
 * What the operator can do, by the contract's own names: asked of a running service (`overNetwork`), or of its
 * handlers in this process over the opened database (`overDatabase`). Every change is in the audit log.
 */
export class OperatorClient extends Context.Service<
  OperatorClient,
  HttpApiClient.ForApi<typeof OperatorApi> & { readonly providers: ProviderActs }
>()("swap-broker/cli/OperatorClient") {}

/** Which service, and with which key of the scope `operate`. */
export interface ServiceOptions {
  readonly url: URL
  readonly apiKey: Redacted.Redacted<string>
}

/** Asks a running service; the actor of the audit log is the account of the API key. */
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
        },
      })
    }),
  )

/** All of a list that comes in parts: each but the first begins with the last of the one before. */
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
