import { Effect, Layer } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { contractIn } from "#api/document/Contract.ts"
import { guides, movedTopics, slugOf } from "#api/document/guides.ts"
import { shared } from "#api/document/shared.ts"
import { pageHeaders } from "../../pages/headers.ts"
import type { Html } from "../../pages/jsx-runtime.ts"
import { tabIcon } from "../../pages/icons.tsx"
import { script as pageScript, style } from "../../pages/style.ts"
import { compressible } from "../../requests/compressible.ts"
import { PathUnknown } from "../../requests/HttpFailure.ts"
import { problemResponse } from "../../requests/failAsProblem.ts"
import { makeReference } from "./reference.tsx"
import changelog from "#api/CHANGELOG.md" with { type: "text" }
import docsStyle from "./docs.css" with { type: "text" }
import docsScript from "./docs.js" with { type: "text" }
import { settingsTable, ShownSettings } from "./settingsPage.tsx"
import { accessiblePath, documentPath, scriptPath, tryPage, tryPath, tryPolicy } from "./tryPage.ts"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import accessibleScript from "./accessible.js" with { type: "text" }

const anywhere = "http://docs.invalid/"

/** The page that the library would serve. It holds both the script and the document. */
const libraryPage = async (): Promise<string> => {
  const page = HttpApiScalar.layer(HttpApi.make("nothing"), { path: "/" })
  const { handler, dispose } = HttpRouter.toWebHandler(page, { disableLogger: true })
  try {
    const answer = await handler(new Request(anywhere))
    return await answer.text()
  } finally {
    await dispose()
  }
}

const opening = "<script>"
const closing = "</script>"

/** The first script of a page. The second and last one only starts it. */
const firstScript = (html: string): string | undefined => {
  const begin = html.indexOf(opening)
  const second = html.lastIndexOf(opening)
  const end = html.lastIndexOf(closing, second)
  return begin < 0 || end <= begin ? undefined : html.slice(begin + opening.length, end)
}

/** What Scalar shows in an empty field for a key. It looks like the key of somebody. */
const madeUpKey = "QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT"

/**
 * The script of Scalar, which makes the page of the documentation. Effect has it only inside a page of its own. As a
 * file, browsers keep it, and the page can forbid every script within itself.
 */
export const scalarScript: Effect.Effect<string> = Effect.flatMap(
  Effect.promise(libraryPage),
  (html) => Effect.fromNullishOr(firstScript(html)).pipe(Effect.orDie),
).pipe(Effect.map((script) => script.replaceAll(madeUpKey, "Your API key")))

const rootPath = "/"
const docsPath = "/docs"
const settingsPath = "/docs/settings"
const topicPath = "/docs/:topic"

const script = "text/javascript; charset=utf-8"
const page = "text/html; charset=utf-8"
const markdownType = "text/markdown; charset=utf-8"

const fixedFiles = [
  { path: "/docs/style.css", contentType: "text/css; charset=utf-8", text: style + docsStyle },
  { path: "/docs/script.js", contentType: script, text: pageScript + docsScript },
  { path: "/docs/icon.svg", contentType: "image/svg+xml", text: tabIcon },
] as const

/** The paths of the documentation, all of them for GET. */
export const documentationPaths = [
  rootPath,
  docsPath,
  settingsPath,
  tryPath,
  accessiblePath,
  scriptPath,
  documentPath,
  ...fixedFiles.map(({ path }) => path),
  topicPath,
] as const

const longestSearch = 200

/**
 * The routes of the OpenAPI document and of the pages for people, which load nothing from elsewhere. Each text is
 * made at its first request: making the document would take a tenth of every start.
 */
export const documentation = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
) =>
  Layer.unwrap(Effect.gen(function* () {
    const once = <A>(make: () => A) => Effect.cached(Effect.uninterruptible(Effect.sync(make)))
    const document = yield* once(() => JSON.stringify(shared({ ...OpenApi.fromApi(api) })))
    const reference = yield* Effect.cached(
      Effect.uninterruptible(
        Effect.map(document, (text) => makeReference(contractIn(text), changelog.replace(/^# .*/, ""))),
      ),
    )
    const variables = yield* ShownSettings

    const get = (path: `/${string}`, fixed: Parameters<typeof compressible>[0]) =>
      Layer.unwrap(Effect.map(compressible(fixed), (answer) => HttpRouter.add("GET", path, answer)))
    const textOf = (shown: Effect.Effect<Html>) => ({
      contentType: page,
      headers: pageHeaders,
      text: Effect.map(shown, (html) => `${html}`),
    })

    const overview = yield* compressible(textOf(Effect.map(reference, ({ overview }) => overview)))
    const topics = yield* Effect.cached(Effect.uninterruptible(Effect.flatMap(reference, ({ pages }) =>
      Effect.map(
        Effect.forEach(pages, ({ page, slug }) =>
          Effect.map(compressible(textOf(Effect.sync(page))), (answer) =>
            [slug, answer] as const)),
        (all) =>
          new Map(all),
      ))))

    /** The overview, or what has all words of `q`. */
    const found = Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const wanted =
        new URLSearchParams(url.split("?", 2)[1] ?? "").get("q")?.trim().slice(0, longestSearch) ?? ""
      if (wanted === "") {
        return yield* overview
      }
      const { found } = yield* reference
      return HttpServerResponse.text(`${found(wanted)}`, { contentType: page, headers: pageHeaders })
    })

    const topic = Effect.gen(function* () {
      const { topic = "" } = yield* HttpRouter.params
      const moved = movedTopics.get(topic)
      if (moved !== undefined) {
        return HttpServerResponse.redirect(`${docsPath}/${moved}`, { status: 308 })
      }
      const guide = guides.find(({ name }) =>
        `${slugOf(name)}.md` === topic
      )
      if (guide !== undefined) {
        return HttpServerResponse.text(guide.description, { contentType: markdownType })
      }
      const answer = (yield* topics).get(topic)
      return yield* answer ?? problemResponse(new PathUnknown())
    })

    return Layer.mergeAll(
      HttpRouter.add("GET", rootPath, HttpServerResponse.redirect(docsPath, { status: 302 })),
      get(documentPath, { contentType: "application/json", text: document }),
      HttpRouter.add("GET", docsPath, found),
      HttpRouter.add("GET", topicPath, topic),
      get(
        settingsPath,
        textOf(Effect.map(reference, ({ alone }) => alone("Settings", settingsTable(variables)))),
      ),
      ...fixedFiles.map(({ path, text, ...file }) =>
        get(path, { ...file, headers: pageHeaders, text: Effect.succeed(text) })
      ),
      get(tryPath, {
        contentType: page,
        headers: { "content-security-policy": tryPolicy },
        text: Effect.succeed(tryPage),
      }),
      // Adds the names of fields and buttons, and the scrolling by keys, that Scalar leaves out for people who use no
      // pointer or do not see the page. It has a file of its own, as the page's policy runs no other script.
      get(accessiblePath, { contentType: script, text: Effect.succeed(accessibleScript) }),
      get(scriptPath, { contentType: script, text: scalarScript }),
    )
  }))
