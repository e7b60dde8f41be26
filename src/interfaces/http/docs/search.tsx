import type { JsonSchema } from "#api/document/Contract.ts"
import { slugOf } from "#api/document/guides.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { empty, section } from "../../pages/parts.tsx"
import { path, type Url, withFragment } from "../../pages/Url.ts"
import { partsOf, plain } from "./markdown.tsx"
import { parameterId } from "./operations.tsx"
import { operatorGroup, type Topic } from "./Topic.ts"

/** A place that a search leads to, in a group of results. */
interface Place {
  readonly group: string
  readonly title: string
  /** What it is on. */
  readonly page: string
  readonly to: Url
  /** Its paragraphs, items and rows. */
  readonly blocks: ReadonlyArray<string>
}

/** The paragraphs, items and rows of a text, without its code. */
const blocksOf = (text = ""): ReadonlyArray<string> =>
  text.replaceAll(/^```[\s\S]*?^```/gm, "\n").split(/\n\s*\n|\n(?=\||- |\d+\. )/)
    .filter((block) => !/^\|[-|]+\|$/.test(block))
    .map((block) => plain(block.replaceAll(/^\s*\||\|\s*$|^- |^\d+\. /g, "").replaceAll(" | ", ": ")))
    .filter((block) => block !== "")

const placesOf = ({ calls, group, name, text, to }: Topic): ReadonlyArray<Place> => [
  ...(calls.length === 0 ? partsOf(text) : []).map((part) => ({
    group: "Guides",
    title: plain(part.title === "" ? name : part.title),
    page: part.title === "" ? "" : name,
    to: part.title === "" ? to : withFragment(to, slugOf(part.title)),
    blocks: blocksOf(part.text),
  })),
  ...calls.flatMap((call) => {
    const page = {
      group: group === operatorGroup ? group : "API",
      page: call.entry.map((one) => `${one.method} ${one.path}`).join(", "),
    }
    const blocks = call.entry.flatMap(({ description }) => blocksOf(description))
    return [
      { ...page, title: call.first.summary, to: call.to, blocks },
      ...call.first.parameters.map((one) => ({
        ...page,
        title: one.name,
        to: withFragment(call.to, parameterId(call.first, one.name)),
        blocks: blocksOf(one.schema.description),
      })),
    ]
  }),
]

/** Places with the same title and text as one: the first of them, and how many others there are. */
const merged = (places: ReadonlyArray<Place>): ReadonlyArray<Place> =>
  [...Map.groupBy(places, ({ blocks, group, title }) => [group, title, ...blocks].join("\n")).values()]
    .flatMap(([first, ...others]) => {
      if (first === undefined) return []
      return [others.length === 0 ? first : { ...first, page: `${first.page} and ${others.length} more` }]
    })

const mostOfGroup = 12
const before = 60
const most = 180

/** The block with most of the words, around the first of them, cut between words; each of them is set off. */
const excerptOf = (blocks: ReadonlyArray<string>, words: ReadonlyArray<string>): Html => {
  const countOf = (block: string) => words.filter((word) => block.toLowerCase().includes(word)).length
  const [text = ""] = blocks.toSorted((one, other) => countOf(other) - countOf(one))
  const sought = new RegExp(`(${words.map((word) => RegExp.escape(word)).join("|")})`, "i")
  const at = text.search(sought)
  const begin = text.length <= most || at < before ? 0 : text.indexOf(" ", at - before) + 1
  const end = begin + most >= text.length ? text.length : text.lastIndexOf(" ", begin + most)
  return (
    <p>
      {begin > 0 && "…\u00a0"}
      {text.slice(begin, end).split(sought).map((part, index) => index % 2 === 1 ? <b>{part}</b> : part)}
      {end < text.length && "\u00a0…"}
    </p>
  )
}

const resultsOf = (group: string, places: ReadonlyArray<Place>, words: ReadonlyArray<string>): Html | false =>
  places.length > 0 &&
  section({ title: group, id: slugOf(group), aside: `${places.length}` }, [
    <ol class="results">
      {places.slice(0, mostOfGroup).map(({ blocks, page, title, to }) => (
        <li>
          <a href={to}>{title}</a> <span class="soft">{page}</span>
          {excerptOf(blocks, words)}
        </li>
      ))}
    </ol>,
    ...places.length > mostOfGroup
      ? [<p class="soft">The first {mostOfGroup} are shown. Add a word to see others.</p>]
      : [],
  ])

/** Finds the places that have all words, guides first: within a group those with all of them in the title first. */
export const makeSearch = (topics: ReadonlyArray<Topic>, schemas: ReadonlyArray<[string, JsonSchema]>) => {
  const places = merged([
    ...topics.flatMap(placesOf),
    ...schemas.map(([name, { description }]) => ({
      group: "API",
      title: name,
      page: "Schemas",
      to: path`/docs/schemas/${name}`,
      blocks: blocksOf(description),
    })),
  ])

  return (query: string): { readonly line: string; readonly results: Html } => {
    const words = query.toLowerCase().split(/\s+/)
    const fits = (...texts: ReadonlyArray<string>) =>
      words.every((word) => texts.join(" ").toLowerCase().includes(word))
    const fitting = places.filter(({ blocks, page, title }) => fits(title, page, ...blocks))
      .toSorted((one, other) => Number(fits(other.title)) - Number(fits(one.title)))
    const found = Map.groupBy(fitting, ({ group }) => group)
    const results = ["Guides", "API", operatorGroup].map((group) =>
      resultsOf(group, found.get(group) ?? [], words)
    )
    return {
      line: fitting.length === 1 ? "1 result" : `${fitting.length} results`,
      results: found.size === 0
        ? empty("No results. Use fewer or shorter words.")
        : <div class="hits">{results}</div>,
    }
  }
}
