import { Predicate, SchemaAST } from "effect"
import { formatPath } from "../upstream/decode.ts"
import type { Path, Reading } from "../upstream/witness.ts"

export interface Member {
  /** The same for a member of any element of a list, such as `[*].egressAmount`. */
  readonly pattern: string
  /** `there`: read; `absent`: optional and missing; `unread`: there, but passed over. */
  readonly state: "there" | "absent" | "unread"
}

type Forms = ReadonlyArray<SchemaAST.AST>

/** No answer that is expected has so many members, or elements. What comes after them is not compared. */
const mostMembers = 50_000

/** The pattern of a path: which element of a list it was makes no difference. */
export const patternOf = (path: Path): string =>
  formatPath(path.map((step) => Predicate.isNumber(step) ? "*" : step)).replaceAll(/(^|\.)\*/g, "[*]")

/** What each member of a union has in its place. */
const formsOf = (ast: SchemaAST.AST): Forms => SchemaAST.isUnion(ast) ? ast.types.flatMap(formsOf) : [ast]

/** A member by all forms that name it. */
interface Declared {
  readonly forms: Forms
  readonly isOptional: boolean
}

const declaredBy = (objects: ReadonlyArray<SchemaAST.Objects>): ReadonlyMap<string, Declared> => {
  const found = new Map<string, Declared>()
  for (const { name, type } of objects.flatMap(({ propertySignatures }) => propertySignatures)) {
    const before = found.get(`${String(name)}`)
    found.set(`${String(name)}`, {
      forms: [...before?.forms ?? [], ...formsOf(type)],
      // One that a form of a union lacks need not be there either.
      isOptional: before?.isOptional === true || SchemaAST.isOptional(type) || objects.length > 1,
    })
  }
  return found
}

/** What any further member is read as; nothing where further ones are let through unread. */
const furtherOf = (objects: ReadonlyArray<SchemaAST.Objects>): Forms =>
  objects.flatMap(({ indexSignatures }) => indexSignatures.flatMap(({ type }) => formsOf(type)))
    .filter((form) => !SchemaAST.isUnknown(form))

const encodedForms = new WeakMap<SchemaAST.AST, Forms>()

/** The forms of a schema's encoded side: what it expects on the wire. */
const wireForms = (schema: SchemaAST.AST): Forms => {
  const known = encodedForms.get(schema) ?? formsOf(SchemaAST.toEncoded(schema))
  encodedForms.set(schema, known)
  return known
}

/** Every member of a value that its schema names, or that is there and passed over. */
export const compare = ({ at, schema, value }: Reading): ReadonlyArray<Member> => {
  const members: Array<Member> = []
  let visited = 0
  const tell = (path: Path, state: Member["state"]): boolean => {
    members.push({ pattern: patternOf(path), state })
    return members.length < mostMembers
  }

  const inList = (forms: Forms, list: ReadonlyArray<unknown>, path: Path): void => {
    const elements = forms.filter(SchemaAST.isArrays)
      .flatMap(({ elements, rest }) => [...elements, ...rest]).flatMap(formsOf)
    for (const [index, element] of list.entries()) {
      if (visited >= mostMembers) return
      inside(elements, element, [...path, index])
    }
  }

  const inObject = (forms: Forms, object: Readonly<Record<string, unknown>>, path: Path): void => {
    const objects = forms.filter(SchemaAST.isObjects)
    if (objects.length === 0) return
    const declared = declaredBy(objects)
    const further = furtherOf(objects)
    for (const [name, { isOptional }] of declared) {
      // Where one that has to be there is not, the schema itself says so.
      if (!Object.hasOwn(object, name) && isOptional) tell([...path, name], "absent")
    }
    for (const [name, member] of Object.entries(object)) {
      const forms = declared.get(name)?.forms ?? further
      const isRead = declared.has(name) || further.length > 0
      if (!tell([...path, name], isRead ? "there" : "unread")) return
      if (isRead) inside(forms, member, [...path, name])
    }
  }

  const inside = (forms: Forms, value: unknown, path: Path): void => {
    visited += 1
    if (Array.isArray(value)) inList(forms, value, path)
    else if (Predicate.isObject(value)) inObject(forms, { ...value }, path)
  }

  if (at.length > 0) tell(at, "there")
  inside(wireForms(schema), value, at)
  return members
}
