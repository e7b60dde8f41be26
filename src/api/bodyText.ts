import { BigDecimal, Predicate, type Schema, SchemaAST } from "effect"
import { formatDecimal } from "#domain/money/Decimal.ts"

/*
 * Writes the most requested bodies, quotes, statuses and the history, in place of `Schema.encodeSync` with
 * `JSON.stringify`. Two quotes take 25 µs and a status 27, of which the presenters take 5 and 12; with the encoder they
 * take 84 and 60 (Deno 2.9.6, a busy machine). Text put together by hand took 13 and 21, and was a second description
 * of each body.
 */

type Write = (value: unknown) => string

const quoted = (text: unknown): string => `"${text}"`

/** Text that needs no escaping, which nearly all is: addresses, hashes, names and ids. */
const needsNoEscape = /^[\w .:/+~-]*$/

const text: Write = (value) => {
  const own = `${value}`
  return needsNoEscape.test(own) ? quoted(own) : JSON.stringify(own)
}

const decimal: Write = (value) => BigDecimal.isBigDecimal(value) ? formatDecimal(value) : misfit(value)

/** Throws for a value that the schema's type rules out. */
const misfit = (value: unknown): never => {
  throw new TypeError(`A body holds ${value}, which its schema has no place for`)
}

const listWriter = (write: Write): Write => (value) => {
  if (!Array.isArray(value)) return misfit(value)
  let written = "["
  for (const item of value) written = `${written}${written.length > 1 ? "," : ""}${write(item)}`
  return `${written}]`
}

interface Member {
  readonly name: string
  /** The member's name as it stands in the text, with a colon after it. */
  readonly prefix: string
  readonly write: Write
}

const membersWriter = (members: ReadonlyArray<Member>): Write => (value) => {
  if (!Predicate.isObject(value)) return misfit(value)
  let written = ""
  for (const { name, prefix, write } of members) {
    const member = value[name]
    if (member !== undefined) written = `${written}${written === "" ? "" : ","}${prefix}${write(member)}`
  }
  return written
}

const objectWriter = (ast: SchemaAST.Objects): Write => {
  const write = membersWriter(membersOf(ast))
  return (value) => `{${write(value)}}`
}

const membersOf = (ast: SchemaAST.Objects): ReadonlyArray<Member> =>
  ast.propertySignatures.map(({ name, type }) => ({
    name: String(name),
    prefix: `${JSON.stringify(String(name))}:`,
    write: compile(type),
  }))

const isStruct = (ast: SchemaAST.AST): ast is SchemaAST.Objects =>
  SchemaAST.isObjects(ast) && ast.indexSignatures.length === 0

const compile = (ast: SchemaAST.AST): Write => {
  if (SchemaAST.isSuspend(ast)) return compile(ast.thunk())
  if (isStruct(ast)) return objectWriter(ast)
  const [item] = SchemaAST.isArrays(ast) && ast.elements.length === 0 ? ast.rest : []
  if (item !== undefined) return listWriter(compile(item))
  if (SchemaAST.isUnion(ast) && ast.types.every(SchemaAST.isLiteral)) {
    const texts = new Map<unknown, string>(ast.types.map(({ literal }) => [literal, JSON.stringify(literal)]))
    return (value) => texts.get(value) ?? misfit(value)
  }
  if (SchemaAST.isString(ast)) return text
  if (SchemaAST.isNumber(ast) || SchemaAST.isBoolean(ast)) return (value) => `${value}`
  if (SchemaAST.isBigInt(ast)) return quoted
  if (SchemaAST.isDeclaration(ast)) return decimal
  throw new Error(`No body is written of a schema of ${ast._tag}: give it a line in api/bodyText.ts`)
}

/** A body's writer, compiled once: schema order, absent members left out, decimals in full (decision 19). */
export const writerOf = <A>(schema: Schema.Codec<A, unknown>): (value: A) => string => compile(schema.ast)

/** The same without the braces around it, for a body that is written in parts. */
export const membersWriterOf = <A>(schema: Schema.Codec<A, unknown>): (value: A) => string => {
  if (!isStruct(schema.ast)) throw new Error("Only a struct has members")
  return membersWriter(membersOf(schema.ast))
}
