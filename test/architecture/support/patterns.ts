import { modules } from "./source.ts"

/** A pattern of the source, and where it first stands. */
export interface Pattern {
  readonly path: string
  readonly source: string
  readonly flags: string
}

/** What can stand before a pattern, and not before a division; then the pattern, and its flags. */
const literal =
  /(?:^|[=(,:[!&|?{};>]|\breturn) *\/((?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)(?![\w"`'/-])/gm

const compiles = ({ flags, source }: Pattern): boolean => {
  try {
    return new RegExp(source, flags).flags === flags
  } catch {
    return false
  }
}

/** Every pattern that is written in `src`, each once. */
export const patterns: ReadonlyArray<Pattern> = [
  ...new Map(
    modules.flatMap(({ path, text }) =>
      [...text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "").matchAll(literal)].map(
        ([, source = "", flags = ""]) => [`/${source}/${flags}`, { path, source, flags }] as const,
      )
    ),
  ).values(),
].filter(compiles)

/** A part of a pattern that takes one character or none, with how often it may. */
interface Atom {
  readonly text: string
  readonly isEndless: boolean
  readonly isNeeded: boolean
}

const piece = /\(\?<?[:=!]|\(\?<\w+>|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\x..|\\u....|\\.|\[(?:\\.|[^\]\\])*\]|[^]/y
const quantifier = /([*+?]|\{\d+(?:,\d*)?\})?\??/y

const isEndless = (quantity: string): boolean => /^(?:[*+]|\{\d+,\})$/.test(quantity)
const isNeeded = (quantity: string): boolean => !/^(?:[*?]|\{0,?\d*\})$/.test(quantity)

/** The parts of a pattern in the order in which they stand, and whether an endless one repeats another. */
const readPattern = (source: string) => {
  const atoms: Array<Atom> = []
  const open: Array<number> = []
  let isNested = false
  for (let at = 0; at < source.length;) {
    piece.lastIndex = at
    const [text = ""] = piece.exec(source) ?? []
    at += text.length
    if (text.startsWith("(")) {
      open.push(atoms.length)
      continue
    }
    if (text === "|") continue
    quantifier.lastIndex = at
    const [whole = "", quantity = ""] = quantifier.exec(source) ?? []
    at += whole.length
    if (text === ")") {
      const inner = atoms.splice(open.pop() ?? 0)
      if (isEndless(quantity) && inner.some(({ isEndless }) => isEndless)) isNested = true
      atoms.push(...inner.map((atom) => ({
        text: atom.text,
        isEndless: atom.isEndless || isEndless(quantity),
        isNeeded: atom.isNeeded && isNeeded(quantity),
      })))
      continue
    }
    atoms.push({
      text,
      isEndless: isEndless(quantity),
      isNeeded: isNeeded(quantity) && !/^\\[bB]$|^\^$/.test(text),
    })
  }
  return { atoms, isNested }
}

const samples = [...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)), "\n", "é", "…"]

const takes = ({ text }: Atom, flags: string): ReadonlyArray<string> => {
  if (text === "$") return []
  const one = new RegExp(`^(?:${text})$`, flags.replaceAll(/[gym]/g, ""))
  return samples.filter((character) => one.test(character))
}

/**
 * Why the time of a pattern may grow faster than a text: an endless part within an endless one; an endless part behind
 * which something has to follow, tried again from each place of a text; or two endless parts between which nothing
 * stands that the first does not take.
 */
export const doubtOf = ({ flags, source }: Pattern): string | undefined => {
  const { atoms, isNested } = readPattern(source)
  if (isNested) return "an endless part within an endless one"
  const endless = atoms.flatMap((atom, place) => atom.isEndless ? [place] : [])
  const isHeld = source.startsWith("^") && !flags.includes("m") || flags.includes("y")
  if (!isHeld && endless.some((place) => atoms.slice(place + 1).some(({ isNeeded }) => isNeeded))) {
    return "an endless part is tried from every place"
  }
  const isDouble = endless.some((first, index) => {
    const second = endless[index + 1]
    const [one, other] = [atoms[first], atoms[second ?? -1]]
    if (second === undefined || one === undefined || other === undefined) return false
    const own = takes(one, flags)
    const between = atoms.slice(first + 1, second).filter(({ isNeeded }) => isNeeded)
    return takes(other, flags).some((character) => own.includes(character)) &&
      between.every((atom) => takes(atom, flags).some((character) => own.includes(character))) &&
      atoms.slice(second + 1).some(({ isNeeded }) => isNeeded)
  })
  return isDouble ? "two endless parts take the same" : undefined
}
