import type { Accounts } from "../accounts/Accounts.ts"
import type { Audit } from "../accounts/Audit.ts"
import type { Commissions } from "../accounts/Commissions.ts"
import type { Keys } from "../accounts/Keys.ts"
import type { RequestErrors } from "../accounts/RequestErrors.ts"
import type { Routes } from "../accounts/Routes.ts"
import type { Sessions } from "../accounts/Sessions.ts"
import type { Alerts } from "../alerts/Alerts.ts"
import type { Business } from "../business/Business.ts"
import type { ProviderHistory } from "../ops/ProviderHistory.ts"
import type { Refusals } from "../ops/Refusals.ts"
import type { Overview } from "../providers/Overview.ts"
import type { Switches } from "../providers/Switches.ts"
import type { Guide } from "../guidance/Guide.ts"
import type { DisputedEnds } from "../swapping/DisputedEnds.ts"
import type { Journals } from "../swapping/Journals.ts"
import type { Moves } from "../swapping/Moves.ts"
import type { Repairs } from "../swapping/Repairs.ts"
import type { Watchdog } from "../swapping/Watchdog.ts"
import type { Affiliates } from "../treasury/Affiliates.ts"
import type { Treasury } from "../treasury/Treasury.ts"
import type { Withdrawals } from "../treasury/Withdrawals.ts"
import type { Deliveries } from "../webhooks/Deliveries.ts"
import type { Webhooks } from "../webhooks/Webhooks.ts"
import type { WireWitness } from "../witness/WireWitness.ts"
import { accountPage, changeTerms, makePortalLink, suspendAccount } from "./accounts/account.ts"
import { accountsPage, createAccount } from "./accounts/accounts.ts"
import { alertsPage } from "./alerts.ts"
import { auditPage } from "./audit.ts"
import { commissionPage } from "./treasury/commission.ts"
import { issueKey, keysPage, ownKeysPage, revokeKey, rotateKey } from "./accounts/keys.ts"
import { treasuryPage } from "./treasury/treasuryPage.ts"
import { overviewPage } from "./overview.ts"
import type { Act, Page } from "./Page.ts"
import { providerPage } from "./providers/providerPage.ts"
import { providersPage } from "./providers/providersPage.ts"
import { switchProvider } from "./providers/switchProvider.ts"
import { errorsPage } from "./accounts/requestErrors.ts"
import { registerAffiliate } from "./treasury/treasury.ts"
import { orderWithdrawal, withdrawalPage, withdrawPage } from "./treasury/withdrawals.ts"
import { removeRoute, routesPage, setRoute } from "./accounts/routes.ts"
import { journalEntryPage } from "./swaps/journalEntryPage.ts"
import { acceptAct, moveAct, reindexAct } from "./swaps/swapActs.ts"
import { swapPage } from "./swaps/swapPage.ts"
import { swapsPage } from "./swaps/swapsPage.ts"
import { deliveryPage, ownDeliveryPage, ownWebhookPage, webhookPage } from "./webhooks/webhook.ts"
import { changeWebhook, removeWebhook, replayEvents, rotateSecret, testWebhook } from "./webhooks/webhookActs.ts"
import { createWebhook, ownWebhooksPage, webhooksPage } from "./webhooks/webhooks.ts"

/** The services that pages and forms ask. */
export type Services =
  | Accounts
  | Affiliates
  | Alerts
  | Audit
  | Business
  | Commissions
  | Deliveries
  | DisputedEnds
  | Guide
  | Journals
  | Keys
  | Moves
  | Overview
  | ProviderHistory
  | Refusals
  | WireWitness
  | Repairs
  | RequestErrors
  | Routes
  | Sessions
  | Switches
  | Treasury
  | Watchdog
  | Webhooks
  | Withdrawals

/** Every page, in the order of the navigation. */
export const pages: ReadonlyArray<Page<Services>> = [
  overviewPage,
  swapsPage,
  swapPage,
  journalEntryPage,
  treasuryPage,
  withdrawPage,
  withdrawalPage,
  providersPage,
  providerPage,
  accountsPage,
  accountPage,
  keysPage,
  routesPage,
  webhooksPage,
  webhookPage,
  deliveryPage,
  alertsPage,
  auditPage,
  commissionPage,
  ownKeysPage,
  ownWebhooksPage,
  ownWebhookPage,
  ownDeliveryPage,
  errorsPage,
]

/** Every form's target but those of signing in and out. */
export const acts: ReadonlyArray<Act<Services>> = [
  reindexAct,
  acceptAct,
  moveAct,
  orderWithdrawal,
  registerAffiliate,
  switchProvider,
  createAccount,
  changeTerms,
  suspendAccount,
  makePortalLink,
  issueKey,
  rotateKey,
  revokeKey,
  setRoute,
  removeRoute,
  createWebhook,
  changeWebhook,
  removeWebhook,
  rotateSecret,
  testWebhook,
  replayEvents,
]
