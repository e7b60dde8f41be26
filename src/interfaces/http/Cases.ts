import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Api } from "#api/Api.ts"
import type { CaseKeysBody } from "#api/Cases.ts"
import { CaseKeys } from "#application/cases/CaseKeys.ts"
import { casePage } from "./casePage.ts"
import { Cases, type MadeCase } from "#application/cases/Cases.ts"
import { pageHeaders } from "../pages/headers.ts"
import { jsonResponse } from "./jsonResponse.ts"
import { failAsProblem } from "../requests/failAsProblem.ts"
import { prefersHtml } from "./prefersCsv.ts"

/** A case file in the form that the caller prefers. */
export const presentCase = Effect.fnUntraced(function* (made: MadeCase) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const response = prefersHtml(headers.accept)
    ? HttpServerResponse.text(casePage(made), {
      contentType: "text/html; charset=utf-8",
      headers: pageHeaders,
    })
    : HttpServerResponse.setHeader(
      jsonResponse(made.text),
      "content-disposition",
      `attachment; filename="swap-${made.told.record.id}-case.json"`,
    )
  return HttpServerResponse.setHeader(response, "vary", "accept")
})

export const OperatorCasesHandlers = HttpApiBuilder.group(
  Api,
  "operatorCases",
  Effect.fnUntraced(function* (handlers) {
    const cases = yield* Cases
    return handlers.handle(
      "swapCase",
      ({ params }) => cases.ofAny(params.id).pipe(Effect.flatMap(presentCase), failAsProblem),
    )
  }),
)

export const CaseKeysHandlers = HttpApiBuilder.group(
  Api,
  "caseKeys",
  Effect.fnUntraced(function* (handlers) {
    const { all } = yield* CaseKeys
    const keys = Effect.map(all, (keys): CaseKeysBody => ({
      keys: keys.map(({ id, pem, x }) => ({
        kty: "OKP",
        crv: "Ed25519",
        use: "sig",
        alg: "EdDSA",
        kid: id,
        x,
        pem,
      })),
    }))
    return handlers.handle("caseKeys", () => failAsProblem(keys))
  }),
)
