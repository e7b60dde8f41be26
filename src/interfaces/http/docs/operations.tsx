import { type Content, type Contract, type Endpoint, found } from "#api/document/Contract.ts"
import type { Example, JsonSchema, Parameter, Response } from "#api/document/Contract.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { folded, pill } from "../../pages/parts.tsx"
import { path as urlOf } from "../../pages/Url.ts"
import { codeOf, type Sample } from "./code.tsx"
import { inlineMarkdown, markdown } from "./markdown.tsx"
import { requestSamples } from "./requestSamples.ts"
import { kindOf, memberList, membersOf, type Named, schemasIn } from "./schemas.tsx"

/** An endpoint, with all that it refers to. */
export interface Operation {
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly isDeprecated: boolean
  readonly needsKey: boolean
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: Content
  readonly answers: ReadonlyArray<readonly [status: string, answer: Response]>
  readonly samples: ReadonlyArray<Sample>
}

const isFine = (status: string): boolean => status.startsWith("2")

const operationOf = (
  { components }: Contract,
  path: string,
  method: string,
  endpoint: Endpoint,
): Operation => {
  const { deprecated = false, description = "", operationId, requestBody, security, summary, tags } = endpoint
  const answers = Object.entries(endpoint.responses)
    .map(([status, one]) => [status, found<Response>(one, components.responses)] as const)
  const [type = ""] = Object.keys(answers.find(([status]) => isFine(status))?.[1].content ?? {})
  return {
    id: operationId,
    tag: tags[0] ?? "",
    method: method.toUpperCase(),
    path,
    isDeprecated: deprecated,
    needsKey: security.length > 0,
    summary,
    description,
    parameters: (endpoint.parameters ?? []).map((one) => found<Parameter>(one, components.parameters)),
    body: requestBody?.content ?? {},
    answers,
    samples: (endpoint["x-codeSamples"] ?? []).flatMap(({ source }) => requestSamples(source, type)),
  }
}

/** Every endpoint. */
export const operationsOf = (contract: Contract): ReadonlyArray<Operation> =>
  Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => operationOf(contract, path, method, endpoint))
  )

/** The schemas of all bodies and parameters of an operation. */
export const schemasOf = ({ answers, body, parameters }: Operation): ReadonlyArray<JsonSchema> => [
  ...parameters.map(({ schema }) => schema),
  ...[body, ...answers.map(([, { content = {} }]) => content)].flatMap((content) =>
    Object.values(content).map(({ schema }) => schema)
  ),
]

/** An operation, and the POST of its path where that takes the same. */
export type Entry = readonly [first: Operation, ...others: ReadonlyArray<Operation>]

/** The same for an operation and the POST of its path where that takes the same. */
const keyOf = ({ method, parameters, path }: Operation): string =>
  [parameters.some((one) => one.in === "query") ? "" : method, path, ...parameters.map(({ name }) => name)]
    .join()

/** The entries of operations. */
export const entriesOf = (operations: ReadonlyArray<Operation>): ReadonlyArray<Entry> =>
  [...Map.groupBy(operations, keyOf).values()]
    .flatMap(([first, ...others]) => first === undefined ? [] : [[first, ...others]])

/** The names of values that differ in one digit are one: `affiliate1…4`. */
const numbered = (rows: ReadonlyArray<Named>): ReadonlyArray<Named> => {
  const form = ({ name }: Named) => name.replace(/\d/, "#")
  return rows.flatMap((row) => {
    const alike = rows.filter((other) => form(other) === form(row))
    const [from = "", to = ""] = [alike[0], alike.at(-1)].map((one) => /\d/.exec(one?.name ?? "")?.[0])
    if (alike.length === 1) return [row]
    return alike[0] === row ? [{ ...row, name: row.name.replace(from, `${from}…${to}`) }] : []
  })
}

/** The parameters of an entry, and the members that only the body of its POST has; required ones first. */
const inputsOf = ({ components }: Contract, [first, ...others]: Entry): ReadonlyArray<Named> => {
  const names = first.parameters.map(({ name }) => name)
  // One of the amounts is required where no quote can have it.
  const amounts = names.filter((name) => /^amount(?:Out)?(?:Native)?$/.test(name))
  const isChoice = amounts.length > 1 && !names.includes("quoteId")
  const own = first.parameters.map(({ in: place, name, required = false, schema }): Named => ({
    name,
    required,
    schema,
    place,
    choice: isChoice && amounts.includes(name) ? `one of ${amounts.join(", ")} is required` : undefined,
  }))
  const more = others.flatMap(({ body }) => Object.values(body)).flatMap(({ schema }) =>
    membersOf(found(schema, components.schemas)).filter(({ name }) => !names.includes(name))
      .map((member): Named => ({ ...member, required: false, place: "body" }))
  )
  const rankOf = ({ choice, required }: Named) => required ? 0 : choice === undefined ? 2 : 1
  return numbered([...own, ...more]).toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** The example of the first type of a body. */
const exampleOf = ({ components }: Contract, content: Content): ReadonlyArray<Sample> =>
  Object.values(content).flatMap(({ examples = {} }) => Object.values(examples)).slice(0, 1).map((one) => ({
    language: "json",
    source: JSON.stringify(found<Example>(one, components.examples).value, null, 2),
  }))

const typeLine = (type: string, schema: JsonSchema): Html => (
  <p>
    <code>{type}</code>: {kindOf(schema)}
  </p>
)

/** Bodies by their types, with the members of the schemas that they name. Those of the first are open. */
const answerPart = ({ components }: Contract, content: Content): ReadonlyArray<Html> =>
  Object.entries(content).map(([type, { schema }], index) => {
    const named = schemasIn(schema).map((name) =>
      [name, found<JsonSchema>({ $ref: name }, components.schemas)] as const
    )
    const listed = [["the body", schema] as const, ...named].filter(([, one]) => membersOf(one).length > 0)
    return (
      <>
        {typeLine(type, schema)}
        {listed.map(([name, one], at) =>
          folded(`Members of ${name}`, memberList(membersOf(one)), undefined, index === 0 && at === 0)
        )}
      </>
    )
  })

/** Whether a description says no more than the name of the schema of its content. */
const isName = (description: string, content: Content): boolean =>
  Object.values(content).flatMap(({ schema }) => schemasIn(schema)).includes(description.replaceAll(" ", ""))

/** The failures, each with its schema, and its meaning where the name does not have it. */
const failuresPart = (failures: Operation["answers"]): Html => (
  <dl class="members errors">
    {failures.map(([status, { content = {}, description }]) => {
      const schemas = Object.values(content).map(({ schema }) => schema)
      return (
        <div>
          <dt>
            <code>{status}</code>{" "}
            <span>{schemas.map((schema, index) => <>{index > 0 && ", "}{kindOf(schema)}</>)}</span>
          </dt>
          {!isName(description, content) && <dd>{inlineMarkdown(description)}</dd>}
        </div>
      )
    })}
  </dl>
)

/** The id of a parameter on the page of its operation. */
export const parameterId = ({ id }: Operation, name: string): string => `${id}.${name}`

/** The method and the path, as they stand in lists and headings. */
export const callOf = ({ method, path }: Operation): Html => (
  <>
    <span class="verb">{method}</span> <code>{path}</code>
  </>
)

/** A mark of what new clients do not call. */
export const deprecatedMark = ({ isDeprecated }: Operation): Html | false =>
  isDeprecated && pill("Deprecated", "warn")

/** What an operation says that the one before does not, sentence by sentence. */
const furtherText = (first: Operation, { description }: Operation): string =>
  description.split(/(?<=\.) /).filter((sentence) => !first.description.includes(sentence)).join(" ")

/** All that the document says of an entry: texts at the left, samples at the right. */
export const entryPart = (contract: Contract, entry: Entry, access: string): Html => {
  const [first, ...others] = entry
  const inputs = inputsOf(contract, entry)
  const fine = first.answers.filter(([status]) => isFine(status))
  const failures = [...new Map(entry.flatMap(({ answers }) => answers))]
    .filter(([status]) => !isFine(status)).toSorted()
  // Of a GET and a POST, the POST is the one to use.
  const shown = others.at(-1) ?? first
  return (
    <div class="op">
      <div class="say">
        {entry.toReversed().map((operation) => (
          <p class="call" id={`op-${operation.id}`}>
            {callOf(operation)} {deprecatedMark(operation)}
          </p>
        ))}
        {markdown(first.description)}
        {others.map((other) => markdown(furtherText(first, other)))}
        {!first.description.includes("Needs a key with") && <p>{inlineMarkdown(access)}</p>}
        {inputs.length > 0 && (
          <>
            <h2 id="parameters">Parameters</h2>
            {memberList(inputs, first.id)}
          </>
        )}
        {others.length === 0 && Object.entries(first.body).map(([type, { schema }]) => (
          <>
            <h2 id="body">Body</h2>
            {typeLine(type, schema)}
            {memberList(membersOf(found(schema, contract.components.schemas)), `${first.id}.body`)}
          </>
        ))}
        {fine.map(([status, { content = {}, description }]) => (
          <>
            <h2 id={`response-${status}`}>Response {status}</h2>
            {!isName(description, content) && <p>{inlineMarkdown(description)}</p>}
            {answerPart(contract, content)}
          </>
        ))}
        <h2 id="errors">Errors</h2>
        <p>
          See <a href={urlOf`/docs/errors`}>Errors</a> for what to do.
        </p>
        {failuresPart(failures)}
      </div>
      <div class="show">
        {codeOf(shown.samples, `lang-${first.id}`, callOf(shown))}
        {fine.flatMap(([, { content = {} }]) => exampleOf(contract, content)).slice(0, 1)
          .map((sample) => codeOf([sample], "", <>Response</>))}
      </div>
    </div>
  )
}
