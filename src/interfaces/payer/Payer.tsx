import { Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Merchants } from "#application/accounts/Merchants.ts"
import { contrastWithWhite, leastContrast, pictureOf } from "#domain/accounts/Merchant.ts"
import { Notices } from "#application/events/EventStreams.ts"
import { Guide } from "#application/guidance/Guide.ts"
import { makeAdmission } from "#application/limits/admitRequest.ts"
import { LimitReached, RateLimits } from "#application/limits/RateLimits.ts"
import { pageHeaders } from "../pages/headers.ts"
import { type Html, path } from "../pages/jsx-runtime.ts"
import { tabIcon } from "../pages/icons.tsx"
import { script, style } from "../pages/style.ts"
import { compressible } from "../requests/compressible.ts"
import { languageFor } from "../requests/language.ts"
import { type Failure, type FailureRenderer, PathUnknown, toProblem } from "../requests/problems.ts"
import { type PathFacts, type Paths, RequestMeta } from "../requests/RequestMeta.ts"
import { logFailure, traceId } from "../requests/failedRequests.ts"
import { baseOf, PublicUrl } from "../requests/PublicUrl.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { Contacts } from "#providers/Registry.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { PayLinks } from "#application/swapping/PayLinks.ts"
import { card, type PageText, pageTextOf } from "./parts.tsx"
import { type Frame, payerDocument, type Shop } from "./payerDocument.tsx"
import { payerPage } from "./payerPage.tsx"
import { languageOf } from "./words/languages.ts"
import countdown from "./countdown.js" with { type: "text" }
import payStyle from "./pay.css" with { type: "text" }

const root = "/pay"
const pagePath = "/pay/:token"
const logoPath = "/pay/:token/logo"
const coloursPath = "/pay/files/colours/:colour"

const fixedFiles = [
  { path: "/pay/files/style.css", type: "text/css; charset=utf-8", text: `${style}\n${payStyle}` },
  { path: "/pay/files/script.js", type: "text/javascript; charset=utf-8", text: `${script}\n${countdown}` },
  { path: "/pay/files/icon.svg", type: "image/svg+xml", text: tabIcon },
] as const

interface Answer {
  readonly page: Html
  readonly writer: PageText
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The answer with a page. Nobody but who has the link may keep it, and no other site learns of it. */
const answerWith = ({ headers = {}, page, status = 200, writer }: Answer) =>
  HttpServerResponse.text(`${page}`, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { ...headers, "content-language": writer.language.tag, vary: "accept-language", ...pageHeaders },
  })

/** The parameter that asks for a language by its name, in place of the one that the browser prefers. */
const askedFor = (target: string): string | undefined =>
  new URLSearchParams(target.split("?", 2)[1] ?? "").get("lang") ?? undefined

const noShop: Shop = {
  name: undefined,
  logo: undefined,
  colours: undefined,
  support: undefined,
  returnUrl: undefined,
}

/** What every page is written with: the words of its reader's language, and the host that the reader has asked. */
const makeFrame = Effect.fnUntraced(function* (publicUrl: Option.Option<URL>) {
  const request = Option.getOrUndefined(yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest))
  const base = baseOf(publicUrl, request?.headers.host)
  return {
    writer: pageTextOf(
      languageOf[languageFor(request?.headers["accept-language"], askedFor(request?.url ?? ""))],
    ),
    host: URL.canParse(base) ? new URL(base).host : "Swap Broker",
    shop: noShop,
  } satisfies Partial<Frame>
})

/** What is said of a failure. Whether a link was never there or is over is not told. */
const failurePage = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.gen(function* () {
    const frame = yield* makeFrame(Option.none())
    const { fill, say } = frame.writer
    const id = yield* traceId
    const { headers, problem: { status } } = toProblem(failure, { traceId: id })
    if (status >= 500) yield* logFailure(failure)
    const kind = failure._tag === "PathUnknown" ? "unknown" : status === 429 ? "often" : "fault"
    const title = say(`${kind}Title`)
    const page = payerDocument(
      { ...frame, title, here: undefined, network: "mainnet" },
      card({ title, id: "failure", level: 1 }, [
        <p>{say(kind)}</p>,
        <>
          {kind === "fault" &&
            (
              <p class="soft">
                <small>{fill("trace", { id: <code>{id}</code> })}</small>
              </p>
            )}
        </>,
      ]),
    )
    return answerWith({ page, writer: frame.writer, status, headers })
  })

const file = ({ path, text, type }: (typeof fixedFiles)[number]) =>
  Layer.unwrap(Effect.map(
    compressible({ contentType: type, headers: pageHeaders, text: Effect.succeed(text) }),
    (answer) => HttpRouter.add("GET", path, answer),
  ))

/** The style with a merchant's colour, where white words on it can be read. The page itself has no style in it. */
const colours = Effect.gen(function* () {
  const { colour = "" } = yield* HttpRouter.params
  const [, digits] = /^([0-9a-f]{6})\.css$/.exec(colour) ?? []
  if (digits === undefined || contrastWithWhite(`#${digits}`) < leastContrast) return yield* new PathUnknown()
  return HttpServerResponse.text(`:root{--merchant:#${digits}}\n`, {
    contentType: "text/css; charset=utf-8",
    headers: { ...pageHeaders, "cache-control": "public, max-age=86400" },
  })
}).pipe(Effect.catch(failurePage))

/** The routes of the payer's page and its files. */
export const payer = Layer.unwrap(Effect.gen(function* () {
  const links = yield* PayLinks
  const guide = yield* Guide
  const limits = yield* RateLimits
  const admission = yield* makeAdmission
  const merchants = yield* Merchants
  const notices = yield* Notices
  const publicUrl = yield* PublicUrl
  const { networkOf } = yield* OpeningRules
  const { operator } = yield* Contacts

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
    const frame = yield* makeFrame(publicUrl)
    const { colour, displayName, logo, returnUrl, support = operator.support } = yield* merchants.ofSwap(
      swap.id,
    )
    const shop = {
      name: displayName,
      logo: logo === undefined ? undefined : path`/pay/${token}/logo`,
      colours: colour === undefined
        ? undefined
        : path`/pay/files/colours/${colour.slice(1).toLowerCase()}.css`,
      support,
      returnUrl,
    }
    const shown = {
      id: swap.id,
      status: swap.status,
      guidance: yield* guide.payer(swap),
      network: networkOf(swap.platform),
      clock: yield* currentMillis,
    }
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    // Browsers mark the page's own updates, which the script fetches: these are no openings.
    yield* notices.note(swap.id, "page", headers["sec-fetch-dest"] === "empty" ? 0 : 1)
    const page = payerPage({ ...frame, shop, here: path`/pay/${token}`, shown })
    return answerWith({ page, writer: frame.writer })
  }).pipe(Effect.catch(failurePage))

  /** The merchant's picture. Its bytes are those of its type, and nothing of it may run, whatever it is taken for. */
  const picture = Effect.gen(function* () {
    const { token = "" } = yield* HttpRouter.params
    const { logo } = yield* merchants.ofSwap((yield* found(Redacted.make(token))).id)
    const shown = logo === undefined ? Option.none() : pictureOf(logo)
    if (Option.isNone(shown)) return yield* new PathUnknown()
    const { bytes, type: contentType } = shown.value
    const headers = { ...pageHeaders, "content-security-policy": "default-src 'none'; sandbox" }
    return HttpServerResponse.uint8Array(bytes, {
      contentType,
      headers: { ...headers, "cache-control": "private, max-age=3600" },
    })
  }).pipe(Effect.catch(failurePage))

  return Layer.mergeAll(
    HttpRouter.add("GET", pagePath, answer),
    HttpRouter.add("GET", logoPath, picture),
    HttpRouter.add("GET", coloursPath, colours),
    ...fixedFiles.map(file),
  )
}))

const reading = { methods: ["GET"], isClosed: true } as const

/** The facts about the payer's paths that the server needs. No page of another origin may read them. */
export const payerPaths: Paths = new Map<string, PathFacts>([
  ...fixedFiles.map(({ path }) => [path, reading] as const),
  [pagePath, reading],
  [logoPath, reading],
  [coloursPath, reading],
])

/** Failures of the server below the payer's path, as pages. */
export const payerFailures: FailureRenderer = { below: root, tell: failurePage }
