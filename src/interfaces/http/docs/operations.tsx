import { type Content, type Contract, type Endpoint, found } from "#api/document/Contract.ts"
import type { Example, JsonSchema, Parameter, Response } from "#api/document/Contract.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { folded } from "../../pages/parts.tsx"
import { codeOf, type Sample } from "./code.tsx"
import { inlineMarkdown, markdown } from "./markdown.tsx"
import { kindOf, memberList, membersOf, type Named } from "./shapes.tsx"

/** An endpoint, or a message that the service sends to a webhook. */
export interface Operation {
  readonly id: string
  readonly tag: string
  readonly method: string
  /** The path; of a message its type. */
  readonly path: string
  readonly isMessage: boolean
  readonly isDeprecated: boolean
  readonly needsKey: boolean
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: Content
  readonly answers: ReadonlyArray<readonly [status: string, answer: Response]>
  readonly samples: ReadonlyArray<Sample>
}

/** The languages of samples, by the names that Scalar has for them. */
const languages: Readonly<Record<string, string>> = { Shell: "sh", JavaScript: "js", Python: "python" }

type Parameters = Endpoint["parameters"]

const parametersOf = ({ components }: Contract, parameters: Parameters = []): ReadonlyArray<Parameter> =>
  parameters.map((one) => found<Parameter>(one, components.parameters))

const endpointOf = (contract: Contract, path: string, method: string, endpoint: Endpoint): Operation => {
  const { deprecated = false, description = "", operationId, parameters, requestBody, responses, security } =
    endpoint
  return {
    id: operationId,
    tag: endpoint.tags[0] ?? "",
    method: method.toUpperCase(),
    path,
    isMessage: false,
    isDeprecated: deprecated,
    needsKey: security.length > 0,
    summary: endpoint.summary,
    description,
    parameters: parametersOf(contract, parameters),
    body: requestBody?.content ?? {},
    answers: Object.entries(responses)
      .map(([status, one]) => [status, found<Response>(one, contract.components.responses)] as const),
    samples: (endpoint["x-codeSamples"] ?? []).map(({ lang, source }) => ({
      language: languages[lang] ?? "",
      source,
    })),
  }
}

/** Every endpoint, and every message to webhooks. */
export const operationsOf = (contract: Contract): ReadonlyArray<Operation> => [
  ...Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => endpointOf(contract, path, method, endpoint))
  ),
  ...Object.entries(contract.webhooks).map(([type, { post }]): Operation => ({
    id: post.operationId,
    tag: post.tags[0] ?? "",
    method: "POST",
    path: type,
    isMessage: true,
    isDeprecated: false,
    needsKey: false,
    summary: `Message ${post.summary}`,
    description: post.description ?? "",
    parameters: parametersOf(contract, post.parameters),
    body: post.requestBody.content,
    answers: [],
    samples: [],
  })),
]

/** The schemas of all bodies of an operation. */
export const schemasOf = ({ answers, body, parameters }: Operation): ReadonlyArray<JsonSchema> => [
  ...parameters.map(({ schema }) => schema),
  ...[body, ...answers.map(([, { content = {} }]) => content)].flatMap((content) =>
    Object.values(content).map(({ schema }) => schema)
  ),
]

/** An operation with those that are told together with it: the POST of a path beside its GET, or all messages. */
export type Entry = readonly [first: Operation, ...others: ReadonlyArray<Operation>]

const isSame = (one: Operation, other: Operation): boolean =>
  one.isMessage
    ? other.isMessage
    : one.path === other.path && one.parameters.some((parameter) => parameter.in === "query") &&
      one.parameters.map(({ name }) => name).join() === other.parameters.map(({ name }) => name).join()

/** The entries of operations. A POST that takes what the GET of its path takes is told with it, messages are one. */
export const entriesOf = (operations: ReadonlyArray<Operation>): ReadonlyArray<Entry> =>
  operations.reduce<ReadonlyArray<Entry>>((entries, operation) => {
    const before = entries.find(([first]) => isSame(first, operation))
    return before === undefined
      ? [...entries, [operation]]
      : entries.map((entry) => entry === before ? [...entry, operation] : entry)
  }, [])

/** The heading of an entry. */
export const titleOf = ([first]: Entry): string => first.isMessage ? "Event types" : first.summary

/** The names of values that differ in one digit are one: `affiliate1…4`. */
const numbered = (rows: ReadonlyArray<Named>): ReadonlyArray<Named> => {
  const form = ({ name }: Named) => name.replace(/\d/, "#")
  return rows.flatMap((row) => {
    const alike = rows.filter((other) => form(other) === form(row))
    const [first, last] = [alike[0], alike.at(-1)]
    if (first === undefined || last === undefined || alike.length === 1) return [row]
    const [from = "", to = ""] = [first, last].map(({ name }) => /\d/.exec(name)?.[0])
    return first === row ? [{ ...row, name: row.name.replace(from, `${from}…${to}`) }] : []
  })
}

/** The parameters of an entry, and the members that only the body of one of its operations has; required ones first. */
const inputsOf = (contract: Contract, [first, ...others]: Entry): ReadonlyArray<Named> => {
  const own = first.parameters.map(({ in: place, name, required = false, schema }) => ({
    name,
    required,
    schema,
    place,
  }))
  const names = new Set(own.map(({ name }) => name))
  const more = first.isMessage
    ? []
    : others.flatMap(({ body }) => Object.values(body)).flatMap(({ schema }) =>
      membersOf(found(schema, contract.components.schemas))
        .filter(({ name }) => !names.has(name))
        .map((member) => ({ ...member, required: false, place: "body" }))
    )
  return numbered([...own, ...more]).toSorted((one, other) => Number(other.required) - Number(one.required))
}

const examplesOf = ({ components }: Contract, content: Content): ReadonlyArray<Sample> =>
  Object.values(content).flatMap(({ examples = {} }) =>
    Object.values(examples).map((one) => ({
      language: "json",
      source: JSON.stringify(found<Example>(one, components.examples).value, null, 2),
    }))
  )

const contentPart = (content: Content): ReadonlyArray<Html> =>
  Object.entries(content).map(([type, { schema }]) => {
    const members = membersOf(schema)
    return (
      <>
        <p>
          <code>{type}</code>: {kindOf(schema)}
        </p>
        {members.length > 0 && folded(`${members.length} members`, memberList(members))}
      </>
    )
  })

const isFine = (status: string): boolean => status.startsWith("2")

/** What a failure's body is: the kinds of problems, by their shapes. */
const kindsOf = ({ content = {} }: Response): Html => (
  <>{Object.values(content).map(({ schema }, index) => <>{index > 0 && ", "}{kindOf(schema)}</>)}</>
)

const failuresPart = (failures: Operation["answers"]): Html =>
  folded(
    failures.length === 1 ? "1 error" : `${failures.length} errors`,
    <dl class="members">
      {failures.map(([status, answer]) => (
        <div>
          <dt>
            <code>{status}</code> <span class="soft">{kindsOf(answer)}</span>
          </dt>
          <dd>{inlineMarkdown(answer.description)}</dd>
        </div>
      ))}
    </dl>,
  )

/** The id of an operation on its page. */
export const operationId = ({ id }: Pick<Operation, "id">): string => `op-${id}`

/** The id of a parameter on its page. */
export const parameterId = ({ id }: Operation, name: string): string => `${id}.${name}`

/** The method and the path, as they stand in lists and headings. */
export const callOf = ({ isMessage, method, path }: Operation): Html => (
  <>
    <span class="verb">{isMessage ? "to you" : method}</span> <code>{path}</code>
  </>
)

const callLine = (operation: Operation): Html => (
  <p class="call" id={operationId(operation)}>
    {callOf(operation)} {operation.isDeprecated && <span class="pill warn">deprecated</span>}
  </p>
)

/** What an operation says that the one before does not, sentence by sentence. */
const furtherText = (first: Operation, { description }: Operation): string =>
  description.split(/(?<=\.) /).filter((sentence) => !first.description.includes(sentence)).join(" ")

const messagesPart = (entry: Entry): Html => (
  <dl class="members">
    {entry.map(({ description, id, path }) => (
      <div id={operationId({ id })}>
        <dt>
          <span class="verb">to you</span> <code>{path}</code>
        </dt>
        <dd>{inlineMarkdown(description)}</dd>
      </div>
    ))}
  </dl>
)

/** The access that an operation needs, in words. `access` is the sentence of its group. */
const accessOf = ({ description, isMessage, needsKey, path }: Operation, access: string): string => {
  if (isMessage || description.includes("Needs a key with") || path.includes("{apiKey}")) return ""
  return access !== "" ? access : needsKey ? "Needs an API key." : "No API key needed."
}

/** All that the document says of an entry: texts at the left, samples at the right. */
export const entryPart = (contract: Contract, entry: Entry, access: string): Html => {
  const [first, ...others] = entry
  const id = `${operationId(first)}-title`
  const inputs = inputsOf(contract, entry)
  const fine = first.answers.filter(([status]) => isFine(status))
  const failures = [...new Map(entry.flatMap(({ answers }) => answers))]
    .filter(([status]) => !isFine(status)).toSorted()
  const bodies = others.length > 0 && !first.isMessage ? {} : first.body
  const answers = fine.flatMap(([, { content = {} }]) => examplesOf(contract, content))
  const accessText = accessOf(first, access)
  return (
    <section aria-labelledby={id} class="op">
      <div class="say">
        <h2 id={id}>{titleOf(entry)}</h2>
        {first.isMessage ? messagesPart(entry) : entry.map(callLine)}
        {!first.isMessage && markdown(first.description)}
        {!first.isMessage && others.map((other) => markdown(furtherText(first, other)))}
        {inputs.length > 0 && (
          <>
            <h3>{first.isMessage ? "Headers" : "Parameters"}</h3>
            {memberList(inputs, first.id)}
          </>
        )}
        {Object.keys(bodies).length > 0 && (
          <>
            <h3>Body</h3>
            {contentPart(bodies)}
          </>
        )}
        {fine.map(([status, { content = {}, description }]) => (
          <>
            <h3>Response {status}</h3>
            <p>{inlineMarkdown(description)}</p>
            {contentPart(content)}
          </>
        ))}
        {accessText !== "" && <p class="soft">{inlineMarkdown(accessText)}</p>}
        {failures.length > 0 && failuresPart(failures)}
      </div>
      <div class="show">
        {first.samples.length > 0 && codeOf(first.samples, `lang-${first.id}`, callOf(first))}
        {answers.slice(0, 1).map((sample) => codeOf([sample], "", <>Response</>))}
        {first.isMessage &&
          examplesOf(contract, first.body).map((sample) => codeOf([sample], "", <>{first.path}</>))}
      </div>
    </section>
  )
}
