import { assert, describe, it } from "#test/support/it.ts"
import type { EndNotice } from "#domain/operations/EndpointEnding.ts"
import { EpochMillis } from "#domain/Time.ts"
import { readEndNotice, writeEndNotice } from "#infrastructure/platform/endNotice.ts"

const deprecatedAt = EpochMillis.make(Date.UTC(2026, 10, 25))
const sunsetAt = EpochMillis.make(Date.UTC(2027, 1, 23))
const sunset = "Tue, 23 Feb 2027 00:00:00 GMT"
const nothing = { references: [], unreadable: [] }
const relays = `<https://docs.relay.link/changes>; rel="deprecation"; type="text/html", ` +
  `<https://docs.relay.link/sunset>;rel=sunset, </quote/v3>; title="a, b"; rel="successor-version"`

const readings: ReadonlyArray<
  readonly [name: string, headers: Readonly<Record<string, string>>, notice: EndNotice | undefined]
> = [
  ["a date of structured fields", { deprecation: "@1795564800" }, { ...nothing, deprecatedAt }],
  ["one with parameters", { deprecation: "@1795564800;by=team" }, { ...nothing, deprecatedAt }],
  ["an HTTP date", { deprecation: "Wed, 25 Nov 2026 00:00:00 GMT" }, { ...nothing, deprecatedAt }],
  ["true of an older draft", { deprecation: "true" }, nothing],
  ["a structured truth", { deprecation: "?1", sunset }, { ...nothing, sunsetAt }],
  ["a sunset alone", { sunset }, { ...nothing, sunsetAt }],
  ["the older forms of HTTP dates", { sunset: "Tuesday, 23-Feb-27 00:00:00 GMT" }, { ...nothing, sunsetAt }],
  ["that of asctime", { sunset: "Tue Feb 23 00:00:00 2027" }, { ...nothing, sunsetAt }],
  ["a date of ISO 8601", { sunset: "2027-02-23T00:00:00Z" }, { ...nothing, sunsetAt }],
  [
    "a past date",
    { sunset: "Fri, 01 Jan 2021 00:00:00 GMT" },
    { ...nothing, sunsetAt: EpochMillis.make(Date.UTC(2021, 0, 1)) },
  ],
  ["several references", { deprecation: "@1795564800", sunset, link: relays }, {
    deprecatedAt,
    sunsetAt,
    references: [
      { rel: "deprecation", url: "https://docs.relay.link/changes" },
      { rel: "sunset", url: "https://docs.relay.link/sunset" },
      { rel: "successor-version", url: "/quote/v3" },
    ],
    unreadable: [],
  }],
  ["no headers", {}, undefined],
  ["a link alone, which may be of any kind", { link: relays }, undefined],
  ["what is not deprecated", { deprecation: "?0" }, undefined],
]

/** Texts that resemble dates, or nothing: none may become one. */
const nonsense: ReadonlyArray<string> = [
  ...[
    "soon",
    "1795564800",
    "@1795564800000",
    "@-1",
    "@1795564800.5",
    "@",
    "",
    "banana 7",
    "2027",
    "next Tuesday",
  ],
  ...["Tue, 31 Feb 2027 00:00:00 GMT", "2027-02-30", "Tue, 23 Feb 2027 25:00:00 GMT", `${sunset}, ${sunset}`],
]

describe("The end of an endpoint", () => {
  it.each(readings)("is read of %s", (_, headers, notice) => {
    assert.deepStrictEqual(readEndNotice(headers), notice)
  })

  it.each(nonsense)("has no date where a header is nonsense: %j", (text) => {
    const unreadable = [{ header: "Deprecation", text }, { header: "Sunset", text }]
    assert.deepStrictEqual(readEndNotice({ deprecation: text, sunset: text }), { references: [], unreadable })
  })

  it("shows of what cannot be read a short and plain text without our secrets", () => {
    const hide = (text: string) => text.replaceAll("our-key", "(hidden)")
    const link = `<javascript:alert(1)>; rel="sunset"`
    const read = readEndNotice(
      { deprecation: "true", sunset: `our-key \u0007é${"x".repeat(500)}`, link },
      hide,
    )
    assert.deepStrictEqual(read?.unreadable.map(({ header }) => header), ["Sunset", "Link"])
    assert.match(read?.unreadable[0]?.text ?? "", /^\(hidden\) \?\?x{80,91}$/)
    assert.deepStrictEqual(read?.references, [])
  })

  it("is written as it is read", () => {
    const notice = { deprecatedAt, sunsetAt, references: [{ rel: "successor-version", url: "/quotes" }] }
    assert.deepStrictEqual(readEndNotice(writeEndNotice(notice)), { ...notice, unreadable: [] })
  })
})
