import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { CaseKeysBody } from "#api/Cases.ts"
import { CaseKeys } from "#application/cases/CaseKeys.ts"
import { Cases, type MadeCase, quoteOf } from "#application/cases/Cases.ts"
import { pageHeaders } from "../pages/headers.ts"
import { jsonResponse } from "./pages.ts"
import { failAsProblem, handlersOf } from "../requests/failedRequests.ts"
import { prefersHtml } from "./prefersCsv.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { longestQuoteId } from "#domain/quotes/BoundQuote.ts"
import { type Html, nothing, path } from "../pages/jsx-runtime.ts"
import { document } from "../pages/layout.tsx"
import { amount, moment } from "../pages/values.tsx"
import { code, folded, kv, note, section, type Step, timeline, verbatim } from "../pages/parts.tsx"
import { isWrong } from "#domain/swaps/Guidance.ts"
import { contactsPart } from "../pages/contactsPart.tsx"

/** The most characters of an upstream's answer that the page shows; the file has all of it. */
const mostShown = 1_000

/** The most characters of a file that its page shows. */
const mostInPage = 256 * 1024

const stepOf = ({ entry: { at, id, note }, guidance }: MadeCase["told"]["journal"][number]): Step => ({
  ...(isWrong(guidance.phase) ? { state: "no" } : {}),
  title: guidance.text,
  at: moment(at),
  texts: note._tag !== "Stall" && note.body !== undefined
    ? [folded(
      "What the upstream said",
      verbatim(note.body.text, `What the upstream said in entry ${id}`, mostShown),
    )]
    : [],
})

/** The quote, or that there is none. Ids and times of a version that kept none are said to be missing. */
const quoteSection = ({ record }: MadeCase["told"]): Html => {
  const { amountNative, detail, expiresAt, promisedNative, quotedAt, quotedNative, quoteId } = quoteOf(record)
  const native = (asset: AssetId, units: NativeAmount | undefined) =>
    units === undefined ? undefined : amount(asset, units)
  return section({ title: "The quote", id: "quote" }, [
    <p>{detail}.</p>,
    amountNative === undefined ? nothing : kv([
      ["Given", quotedAt === undefined ? "not on record" : moment(quotedAt)],
      ["Good until", expiresAt === undefined ? undefined : moment(expiresAt)],
      ["Deposit", native(record.sourceAsset, amountNative)],
      ["Quoted", native(record.destinationAsset, quotedNative)],
      ["Promised at least", native(record.destinationAsset, promisedNative)],
      ["Id", quoteId === undefined ? undefined : code(quoteId, longestQuoteId)],
    ]),
  ])
}

/** The case file as a page for people, with the signed text in it unless that is very long. */
export const casePage = ({ text, told }: MadeCase): string => {
  const { guidance, journal, madeAt, record } = told
  const page = document({
    title: `Case file of swap ${record.id}`,
    site: "Swap Broker",
    home: path`/docs`,
    files: {
      style: path`/dashboard/style.css`,
      icon: path`/dashboard/icon.svg`,
      script: path`/dashboard/script.js`,
    },
  }, [
    section({ title: "Status", id: "state" }, [
      note(isWrong(guidance.phase) ? "bad" : "info", { text: guidance.text }),
      <ul class="points">{guidance.whatYouCanDo.map((sentence) => <li>{sentence}</li>)}</ul>,
      guidance.whomToAsk === undefined ? nothing : contactsPart(guidance.whomToAsk),
      kv([
        ["Swap", `${record.id}`],
        ["Provider", record.platform],
        ["Opening", record.opening],
        ["Requested", moment(record.requestedAt)],
        ["This file was made", moment(madeAt)],
      ]),
    ]),
    quoteSection(told),
    section({ title: "What happened", id: "journal" }, timeline(journal.map(stepOf))),
    section({ title: "The signed file", id: "file" }, [
      <p>
        The first line is signed, with its line break, by a key of /.well-known/swap-broker-case-keys. To
        verify it, download the file with "Accept: application/json": this page replaces invisible characters.
      </p>,
      text.length > mostInPage
        ? note("info", { text: `It has ${text.length} characters. It does not stand here.` })
        : verbatim(text, "Text of the signed file", text.length),
    ]),
  ])
  return `${page}`
}

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

export const OperatorCasesHandlers = handlersOf("operatorCases")(Effect.fnUntraced(function* (handlers) {
  const cases = yield* Cases
  return handlers.handle(
    "swapCase",
    ({ params }) => cases.ofAny(params.id).pipe(Effect.flatMap(presentCase), failAsProblem),
  )
}))

export const CaseKeysHandlers = handlersOf("caseKeys")(Effect.fnUntraced(function* (handlers) {
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
}))
