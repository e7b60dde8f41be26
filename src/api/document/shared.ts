import { Predicate } from "effect"
import { assetIds } from "#domain/chains/Asset.ts"
import { chains } from "#domain/chains/Chain.ts"
import { Scope } from "#domain/accounts/Key.ts"
import { ProblemCode } from "#domain/ProblemCode.ts"
import { SwapEventType } from "#domain/swaps/SwapEvent.ts"
import { slugOf } from "./guides.ts"
import { mapMembers, mapOperations, type Members } from "./json.ts"

/** Puts something else in the place of a part of an operation; the name is what the part is called there. */
type Put = (part: unknown, name: string) => unknown

const inMember = (holder: unknown, member: string, put: Put): unknown =>
  Predicate.isObject(holder) && member in holder
    ? { ...holder, [member]: mapMembers(holder[member], put) }
    : holder

const inResponses = (operation: Members, put: Put): Members => ({
  ...operation,
  responses: mapMembers(operation.responses, put),
})

const nameOf = (parameter: unknown): string => Predicate.isObject(parameter) ? `${parameter.name}` : ""

/** The parts of operations that can be components, by kind. What others hold comes first, so that these get alike. */
const kinds: Readonly<Record<string, (operation: Members, put: Put) => Members>> = {
  examples: (operation, put) =>
    inResponses(operation, (response) =>
      inMember(
        response,
        "content",
        (content) => inMember(content, "examples", (one) => put(one, `${operation.operationId}`)),
      )),
  headers: (operation, put) => inResponses(operation, (response) => inMember(response, "headers", put)),
  responses: (operation, put) =>
    inResponses(operation, (response, status) => put(response, `Status${status}`)),
  parameters: (operation, put) =>
    Array.isArray(operation.parameters)
      ? { ...operation, parameters: operation.parameters.map((one) => put(one, nameOf(one))) }
      : operation,
}

/** Shorter JSON stays where it is: a reference would be as long. */
export const shortest = 80

/** The parts that are said at least twice, by their JSON, with a name for each: several of a name are numbered. */
const namesOf = (parts: ReadonlyArray<readonly [name: string, json: string]>, known: Members) => {
  const times = new Map<string, number>()
  for (const [, json] of parts) times.set(json, (times.get(json) ?? 0) + 1)
  const names = new Map<string, string>()
  const taken = new Map(Object.keys(known).map((name) => [name, 1]))
  for (const [name, json] of parts) {
    if (json.length < shortest || (times.get(json) ?? 0) < 2 || names.has(json)) continue
    const before = taken.get(name) ?? 0
    taken.set(name, before + 1)
    names.set(json, before === 0 ? name : `${name}_${before + 1}`)
  }
  return names
}

const inOperations = (document: Members, change: (operation: Members) => Members): Members => ({
  ...document,
  paths: mapOperations(document.paths, change),
  webhooks: mapOperations(document.webhooks, change),
})

/** The components of a kind, by name. */
export const componentsOf = ({ components }: Members, kind: string): Members => {
  const known = Predicate.isObject(components) ? components[kind] : undefined
  return Predicate.isObject(known) ? known : {}
}

/** The document with components of a kind, in the place of those that have their names. */
export const withComponents = (document: Members, kind: string, more: Members): Members => ({
  ...document,
  components: {
    ...Predicate.isObject(document.components) ? document.components : {},
    [kind]: { ...componentsOf(document, kind), ...more },
  },
})

const shareKind = (document: Members, [kind, at]: readonly [string, typeof kinds[string]]): Members => {
  const parts: Array<readonly [string, string]> = []
  inOperations(document, (operation) =>
    at(operation, (part, name) => {
      parts.push([name, JSON.stringify(part)])
      return part
    }))
  const names = namesOf(parts, componentsOf(document, kind))
  const shared = inOperations(document, (operation) =>
    at(operation, (part) => {
      const name = names.get(JSON.stringify(part))
      return name === undefined ? part : { $ref: `#/components/${kind}/${name}` }
    }))
  return withComponents(
    shared,
    kind,
    Object.fromEntries([...names].map(([json, name]): [string, unknown] => [name, JSON.parse(json)])),
  )
}

/** Vocabularies that many members have, by the names of their components. */
const vocabularies: Readonly<Record<string, ReadonlyArray<string>>> = {
  AssetId: assetIds(),
  AssetIdOrAny: ["*", ...assetIds()],
  ChainName: chains(),
  KeyScope: Scope.literals,
  ProblemCode: ProblemCode.literals,
  SwapEventType: SwapEventType.literals,
}

const vocabularyOf: ReadonlyMap<string, string> = new Map(
  Object.entries(vocabularies).map(([name, texts]) => [JSON.stringify(texts), name]),
)

/** The document, with a reference wherever a schema lists all of a vocabulary. Examples are left alone. */
const withVocabularies = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(withVocabularies)
  if (!Predicate.isObject(json)) return json
  const { enum: texts, type, ...others } = json
  const name = type === "string" ? vocabularyOf.get(JSON.stringify(texts)) : undefined
  if (name !== undefined) return { $ref: `#/components/schemas/${name}`, ...others }
  return mapMembers(json, (member, at) => at === "examples" ? member : withVocabularies(member))
}

const vocabularySchemas: Members = Object.fromEntries(
  Object.entries(vocabularies).map(([name, texts]) => [name, { type: "string", enum: texts }]),
)

/** A guide has a page of its own, and programs that read the document do not need its text. */
const withoutGuide = (tag: unknown): unknown =>
  Predicate.isObject(tag) && tag["x-scalar-ignore"] === true
    ? { ...tag, description: `This guide is at \`/docs/${slugOf(`${tag.name}`)}\`.` }
    : tag

/** The document with repeated texts as components, and links in the place of guides: equal to any reader of OpenAPI. */
export const shared = (document: Members): Members => {
  const tags = Array.isArray(document.tags) ? document.tags.map(withoutGuide) : []
  const named = withVocabularies({ ...document, tags })
  if (!Predicate.isObject(named)) return document
  return Object.entries(kinds).reduce(shareKind, withComponents(named, "schemas", vocabularySchemas))
}
