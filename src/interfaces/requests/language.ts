import { Effect, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Language, usualLanguage } from "#domain/Language.ts"
import { weightsOf } from "./compressible.ts"

const languageNamed = (tag: string | undefined): Language | undefined =>
  Language.literals.find((language) => language === tag)

/** The part of a range before its first hyphen: a reader of `de-AT` reads `de` (RFC 4647 3.4). */
const primary = (range: string): string => range.split("-", 1)[0] ?? ""

/**
 * The language with the highest weight in an `Accept-Language`, the first named one among equals (RFC 9110 12.5.4).
 * English where none of ours is wanted. A language that was asked for by its name goes before.
 */
export const languageFor = (accepted: string | undefined, asked?: string): Language => {
  const named = languageNamed(asked)
  if (named !== undefined) return named
  const weights = [...weightsOf(accepted ?? "")]
  const refused = weights.flatMap(([range, weight]) => weight === 0 ? [primary(range)] : [])
  for (const [range, weight] of weights.toSorted(([, one], [, other]) => other - one)) {
    if (weight === 0) break
    const found = range === "*"
      ? Language.literals.find((language) => !refused.includes(language))
      : languageNamed(primary(range))
    if (found !== undefined) return found
  }
  return usualLanguage
}

/** The language of who has sent the request at hand, if there is one. */
export const requestLanguage = Effect.map(
  Effect.serviceOption(HttpServerRequest.HttpServerRequest),
  (request) => languageFor(Option.getOrUndefined(request)?.headers["accept-language"]),
)

/** The response with a header that its content depends on, beside those that it names already. */
export const varyingBy = (header: string) => (response: HttpServerResponse.HttpServerResponse) => {
  const { vary } = response.headers
  return HttpServerResponse.setHeader(response, "vary", vary === undefined ? header : `${vary}, ${header}`)
}

/** The language to respond in: the one that was asked for by its name, else the reader's. The headers say which. */
export const responseLanguage = Effect.fnUntraced(function* (asked?: Language) {
  const language = asked ?? (yield* requestLanguage)
  yield* HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(
      varyingBy("accept-language")(HttpServerResponse.setHeader(response, "content-language", language)),
    )
  )
  return language
})
