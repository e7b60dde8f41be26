import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { AccountGroup, OperatorRequestErrorsGroup, RequestErrorsGroup } from "./Account.ts"
import { AssetsGroup } from "./Assets.ts"
import { CaseKeysGroup, OperatorCasesGroup } from "./Cases.ts"
import { BusinessGroup, ReportCardGroup } from "./Business.ts"
import { document } from "./document/document.ts"
import { EventsGroup, SwapEventBody } from "./Events.ts"
import { HistoryGroup } from "./History.ts"
import { AlertsGroup, OperatorGroup } from "./Operator.ts"
import { PayersGroup } from "./Payers.ts"
import { PortalGroup } from "./Portal.ts"
import { ProviderHealthGroup, ProvidersGroup } from "./Providers.ts"
import { QuotesDone, QuoteStreamGroup } from "./QuoteStream.ts"
import { QuotesGroup } from "./Quotes.ts"
import { RpcGroup } from "./Rpc.ts"
import { StatusGroup } from "./Status.ts"
import { SwapGroup } from "./Swap.ts"
import { SystemGroup } from "./System.ts"
import { TreasuryGroup, TreasuryOrdersGroup } from "./Treasury.ts"
import { TxPayloadGroup } from "./TxPayload.ts"
import { OperatorWebhooksGroup, WebhookChangesGroup, WebhooksGroup } from "./Webhooks.ts"
import { version } from "#infrastructure/platform/version.ts"

/** The operator's part of the contract, which needs no provider: commands have it from a database alone, too. */
export const OperatorApi = HttpApi.make("swap-broker")
  .add(OperatorGroup)
  .add(BusinessGroup)
  .add(PortalGroup)
  .add(OperatorWebhooksGroup)
  .add(OperatorRequestErrorsGroup)
  .add(AlertsGroup)
  .add(TreasuryGroup)
  .add(TreasuryOrdersGroup)

export type OperatorHandled = typeof OperatorApi extends HttpApi.HttpApi<infer Id, infer Groups>
  ? HttpApiGroup.ToService<Id, Groups>
  : never

/** The contract: every endpoint, with its validation and its documentation. */
export class Api extends HttpApi.make("swap-broker")
  .add(QuotesGroup)
  .add(QuoteStreamGroup)
  .add(SwapGroup)
  .add(TxPayloadGroup)
  .add(PayersGroup)
  .add(StatusGroup)
  .add(HistoryGroup)
  .add(EventsGroup)
  .add(AssetsGroup)
  .add(AccountGroup)
  .add(RequestErrorsGroup)
  .add(WebhooksGroup)
  .add(WebhookChangesGroup)
  .addHttpApi(OperatorApi)
  .add(RpcGroup)
  .add(ProvidersGroup)
  .add(ReportCardGroup)
  .add(ProviderHealthGroup)
  .add(OperatorCasesGroup)
  .add(CaseKeysGroup)
  .add(SystemGroup)
  .annotateMerge(OpenApi.annotations({
    title: "Swap Broker",
    version,
    description:
      "Quotes, deposit channels, status and history of cross-chain swaps. Every failure is a problem (RFC 9457). If it " +
      "has a `code`, branch on the code. Amounts are exact decimal JSON numbers. Calculate with their `…Native` twins, which " +
      "are text. Web pages may call all but the operator's paths, unless `allowedOrigins` of the account restricts them.",
    transform: document,
  }))
  // Streams and messages carry it as text, so no endpoint would bring it into the document.
  .annotate(HttpApi.AdditionalSchemas, [SwapEventBody, QuotesDone]) {}
