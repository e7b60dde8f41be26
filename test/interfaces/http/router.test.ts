import { assert, describe, it } from "@effect/vitest"
import { paths } from "#interfaces/http/router.ts"

const contract = {
  "/openapi.json": ["GET"],
  "/": ["GET"],
  "/docs": ["GET"],
  "/docs/settings": ["GET"],
  "/docs/try": ["GET"],
  "/docs/try/accessible.js": ["GET"],
  "/docs/try/scalar.js": ["GET"],
  "/docs/style.css": ["GET"],
  "/docs/script.js": ["GET"],
  "/docs/icon.svg": ["GET"],
  "/docs/:topic": ["GET"],
  "/quotes": ["GET"],
  "/quotes/compare": ["GET"],
  "/quotes/:quoteId/explanation": ["GET"],
  "/quotes-native": ["GET"],
  "/quote": ["GET"],
  "/quote-native": ["GET"],
  "/quotes/stream": ["GET"],
  "/swap": ["GET", "POST"],
  "/tx-payload/bitcoin": ["GET", "POST"],
  "/tx-payload/evm": ["GET", "POST"],
  "/tx-payload/solana": ["GET", "POST"],
  "/tx-payload/tron": ["GET", "POST"],
  "/tx-payload/xrpl": ["GET", "POST"],
  "/status-by-id": ["GET"],
  "/status-by-deposit-channel": ["GET"],
  "/status-by-transaction-hash": ["GET"],
  "/swaps": ["GET"],
  "/swaps/events": ["GET"],
  "/commission": ["GET"],
  "/status-stream": ["GET"],
  "/assets": ["GET"],
  "/networks": ["GET"],
  "/logos/:name": ["GET"],
  "/rpc/:apiKey": ["POST"],
  "/metrics": ["GET"],
  "/operator/accounts": ["GET", "POST"],
  "/operator/accounts/:name": ["PATCH"],
  "/operator/accounts/:name/merchant": ["GET", "PUT"],
  "/operator/accounts/:name/keys": ["GET", "POST"],
  "/operator/keys/:id": ["DELETE"],
  "/operator/accounts/:name/routes": ["GET", "PUT", "DELETE"],
  "/operator/accounts/:name/errors": ["GET"],
  "/errors": ["GET"],
  "/account": ["GET"],
  "/operator/audit": ["GET"],
  "/operator/accounts/:name/portal-link": ["POST"],
  "/operator/alerts": ["GET"],
  "/operator/channels": ["GET"],
  "/operator/channels/counts": ["GET"],
  "/operator/commission": ["GET"],
  "/operator/providers/:name/history": ["GET"],
  "/operator/swaps": ["GET"],
  "/operator/treasury": ["GET"],
  "/operator/treasury/affiliates": ["GET", "POST"],
  "/operator/treasury/affiliates/:name/withdrawals": ["POST"],
  "/operator/treasury/entries": ["POST"],
  "/operator/treasury/withdrawals": ["GET", "POST"],
  "/operator/treasury/withdrawals/:id": ["GET"],
  "/operator/treasury/withdrawals/:id/decision": ["POST"],
  "/operator/swaps/:id/journal": ["GET"],
  "/operator/swaps/:id/accept": ["POST"],
  "/operator/swaps/:id/move": ["POST"],
  "/operator/swaps/:id/reindex": ["POST"],
  "/swap/:id/pay-link": ["POST"],
  "/swap/:id/qr": ["GET"],
  "/swaps/:id/journal": ["GET"],
  "/swaps/:id/case": ["GET"],
  "/operator/swaps/:id/case": ["GET"],
  "/.well-known/swap-broker-case-keys": ["GET"],
  "/webhooks": ["GET", "POST"],
  "/webhooks/:id": ["GET", "PATCH", "DELETE"],
  "/webhooks/:id/rotate": ["POST"],
  "/webhooks/:id/test": ["POST"],
  "/webhooks/:id/replay": ["POST"],
  "/webhooks/:id/deliveries": ["GET"],
  "/webhooks/:id/deliveries/:delivery": ["GET"],
  "/operator/accounts/:name/webhooks": ["GET", "POST"],
  "/operator/accounts/:name/webhooks/:id": ["GET", "PATCH", "DELETE"],
  "/operator/accounts/:name/webhooks/:id/rotate": ["POST"],
  "/operator/accounts/:name/webhooks/:id/test": ["POST"],
  "/operator/accounts/:name/webhooks/:id/replay": ["POST"],
  "/operator/accounts/:name/webhooks/:id/deliveries": ["GET"],
  "/operator/accounts/:name/webhooks/:id/deliveries/:delivery": ["GET"],
  "/providers": ["GET"],
  "/providers/:name/history": ["GET"],
  "/providers/:name/switch": ["POST"],
  "/health/providers": ["GET"],
  "/livez": ["GET"],
  "/readyz": ["GET"],
}

const methods = (sandboxUrl: URL | undefined) =>
  Object.fromEntries([...paths(sandboxUrl)].map(([path, { methods }]) => [path, methods]))

const pathsWith = (fact: "beginsSwap" | "isClosed" | "headers") =>
  [...paths(undefined)].flatMap(([path, facts]) => facts[fact] ? [path] : [])

describe("paths", () => {
  it("has every path of the contract with its methods", () => {
    assert.deepStrictEqual<unknown>(methods(undefined), contract)
  })

  it("has the sandbox's controls only where there is a sandbox", () => {
    assert.deepStrictEqual<unknown>(methods(new URL("http://127.0.0.1:9944")), {
      ...contract,
      "/sandbox": ["GET"],
      "/sandbox/deposits": ["POST"],
      "/sandbox/vault-swaps": ["POST"],
      "/sandbox/time": ["POST"],
      "/sandbox/faults": ["PUT", "DELETE"],
      "/sandbox/network": ["PATCH"],
    })
  })

  it("says which paths begin a swap, so that no HEAD does", () => {
    assert.deepStrictEqual(pathsWith("beginsSwap"), [
      "/swap",
      "/tx-payload/bitcoin",
      "/tx-payload/evm",
      "/tx-payload/solana",
      "/tx-payload/tron",
      "/tx-payload/xrpl",
    ])
  })

  it("closes the operator's paths and the figures to pages, and no others", () => {
    const closed = Object.keys(contract).filter((path) =>
      /^\/(?:operator|providers(?!\/:name\/history)|metrics)(?:\/|$)/.test(path)
    )
    assert.isAbove(closed.length, 15)
    assert.sameMembers(pathsWith("isClosed"), closed)
  })

  it("says of deprecated paths what comes after them", () => {
    assert.deepStrictEqual(pathsWith("headers"), ["/quote", "/quote-native"])
  })
})
