import { OperatorGroup } from "#api/Operator.ts"
import { AccountBody, MerchantBody, mostListed } from "#api/OperatorBodies.ts"
import { PortalGroup, PortalLinkBody } from "#api/Portal.ts"
import { OperatorRequestErrorsGroup } from "#api/Account.ts"
import { RequestErrors } from "#domain/RequestError.ts"
import { RouteRule } from "#domain/accounts/Route.ts"
import { choiceText, onlyOwn } from "#domain/accounts/OwnTerms.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { act, group, rows, view } from "./act.ts"
import { timeCell } from "./output.ts"
import { account, date, flagOf, limit, routeAsset, terms } from "./parameters.ts"

const {
  accounts: list,
  changeAccount,
  createAccount,
  merchant: getMerchant,
  removeRoute,
  routes: rules,
  setMerchant,
  setRoute,
} = OperatorGroup.endpoints

const standing = rows(AccountBody, [
  ["account", "name"],
  "commissionBps",
  "affiliates",
  ["origins", ({ allowedOrigins: all }) => all === "*" ? "*" : all.length === 0 ? "none" : all.join(", ")],
  "mcp",
  "suspended",
  ["own terms", (account) => {
    const { providers, ...own } = onlyOwn(account)
    const terms = { ...own, ...optionalMembers(providers, (choice) => ({ providers: choiceText(choice) })) }
    return Object.entries(terms).map((term) => term.join(" ")).join(", ")
  }],
  "createdAt",
], "No accounts yet")

const merchant = view(MerchantBody, ({ colour, displayName, logo, returnUrl, support }) =>
  [
    `Name: ${displayName ?? "not set"}`,
    `Colour: ${colour ?? "not set"}`,
    `Logo: ${logo === undefined ? "not set" : `${logo.length} characters`}`,
    `Support: ${support ?? "not set"}`,
    `Back to: ${returnUrl ?? "not set"}`,
  ].join("\n"))

/** A portal link; on a database without `PUBLIC_URL` it has no host. */
const shownOnce = view(PortalLinkBody, ({ expiresAt, url }) =>
  [
    `Link (shown only now): ${url}`,
    `It works once, until ${timeCell(expiresAt)}.`,
    ...(url.startsWith("/") ? ["Put the URL of the service before it: PUBLIC_URL is not set."] : []),
  ].join("\n"))

export const accounts = group("accounts", "The accounts of the integrators", [
  act("create", createAccount, {
    takes: { name: account, ...terms },
    shows: standing,
    about: "Create an account. It needs a key to call the API",
    examples: ["accounts create wallet-one --commission-bps 25"],
  }),
  act("list", list, { always: { limit: mostListed }, shows: standing }),
  act("set", changeAccount, {
    takes: { name: account, ...terms },
    shows: standing,
    examples: [
      "accounts set wallet-one --origins https://app.example --no-affiliates",
      "accounts set wallet-one --requests-per-minute 600 --daily-volume-usd 50000 --providers prefer:chainflip:50",
      "accounts set wallet-one --open-channels default --providers default",
    ],
    nothing: "Nothing to change: give a term, such as --commission-bps or --requests-per-minute",
  }),
  act("suspend", changeAccount, {
    takes: { name: account },
    always: { suspended: true },
    shows: standing,
    about: "Suspend an account. It can then only read its existing swaps",
  }),
  act("resume", changeAccount, {
    takes: { name: account },
    always: { suspended: false },
    shows: standing,
    about: "End the suspension of an account",
  }),
  act("link", PortalGroup.endpoints.linkPortal, {
    takes: { name: account },
    shows: shownOnce,
    about: "Make a portal link, which opens the pages of the account once. It is shown only now",
  }),
  act("errors", OperatorRequestErrorsGroup.endpoints.list, {
    takes: {
      name: account,
      from: date("from", "Time of the first requests; by default a day before --to"),
      to: date("to", "Time of the last requests; by default now"),
      limit: limit("kinds of failures"),
    },
    shows: rows(RequestErrors, [
      "count",
      "endpoint",
      "status",
      "code",
      ["failure", "kind"],
      "parameters",
      ["last", "lastAt"],
      "example",
    ], "No failed requests in this time"),
  }),
])

export const merchants = group("merchants", "The merchant that payers of an account see", [
  act("show", getMerchant, { takes: { name: account }, shows: merchant }),
  act("set", setMerchant, {
    takes: {
      name: account,
      displayName: flagOf("display-name", MerchantBody.fields.displayName),
      colour: flagOf("colour", MerchantBody.fields.colour),
      logo: flagOf("logo", MerchantBody.fields.logo),
      support: flagOf("support", MerchantBody.fields.support),
      returnUrl: flagOf("return-url", MerchantBody.fields.returnUrl),
    },
    shows: merchant,
    examples: [
      "merchants set wallet-one --display-name 'Acme Wallet' --colour '#0b6b5d' --support help@acme-wallet.example --return-url https://acme-wallet.example",
      'merchants set wallet-one --display-name Acme --logo "data:image/png;base64,$(base64 -w0 logo.png)"',
    ],
  }),
])

const pair = {
  name: account,
  sourceAsset: routeAsset("source-asset", "Asset to swap from"),
  destinationAsset: routeAsset("destination-asset", "Asset to swap to"),
}

const allRules = rows(
  RouteRule,
  ["sourceAsset", "destinationAsset", "allowed"],
  "No rules: the account may swap every pair",
)

export const routes = group("routes", "The pairs that an account may swap; without a rule, all pairs", [
  act("allow", setRoute, {
    takes: pair,
    always: { allowed: true },
    shows: allRules,
    about: "Allow an account a pair",
    examples: ["routes allow wallet-one btc.btc '*'"],
  }),
  act("deny", setRoute, {
    takes: pair,
    always: { allowed: false },
    shows: allRules,
    about: "Deny an account a pair",
    examples: ["routes deny wallet-one '*' '*'"],
  }),
  act("remove", removeRoute, { takes: pair, shows: allRules }),
  act("list", rules, {
    takes: { name: account },
    shows: allRules,
    about: "List the rules of an account, the most specific first",
  }),
])
