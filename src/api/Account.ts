import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Account, AccountTerms } from "#domain/accounts/Account.ts"
import { OwnTerms } from "#domain/accounts/OwnTerms.ts"
import { KeyId, KeyTerms } from "#domain/accounts/Key.ts"
import { Authorization, ParameterFaults } from "./Authorization.ts"
import { about, reading } from "./endpoint.ts"
import { member } from "./shape.ts"

const { affiliates, allowedOrigins, commissionBps, mcp } = AccountTerms.fields

/** The account of a request and its key, as the caller may know them. */
export const OwnAccountBody = Schema.Struct({
  name: Account.fields.name,
  commissionBps: member.of(commissionBps, "Commission in basis points, which a request can raise."),
  affiliates: member.of(affiliates, "Whether affiliates may share in the commission."),
  allowedOrigins: member.of(allowedOrigins, "Origins of the pages that may call in a browser; `*`: all."),
  mcp: member.of(mcp, "Whether agents may call `POST /mcp`."),
  ...OwnTerms.fields,
  key: member.of(
    Schema.Struct({ id: KeyId, ...KeyTerms.fields }),
    "The API key of this request. Its `id` is `Swap-Key-Id` of signed responses.",
  ),
}).annotate({ identifier: "OwnAccount" })

/** What an account may know of itself. */
export class AccountGroup extends HttpApiGroup.make("account").add(
  HttpApiEndpoint.get("own", "/account", { success: OwnAccountBody, error: reading }).annotateMerge(about(
    "getAccount",
    "Get your account and API key",
    "The terms and limits that hold for the account (one that is absent has no limit), and the id, scopes, label and end " +
      "of the key. A key of any scope is enough. A suspended account gets a 403.",
  )),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  OpenApi.annotations({ title: "Account", description: "The account of the caller." }),
) {}
