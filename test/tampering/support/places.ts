import { SchemaAST } from "effect"
import { find, isList, isObject, type Json } from "#test/contract/support/Json.ts"
import type { Path } from "./json.ts"

/** A member of an answer: one that is there, or that the wire schema says could be. */
export interface Place {
  readonly path: Path
  /** What the wire schema has there; nothing where it does not name the member. */
  readonly forms: ReadonlyArray<SchemaAST.AST>
  readonly value: Json | undefined
}

/** The same member of any element of a list. */
export const patternOf = (path: Path): string =>
  path.map((step) => typeof step === "number" ? "*" : step).join(".")

/** The forms of the members of unions. */
export const formsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(formsOf) : [ast]

const membersOf = (
  forms: ReadonlyArray<SchemaAST.AST>,
): ReadonlyMap<string, ReadonlyArray<SchemaAST.AST>> => {
  const members = new Map<string, ReadonlyArray<SchemaAST.AST>>()
  for (const { name, type } of forms.filter(SchemaAST.isObjects).flatMap((form) => form.propertySignatures)) {
    members.set(`${String(name)}`, [...members.get(`${String(name)}`) ?? [], ...formsOf(type)])
  }
  return members
}

const elementsOf = (forms: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<SchemaAST.AST> =>
  forms.filter(SchemaAST.isArrays).flatMap(({ elements, rest }) => [...elements, ...rest]).flatMap(formsOf)

/** Of a long list the first and the last element stand for all. */
const indexesOf = (list: ReadonlyArray<Json>): ReadonlyArray<number> =>
  [...new Set([0, list.length - 1])].filter((index) => index >= 0)

const walk = (
  forms: ReadonlyArray<SchemaAST.AST>,
  value: Json | undefined,
  path: Path,
): ReadonlyArray<Place> => {
  const self = { path, forms, value }
  if (isList(value)) {
    const elements = elementsOf(forms)
    return [self, ...indexesOf(value).flatMap((index) => walk(elements, value[index], [...path, index]))]
  }
  if (!isObject(value)) return [self]
  const members = membersOf(forms)
  const names = new Set([...members.keys(), ...Object.keys(value)])
  return [
    self,
    ...[...names].flatMap((name) => walk(members.get(name) ?? [], find(value, name), [...path, name])),
  ]
}

/** Every member of an answer, as its wire schema and the answer itself name them; not the answer as a whole. */
export const placesOf = (schema: SchemaAST.AST, answer: Json): ReadonlyArray<Place> =>
  walk(formsOf(SchemaAST.toEncoded(schema)), answer, []).slice(1)
