import { type Contract } from "#api/document/Contract.ts"
import { slugOf } from "#api/document/guides.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { document, type NavGroup, type PageFrame } from "../../pages/layout.tsx"
import { section } from "../../pages/parts.tsx"
import { table } from "../../pages/table.tsx"
import { path, withFragment } from "../../pages/Url.ts"
import frontText from "./frontPage.md" with { type: "text" }
import { markdown, partsOf } from "./markdown.tsx"
import { callOf, entriesOf, entryPart, operationId, operationsOf, schemasOf, titleOf } from "./operations.tsx"
import { placeOf, type Topic } from "./Topic.ts"
import { makeSearch } from "./search.tsx"
import { shapePart, shapesOf } from "./shapes.tsx"

/** The files of the pages. */
export const files = {
  style: path`/docs/style.css`,
  icon: path`/docs/icon.svg`,
  script: path`/docs/script.js`,
}

const home = path`/docs`

/** The topics in the order of their groups, in which readers go through them. */
const topicsOf = (contract: Contract): ReadonlyArray<Topic> => {
  const operations = operationsOf(contract)
  const texts = new Map(contract.tags.map(({ description = "", name }) => [name, description] as const))
  return contract["x-tagGroups"].flatMap(({ name: group, tags }) =>
    tags.map((name) => ({
      name,
      group,
      text: texts.get(name) ?? "",
      slug: slugOf(name),
      entries: entriesOf(operations.filter(({ tag }) => tag === name)),
    }))
  )
}

/** The groups of the navigation. Those of the operator are folded while another page is read. */
const navigationOf = (topics: ReadonlyArray<Topic>, slug: string): ReadonlyArray<NavGroup> => [
  {
    links: [
      { label: "Overview", to: home, isCurrent: slug === "" },
      { label: "API reference", to: path`/docs/reference`, isCurrent: slug === "reference" },
      { label: "Changelog", to: path`/docs/changelog`, isCurrent: slug === "changelog" },
    ],
  },
  ...[...new Set(topics.map(({ group }) => group))].map((title) => {
    const links = topics.filter(({ group }) => group === title).map((topic) => ({
      label: topic.name,
      to: placeOf(topic),
      isCurrent: topic.slug === slug,
    }))
    return { title, links, isFolded: title === "Operator API" && !links.some(({ isCurrent }) => isCurrent) }
  }),
]

const elsewhere = (
  <p class="who">
    <a href={path`/docs/try`}>Try it</a> <a href={path`/docs/settings`}>Settings</a>{" "}
    <a href={path`/openapi.json`}>OpenAPI</a>
  </p>
)

const entriesTable = (topic: Topic): Html =>
  table({
    caption: `Operations: ${topic.name}`,
    columns: [
      [
        "Operation",
        ([first]) => <a href={withFragment(placeOf(topic), operationId(first))}>{callOf(first)}</a>,
        "a",
      ],
      ["Use", titleOf, "all"],
    ],
    rows: topic.entries,
    empty: "",
  })

/** The links to the parts of a guide, which stand beside it. */
const contentsOf = (titles: ReadonlyArray<string>): Html => (
  <nav class="contents" aria-label="On this page">
    <p class="soft">On this page</p>
    <ul>
      {titles.map((title) => (
        <li>
          <a href={`#${slugOf(title)}`}>{title.replaceAll("`", "")}</a>
        </li>
      ))}
    </ul>
  </nav>
)

/** A text with the links to its parts. */
const guideBody = (text: string, after?: Html): Html => {
  const titles = partsOf(text).map(({ title }) => title).filter((title) => title !== "")
  return (
    <div class="guide">
      <div class="say">{markdown(text)}{after}</div>
      {titles.length > 1 && contentsOf(titles)}
    </div>
  )
}

/** A page of the documentation, by its path below that of the documentation. */
export interface ReferencePage {
  readonly slug: string
  /** Made when it is wanted, as all of them take a second. */
  readonly page: () => Html
}

/** The pages of the documentation, made of the contract, which need no script to be read. */
export const makeReference = (contract: Contract, changelog = "") => {
  const topics = topicsOf(contract)

  const framed = (
    head: Pick<PageFrame, "title" | "line" | "acts" | "crumb">,
    slug: string,
    body: ReadonlyArray<Html>,
  ) =>
    document({
      ...head,
      site: "Swap Broker",
      home,
      files,
      side: {
        groups: navigationOf(topics, slug),
        viewer: elsewhere,
        search: { to: home, name: "q", hint: "Search the documentation", label: "Search the documentation" },
        marks: <span class="soft">Version {contract.info.version}</span>,
      },
    }, body)

  const guides = topics.filter(({ group }) => group === "Guides")

  const guidePage = (topic: Topic): Html => {
    const next = guides[guides.indexOf(topic) + 1]
    const after = next && (
      <p class="next">
        Next: <a href={placeOf(next)}>{next.name}</a>
      </p>
    )
    const acts = <a class="btn" href={path`/docs/${`${topic.slug}.md`}`}>View as Markdown</a>
    return framed({ title: topic.name, acts }, topic.slug, [guideBody(topic.text, after)])
  }

  const endpointsPage = (topic: Topic): Html => {
    const { entries, name, slug, text } = topic
    const [intro = "", access] = text.split(/(?=Needs )/, 2)
    const shapes = shapesOf(contract, entries.flat().flatMap(schemasOf))
    return framed({ title: name, crumb: <a href={path`/docs/reference`}>API reference</a> }, slug, [
      <div class="say">{markdown(intro)}</div>,
      ...entries.length > 1 ? [entriesTable(topic)] : [],
      ...entries.map((entry) => entryPart(contract, entry, access ?? "")),
      section({ title: "Shapes", id: "shapes" }, shapes.map((shape) => shapePart(contract, shape))),
    ])
  }

  const index = () =>
    framed({ title: "API reference" }, "reference", [
      <div class="say">{markdown(contract.info.description)}</div>,
      ...topics.filter(({ entries }) => entries.length > 0).map((topic) =>
        section(
          { title: topic.name, id: topic.slug, aside: <a href={placeOf(topic)}>Read all</a> },
          entriesTable(topic),
        )
      ),
    ])

  const pages: ReadonlyArray<ReferencePage> = [
    ...topics.map((topic) => ({
      slug: topic.slug,
      page: () => topic.group === "Guides" ? guidePage(topic) : endpointsPage(topic),
    })),
    { slug: "reference", page: index },
    { slug: "changelog", page: () => framed({ title: "Changelog" }, "changelog", [guideBody(changelog)]) },
  ]

  const search = makeSearch(topics)
  return {
    overview: framed({ title: "Documentation" }, "", [<div class="front">{markdown(frontText)}</div>]),
    pages,
    found: (wanted: string): Html => framed({ title: `Results for “${wanted}”` }, "search", [search(wanted)]),
    /** A page of its own, beside the topics. */
    alone: (title: string, body: ReadonlyArray<Html>): Html => framed({ title }, slugOf(title), body),
  }
}
