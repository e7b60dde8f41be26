import { Predicate } from "effect"
import { mapMembers, mapOperations, type Members } from "./json.ts"

/** A value from an answer, or from its request, as a runtime expression of OpenAPI. */
const answered = (member: string): string => `$response.body#/${member}`
const asked = (parameter: string): string => `$request.path.${parameter}`

type Parameters = Readonly<Record<string, string>>

/** The parameters of operations, whose ids have blanks between them. */
const toAll = (operationIds: string, parameters: Parameters) =>
  Object.fromEntries(operationIds.split(" ").map((operationId) => [operationId, parameters]))

const ofSwap = {
  getStatusById: { swapId: answered("id") },
  followSwap: { swapId: answered("id") },
  getStatusByDepositChannel: {
    issuedBlock: answered("issuedBlock"),
    network: answered("network"),
    channelId: answered("channelId"),
  },
  ...toAll(
    "getSwapJournal getAnySwapJournal getCaseFile getAnyCaseFile getPaymentCode linkPayer",
    { id: answered("id") },
  ),
}

/** The operations that the values of an answer are used in, by the answering operation, with their parameters. */
const links: Readonly<Record<string, Readonly<Record<string, Parameters>>>> = {
  getQuotes: { explainQuote: { quoteId: answered("0/quoteId") } },
  openSwap: ofSwap,
  openSwapByPost: { ...ofSwap, ...toAll("acceptEnd moveSwap reindexSwap", { id: answered("id") }) },
  createSandboxDeposit: { getStatusByTransactionHash: { transactionHash: answered("transactionHash") } },
  createSandboxVaultSwap: { getStatusByTransactionHash: { transactionHash: answered("transactionHash") } },
  createWebhook: toAll(
    "getWebhook changeWebhook rotateWebhookSecret testWebhook replayWebhook listDeliveries removeWebhook",
    { id: answered("id") },
  ),
  testWebhook: { getDelivery: { id: asked("id"), delivery: answered("id") } },
  createAccount: toAll(
    "changeAccount getMerchant setMerchant listKeys issueKey listRoutes setRoute removeRoute " +
      "listAccountWebhooks createAccountWebhook linkPortal",
    { name: answered("name") },
  ),
  issueKey: { revokeKey: { id: answered("id") } },
  createAccountWebhook: toAll(
    "getAccountWebhook changeAccountWebhook rotateAccountWebhookSecret testAccountWebhook " +
      "replayAccountWebhook listAccountDeliveries removeAccountWebhook",
    { name: asked("name"), id: answered("id") },
  ),
  testAccountWebhook: {
    getAccountDelivery: { name: asked("name"), id: asked("id"), delivery: answered("id") },
  },
}

const linked = (operation: Members): Members => {
  const own = links[`${operation.operationId}`]
  if (own === undefined) return operation
  const described = mapMembers(own, (parameters, operationId) => ({ operationId, parameters }))
  return {
    ...operation,
    responses: mapMembers(
      operation.responses,
      (response, status) =>
        status.startsWith("2") && Predicate.isObject(response) ? { ...response, links: described } : response,
    ),
  }
}

export const withLinks = (paths: unknown): unknown => mapOperations(paths, linked)
