import { Option, Predicate, Schema, SchemaAST } from "effect"
import { combineIssues, issueAbout, type Issues } from "#domain/Issues.ts"
import { nearest } from "#domain/nearest.ts"

/** The annotation of a member that is taken with whatever members it has: an answer of ours that is sent back whole. */
export const isOpen = "isOpen"

/** A member of a body that its schema does not have: its path, such as `rules[0].asset`, and the members that there are. */
interface UnknownMember {
  readonly path: string
  readonly name: string
  readonly known: ReadonlyArray<string>
}

type Search = (value: unknown, path: string) => ReadonlyArray<UnknownMember>

const nothing: Search = () => []

const ofObject = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): Search => {
  const members = new Map(propertySignatures.map(({ name, type }) => [String(name), searchOf(type)]))
  const [others] = indexSignatures.map(({ type }) => searchOf(type))
  return (value, path) =>
    !Predicate.isObject(value) ? [] : Object.entries(value).flatMap(([name, member]) => {
      const inside = path === "" ? name : `${path}.${name}`
      const search = members.get(name) ?? others
      return search === undefined
        ? [{ path: inside, name, known: [...members.keys()] }]
        : search(member, inside)
    })
}

const ofList = ({ elements, rest }: SchemaAST.Arrays): Search => {
  const heads = elements.map(searchOf)
  const [tail = nothing] = rest.map(searchOf)
  return (value, path) =>
    !Array.isArray(value)
      ? []
      : value.flatMap((item, index) => (heads[index] ?? tail)(item, `${path}[${index}]`))
}

/** Of alternatives that fit without their unknown members, or of all, that with the fewest unknown members counts. */
const ofUnion = ({ types }: SchemaAST.Union): Search => {
  const alternatives = types
    .filter((type) => SchemaAST.isObjects(type) || SchemaAST.isArrays(type) || SchemaAST.isUnion(type))
    .map((type) => {
      const alternative: Schema.Codec<unknown, unknown> = Schema.make(type)
      return { decode: Schema.decodeUnknownOption(alternative), search: searchOf(type) }
    })
  return (value, path) => {
    const fitting = alternatives.filter(({ decode }) => Option.isSome(decode(value)))
    const [fewest = []] = (fitting.length === 0 ? alternatives : fitting)
      .map(({ search }) => search(value, path))
      .toSorted((one, other) => one.length - other.length)
    return fewest
  }
}

const searchOf = (ast: SchemaAST.AST): Search => {
  if (ast.annotations?.[isOpen] === true) return nothing
  const type = ast.encoding === undefined ? ast : SchemaAST.toEncoded(ast)
  if (SchemaAST.isObjects(type)) return ofObject(type)
  if (SchemaAST.isArrays(type)) return ofList(type)
  return SchemaAST.isUnion(type) ? ofUnion(type) : nothing
}

/** The most members that are named, and the longest name that is repeated. */
const mostNamed = 20
const longestNamed = 64

/** The sentence about a name that is not among `known`: with the nearest of them, or with all where none is near. */
export const strangeName = (what: string, near: string | undefined, known: ReadonlyArray<string>): string =>
  near !== undefined
    ? `is not a ${what} here; did you mean ${near}?`
    : known.length === 0
    ? `is not a ${what} here; there are none`
    : `is not a ${what} here; the ${what}s are ${known.join(", ")}`

/**
 * Makes a function that names each member of a body that its schema does not have, members of members too, with the
 * nearest one that it has. `closest` finds that one. A name that `isSecret` is not repeated.
 */
export const unknownMembers = ({ ast }: Schema.Top, closest = nearest) => {
  const search = searchOf(ast)
  return (body: unknown, isSecret: (name: string) => boolean = () => false): Issues =>
    combineIssues(
      search(body, "").slice(0, mostNamed).map(({ known, name, path }) =>
        path.length > longestNamed || isSecret(path)
          ? issueAbout("body", "has an unknown member (its name is not repeated)")
          : issueAbout(path, strangeName("member", closest(name, known), known))
      ),
    )
}
