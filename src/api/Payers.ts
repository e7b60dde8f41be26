import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Authorization, needsScope, ParameterFaults } from "./Authorization.ts"
import { about, cacheHeaders, SvgBody } from "./endpoint.ts"
import { Conflict, Gone, InternalServerError, NotFound, ServiceUnavailable } from "./Problems.ts"
import { swapPath } from "./SwapRecord.ts"
import { member } from "./shape.ts"

export const PayLinkBody = Schema.Struct({
  url: Schema.String.annotate({
    description:
      "To be given to the payer. Its holder can see the swap, and do nothing else. It is shown only " +
      "once. Begins with `PUBLIC_URL`, or else with the host of this request.",
    examples: ["https://swap.example/pay/PwWRXvqHkT0l2v7oXvS4kKcEwxyQ1bKkJm9m0e3xF0A"],
  }),
}).annotate({ identifier: "PayLink" })
export type PayLinkBody = typeof PayLinkBody.Type

/** The code with the headers by which it is kept. */
const kept = HttpApiSchema.WithHeaders(SvgBody, {
  etag: member.text("Send it as If-None-Match: 304 while the code is the same."),
  "cache-control": member.text("`private, no-cache`: to be asked for again each time."),
})

/** What payers of deposit channels need (decision 36). Another account's swap looks as if it did not exist. */
export class PayersGroup extends HttpApiGroup.make("payers").add(
  HttpApiEndpoint.get("code", "/swap/:id/qr", {
    params: swapPath,
    headers: cacheHeaders,
    success: [kept, HttpApiSchema.Empty(304).annotate({ description: "The code has not changed since." })],
    error: [NotFound, Conflict, Gone, InternalServerError, ServiceUnavailable],
  }).annotateMerge(about(
    "getPaymentCode",
    "Get the QR code of a deposit",
    "An SVG with the `uri` of `payment`, or with the bare address where there is no link. 410 once the " +
      "channel has expired or the swap has its deposit, to prevent payments into an expired channel; 409 " +
      "while `guidance` advises against paying, and if the transaction needs a memo, which no code can hold.",
  )),
  HttpApiEndpoint.post("payLink", "/swap/:id/pay-link", {
    params: swapPath,
    success: PayLinkBody.pipe(HttpApiSchema.status(201)),
    error: [NotFound, InternalServerError, ServiceUnavailable],
  }).annotateMerge(about(
    "linkPayer",
    "Make a link to a page for the payer",
    "The page says what to send where, with the code and the warnings of `payment`, and then how far the swap is. It needs " +
      "no key and shows nothing of the account. Each request makes another link: earlier ones go on to work, of more than " +
      "20 the oldest do not. A link expires 30 days after the last status check, which are made until the swap has ended.",
  )),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope("swap", { title: "Payers", description: "Codes and pages for who pays." }),
) {}
