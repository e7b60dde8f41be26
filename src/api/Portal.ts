import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { needsScope, OperatorAuthorization, ParameterFaults } from "./Authorization.ts"
import { about, accountPath, ofOne } from "./endpoint.ts"
import { member } from "./shape.ts"

/** A portal link: it opens the pages of an account. */
export const PortalLinkBody = Schema.Struct({
  url: Schema.String.annotate({
    description:
      "To be opened in a browser by the integrator. The part after the `#` is secret: browsers send it to no server, and " +
      "it is shown only once. Begins with `PUBLIC_URL`, or else with the host of this request.",
    examples: ["https://swap.example/dashboard/enter#PwWRXvqHkT0l2v7oXvS4kKcEwxyQ1bKkJm9m0e3xF0A"],
  }),
  expiresAt: member.time("When the link expires if unused."),
}).annotate({ identifier: "PortalLink" })
export type PortalLinkBody = typeof PortalLinkBody.Type

/** Portal links, by which integrators open the pages of their own account. */
export class PortalGroup extends HttpApiGroup.make("portal").add(
  HttpApiEndpoint.post("linkPortal", "/operator/accounts/:name/portal-link", {
    params: accountPath,
    success: PortalLinkBody.pipe(HttpApiSchema.status(201)),
    error: ofOne,
  }).annotateMerge(about(
    "linkPortal",
    "Make a portal link to an account's pages",
    "The portal link works once and for five minutes, and begins a session of 12 hours that shows the account's swaps, " +
      "commission, keys, webhooks and request errors, and changes nothing. Opening it uses nothing up: that takes " +
      "the button of the page. The session ends with the key that asked for the link.",
  )),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(needsScope("operate", {
  title: "Portal links",
  description:
    "Portal links, by which integrators open the pages of their own account, without typing a key.",
})) {}
