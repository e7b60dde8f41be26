import { Predicate } from "effect"
import { type Content, type Contract, type Endpoint, found } from "#api/document/Contract.ts"
import { withAllDigits } from "#api/document/json.ts"
import type { Example, JsonSchema, Parameter, Response } from "#api/document/Contract.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { folded, pill } from "../../pages/parts.tsx"
import { codeOf, type Sample } from "./code.tsx"
import { inlineMarkdown, markdown } from "./markdown.tsx"
import { requestSamples } from "./requestSamples.ts"
import {
  inGroups,
  inReadingOrder,
  kindOf,
  memberGroups,
  memberList,
  membersOf,
  type Named,
  schemasIn,
  valueIn,
} from "./schemas.tsx"
import groups from "./groups.json" with { type: "json" }
import remedyTexts from "./remedies.json" with { type: "json" }

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

/** The command that opens a channel, as is recommended: for a quote. That of the document has none, as it runs by itself. */
const forQuote = (curl: string): string =>
  curl.replace(
    "--data '{",
    '--header "Idempotency-Key: $(uuidgen)" \\\n  --data \'{\n  "quoteId": "QUOTE_ID",',
  )
    .replace(',\n  "minimumPrice": "10",\n  "retryDurationInBlocks": 150', "")

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
    samples: (endpoint["x-codeSamples"] ?? []).flatMap(({ source }) =>
      requestSamples(operationId === "openSwapByPost" ? forQuote(source) : source, type)
    ),
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

/** The parameters of an entry; those of an opening, which are many, by what they are for. */
const inputsPart = (inputs: ReadonlyArray<Named>, id: string): Html => {
  if (!inputs.some(({ name }) => name === "destinationAddress")) return memberList(inputs, id)
  return (
    <>
      {inGroups(groups.parameters, inputs).map(([title, own]) => (
        <>
          <h3>{title}</h3>
          {memberList(own, id)}
        </>
      ))}
    </>
  )
}

/** A value as a sample: of each list its first item, of long texts the beginning. */
const jsonOf = (value: unknown): Sample => {
  function shorter(this: unknown, name: string, one: unknown): unknown {
    if (Array.isArray(one)) return one.slice(0, 1)
    if (typeof one === "string" && one.length > 80) {
      return `${one.slice(0, one.startsWith("q1~") ? 3 : 24)}…`
    }
    return Predicate.isObject(one) ? inReadingOrder(one) : withAllDigits.call(this, name, one)
  }
  return typeof value === "string"
    ? { language: "", source: value }
    : { language: "json", source: JSON.stringify(value, shorter, 2) }
}

/** The examples of bodies, each with its schema. */
const examplesIn = ({ components }: Contract, bodies: ReadonlyArray<Content | undefined>) =>
  bodies.flatMap((content = {}) => Object.values(content)).flatMap(({ examples = {}, schema }) =>
    Object.values(examples).map((one) => ({ schema, value: found<Example>(one, components.examples).value }))
  )

/** An example of a named schema, of the first body that has one. */
export const schemaExample = (
  contract: Contract,
  entries: ReadonlyArray<Entry>,
  name: string,
): Html | false => {
  const { schemas } = contract.components
  for (const { answers, body } of entries.flat()) {
    for (
      const { schema, value } of examplesIn(contract, [body, ...answers.map(([, { content }]) => content)])
    ) {
      const own = valueIn(name, schema, value, schemas)
      if (own !== undefined) return codeOf([jsonOf(own)], "", <>Example</>)
    }
  }
  return false
}

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
          folded(`Members of ${name}`, memberGroups(membersOf(one)), undefined, index === 0 && at === 0)
        )}
      </>
    )
  })

/** Whether a description says no more than the name of the schema of its content. */
const isName = (description: string, content: Content): boolean =>
  Object.values(content).flatMap(({ schema }) => schemasIn(schema)).includes(description.replaceAll(" ", ""))

/** What causes a failure and what to do, where the document says no more than its name; by its schema or status. */
const remedies = new Map(Object.entries(remedyTexts))

/** The failures: cause and remedy first, then the schema. */
const failuresPart = (failures: Operation["answers"]): Html => (
  <dl class="members errors">
    {failures.map(([status, { content = {}, description }]) => {
      const schemas = Object.values(content).map(({ schema }) => schema)
      const remedy = [...schemas.flatMap(schemasIn), status].find((name) => remedies.has(name)) ?? ""
      return (
        <div>
          <dt>
            <code>{status}</code>{" "}
            <span>
              {inlineMarkdown(isName(description, content) ? remedies.get(remedy) ?? "" : description)}{" "}
              {schemas.map((schema) => <span class="ch">{kindOf(schema)}</span>)}
            </span>
          </dt>
        </div>
      )
    })}
  </dl>
)

/** The id of a parameter on the page of its operation. */
export const parameterId = ({ id }: Operation, name: string): string => `${id}.${name}`

/** The methods and the path, as they stand in lists and headings; with anchors on the page of the call. */
export const callOf = (entry: Entry, hasAnchors = false): Html => (
  <>
    {entry.toReversed().map(({ id, method }) => (
      <>
        <span class={`verb ${method.toLowerCase()}`} id={hasAnchors && `op-${id}`}>{method}</span>
        {" "}
      </>
    ))}
    <code>{entry[0].path}</code>
  </>
)

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
  return (
    <div class="op">
      <div class="say">
        <p class="call">{callOf(entry, true)} {first.isDeprecated && pill("Deprecated", "warn")}</p>
        {markdown(first.description)}
        {others.map((other) => markdown(furtherText(first, other)))}
        {!first.description.includes("Needs a key with") && <p>{inlineMarkdown(access)}</p>}
      </div>
      <div class="show">
        {codeOf((others.at(-1) ?? first).samples, `lang-${first.id}`, <>Request</>)}
        {fine.flatMap(([status, { content }]) =>
          examplesIn(contract, [content]).map(({ value }) =>
            codeOf([jsonOf(value)], "", <>Response {status}</>)
          )
        ).slice(0, 1)}
      </div>
      <div class="say">
        {inputs.length > 0 && (
          <>
            <h2 id="parameters">Parameters</h2>
            {inputsPart(inputs, first.id)}
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
        {failuresPart(failures)}
      </div>
    </div>
  )
}
