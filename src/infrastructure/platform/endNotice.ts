import { Option } from "effect"
import type { EndNotice } from "#domain/operations/EndpointEnding.ts"
import { EpochMillis } from "#domain/Time.ts"
import { optionalMembers } from "./optionalMembers.ts"
import { parseHttpDate } from "./httpTime.ts"

// One vocabulary for the end of an endpoint, ours or an upstream's: `Deprecation` is a date of structured fields
// (RFC 9745), in older drafts `true` or an HTTP date, `Sunset` an HTTP date (RFC 8594), and `Link`s say more (RFC 8288).

/** The longest text of a header that is kept, and the most of a `Link` that is read. */
const longestText = 100
const longestLink = 2_000
const mostLinks = 5

/** A link and its parameters; several stand in one line, or in lines that are joined by commas. */
const linkForm = /<([^<>]{1,300})>([^<]{0,300})/g
const relForm = /\brel {0,2}= {0,2}"?([a-z][a-z0-9 .:/-]{0,60})/i

/** The text in plain letters, shortened: an upstream may send anything. */
const safe = (text: string): string => text.slice(0, longestText).replace(/[^ -~]/g, "?")

const readDeprecation = (text: string): Option.Option<EpochMillis> => {
  const [, seconds] = /^@([0-9]{1,12})(?:;|$)/.exec(text) ?? []
  return seconds === undefined ? parseHttpDate(text) : EpochMillis.makeOption(Number(seconds) * 1_000)
}

const readLinks = (text: string): EndNotice["references"] =>
  [...text.slice(0, longestLink).matchAll(linkForm)].flatMap(([, url = "", parameters = ""]) => {
    const [, rel] = relForm.exec(parameters) ?? []
    return rel === undefined || !/^(?:https?:\/)?\//i.test(url) ? [] : [{ rel: safe(rel), url: safe(url) }]
  }).slice(0, mostLinks)

const isTrue = new Set(["true", "?1"])
const isFalse = new Set(["false", "?0"])

/** What the headers of an answer announce; nothing without `Deprecation` and `Sunset`. `hide` takes secrets out. */
export const readEndNotice = (
  headers: Readonly<Record<string, string | undefined>>,
  hide: (text: string) => string = (text) => text,
): EndNotice | undefined => {
  const { deprecation, link, sunset } = headers
  if (deprecation === undefined && sunset === undefined) return undefined
  const flag = deprecation?.trim().toLowerCase() ?? "false"
  if (isFalse.has(flag) && sunset === undefined) return undefined
  const deprecatedAt = deprecation === undefined ? Option.none() : readDeprecation(deprecation.trim())
  const sunsetAt = parseHttpDate(sunset)
  const references = link === undefined ? [] : readLinks(hide(link))
  const unread = (header: string, text: string | undefined, isRead: boolean): EndNotice["unreadable"] =>
    text === undefined || isRead ? [] : [{ header, text: safe(hide(text)) }]
  return {
    ...optionalMembers(Option.getOrUndefined(deprecatedAt), (deprecatedAt) => ({ deprecatedAt })),
    ...optionalMembers(Option.getOrUndefined(sunsetAt), (sunsetAt) => ({ sunsetAt })),
    references,
    unreadable: [
      ...unread(
        "Deprecation",
        deprecation,
        Option.isSome(deprecatedAt) || isTrue.has(flag) || isFalse.has(flag),
      ),
      ...unread("Sunset", sunset, Option.isSome(sunsetAt)),
      ...unread("Link", link, references.length > 0),
    ],
  }
}

/** The headers by which we announce the end of an endpoint of ours. */
export const writeEndNotice = (
  { deprecatedAt, references, sunsetAt }: Omit<EndNotice, "unreadable">,
): Readonly<Record<string, string>> => ({
  ...optionalMembers(deprecatedAt, (at) => ({ deprecation: `@${Math.floor(at / 1_000)}` })),
  ...optionalMembers(sunsetAt, (at) => ({ sunset: new Date(at).toUTCString() })),
  ...(references.length === 0
    ? {}
    : { link: references.map(({ rel, url }) => `<${url}>; rel="${rel}"`).join(", ") }),
})
