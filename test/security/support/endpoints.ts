import { Api } from "#api/Api.ts"
import { SandboxApi } from "#interfaces/http/Sandbox.ts"
import type { Scope } from "#domain/accounts/Key.ts"

/** One endpoint as the HttpApi has it, with the parameters of its path filled in. */
export interface Endpoint {
  /** Such as `GET /operator/accounts/:name/keys`. */
  readonly name: string
  readonly method: string
  /** Leads to nothing that is there, so that a call that is let in does no harm. */
  readonly path: string
}

/** What stands for a parameter of a path. */
const nobody: Readonly<Record<string, string>> = { ":name": "nobody", ":id": "aaaaaaaaaaaaaaaa" }

/** Has its key in the path, and a scope for each call in its body: a matrix of its own, in rpcAuthorisation.long.test.ts. */
const keyInPath = "/rpc/:apiKey"

/** Every other endpoint that the service has in sandbox mode, from the contract itself. */
export const endpoints: ReadonlyArray<Endpoint> = Object.values(Api.addHttpApi(SandboxApi).groups).flatMap(
  ({ endpoints }) =>
    Object.values(endpoints).filter(({ path }) => path !== keyInPath).map(({ method, path }) => ({
      name: `${method} ${path}`,
      method,
      path: path.replaceAll(/:\w+/g, (parameter: string) => nobody[parameter] ?? "nothing"),
    })),
)

/** Who may call an endpoint: anybody, anybody with a key, or only with a key of a scope, or of several. */
export type Access = "anybody" | "any key" | Scope | ReadonlyArray<Scope>

const changesWebhooks: Access = ["swap", "history"]
const movesMoney: Access = ["operate", "withdraw"]

/**
 * Who may call which endpoint, written down a second time and not taken from the contract: an endpoint that
 * is new, or that lost its scope, does not fit this table.
 */
export const access: Readonly<Record<string, Access>> = {
  "GET /quotes": "quote",
  "GET /quotes/compare": "quote",
  "GET /quotes/:quoteId/explanation": "quote",
  "GET /quotes-native": "quote",
  "GET /quote": "quote",
  "GET /quote-native": "quote",
  "GET /swap": "swap",
  "POST /swap": "swap",
  "GET /tx-payload/bitcoin": "swap",
  "POST /tx-payload/bitcoin": "swap",
  "GET /tx-payload/evm": "swap",
  "GET /providers/:name/history": "any key",
  "GET /quotes/stream": "quote",
  "POST /tx-payload/evm": "swap",
  "GET /tx-payload/solana": "swap",
  "POST /tx-payload/solana": "swap",
  "GET /tx-payload/tron": "swap",
  "POST /tx-payload/tron": "swap",
  "GET /tx-payload/xrpl": "swap",
  "POST /tx-payload/xrpl": "swap",
  "GET /swap/:id/qr": "swap",
  "POST /swap/:id/pay-link": "swap",
  "GET /status-by-id": "status",
  "GET /status-by-deposit-channel": "status",
  "GET /status-by-transaction-hash": "status",
  "GET /swaps": "history",
  "GET /swaps/events": "status",
  "GET /status-stream": "status",
  "GET /swaps/:id/journal": "status",
  "GET /swaps/:id/case": "status",
  "GET /commission": "history",
  "GET /webhooks": "history",
  "GET /webhooks/:id": "history",
  "GET /webhooks/:id/deliveries": "history",
  "GET /webhooks/:id/deliveries/:delivery": "history",
  "POST /webhooks": changesWebhooks,
  "PATCH /webhooks/:id": changesWebhooks,
  "DELETE /webhooks/:id": changesWebhooks,
  "POST /webhooks/:id/rotate": changesWebhooks,
  "POST /webhooks/:id/test": changesWebhooks,
  "POST /webhooks/:id/replay": changesWebhooks,
  "GET /operator/accounts/:name/webhooks": "operate",
  "POST /operator/accounts/:name/webhooks": "operate",
  "GET /operator/accounts/:name/webhooks/:id": "operate",
  "PATCH /operator/accounts/:name/webhooks/:id": "operate",
  "DELETE /operator/accounts/:name/webhooks/:id": "operate",
  "POST /operator/accounts/:name/webhooks/:id/rotate": "operate",
  "POST /operator/accounts/:name/webhooks/:id/test": "operate",
  "POST /operator/accounts/:name/webhooks/:id/replay": "operate",
  "GET /operator/accounts/:name/webhooks/:id/deliveries": "operate",
  "GET /operator/accounts/:name/webhooks/:id/deliveries/:delivery": "operate",
  "GET /assets": "anybody",
  "GET /networks": "anybody",
  "GET /logos/:name": "anybody",
  "GET /operator/accounts": "operate",
  "POST /operator/accounts": "operate",
  "PATCH /operator/accounts/:name": "operate",
  "GET /operator/accounts/:name/merchant": "operate",
  "PUT /operator/accounts/:name/merchant": "operate",
  "GET /operator/accounts/:name/keys": "operate",
  "POST /operator/accounts/:name/keys": "operate",
  "DELETE /operator/keys/:id": "operate",
  "GET /operator/accounts/:name/routes": "operate",
  "PUT /operator/accounts/:name/routes": "operate",
  "DELETE /operator/accounts/:name/routes": "operate",
  "GET /errors": "history",
  "GET /account": "any key",
  "GET /operator/accounts/:name/errors": "operate",
  "GET /operator/audit": "operate",
  "POST /operator/accounts/:name/portal-link": "operate",
  "GET /operator/alerts": "operate",
  "GET /operator/channels": "operate",
  "GET /operator/channels/counts": "operate",
  "GET /operator/commission": "operate",
  "GET /operator/providers/:name/history": "operate",
  "GET /operator/swaps": "operate",
  "GET /operator/treasury": "operate",
  "GET /operator/treasury/affiliates": "operate",
  "POST /operator/treasury/affiliates": movesMoney,
  "POST /operator/treasury/affiliates/:name/withdrawals": movesMoney,
  "POST /operator/treasury/entries": movesMoney,
  "GET /operator/treasury/withdrawals": "operate",
  "POST /operator/treasury/withdrawals": movesMoney,
  "GET /operator/treasury/withdrawals/:id": "operate",
  "POST /operator/treasury/withdrawals/:id/decision": movesMoney,
  "GET /operator/swaps/:id/journal": "operate",
  "GET /operator/swaps/:id/case": "operate",
  "POST /operator/swaps/:id/accept": "operate",
  "POST /operator/swaps/:id/move": "operate",
  "POST /operator/swaps/:id/reindex": "operate",
  "GET /providers": "operate",
  "POST /providers/:name/switch": "operate",
  "GET /health/providers": "anybody",
  "GET /.well-known/swap-broker-case-keys": "anybody",
  "GET /livez": "anybody",
  "GET /readyz": "anybody",
  "GET /sandbox": "any key",
  "POST /sandbox/deposits": "any key",
  "POST /sandbox/vault-swaps": "any key",
  "POST /sandbox/time": "any key",
  "PUT /sandbox/faults": "any key",
  "DELETE /sandbox/faults": "any key",
  "PATCH /sandbox/network": "any key",
}
