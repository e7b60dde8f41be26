import { type Contract, found, type JsonSchema, nameIn } from "#api/document/Contract.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { path, withFragment } from "../../pages/Url.ts"
import { inlineMarkdown } from "./markdown.tsx"

/** The id of a shape on a page. */
export const shapeId = (name: string): string => `shape-${name}`

/** The page of a link itself. */
const here = path``

const linkTo = (name: string): Html => <a href={withFragment(here, shapeId(name))}>{name}</a>

const joined = (parts: ReadonlyArray<Html>, word: string): Html => (
  <>{parts.map((part, index) => index === 0 ? part : <>{word}{part}</>)}</>
)

const values = (all: ReadonlyArray<string | number>): Html =>
  joined(all.map((value) => <code>{value}</code>), ", ")

/** What kind of value a schema is of; a shape by its name. */
export const kindOf = (schema: JsonSchema): Html => {
  const { $ref, anyOf = [], enum: listed, items, prefixItems = [], type } = schema
  if ($ref !== undefined) return linkTo(nameIn($ref))
  if (listed !== undefined) return listed.length === 1 ? values(listed) : <>one of {values(listed)}</>
  if (anyOf.length > 0) return joined(anyOf.map(kindOf), " or ")
  if (prefixItems.length > 0) return <>list of {joined(prefixItems.map(kindOf), ", then ")}</>
  if (items !== undefined) return <>list of {kindOf(items)}</>
  return <>{type ?? "any value"}</>
}

const range = (least: number | undefined, most: number | undefined, unit: string): string | undefined => {
  if (least === undefined) return most === undefined ? undefined : `at most ${most}${unit}`
  if (most === undefined) return `at least ${least}${unit}`
  return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`
}

/** What a value has to be besides its kind. */
const limitsOf = (schema: JsonSchema): ReadonlyArray<Html | string> => {
  const { exclusiveMinimum, maxItems, maxLength, maximum, minItems, minLength, minimum, pattern } = schema
  return [
    exclusiveMinimum === undefined ? undefined : `above ${exclusiveMinimum}`,
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    pattern === undefined ? undefined : (
      <>
        form <code>{pattern}</code>
      </>
    ),
  ].filter((limit) => limit !== undefined)
}

/** A value that is named: a parameter, or a member of a body, `status.state` where it is within another. */
export interface Named {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
  /** Where a parameter stands. */
  readonly place?: string
}

/** The members of a schema, those of objects within it behind it. Shapes with a name are not opened. */
export const membersOf = (schema: JsonSchema, within = ""): ReadonlyArray<Named> => {
  const { additionalProperties, anyOf = [], contentSchema, items, properties = {}, required = [] } = schema
  const own = Object.entries(properties).flatMap(([name, inner]) => [
    { name: `${within}${name}`, schema: inner, required: required.includes(name) },
    ...membersOf(inner, `${within}${name}.`),
  ])
  const inside = [contentSchema, ...anyOf].flatMap((inner) =>
    inner === undefined ? [] : membersOf(inner, within)
  )
  const each = [[items, "[]"] as const, [additionalProperties, "*"] as const].flatMap(([inner, sign]) =>
    inner === undefined ? [] : membersOf(inner, `${within.replace(/\.$/, "")}${sign}.`)
  )
  return [...own, ...inside, ...each]
}

const memberPart = ({ name, place, required, schema }: Named, of: string | undefined): Html => {
  const id = of === undefined ? undefined : `${of}.${name.replace(/…\d/, "")}`
  const isParameter = place !== undefined
  const facts = [kindOf(schema), ...isParameter && place !== "query" ? [place] : [], ...limitsOf(schema)]
  return (
    <div id={id}>
      <dt>
        {id === undefined ? <code>{name}</code> : (
          <a class="q" href={`#${id}`}>
            <code>{name}</code>
          </a>
        )} <span class="soft">{facts.map((fact, index) => <>{index > 0 && " · "}{fact}</>)}</span>
        {isParameter && required && <b class="must">{" required"}</b>}
        {!isParameter && !required && <span class="soft">{" optional"}</span>}
      </dt>
      {schema.description !== undefined && <dd>{inlineMarkdown(schema.description)}</dd>}
    </div>
  )
}

/** Named values with kinds and limits beside the names. `of` is the operation whose parameters they are, each with an anchor. */
export const memberList = (rows: ReadonlyArray<Named>, of?: string): Html => (
  <dl class="members">{rows.map((row) => memberPart(row, of))}</dl>
)

/** The names of all shapes within a schema, those within these too. */
const namesWithin = ({ components }: Contract, schema: JsonSchema, known: Set<string>): Set<string> => {
  const look = (inner: JsonSchema): void => {
    if (inner.$ref !== undefined) {
      const name = nameIn(inner.$ref)
      if (known.has(name)) return
      known.add(name)
      look(found<JsonSchema>({ $ref: inner.$ref }, components.schemas))
    }
    const parts = [inner.items, inner.additionalProperties, inner.contentSchema]
    for (const part of [...parts, ...inner.anyOf ?? [], ...inner.prefixItems ?? []]) {
      if (part !== undefined) look(part)
    }
    for (const part of Object.values(inner.properties ?? {})) look(part)
  }
  look(schema)
  return known
}

/** The names of all shapes that schemas lead to, by the alphabet. */
export const shapesOf = (contract: Contract, schemas: ReadonlyArray<JsonSchema>): ReadonlyArray<string> => {
  const known = new Set<string>()
  for (const schema of schemas) namesWithin(contract, schema, known)
  return [...known].toSorted()
}

/** A shape, closed until it is wanted. */
export const shapePart = ({ components }: Contract, name: string): Html => {
  const schema = found<JsonSchema>({ $ref: name }, components.schemas)
  const members = membersOf(schema)
  return (
    <details>
      <summary>{name}</summary>
      <div id={shapeId(name)}>
        {schema.description !== undefined && <p>{inlineMarkdown(schema.description)}</p>}
        {members.length === 0 ? <p>{kindOf(schema)}</p> : memberList(members)}
      </div>
    </details>
  )
}
