import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as HttpRouter from "effect/http/HttpRouter"

const anywhere = "http://docs.invalid/"

/** The page that the library would serve: it has the script, with the document, in itself. */
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

/** The first script of a page; the second one, the last, only starts it. */
const firstScript = (html: string): string | undefined => {
  const begin = html.indexOf(opening)
  const second = html.lastIndexOf(opening)
  const end = html.lastIndexOf(closing, second)
  return begin < 0 || end <= begin ? undefined : html.slice(begin + opening.length, end)
}

/**
 * The script of Scalar, which makes the page of the documentation. Effect has it, but only inside a page of its own;
 * as a file it is kept by browsers, and the page can forbid every script that stands in it.
 */
export const scalarScript: Effect.Effect<string> = Effect.flatMap(
  Effect.promise(libraryPage),
  (html) => Effect.fromNullishOr(firstScript(html)).pipe(Effect.orDie),
)
