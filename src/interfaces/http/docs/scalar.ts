import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as HttpRouter from "effect/http/HttpRouter"

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
