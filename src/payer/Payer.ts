import { Effect, Layer, Option, Redacted } from "effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Network } from "../domain/Chain.ts"
import { paymentNetwork } from "../domain/payment/Payment.ts"
import { Guide } from "../guidance/Guide.ts"
import { compressible } from "../requests/compressible.ts"
import { PathUnknown } from "../requests/HttpFailure.ts"
import { logFailure } from "../requests/orProblem.ts"
import { type Failure, toProblem } from "../requests/problems.ts"
import type { TellsOtherwise } from "../requests/TellsOtherwise.ts"
import type { PathFacts, Paths } from "../requests/knownPath.ts"
import { RequestMeta } from "../requests/RequestMeta.ts"
import { traceId } from "../requests/traceId.ts"
import { makeAdmission } from "../limits/admission.ts"
import { LimitReached, RateLimits } from "../limits/RateLimits.ts"
import { pageHeaders } from "../pages/headers.ts"
import { type Html, html, nothing } from "../pages/html.ts"
import { tabIcon } from "../pages/icons.ts"
import { document } from "../pages/layout.ts"
import { pill } from "../pages/parts.ts"
import { script, style } from "../pages/style.ts"
import { path, type Url } from "../pages/Url.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { AddressPolicy } from "../swapping/AddressPolicy.ts"
import { PayLinks } from "../swapping/PayLinks.ts"
import { payerBody, titleOf } from "./payerPage.ts"

const root = "/pay"
const pagePath = "/pay/:token"

const fixedFiles = [
  { path: "/pay/files/style.css", type: "text/css; charset=utf-8", text: style },
  { path: "/pay/files/script.js", type: "text/javascript; charset=utf-8", text: script },
  { path: "/pay/files/icon.svg", type: "image/svg+xml", text: tabIcon },
] as const

const files = {
  style: path`/pay/files/style.css`,
  icon: path`/pay/files/icon.svg`,
  script: path`/pay/files/script.js`,
}

interface Shown {
  readonly title: string
  readonly here: Url
  readonly body: Html
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly network?: Network
}

const isNoMoney: Readonly<Record<Network, string | undefined>> = {
  mainnet: undefined,
  testnet: "Test network",
  sandbox: "Sandbox: no money moves",
}

/** The answer with a page. Nobody but who has the link may keep it, and no other site learns of it. */
const pageOf = ({ body, headers = {}, here, network = "mainnet", status = 200, title }: Shown) => {
  const mark = isNoMoney[network]
  const page = document({
    title,
    site: "Payment",
    home: here,
    files,
    marks: mark === undefined ? nothing : pill(mark, "warn"),
    shape: status === 200 ? "sheet" : "card",
  }, body)
  return HttpServerResponse.text(`${page}`, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { ...headers, ...pageHeaders },
  })
}

/** What is said of a failure. Whether a link was never there or is over is not told. */
const failurePage = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.gen(function* () {
    const id = yield* traceId
    const { headers, problem: { detail, status, title } } = toProblem(failure, { traceId: id })
    if (status >= 500) yield* logFailure(failure)
    const isUnknown = failure._tag === "PathUnknown"
    return pageOf({
      title: isUnknown ? "This link does not work" : title,
      here: path`/pay`,
      status,
      headers,
      body: isUnknown
        ? html`
          <p
            class="soft">It may not be whole, or it may be over. Ask for a new one where you got it, and pay nothing without.</p>
        `
        : html`<p class="soft">${detail}.</p>${
          status >= 500 && html`<p><small>Trace id: <code>${id}</code></small></p>`
        }`,
    })
  })

const file = ({ path, text, type }: (typeof fixedFiles)[number]) =>
  Layer.unwrap(Effect.map(
    compressible({ contentType: type, headers: pageHeaders, text: Effect.succeed(text) }),
    (answer) => HttpRouter.add("GET", path, answer),
  ))

/** The routes of the payer's page and its files. */
export const payer = Layer.unwrap(Effect.gen(function* () {
  const links = yield* PayLinks
  const guide = yield* Guide
  const limits = yield* RateLimits
  const admission = yield* makeAdmission
  const network = paymentNetwork((yield* AddressPolicy).networks)

  /** The swap of a token. One that is no link's counts as a wrong key does, so that nobody can guess at speed. */
  const found = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
    const { address = "unknown" } = yield* RequestMeta
    const record = yield* admission.checkKey(token, address, {
      issuedId: Effect.succeedNone,
      lookUp: links.find(token),
    })
    if (Option.isNone(record)) return yield* new PathUnknown()
    const standing = limits.take("payer", `${record.value.id}`)
    if (standing?.isAdmitted === false) return yield* new LimitReached({ standing })
    return record.value
  })

  const answer = Effect.gen(function* () {
    const { token = "" } = yield* HttpRouter.params
    const swap = yield* found(Redacted.make(token))
    const guidance = yield* guide.payer(swap)
    const now = yield* currentMillis
    return pageOf({
      title: titleOf(swap.status),
      here: path`/pay/${token}`,
      network,
      body: payerBody(swap.status, guidance, { network, now }, token),
    })
  }).pipe(Effect.catch(failurePage))

  return Layer.mergeAll(HttpRouter.add("GET", pagePath, answer), ...fixedFiles.map(file))
}))

const reading = { methods: ["GET"], isClosed: true } as const

/** The facts about the payer's paths that the server needs. No page of another origin may read them. */
export const payerPaths: Paths = new Map<string, PathFacts>([
  ...fixedFiles.map(({ path }) => [path, reading] as const),
  [pagePath, reading],
])

/** Failures of the server below the payer's path, as pages. */
export const payerFailures: TellsOtherwise = { below: root, tell: failurePage }
