import type { Rows } from "./accountRows.ts"

/** The addresses at which a page is looked at, for the rows: full, empty, and with every state that it has. */
type Visits = Readonly<Record<string, (rows: Rows) => readonly [string, ...ReadonlyArray<string>]>>

/** Every page about accounts and what is theirs by its path, with where it is looked at. */
export const visitsOfOperator: Visits = {
  "/dashboard/providers": () => ["/dashboard/providers"],
  "/dashboard/accounts": () => ["/dashboard/accounts", "/dashboard/accounts?find=acme&state=active"],
  "/dashboard/new-account": () => ["/dashboard/new-account"],
  "/dashboard/failed": () => ["/dashboard/failed"],
  "/dashboard/all-webhooks": () => ["/dashboard/all-webhooks"],
  "/dashboard/accounts/:name": ({ account, empty }) => [
    `/dashboard/accounts/${account}`,
    `/dashboard/accounts/${empty}`,
  ],
  "/dashboard/accounts/:name/keys": ({ account, empty }) => [
    `/dashboard/accounts/${account}/keys`,
    `/dashboard/accounts/${empty}/keys`,
  ],
  "/dashboard/accounts/:name/keys/:id": ({ account, key }) => [
    `/dashboard/accounts/${account}/keys/${key.split("_")[1] ?? ""}`,
  ],
  "/dashboard/accounts/:name/merchant": ({ account }) => [`/dashboard/accounts/${account}/merchant`],
  "/dashboard/accounts/:name/routes": ({ account, empty }) => [
    `/dashboard/accounts/${account}/routes`,
    `/dashboard/accounts/${empty}/routes`,
  ],
  "/dashboard/accounts/:name/webhooks": ({ account, empty }) => [
    `/dashboard/accounts/${account}/webhooks`,
    `/dashboard/accounts/${empty}/webhooks`,
  ],
  "/dashboard/accounts/:name/webhooks/:id": ({ account, webhook }) => [
    `/dashboard/accounts/${account}/webhooks/${webhook}`,
    `/dashboard/accounts/${account}/webhooks/${webhook}?state=delivered`,
  ],
  "/dashboard/accounts/:name/webhooks/:id/deliveries/:delivery": ({ account, delivery, webhook }) => [
    `/dashboard/accounts/${account}/webhooks/${webhook}/deliveries/${delivery}`,
  ],
  "/dashboard/money": () => ["/dashboard/money"],
  "/dashboard/money/affiliates": () => ["/dashboard/money/affiliates"],
  "/dashboard/money/withdrawals": () => [
    "/dashboard/money/withdrawals",
    "/dashboard/money/withdrawals?period=last-month&state=paid",
  ],
  "/dashboard/money/withdraw": () => [
    "/dashboard/money/withdraw?provider=chainflip&asset=usdc.eth",
    "/dashboard/money/withdraw",
  ],
  "/dashboard/money/withdrawals/:id": () => ["/dashboard/money/withdrawals/1"],
  "/dashboard/audit":
    () => ["/dashboard/audit", "/dashboard/audit?entry=2", "/dashboard/audit?actor=nobody&from=2026-01-01"],
  "/dashboard/commission": () => [
    "/dashboard/commission",
    "/dashboard/commission?from=2026-07-01&to=2026-08-31&platform=chainflip&by=account",
  ],
  "/dashboard/keys": () => ["/dashboard/keys"],
  "/dashboard/webhooks": () => ["/dashboard/webhooks"],
  "/dashboard/webhooks/:id": ({ ownWebhook }) => [`/dashboard/webhooks/${ownWebhook}`],
  "/dashboard/webhooks/:id/deliveries/:delivery": ({ ownDelivery, ownWebhook }) => [
    `/dashboard/webhooks/${ownWebhook}/deliveries/${ownDelivery}`,
  ],
  "/dashboard/errors": () => ["/dashboard/errors"],
}

/** The same for the integrator of the account with everything: the pages that integrators have. */
export const visitsOfIntegrator: Visits = {
  "/dashboard": () => ["/dashboard"],
  "/dashboard/swaps": () => ["/dashboard/swaps"],
  "/dashboard/commission": () => ["/dashboard/commission"],
  "/dashboard/keys": () => ["/dashboard/keys"],
  "/dashboard/webhooks": () => ["/dashboard/webhooks"],
  "/dashboard/webhooks/:id": ({ webhook }) => [`/dashboard/webhooks/${webhook}`],
  "/dashboard/webhooks/:id/deliveries/:delivery": ({ delivery, webhook }) => [
    `/dashboard/webhooks/${webhook}/deliveries/${delivery}`,
  ],
  "/dashboard/errors": () => ["/dashboard/errors"],
}
