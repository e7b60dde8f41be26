import { Context, Layer, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { HttpServer } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { Api } from "#api/Api.ts"
import { RequiredScopes } from "#api/Authorization.ts"
import { NamesOfOpening } from "#api/Idempotency.ts"
import { EpochMillis } from "#domain/Time.ts"
import { writeEndNotice } from "#infrastructure/platform/endNotice.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { AccountHandlers } from "./Account.ts"
import { AssetsHandlers } from "./Assets.ts"
import { AuthorizationLayer } from "../requests/Authorization.ts"
import { documentation, documentationPaths } from "./docs/documentation.ts"
import { eventReadings, EventsHandlers, HistoryHandlers, historyReadings } from "./History.ts"
import type { PathFacts, Paths } from "../requests/RequestMeta.ts"
import { operatorHandlers } from "./Operator.ts"
import { ParameterFaultsLayer, RuleFaultsLayer } from "../requests/ParameterFaults.ts"
import { PayersHandlers, StatusHandlers } from "./Status.ts"
import { ProviderHealthHandlers, ProvidersHandlers, ReportCardHandlers } from "./Providers.ts"
import { quoteReadings, QuotesHandlers, QuoteStreamHandlers, quoteStreamReadings } from "./Quotes.ts"
import { RequestErrorsHandlers } from "../requests/failedRequests.ts"
import { RpcHandlers } from "./Rpc.ts"
import { SandboxApi, SandboxHandlers } from "./Sandbox.ts"
import { CaseKeysHandlers, OperatorCasesHandlers } from "./Cases.tsx"
import { payloadReadings, SwapHandlers, swapReadings, TxPayloadHandlers } from "./Openings.ts"
import { SystemHandlers } from "./System.ts"
import { WebhookChangesHandlers, WebhooksHandlers } from "./Webhooks.ts"

const metricsPath = "/metrics"

const handlers = Layer.mergeAll(
  QuotesHandlers,
  QuoteStreamHandlers,
  SwapHandlers,
  TxPayloadHandlers,
  PayersHandlers,
  StatusHandlers,
  OperatorCasesHandlers,
  CaseKeysHandlers,
  HistoryHandlers,
  EventsHandlers,
  AssetsHandlers,
  operatorHandlers,
  WebhooksHandlers,
  WebhookChangesHandlers,
  AccountHandlers,
  RequestErrorsHandlers,
  RpcHandlers,
  ProvidersHandlers,
  ReportCardHandlers,
  ProviderHealthHandlers,
  SystemHandlers,
)

const ruleFaults = RuleFaultsLayer({
  ...quoteReadings,
  ...quoteStreamReadings,
  ...swapReadings,
  ...payloadReadings,
  ...historyReadings,
  ...eventReadings,
})

/** The contract that sandbox mode serves and documents: the API and the sandbox's controls. */
const ApiWithSandbox = Api.addHttpApi(SandboxApi)

/** The layer that finds the caller and checks its rights. */
export type AuthorizationFor = typeof AuthorizationLayer

/** The service's routes, with sandbox controls at `sandboxUrl`. Benchmarks pass an `authorization`. */
export const routes = (sandboxUrl: URL | undefined, authorization: AuthorizationFor = AuthorizationLayer) =>
  (sandboxUrl === undefined ? Layer.mergeAll(HttpApiBuilder.layer(Api), documentation(Api)) : Layer.mergeAll(
    HttpApiBuilder.layer(Api),
    HttpApiBuilder.layer(SandboxApi).pipe(Layer.provide(SandboxHandlers(sandboxUrl))),
    documentation(ApiWithSandbox),
  )).pipe(
    Layer.merge(PrometheusMetrics.layerHttp({ path: metricsPath })),
    Layer.provide(handlers),
    Layer.provide([authorization, ParameterFaultsLayer, ruleFaults]),
    Layer.provide(HttpServer.layerServices),
  )

/** When `/quote` and `/quote-native` were deprecated: 2026-01-01. */
const deprecatedAt = EpochMillis.make(1_767_225_600_000)

const successor = (url: string) =>
  writeEndNotice({ deprecatedAt, references: [{ rel: "successor-version", url }] })

/** Headers of every answer of a deprecated path (decision 25). */
const pathHeaders: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ["/quote", successor("/quotes")],
  ["/quote-native", successor("/quotes-native")],
])

/** The facts about each path that the server needs before it routes a request, read off the contract's endpoints. */
export const paths = (sandboxUrl: URL | undefined): Paths => {
  const api = sandboxUrl === undefined ? Api : ApiWithSandbox
  const found = new Map<string, PathFacts>([
    ...documentationPaths.map((path) => [path, { methods: ["GET"] }] as const),
    [metricsPath, { methods: ["GET"], isClosed: true }],
  ])
  for (const { annotations, endpoints } of Object.values(api.groups)) {
    const isClosed = Option.exists(
      Context.getOption(annotations, RequiredScopes),
      (scopes) => scopes.includes("operate"),
    )
    for (const { annotations, path, method } of Object.values(endpoints)) {
      const before = found.get(path)
      found.set(path, {
        methods: [...(before?.methods ?? []), method],
        beginsSwap: before?.beginsSwap === true ||
          Option.isSome(Context.getOption(annotations, NamesOfOpening)),
        isClosed: before?.isClosed === true || isClosed,
        ...optionalMembers(pathHeaders.get(path), (headers) => ({ headers })),
      })
    }
  }
  return found
}
