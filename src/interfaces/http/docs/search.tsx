import type { Contract, JsonSchema } from "#api/document/Contract.ts"
import { guides, slugOf } from "#api/document/guides.ts"
import { type Html, path, type Url, withFragment } from "../../pages/jsx-runtime.ts"
import { empty, folded } from "../../pages/parts.tsx"
import { partsOf, plain } from "./markdown.tsx"
import { entriesOf, type Entry, type Operation, operationsOf, parameterId } from "./operations.tsx"

/** A place that a search leads to. */
interface Place {
  readonly kind: "Guide" | "Call" | "Parameter" | "Schema" | "Operator API"
  readonly title: string
  /** What it is on. */
  readonly page: string
  /** How far its title is from that of a page: 0 of a guide or a call, 1 of their parts, 2 of a parameter or a schema. */
  readonly depth: 0 | 1 | 2
  readonly to: Url
  /** Its paragraphs, items and cells. */
  readonly blocks: ReadonlyArray<string>
}

const cellsIn = (row: string): ReadonlyArray<string> => row.split("|").slice(1, -1).map((cell) => cell.trim())

/** The paragraphs, items and cells of a text, without its code. A cell stands behind the first of its row. */
const blocksOf = (text = ""): ReadonlyArray<string> =>
  text.replaceAll(/^```[\s\S]*?^```/gm, "\n").split("\n\n").flatMap((block) => {
    const [head = "", , ...rows] = block.trim().split("\n")
    if (!head.startsWith("|")) return block.split(/^(?:- |\d{1,2}\. )/m)
    return rows.map(cellsIn).flatMap(([name = "", ...cells]) =>
      cells.map((cell, index) => `${name} – ${cellsIn(head)[index + 1] ?? ""}: ${cell}`)
    )
  }).map((block) => plain(block, true)).filter((block) => block !== "")

/** An entry with the place of its page. */
export interface Call {
  readonly entry: Entry
  readonly first: Operation
  /** The path below that of the documentation. */
  readonly slug: string
  readonly to: Url
}

/** A part of the documentation: a guide, or calls that belong together. */
export interface Topic {
  readonly name: string
  readonly group: string
  readonly text: string
  readonly slug: string
  readonly to: Url
  readonly calls: ReadonlyArray<Call>
}

/** The group of topics that are no part of an integration. */
export const operatorGroup = "Operator API"

/** The topics in the order of their groups, in which readers go through them. A call that is alone is the page of its topic. */
export const topicsOf = (contract: Contract): ReadonlyArray<Topic> => {
  const operations = operationsOf(contract)
  // A guide comes last: the document that is sent has its address in the place of its text.
  const texts = new Map(
    [...contract.tags, ...guides].map(({ description = "", name }) => [name, description] as const),
  )
  return contract["x-tagGroups"].flatMap(({ name: group, tags }) =>
    tags.map((name) => {
      const slug = slugOf(name)
      const to = path`/docs/${slug}`
      const entries = entriesOf(operations.filter(({ tag }) => tag === name))
      const calls = entries.map((entry): Call => {
        const [first] = entry
        if (entries.length === 1) return { entry, first, slug, to }
        const own = first.id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
        return { entry, first, slug: `${slug}/${own}`, to: path`/docs/${slug}/${own}` }
      }).toSorted((one, other) => Number(one.first.isDeprecated) - Number(other.first.isDeprecated))
      return { name, group, text: texts.get(name) ?? "", slug, to, calls }
    })
  )
}

const placesOf = ({ calls, group, name, text, to }: Topic): ReadonlyArray<Place> => [
  ...(calls.length === 0 ? partsOf(text) : []).map((part): Place => ({
    kind: "Guide",
    title: plain(part.title === "" ? name : part.title),
    page: part.title === "" ? "" : name,
    depth: part.title === "" ? 0 : 1,
    to: part.title === "" ? to : withFragment(to, slugOf(part.title)),
    blocks: blocksOf(part.text),
  })),
  ...calls.flatMap(({ entry, first, to }): ReadonlyArray<Place> => {
    const page = entry.map((one) => `${one.method} ${one.path}`).join(", ")
    const isOperators = group === operatorGroup
    return [
      {
        kind: isOperators ? operatorGroup : "Call",
        title: first.summary,
        page,
        depth: 0,
        to,
        blocks: entry.flatMap(({ description }) => blocksOf(description)),
      },
      ...first.parameters.map((one): Place => ({
        kind: isOperators ? operatorGroup : "Parameter",
        title: one.name,
        page,
        depth: 2,
        to: withFragment(to, parameterId(first, one.name)),
        blocks: blocksOf(one.schema.description),
      })),
    ]
  }),
]

/** Places with the same title and text as one: the first of them, and how many others there are. */
const merged = (places: ReadonlyArray<Place>): ReadonlyArray<Place> =>
  [...Map.groupBy(places, ({ blocks, kind, title }) => [kind, title, ...blocks].join("\n")).values()]
    .flatMap(([first, ...others]) => {
      if (first === undefined) return []
      return [others.length === 0 ? first : { ...first, page: `${first.page} and ${others.length} more` }]
    })

const mostAtOnce = 15
const mostInAll = 70
const most = 200

/** A text with its code as code, and the names and words that have what is sought set off. */
const marked = (text: string, sought: RegExp): Html => {
  const parts = (one: string) =>
    one.split(sought).map((part, index) => index % 2 === 1 ? <b>{part}</b> : part)
  return (
    <>{text.split("`").map((part, index) => index % 2 === 1 ? <code>{parts(part)}</code> : parts(part))}</>
  )
}

/** The first sentence with most of the words, from its beginning; a very long one is cut between words. */
const excerptOf = (blocks: ReadonlyArray<string>, words: ReadonlyArray<string>, sought: RegExp): Html => {
  const countOf = (block: string) => words.filter((word) => block.toLowerCase().includes(word)).length
  const sentences = blocks.flatMap((block) => block.split(/(?<=[.:?!]) (?=[A-Z`*])/))
  const [text = ""] = sentences.toSorted((one, other) => countOf(other) - countOf(one))
  const end = text.length <= most ? text.length : text.lastIndexOf(" ", most)
  return <p>{marked(text.slice(0, end), sought)}{end < text.length && "\u00a0…"}</p>
}

const resultsOf = (places: ReadonlyArray<Place>, words: ReadonlyArray<string>): Html => {
  const sought = new RegExp(`([\\w-]*(?:${words.map((word) => RegExp.escape(word)).join("|")})[\\w-]*)`, "i")
  return (
    <ol class="results">
      {places.map(({ blocks, kind, page, title, to }) => (
        <li>
          <a href={to}>
            {/^[a-z]|-/.test(title) ? <code>{marked(title, sought)}</code> : marked(title, sought)}
          </a>{" "}
          <small>{kind}{page !== "" && ` · ${page}`}</small>
          {excerptOf(blocks, words, sought)}
        </li>
      ))}
    </ol>
  )
}

/** Finds the places that have all words: those with the words in the title first, pages before their parts. */
export const makeSearch = (topics: ReadonlyArray<Topic>, schemas: ReadonlyArray<[string, JsonSchema]>) => {
  const places = merged([
    ...topics.flatMap(placesOf),
    ...schemas.map(([name, { description, properties = {} }]): Place => ({
      kind: "Schema",
      title: name,
      page: "",
      depth: 2,
      to: path`/docs/schemas/${name}`,
      blocks: blocksOf(description ?? Object.keys(properties).map((member) => `\`${member}\``).join(" ")),
    })),
  ])

  return (query: string): { readonly line: string; readonly results: Html } => {
    const words = query.toLowerCase().split(/\s+/)
    const fits = (...texts: ReadonlyArray<string>) =>
      words.every((word) => texts.join(" ").toLowerCase().includes(word))
    const distanceOf = ({ blocks: [lead = ""], depth, kind, page, title }: Place): number => {
      const isExact = kind !== "Schema" && title.toLowerCase() === words.join(" ")
      const distance = isExact ? 0 : fits(title) ? 1 + depth : depth === 0 && fits(title, lead) ? 2 : 4
      return distance + (kind === operatorGroup || page === "Quickstart" ? 5 : 0)
    }
    const fitting = places.filter(({ blocks, page, title }) => fits(title, page, ...blocks))
      .toSorted((one, other) => distanceOf(one) - distanceOf(other))
    const more = fitting.slice(mostAtOnce, mostInAll)
    return {
      line: fitting.length === 1 ? "1 result" : `${fitting.length} results`,
      results: fitting.length === 0 ? empty("No results. Use fewer or shorter words.") : (
        <div class="hits">
          {resultsOf(fitting.slice(0, mostAtOnce), words)}
          {more.length > 0 && folded(
            fitting.length > mostInAll ? `Show the first ${mostInAll}` : `Show all ${fitting.length}`,
            resultsOf(more, words),
          )}
        </div>
      ),
    }
  }
}
