import { type Content, type Contract, type Endpoint, found } from "#api/document/Contract.ts"
import type { Example, JsonSchema, Parameter, Response } from "#api/document/Contract.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { folded } from "../../pages/parts.tsx"
import { table } from "../../pages/table.tsx"
import { codeBlock, inlineMarkdown, markdown } from "./markdown.tsx"
import { kindOf, membersOf, type Named, namedTable } from "./shapes.tsx"

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
  readonly samples: ReadonlyArray<string>
}

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
    samples: (endpoint["x-codeSamples"] ?? []).map(({ source }) => source),
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

const toNamed = ({ in: place, name, required = false, schema }: Parameter): Named => ({
  name,
  required,
  schema,
  place,
})

const exampleOf = ({ components }: Contract, { examples = {} }: Content[string]): ReadonlyArray<Html> =>
  Object.values(examples).map((one) => {
    const { value } = found<Example>(one, components.examples)
    return folded("Example", codeBlock(JSON.stringify(value, null, 2)))
  })

/** `of` names what is told, as each table of a page has a name of its own. */
const contentPart = (contract: Contract, content: Content, of: string): ReadonlyArray<Html> =>
  Object.entries(content).map(([type, body]) => {
    const members = membersOf(body.schema)
    return (
      <>
        <p>
          <code>{type}</code>: {kindOf(body.schema)}
        </p>
        {members.length > 0 && namedTable(`Members of ${of}, ${type}`, members)}
        {exampleOf(contract, body)}
      </>
    )
  })

const isFine = (status: string): boolean => status.startsWith("2")

/** What a failure's body is: the kinds of problems, by their shapes. */
const kindsOf = ({ content = {} }: Response): Html => (
  <>{Object.values(content).map(({ schema }, index) => <>{index > 0 && ", "}{kindOf(schema)}</>)}</>
)

const failuresTable = ({ answers, summary }: Operation): Html | false => {
  const failures = answers.filter(([status]) => !isFine(status))
  return failures.length > 0 && folded(
    `${failures.length} other answers`,
    table({
      caption: `Other answers of ${summary}`,
      columns: [
        ["Status", ([status]) => <code>{status}</code>, "a"],
        ["When", ([, { description }]) => inlineMarkdown(description), "all"],
        ["Body", ([, answer]) => kindsOf(answer)],
      ],
      rows: failures,
      empty: "",
    }),
  )
}

/** The id of an operation on its page. */
export const operationId = ({ id }: Pick<Operation, "id">): string => `op-${id}`

/** The method and the path, as they stand in lists and headings. */
export const callOf = ({ isMessage, method, path }: Operation): Html =>
  <>
    <span class="verb">{isMessage ? "to you" : method}</span> <code>{path}</code>
  </>

/** All that the document says of an operation. */
export const operationPart = (contract: Contract, operation: Operation): Html => {
  const { answers, body, description, isDeprecated, isMessage, needsKey, parameters, samples, summary } =
    operation
  const id = operationId(operation)
  const fine = answers.filter(([status]) => isFine(status))
  return (
    <section id={id} aria-labelledby={`${id}-title`} class="op">
      <h2 id={`${id}-title`}>{summary}</h2>
      <p>
        {callOf(operation)} {isDeprecated && <span class="pill warn">deprecated</span>}{" "}
        {!isMessage && <span class="soft">{needsKey ? "with an API key" : "no key needed"}</span>}
      </p>
      {markdown(description)}
      {samples.map((source) => codeBlock(source))}
      {parameters.length > 0 &&
        (
          <>
            <h3>Parameters</h3>
            {namedTable(`Parameters of ${summary}`, parameters.map(toNamed))}
          </>
        )}
      {Object.keys(body).length > 0 &&
        (
          <>
            <h3>Body</h3>
            {contentPart(contract, body, `the body of ${summary}`)}
          </>
        )}
      {fine.map((
        [status, { content = {}, description }],
      ) => (
        <>
          <h3>Answer {status}</h3>
          <p>{inlineMarkdown(description)}</p>
          {contentPart(contract, content, `answer ${status} of ${summary}`)}
        </>
      ))}
      {failuresTable(operation)}
    </section>
  )
}
