import { changeTerms, makePortalLink, suspendAccount } from "./accounts/account.ts"
import { accountPage } from "./accounts/accountPage.ts"
import { accountsPage, createAccount } from "./accounts/accounts.ts"
import { alertsPage } from "./alerts/alertsPage.ts"
import { auditPage } from "./audit.ts"
import { affiliatesPage, registerAffiliate } from "./treasury/affiliatesPage.ts"
import { commissionPage } from "./treasury/commissionPage.ts"
import { issueKey, keysPage, ownKeysPage, revokeKey, rotateKey } from "./accounts/keys.ts"
import { treasuryPage } from "./treasury/treasuryPage.ts"
import { overviewPage } from "./overview/overviewPage.ts"
import type { Act, Page } from "./Page.ts"
import { providerPage } from "./providers/providerPage.ts"
import { providersPage } from "./providers/providersPage.ts"
import { switchProvider } from "./providers/switchProvider.ts"
import { allErrorsPage, errorsPage } from "./accounts/requestErrors.ts"
import { decideWithdrawal, withdrawalPage } from "./treasury/withdrawalPage.ts"
import { withdrawalsPage } from "./treasury/withdrawalsPage.ts"
import { orderWithdrawal, withdrawPage } from "./treasury/withdrawPage.ts"
import { removeRoute, routesPage, setRoute } from "./accounts/routes.ts"
import { journalEntryPage } from "./swaps/journalEntryPage.ts"
import { checkOpeningAct } from "./swaps/openingActs.ts"
import { acceptAct, askAgainAct, moveAct, payLinkAct, reindexAct } from "./swaps/swapActs.ts"
import { swapPage } from "./swaps/swapPage.ts"
import { swapsPage } from "./swaps/swapsPage.ts"
import { deliveryPage, ownDeliveryPage, ownWebhookPage, webhookPage } from "./webhooks/webhook.ts"
import { webhookActs } from "./webhooks/webhookActs.ts"
import { allWebhooksPage, ownWebhooksPage, webhooksPage } from "./webhooks/webhooks.ts"

const allPages = [
  overviewPage,
  swapsPage,
  swapPage,
  journalEntryPage,
  treasuryPage,
  affiliatesPage,
  withdrawPage,
  withdrawalsPage,
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
  allErrorsPage,
  allWebhooksPage,
]

const allActs = [
  askAgainAct,
  reindexAct,
  payLinkAct,
  acceptAct,
  checkOpeningAct,
  moveAct,
  orderWithdrawal,
  decideWithdrawal,
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
  ...webhookActs,
]

type ServicesOf<Of> = Of extends Page<infer R> | Act<infer R> ? R : never

/** The services that pages and forms ask. */
export type Services = ServicesOf<typeof allPages[number] | typeof allActs[number]>

/** Every page. `navigation.ts` says in which order their links are. */
export const pages: ReadonlyArray<Page<Services>> = allPages

/** Every form's target but those of signing in and out. */
export const acts: ReadonlyArray<Act<Services>> = allActs
