import { Option, Schema } from "effect"
import type { Headers } from "effect/http"

/** A page of another origin sent the form, or nobody can tell that it did not. */
export class ForeignForm extends Schema.TaggedError<ForeignForm>()("ForeignForm", {}) {}

/** A form came a second time, and was acted on the first time. */
export class SentTwice extends Schema.TaggedError<SentTwice>()("SentTwice", {}) {}

const hostOf = (origin: string): string | undefined => URL.parse(origin)?.host

/**
 * Whether a page of this service sent a form. Browsers say so in `Sec-Fetch-Site`, which no page can write, and name
 * the page's origin in `Origin`: `null` of our own pages, too, as they tell nobody where they are
 * (`Referrer-Policy: no-referrer`). What either of them says has to fit, and one has to be there. `publicUrl` is for
 * proxies that change the `Host`.
 */
export const isOwnForm = (
  { host, origin, "sec-fetch-site": site }: Headers.Headers,
  publicUrl: Option.Option<URL>,
): boolean => {
  if (site !== undefined && site !== "same-origin") return false
  if (origin === undefined || origin === "null") return site !== undefined
  const from = hostOf(origin)
  return from !== undefined && (from === host || Option.exists(publicUrl, (url) => url.origin === origin))
}

/**
 * Whether a link of another site led here. The browser keeps the session's cookie back then (`SameSite=Strict`), but
 * sends it when the page loads itself again.
 */
export const isFromElsewhere = (
  { "sec-fetch-site": site, "sec-fetch-mode": mode }: Headers.Headers,
): boolean => mode === "navigate" && (site === "cross-site" || site === "same-site")
