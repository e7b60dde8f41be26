import { Fiber, Predicate, SchemaAST } from "effect"
import type { ProviderOperation } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { partsOf as splitDetail, pathIn, patternOf as patternIn } from "#domain/RefusedAnswer.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { formatPath } from "../upstream/values.ts"
import { upstreamText } from "../upstream/failures.ts"
import type { Path, Reading, Witness } from "../upstream/witness.ts"
import { type CheckDifference, isNotice } from "./CheckDifference.ts"

export interface Asking {
  readonly provider: ProviderName
  readonly operation: ProviderOperation
}

export type Met = Omit<CheckDifference, "fits" | "provider" | "operation" | "times">

interface Member {
  /** The same for a member of any element of a list, such as `[*].egressAmount`. */
  readonly pattern: string
  /** `there`: read; `absent`: optional and missing; `unread`: there, but passed over. */
  readonly state: "there" | "absent" | "unread"
}

type Forms = ReadonlyArray<SchemaAST.AST>

/** No answer that is expected has so many members, or elements. What comes after them is not compared. */
const mostMembers = 50_000

/** The pattern of a path: which element of a list it was makes no difference. */
const patternOf = (path: Path): string =>
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
const compare = ({ at, schema, value }: Reading): ReadonlyArray<Member> => {
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

/** How often a member was in its place, and how. */
type Tally = { [State in Member["state"]]: number }

/** How often a member of a call's answers was there, and how often it was not. */
export interface MetMember extends Asking {
  readonly call: string
  readonly pattern: string
  readonly there: number
  readonly absent: number
}

interface Answers extends Asking {
  readonly call: string
  readonly members: Map<string, Tally>
}

/** Names come from upstreams, which may write anything. */
const mostNames = 2_000
const longestPath = 120

/** Characters that move the cursor, change colours or turn the direction of writing. */
const unseen = /[\p{Cc}\p{Cf}]/gu

const plain = (text: string): string => upstreamText(text.replaceAll(unseen, "?"))

const shortened = (path: string): string => {
  const text = plain(path)
  return text.length > longestPath ? `${text.slice(0, longestPath)}…` : text
}

/** What upstreams wrote, fit for a terminal. */
const shown = ({ expected, found, path, ...rest }: Met): Met => ({
  ...rest,
  ...optionalMembers(path, (path) => ({ path: shortened(path) })),
  ...optionalMembers(expected, (expected) => ({ expected: plain(expected) })),
  found: plain(found),
})

/** The same difference in another element of a list, or of another value, is the same difference. */
const keyOf = ({ provider }: Asking, { call, expected, found, kind, path }: Met): string =>
  JSON.stringify([provider, kind, path === undefined ? found : [call, patternIn(path), expected]])

export const partsOf = (detail: string): Pick<Met, "expected" | "found"> => {
  const { came, expected } = splitDetail(detail)
  return { ...optionalMembers(expected, (expected) => ({ expected })), found: came }
}

export type Notes = ReturnType<typeof makeNotes>

export const makeNotes = () => {
  const met = new Map<string, CheckDifference>()
  const answers = new Map<string, Answers>()
  const lastCalls = new WeakMap<object, string>()
  let exchanges = 0

  /** Adds a difference that no reading shows. */
  const add = (asking: Asking, written: Met): void => {
    const difference = shown(written)
    const key = keyOf(asking, difference)
    const known = met.get(key) ?? { fits: isNotice(difference.kind), ...asking, ...difference, times: 0 }
    met.set(key, { ...known, times: known.times + 1 })
  }

  const lastCall = (): string => {
    const fiber = Fiber.getCurrent()
    return (fiber && lastCalls.get(fiber)) ?? "another call"
  }

  const answersTo = (call: string, asking: Asking): Answers => {
    const key = `${asking.provider} ${call}`
    const known = answers.get(key) ?? { ...asking, call, members: new Map() }
    answers.set(key, known)
    return known
  }

  const count = ({ members }: Answers, { pattern, state }: Member): void => {
    const tally = members.get(pattern) ?? { there: 0, absent: 0, unread: 0 }
    tally[state] += 1
    if (members.size < mostNames) members.set(pattern, tally)
  }

  const read = (asking: Asking, call: string, reading: Reading): void => {
    const seen = new Set<string>()
    for (const { detail, path } of reading.misfits) {
      const pattern = patternOf(path)
      if (seen.has(pattern)) continue
      seen.add(pattern)
      add(asking, { call, kind: "misfit", path: formatPath(path), ...partsOf(detail) })
    }
    const known = answersTo(call, asking)
    for (const member of compare(reading)) count(known, member)
  }

  const notices = (): ReadonlyArray<CheckDifference> =>
    [...answers.values()].flatMap(({ call, members, operation, provider }) =>
      [...members].flatMap(([pattern, { absent, there, unread }]): ReadonlyArray<CheckDifference> => {
        const place = { fits: true, provider, operation, call, path: shortened(pattern) }
        if (absent > 0) {
          const found = `nothing in ${absent} of ${absent + there}`
          return [{ ...place, kind: "absent", expected: "a value, or nothing", found, times: absent }]
        }
        // What one reading passes over another one may read.
        return unread > 0 && there === 0
          ? [{ ...place, kind: "unread", found: "a member that is not read", times: unread }]
          : []
      })
    )

  return {
    witness: (asking: Asking): Witness => ({
      answered: (call) => {
        exchanges += 1
        const fiber = Fiber.getCurrent()
        if (fiber !== undefined) lastCalls.set(fiber, call)
      },
      read: (reading) => read(asking, lastCall(), reading),
      doubted: (detail) => {
        const [path, rest] = pathIn(detail) ?? ["body", detail]
        add(asking, { kind: "contradiction", call: lastCall(), path, ...partsOf(rest) })
      },
    }),
    add,
    /** The call in whose answers a member is, where there is one alone. */
    callWith: (provider: ProviderName, path: string) => {
      const found = [...answers.values()].filter((one) =>
        one.provider === provider && one.members.has(patternIn(path))
      )
      return found.length === 1 ? found[0]?.call : undefined
    },
    /** Whether a reading of the provider has shown a misfit there. */
    hasMisfit: (provider: ProviderName, path: string) =>
      [...met.values()].some((one) =>
        one.provider === provider && one.kind === "misfit" &&
        patternIn(one.path ?? "") === patternIn(shortened(path))
      ),
    exchanges: () => exchanges,
    /** How often each member of each call's answers was there. */
    members: (): ReadonlyArray<MetMember> =>
      [...answers.values()].flatMap(({ members, ...of }) =>
        [...members].map(([pattern, { absent, there }]) => ({ ...of, pattern, there, absent }))
      ),
    /** Each difference once, those that do not fit first. */
    differences: () =>
      [...met.values(), ...notices()].toSorted((one, other) => Number(one.fits) - Number(other.fits)),
  }
}
