import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Guidance } from "#domain/swaps/Guidance.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { about } from "./endpoint.ts"
import { JournalEntryBody } from "./JournalEntry.ts"
import { needsScope, OperatorAuthorization, ParameterFaults } from "./Authorization.ts"
import { BadRequest, InternalServerError, NotFound, ServiceUnavailable } from "./Problems.ts"
import { IsoDate, maybe, member, NativeText } from "./shape.ts"
import { swapPath, SwapRecordBody } from "./SwapRecord.ts"
import { optional } from "#domain/optional.ts"

const CaseEntryBody = Schema.Struct({
  ...JournalEntryBody.fields,
  guidance: Guidance.annotate({ description: "What the entry meant when it was written, in words." }),
  upstreamBodySha256: Schema.optionalKey(
    member.text("SHA-256 of `upstreamBody` as given here (UTF-8), in hex."),
  ),
}).annotate({ identifier: "CaseEntry" })

export const CaseQuoteBody = Schema.Struct({
  basis: Schema.Literals(["quoteId", "opening", "none"]).annotate({
    description:
      "`quoteId`: the request named that quote. `opening`: no quote was named, and the provider itself " +
      "named an output when it opened the channel. `none`: neither is on record.",
  }),
  detail: member.text("The same in a sentence."),
  quoteId: optional(
    member.text("Id of the quote as it was given; it is sealed, so that the service can verify it."),
  ),
  quotedAt: maybe.time("When the quote was first given, or the channel opened."),
  quotedAtDate: optional(IsoDate),
  expiresAt: maybe.time("Until when the quote could be opened."),
  expiresAtDate: optional(IsoDate),
  amount: maybe.decimal("Deposit that was quoted for, in the source asset."),
  amountNative: optional(NativeText),
  quoted: maybe.decimal("Output that was named, in the destination asset."),
  quotedNative: optional(NativeText),
  promised: maybe.decimal("The least that the swap's minimum price lets arrive for that deposit."),
  promisedNative: optional(NativeText),
  estimatedPrice: maybe.decimal("Price of the quote: units of the destination asset for one of the source."),
}).annotate({ identifier: "CaseQuote" })
export type CaseQuoteBody = typeof CaseQuoteBody.Type

const CaseBody = Schema.Struct({
  format: Schema.Literal("swap-broker-case/1").annotate({ description: "Form of the file." }),
  service: Schema.Struct({
    name: member.text("Program that made the file."),
    version: member.text("Its version."),
  }).annotate({ description: "What made the file." }),
  madeAt: member.time("When the file was made."),
  madeAtDate: IsoDate,
  keyId: member.text("Key that the file is signed with, of `/.well-known/swap-broker-case-keys`."),
  id: SwapRecordId.annotate({ description: "Our number of the swap." }),
  platform: ProviderName.annotate({ description: "The provider that was asked." }),
  opening: Schema.Struct({
    outcome: Schema.Literals(["requested", "opened", "unknown", "refused"]).annotate({
      description: "Outcome of the request to the provider; only `opened` has a record.",
    }),
    requestedAt: member.time("When the request was recorded."),
    requestedAtDate: IsoDate,
  }).annotate({ description: "How the swap began." }),
  request: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "What was asked for, in the form in which it is kept: amounts in native units, as text.",
  }),
  quote: CaseQuoteBody.annotate({ description: "The quote behind the swap." }),
  guidance: Guidance.annotate({ description: "Where the swap stands, in words." }),
  journalIsWhole: member.yesOrNo("False where the journal here is its latest part only."),
  record: Schema.optionalKey(SwapRecordBody.annotate({ description: "The swap as it was recorded last." })),
  journal: Schema.Array(CaseEntryBody).annotate({ description: "The first entry first." }),
}).annotate({ identifier: "Case" })

/** A case file as it parses. Its text has two lines, of which the first is signed. */
export const CaseFileBody = Schema.Struct({
  case: CaseBody.annotate({
    description: "Everything that is on record of the swap: the first line of the file.",
  }),
  signature: Schema.Struct({
    algorithm: Schema.Literal("Ed25519").annotate({ description: "Always Ed25519 (RFC 8032)." }),
    keyId: member.text("The key, the same as in `case`."),
    value: member.text("Signature of the first line with its line break: 64 bytes in lower-case hex."),
  }).annotate({
    identifier: "CaseSignature",
    description: "The second line of the file, in exactly this form.",
  }),
}).annotate({
  identifier: "CaseFile",
  description: "Keep the file unchanged: the signature is of its first line, byte for byte.",
})

const CasePage = member.text("With `Accept: text/html`: a page for people, with the signed file in it.").pipe(
  HttpApiSchema.asText({ contentType: "text/html" }),
)

export const caseForms = [CaseFileBody, CasePage] as const

export class OperatorCasesGroup extends HttpApiGroup.make("operatorCases").add(
  HttpApiEndpoint.get("swapCase", "/operator/swaps/:id/case", {
    params: swapPath,
    success: caseForms,
    error: [BadRequest, NotFound, InternalServerError, ServiceUnavailable],
  }).annotateMerge(about(
    "getAnyCaseFile",
    "Everything on record of a swap of any account, signed",
    "As `GET /swaps/{id}/case`, for a swap of any account.",
  )),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(
  needsScope("operate", { title: "Case files of any account", description: "Case files of all accounts." }),
) {}

/** The public keys of case files (RFC 7517, RFC 8037), each also in PEM. */
export const CaseKeysBody = Schema.Struct({
  keys: Schema.Array(
    Schema.Struct({
      kty: Schema.Literal("OKP").annotate({ description: "Octet key pair." }),
      crv: Schema.Literal("Ed25519").annotate({ description: "Its curve." }),
      use: Schema.Literal("sig").annotate({ description: "Signatures." }),
      alg: Schema.Literal("EdDSA").annotate({ description: "Algorithm." }),
      kid: member.text("Thumbprint of the key (RFC 7638)."),
      x: member.text("The key, in base64url."),
      pem: member.text("The key in PEM, as `openssl` takes it."),
    }).annotate({ identifier: "CaseKey" }),
  ).annotate({ description: "The first key signs now; files signed with the others stay valid." }),
}).annotate({ identifier: "CaseKeys" })
export type CaseKeysBody = typeof CaseKeysBody.Type

/** What case files are verified with. No key needed. */
export class CaseKeysGroup extends HttpApiGroup.make("caseKeys").add(
  HttpApiEndpoint.get("caseKeys", "/.well-known/swap-broker-case-keys", {
    success: CaseKeysBody,
    error: ServiceUnavailable,
  }).annotateMerge(about(
    "getCaseKeys",
    "Get the keys of case files",
    "What the signatures of `GET /swaps/{id}/case` are verified with. Needs no key.",
  )),
).middleware(ParameterFaults).annotateMerge(
  OpenApi.annotations({ title: "Case file keys", description: "To verify case files offline." }),
) {}
