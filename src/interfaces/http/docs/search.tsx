import { slugOf } from "#api/document/guides.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { empty } from "../../pages/parts.tsx"
import { type Url, withFragment } from "../../pages/Url.ts"
import { partsOf } from "./markdown.tsx"
import { operationId, parameterId, titleOf } from "./operations.tsx"
import { placeOf, type Topic } from "./Topic.ts"

/** A place that a search leads to. */
interface Place {
  readonly title: string
  /** The page that it is on. */
  readonly page: string
  readonly to: Url
  readonly text: string
}

/** A text of the document without its signs. */
const plain = (text: string): string => text.replaceAll(/[`*|#]|---/g, " ").replaceAll(/\s+/g, " ").trim()

const guidePlaces = (topic: Topic): ReadonlyArray<Place> =>
  partsOf(topic.text).map(({ text, title }) => ({
    title: title === "" ? topic.name : title,
    page: topic.name,
    to: title === "" ? placeOf(topic) : withFragment(placeOf(topic), slugOf(title)),
    text: plain(text),
  }))

const endpointPlaces = (topic: Topic): ReadonlyArray<Place> =>
  topic.entries.flatMap((entry) => {
    const [first] = entry
    const page = `${topic.name} API`
    const calls = entry.map(({ method, path }) => `${method} ${path}`).join(", ")
    return [
      {
        title: titleOf(entry),
        page,
        to: withFragment(placeOf(topic), operationId(first)),
        text: plain(`${calls}. ${entry.map(({ description }) => description).join(" ")}`),
      },
      ...first.parameters.map(({ name, schema }) => ({
        title: name,
        page: calls,
        to: withFragment(placeOf(topic), parameterId(first, name)),
        text: plain(schema.description ?? ""),
      })),
    ]
  })

const mostResults = 30
const before = 60
const most = 180

/** The part of a text around the first of the words, which is set off. */
const snippetOf = (text: string, words: ReadonlyArray<string>): Html => {
  const lower = text.toLowerCase()
  const [at = -1, word = ""] = words.map((word) => [lower.indexOf(word), word] as const)
    .filter(([at]) => at >= 0).toSorted(([one], [other]) => one - other)[0] ?? []
  const begin = at <= before ? 0 : text.indexOf(" ", at - before) + 1
  const end = begin + most
  return (
    <>
      {begin > 0 && "… "}
      {at < 0 ? text.slice(0, end) : (
        <>
          {text.slice(begin, at)}
          <b>{text.slice(at, at + word.length)}</b>
          {text.slice(at + word.length, end)}
        </>
      )}
      {end < text.length && " …"}
    </>
  )
}

/** Finds the places that have all words: those with all of them in the title first. */
export const makeSearch = (topics: ReadonlyArray<Topic>) => {
  const places = topics.flatMap((topic) =>
    [...guidePlaces(topic), ...endpointPlaces(topic)].filter((place) =>
      topic.entries.length === 0 || place.page !== topic.name
    )
  ).map((place) => ({
    place,
    title: place.title.toLowerCase(),
    all: `${place.title} ${place.page} ${place.text}`.toLowerCase(),
  }))

  return (wanted: string): Html => {
    const words = wanted.toLowerCase().split(/\s+/)
    const fits = (text: string): boolean => words.every((word) => text.includes(word))
    const fitting = places.filter(({ all }) => fits(all))
    const sorted = [
      ...fitting.filter(({ title }) => fits(title)),
      ...fitting.filter(({ title }) => !fits(title)),
    ].slice(0, mostResults)
    if (sorted.length === 0) return empty("No results. Use fewer or shorter words.")
    return (
      <ol class="results">
        {sorted.map(({ place: { page, text, title, to } }) => (
          <li>
            <a href={to}>{title}</a> <span class="soft">{page}</span>
            <p>{snippetOf(text, words)}</p>
          </li>
        ))}
      </ol>
    )
  }
}
