import { Predicate } from "effect"
import { type JsonSchema, nameIn } from "#api/document/Contract.ts"
import { type Html, path } from "../../pages/jsx-runtime.ts"
import { folded } from "../../pages/parts.tsx"
import { inlineMarkdown } from "./markdown.tsx"
import groups from "./groups.json" with { type: "json" }

/** The link to the page of a schema. */
export const schemaLink = (name: string): Html => <a href={path`/docs/schemas/${name}`}>{name}</a>

/** Parts with a word between them. */
export const joined = (parts: ReadonlyArray<Html>, word: string): Html => (
  <>{parts.map((part, index) => index === 0 ? part : <>{word}{part}</>)}</>
)

const values = (all: ReadonlyArray<string | number>): Html =>
  joined(all.map((value) => <code>{value}</code>), ", ")

/** What kind of value a schema is of; a schema with a name by that. */
export const kindOf = (schema: JsonSchema): Html => {
  const { $ref, anyOf = [], enum: listed, items, prefixItems = [], type } = schema
  if ($ref !== undefined) return schemaLink(nameIn($ref))
  if (listed !== undefined) return listed.length === 1 ? values(listed) : <>one of {values(listed)}</>
  if (anyOf.length > 0) return joined(anyOf.map(kindOf), " or ")
  if (prefixItems.length > 0) return <>list of {joined(prefixItems.map(kindOf), ", then ")}</>
  if (items !== undefined) return <>list of {kindOf(items)}</>
  return <>{type ?? "any value"}</>
}

/** Limits above this one are those of the form, not of the value. */
const mostShown = 2 ** 32 - 2

const range = (minimum: number | undefined, maximum: number | undefined, unit = ""): string | undefined => {
  const [least, most] = [minimum, maximum === undefined || maximum > mostShown ? undefined : maximum]
  const of = (count: number) => unit === "" ? `${count}` : `${count} ${unit}${count === 1 ? "" : "s"}`
  if (least === undefined) return most === undefined ? undefined : `at most ${of(most)}`
  if (most === undefined) return `at least ${of(least)}`
  return least === most ? of(least) : `${least} to ${of(most)}`
}

/** What a value has to be besides its kind. */
const limitsOf = (schema: JsonSchema): ReadonlyArray<Html | string> => {
  const { exclusiveMinimum, maxItems, maxLength, maximum, minItems, minLength, minimum, pattern } = schema
  return [
    exclusiveMinimum === undefined ? undefined : `above ${exclusiveMinimum}`,
    range(minimum, maximum),
    range(minLength, maxLength, "character"),
    range(minItems, maxItems, "item"),
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
  /** What is required where not this one alone is. */
  readonly choice?: string | undefined
}

/** Names under a heading. The last group of a list takes all that no other names. */
type Groups = typeof groups[keyof typeof groups]

/** The layout of a quote's or a channel's members by their names, in which readers look for them; none of others. */
const layoutOf = (names: ReadonlyArray<string>): Groups => {
  const has = (...wanted: ReadonlyArray<string>) => wanted.every((name) => names.includes(name))
  return has("quoteId", "swapParameters") ? groups.quote : has("address", "payment") ? groups.channel : []
}

/** The members of a quote or a channel in the order in which people read them; of anything else as they are. */
export const inReadingOrder = <A,>(members: Readonly<Record<string, A>>): Readonly<Record<string, A>> => {
  const order = layoutOf(Object.keys(members)).flatMap(({ names }) => names)
  const placeOf = (name: string) => order.includes(name) ? order.indexOf(name) : order.length
  return Object.fromEntries(
    Object.entries(members).toSorted(([one], [other]) => placeOf(one) - placeOf(other)),
  )
}

/** Named values by groups, each with its heading; groups without a value are left out. */
export const inGroups = (all: Groups, rows: ReadonlyArray<Named>) => {
  const groupOf = ({ name }: Named) =>
    all.find(({ names }) => names.includes(name.replace(/[.[*…\d].*/, ""))) ?? all.at(-1)
  return all.map((group) => [group.title, rows.filter((row) => groupOf(row) === group)] as const)
    .filter(([, own]) => own.length > 0)
}

/** The members of a schema, those of objects within it behind it. Schemas with a name are not opened. */
export const membersOf = (schema: JsonSchema, within = ""): ReadonlyArray<Named> => {
  const { additionalProperties, anyOf = [], contentSchema, items, properties = {}, required = [] } = schema
  const own = Object.entries(inReadingOrder(properties)).flatMap(([name, inner]) => [
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

/** Whether a value stands within another: `fee.amount` and `pools[].fee` in `fee` and `pools`. */
const isWithin = (inner: Named, { name }: Named): boolean =>
  inner.name.startsWith(name) && /^[[\]*]*\./.test(inner.name.slice(name.length))

const memberPart = (
  { choice, name, place, required, schema }: Named,
  label: string,
  of: string | undefined,
  within: ReadonlyArray<Named>,
  isFirst: boolean,
): Html => {
  const id = of !== undefined && isFirst && `${of}.${name.replace(/…\d/, "")}`
  const facts = [kindOf(schema), place === "query" ? undefined : place, ...limitsOf(schema)]
    .filter((fact) => fact !== undefined)
  const mark = required ? "required" : choice
  return (
    <div id={id}>
      <dt>
        {id === false ? <code>{label}</code> : (
          <a class="q" href={`#${id}`}>
            <code>{label}</code>
          </a>
        )} <span class="soft">{facts.map((fact, index) => <>{index > 0 && " · "}{fact}</>)}</span>
        {of !== undefined && mark !== undefined && <b class="must">{" "}{mark}</b>}
        {of === undefined && !required && <span class="soft">{facts.length > 0 && " · "}optional</span>}
      </dt>
      {schema.description !== undefined && <dd>{inlineMarkdown(schema.description)}</dd>}
      {within.length > 0 && <dd>{memberList(within, of, name)}</dd>}
    </div>
  )
}

/** Named values with kinds and limits beside the names. `of` is the operation that takes them, each with an anchor. */
export const memberList = (rows: ReadonlyArray<Named>, of?: string, within = ""): Html => (
  <dl class="members">
    {rows.filter((row) => !rows.some((other) => isWithin(row, other))).map((row) => {
      const isFirst = rows.find(({ name }) => name === row.name) === row
      const inner = isFirst ? rows.filter((other) => isWithin(other, row)) : []
      return memberPart(row, row.name.slice(within.length).replace(/^[[\]*]*\./, ""), of, inner, isFirst)
    })}
  </dl>
)

/** The members of a body; those of a large one in groups, of which the first two are open. */
export const memberGroups = (rows: ReadonlyArray<Named>): Html => {
  const own = inGroups(layoutOf(rows.map(({ name }) => name)), rows)
  if (own.length === 0) return memberList(rows)
  return <>{own.map(([title, part], index) => folded(title, memberList(part), undefined, index < 2))}</>
}

/** The names of the schemas that one names, not those within these. */
export const schemasIn = (schema: JsonSchema): ReadonlyArray<string> => {
  const { $ref, additionalProperties, anyOf = [], contentSchema, items, prefixItems = [], properties = {} } =
    schema
  const inner = [...anyOf, ...prefixItems, ...Object.values(properties)]
  const names = [items, additionalProperties, contentSchema, ...inner]
    .flatMap((one) => one === undefined ? [] : schemasIn(one))
  return [...new Set($ref === undefined ? names : [nameIn($ref), ...names])]
}

/** The first value of a named schema within a value of another. */
export const valueIn = (
  wanted: string,
  { $ref, additionalProperties, anyOf = [], items, properties = {} }: JsonSchema,
  value: unknown,
  schemas: Readonly<Record<string, JsonSchema>>,
): unknown => {
  const named = $ref === undefined ? undefined : schemas[nameIn($ref)]
  const fits = named?.required?.every((name) => Predicate.isObject(value) && name in value) ?? true
  if (named !== undefined && fits && $ref?.endsWith(`/${wanted}`)) return value
  const inner = [
    ...[...anyOf, ...named === undefined ? [] : [named]].map((one) => [one, value] as const),
    ...Array.isArray(value) ? [[items, value[0]] as const] : [],
    ...Object.entries(Predicate.isObject(value) ? value : {}).map(([name, one]) =>
      [properties[name] ?? additionalProperties, one] as const
    ),
  ]
  for (const [schema, one] of inner) {
    const found = schema === undefined ? undefined : valueIn(wanted, schema, one, schemas)
    if (found !== undefined) return found
  }
  return undefined
}

/** A schema: the links to what uses it, its meaning, its members, and an example where a body has one. */
export const schemaPart = (schema: JsonSchema, uses: ReadonlyArray<Html>, example: Html | false): Html => {
  const members = membersOf(schema)
  const links = joined(uses, ", ")
  return (
    <div class="op">
      <div class="say">
        {schema.description !== undefined && <p>{inlineMarkdown(schema.description)}</p>}
        {uses.length > 8
          ? folded(`Used by ${uses.length} calls and schemas`, <p>{links}</p>)
          : uses.length > 0 && <p class="soft">Used by {links}.</p>}
        {members.length === 0 ? <p>{kindOf(schema)}</p> : memberGroups(members)}
      </div>
      {example !== false && <div class="show">{example}</div>}
    </div>
  )
}
