import { Predicate, type Schema } from "effect"
import { mapMembers, type Members } from "#api/document/json.ts"
import { type Json, jsonSchemaOf, toMembers } from "./json.ts"
import { answerDescriptions, argumentDescriptions, type Words } from "./memberDescriptions.ts"

/** What of a tool is listed as JSON Schemas. */
export interface Listed {
  readonly name: string
  /** The scope of the keys that see the tool. */
  readonly scope: string
  readonly input: Schema.Constraint
  readonly output: Schema.Constraint
}

/** The schemas of a tool as clients are sent them: everything of them stands in a model's memory. */
export interface ListedSchemas {
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
}

type ObjectSchema = { readonly type: "object" } & Readonly<Record<string, Json>>

/** The most values that a schema lists: a longer list is of names that an answer tells. */
const mostListed = 6

/** The form of the ids of assets, which list_assets and the resource broker://assets list. */
const assetForm = /^[a-z0-9]+\.[a-z0-9]+$/

const isLongList = (values: unknown): values is ReadonlyArray<unknown> =>
  Array.isArray(values) && values.length > mostListed

const isAsset = (value: unknown): boolean => Predicate.isString(value) && assetForm.test(value)

/** The highest count of a chain. A limit that is no lower limits nothing. */
const highestCount = 2 ** 32 - 1

/** Changes a schema and all schemas in it, those of properties with their names. */
const changeSchemas = (
  json: unknown,
  change: (schema: Members, name?: string) => unknown,
  name?: string,
): unknown => {
  if (Array.isArray(json)) return json.map((one) => changeSchemas(one, change))
  if (!Predicate.isObject(json)) return json
  const inner = mapMembers(
    json,
    (member, key) =>
      key === "properties" || key === "$defs"
        ? mapMembers(member, (property, name) => changeSchemas(property, change, name))
        : changeSchemas(member, change),
  )
  return Predicate.isObject(inner) ? change(inner, name) : inner
}

/**
 * Puts the words for a member into its schema: none where they are empty, or were `listed` of that name before. Whoever
 * sees a tool sees those of its scope before it.
 */
const describing =
  (words: Words, { name: tool }: Listed, listed: Set<string>) =>
  ({ description: own, ...schema }: Members, name: string): Members => {
    const description = words[`${tool}.${name}`] ?? words[name] ?? own
    if (description === undefined || description === "" || listed.has(`${name}: ${description}`)) {
      return schema
    }
    if (name !== "") listed.add(`${name}: ${description}`)
    return { ...schema, description }
  }

type Describe = ReturnType<typeof describing>

/** Whether a part of an argument's schema says nothing that a model needs to choose a value. */
const isIdle = (key: string, value: unknown): boolean =>
  key === "examples" || key === "minLength" || key === "maxLength" || key === "pattern" ||
  (key === "minimum" && value === 0) || (key === "maximum" && Number(value) >= highestCount)

/** An argument: without examples, which a model could take for the human's word, and with assets by their form. */
const argument = (describe: Describe) => (schema: Members, name = ""): Members => {
  const { enum: values, ...others } = schema
  const told = Object.entries(others).filter(([key, value]) => !isIdle(key, value))
  const listed = isLongList(values) && values.every(isAsset)
    ? { pattern: assetForm.source }
    : values === undefined
    ? {}
    : { enum: values }
  return describe({ ...Object.fromEntries(told), ...listed }, name)
}

/** What of an answer's schema only who writes the answer has to know. */
const ofWriters: ReadonlySet<string> = new Set(
  "pattern minimum maximum exclusiveMinimum minLength additionalProperties examples required".split(" "),
)

/** Members but for amounts in the smallest unit beside others: an agent is told of these once, when it connects. */
const withoutTwins = (properties: object): Members =>
  Object.fromEntries(
    Object.entries(properties).filter(([name]) =>
      !/Native$/.test(name) || !(name.slice(0, -6) in properties)
    ),
  )

/** A part of an answer: its names and types, and words only where the name does not say it. */
const part = (describe: Describe) => (schema: Members, name = ""): Members => {
  const told = Object.entries(schema)
    .filter(([key, value]) => !ofWriters.has(key) && !(key === "enum" && isLongList(value)))
  const { properties, ...others }: Members = Object.fromEntries(told)
  return describe({
    ...others,
    ...(Predicate.isObject(properties) ? { properties: withoutTwins(properties) } : {}),
  }, name)
}

const asObject = (schema: unknown): ObjectSchema => ({ ...toMembers(schema), type: "object" })

const referencePrefix = "#/$defs/"

/** The name of the definition that a schema stands for, if it does. */
const referred = ({ $ref }: Members): string | undefined =>
  Predicate.isString($ref) && $ref.startsWith(referencePrefix)
    ? $ref.slice(referencePrefix.length)
    : undefined

/** The answer's schema of a tool. Of a definition that another tool is the home of, it only names that tool. */
const answerSchema = (
  tool: Listed,
  homes: ReadonlyMap<string, string>,
  shown: (schema: Members, name?: string) => Members,
): ObjectSchema => {
  const { $defs, ...root } = { $defs: {}, ...jsonSchemaOf(tool.output) }
  const own = Object.entries({ ...$defs }).filter(([name]) => homes.get(name) === tool.name)
  const shortened = changeSchemas(
    { ...root, ...(own.length === 0 ? {} : { $defs: Object.fromEntries(own) }) },
    (schema, name) => {
      const definition = referred(schema)
      const home = definition === undefined ? tool.name : homes.get(definition)
      return home === tool.name
        ? shown(schema, name)
        : { type: "object", description: `As ${definition} of ${home}.` }
    },
  )
  return asObject(shortened)
}

/** The first tool with each definition of answers. */
const homesOf = (tools: ReadonlyArray<Listed>): ReadonlyMap<string, string> =>
  new Map(
    tools.toReversed().flatMap(({ name, output }) =>
      Object.keys(toMembers(jsonSchemaOf(output).$defs)).map((definition) => [definition, name] as const)
    ),
  )

/** The tools' schemas in listing order; a shared definition stands with the first tool that has it. */
export const listed = <T extends Listed>(tools: ReadonlyArray<T>) => {
  const homes = homesOf(tools)
  const listedTo = new Map(tools.map(({ scope }) => [scope, new Set<string>()]))
  return tools.map((tool) => {
    const words = listedTo.get(tool.scope) ?? new Set()
    const input = changeSchemas(
      jsonSchemaOf(tool.input),
      argument(describing(argumentDescriptions, tool, words)),
    )
    const schemas: ListedSchemas = {
      inputSchema: { ...asObject(input), additionalProperties: false },
      outputSchema: answerSchema(tool, homes, part(describing(answerDescriptions, tool, words))),
    }
    return { tool, schemas }
  })
}
