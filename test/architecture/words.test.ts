import { assert, describe, it } from "@effect/vitest"
import { readable } from "./support/source.ts"

/** Phrases that are riddles to a reader. Each names no subject, or stands for a term of the glossary. */
const phrases: ReadonlyArray<RegExp> = [
  /\bnobody (knows|can tell)\b/gi,
  /\bwhat (came|comes|became|becomes) of\b|\bcomes? of (it|them)\b/gi,
  /(?<=[a-z,:] )of which\b/gi,
  /\bby (itself|themselves)\b/gi,
  /\b(some|any|no)body (?=[a-z])/gi,
  /\bwhoever (?=[a-z])|\bwhom (to|and)\b/gi,
  /\bcannot be true\b|\bas it cannot have\b/gi,
  /\b(is|are|was|not) believed\b/gi,
  /\b(is|are|was|not|be|been) taken (up|over)\b/gi,
  /\b(goes|go|went|gone|going|sent) back\b/gi,
  /\b(it|they|swaps?|service|that|which|calls) (goes|go|went) on\b/gi,
  /\b(it|that|which|name|key) stands for\b|\bstands here\b|\bas it stands\b/gi,
  /\b(is|are|was|be) told\b|\b(none|not|never) told\b/gi,
  /\bdoes not (say|tell)\b|\bsays of\b/gi,
  /\bat present\b/gi,
  /\bfor ever\b/gi,
  /(?<= )(the|a) least (price|amount|output|deposit|one)\b/gi,
  /\bfar longer than (that|it) may\b|\b(for|so) too long\b/gi,
  /\b(is|are|not) asked again\b|\bquestions? in a row\b/gi,
  /\b(it|is|are|was|were) looked (at|for)\b/gi,
  /\bother(wise)? than (it|they|before)\b|\bas (it is|they are) read\b/gi,
  /\b(it|quotes?|channel|that|which) (is|are) over\b/gi,
  /\b(has|have|had) to be (done|there|in|about)\b|\bnothing (has|is) to be\b/gi,
  /\bthis once\b/gi,
  /\bthe (latest|oldest|newest) first\b/gi,
  /\bcircuit (is|are|was) open\b|\bopen \(circuit\)/gi,
  /\bkeys? (works?|do(es)? not work)\b|pill\("works"/gi,
  /(?<=[a-z] )of (ours|yours|theirs|somebody else's)\b|\blikewise\b/gi,
  /\bends? told\b|\baccept(s|ed)? (an|this|the) end\b|\bend is accepted\b/gi,
]

/** Texts that people read: all of `src` but what only developers see, and the languages that are checked by hand. */
const isRead = (path: string): boolean =>
  /^(?:README\.md|src\/.*\.(?:tsx?|md|js|txt))$/.test(path) &&
  !/^src\/(?:infrastructure\/(?:store|platform)|sandbox|tools\/(?:binary|release))\/|README\.md$(?<!^README\.md)|\/(?:wire|life)\.md$|\/payer\/words\/(?:german|spanish)\//
    .test(path)

/** A module without its comments, a text in several lines as one. */
const textOf = ({ path, text }: { readonly path: string; readonly text: string }): string =>
  (path.endsWith(".md")
    ? text
    : text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "").replaceAll(/["`]\s*\+\s*["`]/g, ""))
    .replaceAll(/\s+/g, " ")

/** The phrases of a text. */
const hitsOf = (file: { readonly path: string; readonly text: string }): ReadonlyArray<string> =>
  phrases.flatMap((phrase) => [...textOf(file).matchAll(phrase)].map(([hit]) => `${file.path}: ${hit}`))

describe("texts that people read", () => {
  it("lose their riddles", () => {
    const hits = readable.filter(({ path }) => isRead(path)).flatMap(hitsOf)
    assert.deepStrictEqual(hits, [])
  })
})
