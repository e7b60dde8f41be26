import type { Contract } from "#api/document/Contract.ts"
import { slugOf } from "#api/document/guides.ts"
import type { Variable } from "#infrastructure/config/Setting.ts"
import { type Html, nothing, path } from "../../pages/jsx-runtime.ts"
import { mark } from "../../pages/icons.tsx"
import { document, type NavGroup, type PageFrame } from "../../pages/layout.tsx"
import { folded, pill, section, table } from "../../pages/parts.tsx"
import frontText from "./frontPage.md" with { type: "text" }
import referenceText from "./referencePage.md" with { type: "text" }
import settingsText from "./settingsPage.md" with { type: "text" }
import { inlineMarkdown, markdown, partsOf, plain } from "./markdown.tsx"
import { callOf, entryPart, schemaExample, schemasOf } from "./operations.tsx"
import { type Call, makeSearch, operatorGroup, type Topic, topicsOf } from "./search.tsx"
import { joined, schemaLink, schemaPart, schemasIn } from "./schemas.tsx"
import { Context } from "effect"
import { unsetText } from "#infrastructure/config/pageOrder.ts"
import { modePill, type ShownMode } from "../../pages/mode.tsx"

const home = path`/docs`

/** The link of a topic, and those of its calls while one of them is read. */
const linksOf = ({ calls, name, slug, to }: Topic, here: string): NavGroup["links"] => [
  { label: name, to, isCurrent: slug === here },
  ...calls.length < 2 || slug !== here.split("/")[0] ? [] : calls.map((call) => ({
    label: call.first.summary,
    to: call.to,
    isCurrent: call.slug === here,
    isInner: true,
  })),
]

/** The groups of the navigation. Those of the operator are folded while another page is read. */
const navigationOf = (topics: ReadonlyArray<Topic>, here: string): ReadonlyArray<NavGroup> => {
  const [top] = here.split("/")
  const fixed = (label: string, slug: string) => ({
    label,
    to: slug === "" ? home : path`/docs/${slug}`,
    isCurrent: top === slug,
  })
  return [
    {
      links: [
        fixed("Overview", ""),
        fixed("API reference", "reference"),
        fixed("Schemas", "schemas"),
        fixed("Changelog", "changelog"),
        fixed("Settings", "settings"),
        fixed("Try requests", "try"),
      ],
    },
    ...[...Map.groupBy(topics, ({ group }) => group)].map(([title, own]) => {
      const all = title === operatorGroup ? [fixed("All calls", "operator-api")] : []
      const links = [...all, ...own.flatMap((topic) => linksOf(topic, here))]
      return { title, links, isFolded: title === operatorGroup && !links.some(({ isCurrent }) => isCurrent) }
    }),
  ]
}

/** Calls by their purpose, each a link to its page; in full with a sentence on each. */
const callsTable = (caption: string, calls: ReadonlyArray<Call>, isFull = false): Html =>
  table({
    caption: `Calls: ${caption}`,
    columns: [
      [
        "Purpose",
        ({ first, to }) => (
          <>
            <a href={to}>{first.summary}</a> {first.isDeprecated && pill("Deprecated", "warn")}
            {(isFull || first.isDeprecated) && (
              <p class="soft">
                {inlineMarkdown(first.description.split(/(?<=\.) (?=[A-Z])/)[0] ?? "")}
              </p>
            )}
          </>
        ),
        "a",
      ],
      ["Call", ({ entry }) => <span class="call">{callOf(entry)}</span>, "all"],
    ],
    rows: calls,
    empty: "",
  })

/** Calls under a title. */
type Table = { readonly title: string; readonly body: Html }

/** A text with the links to its parts beside it, and what stands below its introduction, under titles of its own. */
const guideBody = (text: string, after: Html | false = false, tables: ReadonlyArray<Table> = []): Html => {
  const [first, ...parts] = partsOf(text)
  const titles = [...tables, ...parts].map(({ title }) => title)
  return (
    <div class="guide">
      <div class="say">
        {tables.length === 0 ? markdown(text) : (
          <>
            {markdown(first?.text ?? "")}
            {tables.map(({ body, title }) => section({ title, id: slugOf(title) }, body))}
            {parts.map((part) => markdown(`## ${part.title}${part.text}`))}
          </>
        )}
        {after}
      </div>
      {titles.length > 1 && (
        <nav class="contents" aria-label="On this page">
          {folded(
            "On this page",
            <ul>
              {titles.map((title) => (
                <li>
                  <a href={`#${slugOf(title)}`}>{plain(title)}</a>
                </li>
              ))}
            </ul>,
          )}
        </nav>
      )}
    </div>
  )
}

/** A page by its path below that of the documentation. It is made when it is wanted, as all of them take a second. */
type Page = { readonly slug: string; readonly page: () => Html }

/** The settings that the page lists. */
export const ShownSettings = Context.Reference<ReadonlyArray<Variable>>("swap-broker/http/ShownSettings", {
  defaultValue: () => [],
})

const part = (heading: string, rows: ReadonlyArray<Variable>): ReadonlyArray<Html> => [
  <h2>{heading}</h2>,
  table({
    caption: heading,
    columns: [
      ["Name", ({ name }) => <code id={name}>{name}</code>, "a"],
      ["Default", (variable) => inlineMarkdown(unsetText(variable))],
      ["Meaning", ({ expected, meaning }) => inlineMarkdown(`${meaning}. Value: ${expected}`), "all"],
    ],
    rows,
    empty: "There are none.",
  }),
]

/** All settings: names, defaults, meanings and forms, never a value. */
const settingsTable = (variables: ReadonlyArray<Variable>): ReadonlyArray<Html> => [
  markdown(settingsText),
  ...part("Settings to choose", variables.filter(({ isTuning }) => !isTuning)),
  ...part("Tuning", variables.filter(({ isTuning }) => isTuning)),
]

/** The pages of the documentation, made of the contract, which need no script to be read. */
export const makeReference = (
  contract: Contract,
  changelog: string,
  settings: ReadonlyArray<Variable>,
  mode: ShownMode,
) => {
  const topics = topicsOf(contract)
  const schemas = Object.entries(contract.components.schemas).toSorted(([one], [other]) =>
    one < other ? -1 : 1
  )

  const framed = (
    head: Pick<PageFrame, "title" | "line" | "acts" | "crumb">,
    slug: string,
    body: Html | ReadonlyArray<Html>,
    query?: string,
  ) =>
    document({
      ...head,
      site: "Swap Broker",
      home,
      files: { style: path`/docs/style.css`, icon: path`/docs/icon.svg`, script: path`/docs/script.js` },
      side: {
        groups: navigationOf(topics, slug),
        viewer: nothing,
        search: {
          to: home,
          name: "q",
          hint: "Search the documentation",
          label: "Search the documentation",
          value: query,
        },
        marks: (
          <>
            <a class="brand home" href={home}>{mark}Swap Broker</a>
            <span class="soft">Version {contract.info.version}</span> {modePill(mode)}
          </>
        ),
      },
    }, body)

  const guidePage = (topic: Topic): Html => {
    const next = topics[topics.indexOf(topic) + 1]
    const after = next?.calls.length === 0 && (
      <p class="next">
        Next: <a href={next.to}>{next.name}</a>
      </p>
    )
    const acts = <a class="btn" href={path`/docs/${`${topic.slug}.md`}`}>View as Markdown</a>
    return framed({ title: topic.name, acts }, topic.slug, guideBody(topic.text, after))
  }

  const reference = <a href={path`/docs/reference`}>API reference</a>

  const callPage = ({ calls, name, text, to }: Topic, { entry, first, slug }: Call): Html => {
    const crumb = <>{reference} / {calls.length === 1 ? name : <a href={to}>{name}</a>}</>
    const [, access = first.needsKey ? "Needs an API key." : "No API key needed."] = text.split(
      /(?=Needs )/,
      2,
    )
    return framed({ title: first.summary, crumb }, slug, entryPart(contract, entry, access))
  }

  /** The guides that name a call of a topic. */
  const guidesOn = ({ calls, slug }: Topic): Html | false => {
    const paths = calls.flatMap(({ entry }) => entry.map(({ method, path }) => `${method} ${path}`))
    const named = topics.filter(({ calls, text }) =>
      calls.length === 0 && [`/docs/${slug}`, ...paths].some((one) => text.includes(one))
    )
    return named.length > 0 && (
      <p>Guides: {joined(named.map(({ name, to }) => <a href={to}>{name}</a>), ", ")}.</p>
    )
  }

  const topicPages = (topic: Topic): ReadonlyArray<Page> => {
    const { calls, name, slug, text } = topic
    if (calls.length === 0) return [{ slug, page: () => guidePage(topic) }]
    const pages = calls.map((call) => ({ slug: call.slug, page: () => callPage(topic, call) }))
    const page = () =>
      framed({ title: name, crumb: reference }, slug, [
        <div class="say">{markdown(text)}{guidesOn(topic)}</div>,
        callsTable(name, calls, true),
      ])
    return calls.length === 1 ? pages : [{ slug, page }, ...pages]
  }

  const isOperators = ({ group }: Topic) => group === operatorGroup

  /** The calls of topics, by the heading that `titleOf` has for them. */
  const tablesOf = (listed: ReadonlyArray<Topic>, titleOf: (topic: Topic) => string): ReadonlyArray<Table> =>
    [...Map.groupBy(listed.filter(({ calls }) => calls.length > 0), titleOf)].map(([title, own]) => ({
      title,
      body: callsTable(title, own.flatMap(({ calls }) => calls)),
    }))

  const index = () => {
    const tables = tablesOf(topics.filter((topic) => !isOperators(topic)), ({ group }) => group)
    return framed({ title: "API reference" }, "reference", guideBody(referenceText, false, tables))
  }

  const operatorIndex = () => {
    const text = "These calls need an API key with the scope `operate`. Keep it out of web pages."
    const tables = tablesOf(topics.filter(isOperators), ({ name }) => name)
    return framed(
      { title: operatorGroup, crumb: reference },
      "operator-api",
      guideBody(text, false, tables),
    )
  }

  const schemaIndex = () =>
    framed(
      { title: "Schemas" },
      "schemas",
      table({
        caption: "Schemas",
        columns: [
          ["Name", ([name]) => schemaLink(name), "a"],
          ["Meaning", ([, { description = "" }]) => inlineMarkdown(description), "all"],
        ],
        rows: schemas,
        empty: "",
      }),
    )

  const usesOf = (name: string): ReadonlyArray<Html> => [
    ...topics.flatMap(({ calls }) => calls).filter(({ entry }) =>
      entry.flatMap(schemasOf).some((schema) => schemasIn(schema).includes(name))
    ).map(({ first, to }) => <a href={to}>{first.summary}</a>),
    ...schemas.filter(([, schema]) => schemasIn(schema).includes(name)).map(([other]) => schemaLink(other)),
  ]

  const pages: ReadonlyArray<Page> = [
    {
      slug: "",
      page: () =>
        framed({ title: "Swap Broker documentation" }, "", <div class="front">{markdown(frontText)}</div>),
    },
    ...topics.flatMap(topicPages),
    { slug: "reference", page: index },
    { slug: "operator-api", page: operatorIndex },
    { slug: "schemas", page: schemaIndex },
    ...schemas.map(([name, schema]) => {
      const slug = `schemas/${name}`
      const crumb = <a href={path`/docs/schemas`}>Schemas</a>
      const example = () =>
        schemaExample(contract, topics.flatMap(({ calls }) => calls.map(({ entry }) => entry)), name)
      const page = () => framed({ title: name, crumb }, slug, schemaPart(schema, usesOf(name), example()))
      return { slug, page }
    }),
    { slug: "settings", page: () => framed({ title: "Settings" }, "settings", settingsTable(settings)) },
    { slug: "changelog", page: () => framed({ title: "Changelog" }, "changelog", guideBody(changelog)) },
  ]

  const search = makeSearch(topics, schemas)
  return {
    pages,
    found: (query: string): Html => {
      const { line, results } = search(query)
      return framed({ title: `Results for “${query}”`, line }, "search", results, query)
    },
  }
}
