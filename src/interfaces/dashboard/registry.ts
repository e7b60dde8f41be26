import {
  changeTerms,
  makePortalLink,
  removeRoute,
  routesPage,
  setRoute,
  suspendAccount,
} from "./accounts/account.tsx"
import { accountPage, allErrorsPage, errorsPage } from "./accounts/accountPage.tsx"
import { accountsPage, createAccount, newAccountPage } from "./accounts/accounts.tsx"
import { alertsPage } from "./alerts/alertsPage.ts"
import { auditPage } from "./audit.tsx"
import { affiliatesPage, registerAffiliate } from "./treasury/affiliatesPage.tsx"
import { commissionPage } from "./treasury/commissionPage.tsx"
import { issueKey, keyPage, keysPage, ownKeysPage, revokeKey, rotateKey } from "./accounts/keys.tsx"
import { merchantPage, setMerchant } from "./accounts/merchant.tsx"
import { treasuryPage } from "./treasury/treasuryPage.tsx"
import { overviewPage } from "./overview/overviewPage.tsx"
import type { Act, Page } from "./Page.ts"
import { providerPage, switchProvider } from "./providers/providerPage.tsx"
import { providersPage } from "./providers/providersPage.tsx"
import { decideWithdrawal, withdrawalPage } from "./treasury/withdrawalPage.tsx"
import { withdrawalsPage } from "./treasury/withdrawalsPage.tsx"
import { orderWithdrawal, withdrawPage } from "./treasury/withdrawPage.tsx"
import { journalEntryPage } from "./swaps/journalEntryPage.tsx"
import { askAgainAct, checkOpeningAct, moveAct, payLinkAct, reindexAct } from "./swaps/swapActs.tsx"
import { acceptAct, acceptPage, swapPage } from "./swaps/swapPage.tsx"
import { swapsPage } from "./swaps/swapsPage.tsx"
import { deliveryPage, ownDeliveryPage, ownWebhookPage, webhookPage } from "./webhooks/webhook.tsx"
import { webhookActs } from "./webhooks/webhookActs.tsx"
import { allWebhooksPage, ownWebhooksPage, webhooksPage } from "./webhooks/webhooks.tsx"

const allPages = [
  [overviewPage, swapsPage, swapPage, acceptPage, journalEntryPage],
  [treasuryPage, affiliatesPage, withdrawPage, withdrawalsPage, withdrawalPage],
  [providersPage, providerPage],
  [accountsPage, newAccountPage, accountPage, keysPage, keyPage, merchantPage, routesPage],
  [webhooksPage, webhookPage, deliveryPage],
  [alertsPage, auditPage, commissionPage],
  [ownKeysPage, ownWebhooksPage, ownWebhookPage, ownDeliveryPage],
  [errorsPage, allErrorsPage, allWebhooksPage],
].flat()

const allActs = [
  [askAgainAct, reindexAct, payLinkAct, acceptAct, checkOpeningAct, moveAct],
  [orderWithdrawal, decideWithdrawal, registerAffiliate, switchProvider],
  [createAccount, changeTerms, suspendAccount, makePortalLink, setMerchant],
  [issueKey, rotateKey, revokeKey, setRoute, removeRoute, ...webhookActs],
].flat()

type ServicesOf<Of> = Of extends Page<infer R> | Act<infer R> ? R : never

/** The services that pages and forms ask. */
export type Services = ServicesOf<typeof allPages[number] | typeof allActs[number]>

/** Every page. `navigation.ts` says in which order their links are. */
export const pages: ReadonlyArray<Page<Services>> = allPages

/** Every form's target but those of signing in and out. */
export const acts: ReadonlyArray<Act<Services>> = allActs
