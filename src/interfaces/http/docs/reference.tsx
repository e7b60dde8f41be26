import { type Contract } from "#api/document/Contract.ts"
import { slugOf } from "#api/document/guides.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import type { IconName } from "../../pages/icons.tsx"
import { document, type NavGroup, type PageFrame } from "../../pages/layout.tsx"
import { empty, section } from "../../pages/parts.tsx"
import { table } from "../../pages/table.tsx"
import { path, type Url, withFragment } from "../../pages/Url.ts"
import { inlineMarkdown, markdown } from "./markdown.tsx"
import { callOf, type Operation, operationId, operationPart, operationsOf, schemasOf } from "./operations.tsx"
import { shapePart, shapesOf } from "./shapes.tsx"

/** The files of the pages. */
export const files = {
  style: path`/docs/style.css`,
  icon: path`/docs/icon.svg`,
  script: path`/docs/script.js`,
}

const home = path`/docs`

/** A part of the documentation: a guide, or endpoints that belong together. */
interface Topic {
  readonly name: string
  readonly group: string
  readonly text: string
  readonly slug: string
  readonly operations: ReadonlyArray<Operation>
}

const placeOf = ({ slug }: Topic): Url => path`/docs/${slug}`

const topicsOf = (contract: Contract): ReadonlyArray<Topic> => {
  const operations = operationsOf(contract)
  const grouped = new Map(
    contract["x-tagGroups"].flatMap(({ name, tags }) => tags.map((tag) => [tag, name] as const)),
  )
  return contract.tags.map(({ description = "", name }) => ({
    name,
    group: grouped.get(name) ?? "Endpoints",
    text: description,
    slug: slugOf(name),
    operations: operations.filter(({ tag }) => tag === name),
  }))
}

const icons: Readonly<Record<string, IconName>> = { Guides: "book", Endpoints: "swap" }

const navigationOf = (topics: ReadonlyArray<Topic>, current: Topic | undefined): ReadonlyArray<NavGroup> => [
  { links: [{ label: "Overview", to: home, icon: "home", isCurrent: current === undefined }] },
  ...[...new Set(topics.map(({ group }) => group))].map((title) => ({
    title,
    links: topics.filter(({ group }) => group === title).map((topic) => ({
      label: topic.name,
      to: placeOf(topic),
      icon: icons[title] ?? "swap",
      isCurrent: topic === current,
    })),
  })),
]

const elsewhere = (
  <p class="who">
    <a href={path`/docs/try`}>Try it</a> <a href={path`/docs/settings`}>Settings</a>{" "}
    <a href={path`/openapi.json`}>OpenAPI</a>
  </p>
)

const operationsTable = (caption: string, topic: Topic, rows: ReadonlyArray<Operation>): Html =>
  table({
    caption,
    columns: [
      ["Call", (one) => <a href={withFragment(placeOf(topic), operationId(one))}>{callOf(one)}</a>, "a"],
      ["What it is for", ({ summary }) => summary, "all"],
    ],
    rows,
    empty: "",
  })

const listOf = (topics: ReadonlyArray<Topic>): ReadonlyArray<Html> =>
  topics.filter(({ operations }) => operations.length > 0).map((topic) =>
    section(
      { title: topic.name, id: topic.slug, aside: <a href={placeOf(topic)}>all of it</a> },
      operationsTable(`Calls: ${topic.name}`, topic, topic.operations),
    )
  )

/** A page of the documentation, by its path below that of the documentation. */
export interface ReferencePage {
  readonly slug: string
  /** Made when it is wanted, as all of them take a second. */
  readonly page: () => Html
}

/** The pages of the documentation, made of the contract, which need no script to be read. */
export const makeReference = (contract: Contract) => {
  const topics = topicsOf(contract)
  const [first] = topics

  const framed = (
    head: Pick<PageFrame, "title" | "line">,
    current: Topic | undefined,
    body: ReadonlyArray<Html>,
  ) =>
    document({
      ...head,
      site: "Swap Broker",
      home,
      files,
      side: {
        groups: navigationOf(topics, current),
        viewer: elsewhere,
        search: { to: home, name: "q", hint: "Find in the documentation", label: "Search the documentation" },
        marks: <span class="soft">Version {contract.info.version}</span>,
      },
    }, body)

  const overview = framed({ title: "The API" }, undefined, [
    <p>{inlineMarkdown(contract.info.description)}</p>,
    ...first === undefined ? [] : [
      section({ title: first.name, id: first.slug }, <div class="text">{markdown(first.text)}</div>),
    ],
    ...listOf(topics),
  ])

  const pageOf = (topic: Topic): ReferencePage => {
    const { name, operations, slug, text } = topic
    const shapes = () =>
      shapesOf(contract, operations.flatMap(schemasOf)).map((shape) => shapePart(contract, shape))
    return {
      slug,
      page: () =>
        framed({ title: name }, topic, [
          <div class="text">{markdown(text)}</div>,
          ...operations.length > 1 ? [operationsTable("On this page", topic, operations)] : [],
          ...operations.map((operation) => operationPart(contract, operation)),
          ...operations.length > 0 ? [section({ title: "Shapes", id: "shapes" }, shapes())] : [],
        ]),
    }
  }

  const guides = topics.filter(({ group }) => group === "Guides")
    .map((topic) => ({ topic, text: `${topic.name} ${topic.text}`.toLowerCase() }))
  const texts = new Map(topics.flatMap(({ operations }) =>
    operations.map((one) => {
      const { description, method, parameters, path, summary } = one
      const names = parameters.map(({ name }) => name)
      return [one, [method, path, summary, description, ...names].join(" ").toLowerCase()] as const
    })
  ))

  /** The guides and endpoints in which all words stand. */
  const found = (wanted: string): Html => {
    const words = wanted.toLowerCase().split(/\s+/)
    const fits = (text = ""): boolean => words.every((word) => text.includes(word))
    const fitting = guides.filter(({ text }) => fits(text))
    const endpoints = topics.map((topic) => ({
      ...topic,
      operations: topic.operations.filter((one) => fits(texts.get(one))),
    }))
    const parts = [
      ...fitting.length === 0 ? [] : [
        section(
          { title: "Guides", id: "guides" },
          <ul>
            {fitting.map(({ topic }) => (
              <li>
                <a href={placeOf(topic)}>{topic.name}</a>
              </li>
            ))}
          </ul>,
        ),
      ],
      ...listOf(endpoints),
    ]
    const body = parts.length > 0 ? parts : [empty("Nothing has all of these words. Leave some out.")]
    return framed({ title: "Found", line: <>what has all words of “{wanted}”</> }, undefined, body)
  }

  /** A page of its own, beside the topics. */
  const alone = (title: string, body: ReadonlyArray<Html>): Html => framed({ title }, undefined, body)

  return { overview, pages: topics.map(pageOf), found, alone }
}
