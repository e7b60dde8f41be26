import { Effect, Layer } from "effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { shared } from "../../api/document/shared.ts"
import accessibleScript from "./accessible.js" with { type: "text" }
import { compressible } from "../../requests/compressible.ts"
import {
  accessiblePath,
  docsPage,
  docsPath,
  docsPolicy,
  documentPath,
  scriptPath,
  settingsPath,
} from "./page.ts"
import { scalarScript } from "./scalar.ts"
import { settingsPage, ShownSettings } from "./settingsPage.ts"

const rootPath = "/"

const script = "text/javascript; charset=utf-8"

/** The paths of the documentation, all of them for GET. */
export const documentationPaths = [
  rootPath,
  docsPath,
  accessiblePath,
  scriptPath,
  settingsPath,
  documentPath,
] as const

/**
 * The routes of the OpenAPI document and of the pages for people, which load nothing from elsewhere. Each text is
 * made at its first request: making the document would take a tenth of every start.
 */
export const documentation = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
) =>
  Layer.mergeAll(
    HttpRouter.add("GET", rootPath, HttpServerResponse.redirect(docsPath, { status: 302 })),
    Layer.unwrap(Effect.map(
      compressible({
        contentType: "application/json",
        text: Effect.sync(() => JSON.stringify(shared({ ...OpenApi.fromApi(api) }))),
      }),
      (answer) => HttpRouter.add("GET", documentPath, answer),
    )),
    Layer.unwrap(Effect.map(
      compressible({
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": docsPolicy },
        text: Effect.succeed(docsPage),
      }),
      (answer) => HttpRouter.add("GET", docsPath, answer),
    )),
    Layer.unwrap(Effect.gen(function* () {
      const answer = yield* compressible({
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": docsPolicy },
        text: Effect.succeed(settingsPage(yield* ShownSettings)),
      })
      return HttpRouter.add("GET", settingsPath, answer)
    })),
    // Adds the names of fields and buttons, and the scrolling by keys, that Scalar leaves out for people who use no
    // pointer or do not see the page. It has a file of its own, as the page's policy runs no other script.
    Layer.unwrap(Effect.map(
      compressible({ contentType: script, text: Effect.succeed(accessibleScript) }),
      (answer) => HttpRouter.add("GET", accessiblePath, answer),
    )),
    Layer.unwrap(Effect.map(
      compressible({ contentType: script, text: scalarScript }),
      (answer) => HttpRouter.add("GET", scriptPath, answer),
    )),
  )
