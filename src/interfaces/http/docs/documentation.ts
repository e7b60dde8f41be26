import { Cache, Effect, Layer } from "effect"
import { HttpApi, type HttpApiGroup, HttpApiScalar, OpenApi } from "effect/http-api"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { contractIn } from "#api/document/Contract.ts"
import { guides, movedTopics, slugOf } from "#api/document/guides.ts"
import { withAllDigits } from "#api/document/json.ts"
import { sent } from "#api/document/sent.ts"
import { shared } from "#api/document/shared.ts"
import { pageHeaders } from "../../pages/headers.ts"
import { tabIcon } from "../../pages/icons.tsx"
import { script as pageScript, style } from "../../pages/style.ts"
import { CurrentMode } from "../../pages/mode.tsx"
import { compressible } from "../../requests/compressible.ts"
import { baseOf, PublicUrl } from "../../requests/PublicUrl.ts"
import { PathUnknown } from "../../requests/problems.ts"
import { problemResponse } from "../../requests/failedRequests.ts"
import { makeReference, ShownSettings } from "./reference.tsx"
import changelog from "#api/CHANGELOG.md" with { type: "text" }
import docsStyle from "./docs.css" with { type: "text" }
import docsScript from "./docs.js" with { type: "text" }
import {
  accessiblePath,
  documentPath,
  scriptPath,
  tryDocumentPath,
  tryPage,
  tryPath,
  tryPolicy,
} from "./tryPage.ts"
import accessibleScript from "./accessible.js" with { type: "text" }

/** The page that the library would serve. It holds both the script and the document. */
const libraryPage = async (): Promise<string> => {
  const page = HttpApiScalar.layer(HttpApi.make("nothing"), { path: "/" })
  const { handler, dispose } = HttpRouter.toWebHandler(page, { disableLogger: true })
  try {
    return await (await handler(new Request("http://docs.invalid/"))).text()
  } finally {
    await dispose()
  }
}

/** What Scalar shows in an empty field for a key. It looks like the key of somebody. */
const madeUpKey = "QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT"

/**
 * The script of Scalar, which makes the page of the documentation. Effect has it only inside a page of its own, whose
 * second and last script starts it. As a file, browsers keep it, and the page can forbid every script within itself.
 */
export const scalarScript: Effect.Effect<string> = Effect.map(Effect.promise(libraryPage), (html) => {
  const [begin, starting] = [html.indexOf("<script>") + "<script>".length, html.lastIndexOf("<script>")]
  return html.slice(begin, html.lastIndexOf("</script>", starting)).replaceAll(madeUpKey, "Your API key")
})

const script = "text/javascript; charset=utf-8"
const page = "text/html; charset=utf-8"
const markdown = "text/markdown; charset=utf-8"

const fixed = (path: `/${string}`, contentType: string, text: string, headers = pageHeaders) => ({
  path,
  contentType,
  text: Effect.succeed(text),
  headers,
})

/** Files and pages that are the same in every service. */
const files = [
  fixed("/docs/style.css", "text/css; charset=utf-8", style + docsStyle),
  fixed("/docs/script.js", script, pageScript + docsScript),
  fixed("/docs/icon.svg", "image/svg+xml", tabIcon),
  fixed(accessiblePath, script, accessibleScript),
  { path: scriptPath, contentType: script, text: scalarScript },
] as const

/** The URL of samples, in whose place these pages have that of the service. */
const sampleUrl = "http://127.0.0.1:8080"
const withSampleUrl = ["", "reference", "quickstart", "build-a-wallet"]

/** The pages of people, by their parts below `/docs`. */
const pagePaths = ["/docs", "/docs/:topic", "/docs/:topic/:part"] as const

/** The paths of the documentation, all of them for GET. */
export const documentationPaths = [
  "/",
  documentPath,
  tryDocumentPath,
  tryPath,
  ...pagePaths,
  ...files.map(({ path }) => path),
] as const

/**
 * The routes of the OpenAPI document and of the pages for people, which load nothing from elsewhere. Each text is
 * made at its first request: making the document would take a tenth of every start.
 */
export const documentation = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
) =>
  Layer.unwrap(Effect.gen(function* () {
    const once = <A>(make: Effect.Effect<A>) => Effect.cached(Effect.uninterruptible(make))
    const textOf = (form: typeof shared) =>
      once(Effect.sync(() => JSON.stringify(form({ ...OpenApi.fromApi(api) }), withAllDigits)))
    const document = yield* textOf(sent)
    const pagesDocument = yield* textOf(shared)
    const [settings, mode, publicUrl] = [yield* ShownSettings, yield* CurrentMode, yield* PublicUrl]
    const reference = yield* once(Effect.map(
      pagesDocument,
      (text) => makeReference(contractIn(text), changelog.replace(/^# .*/, ""), settings, mode),
    ))
    const ownUrl = Effect.map(
      HttpServerRequest.HttpServerRequest,
      ({ headers }) => baseOf(publicUrl, headers["host"]) || sampleUrl,
    )
    const pages = yield* once(Effect.gen(function* () {
      const answers = new Map<string, Effect.Success<ReturnType<typeof compressible>>>()
      for (const { page: make, slug } of (yield* reference).pages) {
        const lookup = (url: string) => {
          const text = Effect.sync(() => `${make()}`.replaceAll(sampleUrl, url))
          return compressible({ contentType: page, headers: pageHeaders, text })
        }
        const atUrl = yield* Cache.make({ capacity: 8, lookup })
        const url = withSampleUrl.includes(slug) ? ownUrl : Effect.succeed(sampleUrl)
        answers.set(slug, Effect.flatMap(url, (url) => Effect.flatten(Cache.get(atUrl, url))))
      }
      for (const { description, name } of [...guides, { name: "Changelog", description: changelog }]) {
        const text = Effect.succeed(description)
        answers.set(`${slugOf(name)}.md`, yield* compressible({ contentType: markdown, text }))
      }
      return answers
    }))

    /** A page, or what has all words of `q`. */
    const shown = Effect.gen(function* () {
      const { part, topic = "" } = yield* HttpRouter.params
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const query = new URLSearchParams(url.split("?", 2)[1]).get("q")?.trim().slice(0, 200) ?? ""
      if (topic === "" && query !== "") {
        const html = (yield* reference).found(query)
        return HttpServerResponse.text(`${html}`, { contentType: page, headers: pageHeaders })
      }
      const moved = movedTopics.get(topic)
      if (moved !== undefined) return HttpServerResponse.redirect(`/docs/${moved}`, { status: 308 })
      const answer = (yield* pages).get(part === undefined ? topic : `${topic}/${part}`)
      return yield* answer ?? problemResponse(new PathUnknown())
    })

    const all = [
      ...files,
      fixed(tryPath, page, tryPage(mode), { "content-security-policy": tryPolicy }),
      { path: documentPath, contentType: "application/json", text: document },
      { path: tryDocumentPath, contentType: "application/json", text: pagesDocument },
    ] as const
    return Layer.mergeAll(
      HttpRouter.add("GET", "/", HttpServerResponse.redirect("/docs", { status: 302 })),
      ...pagePaths.map((path) => HttpRouter.add("GET", path, shown)),
      ...all.map(({ path, ...file }) =>
        Layer.unwrap(Effect.map(compressible(file), (answer) => HttpRouter.add("GET", path, answer)))
      ),
    )
  }))
