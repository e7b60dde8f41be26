/** Marks within a line; every other one ends it. */
const inline = /<\/?(?:a|b|bdi|data|em|i|small|span|strong|time)\b[^>]*>/g
/** What is quoted, written by a program, or not for reading. */
const quoted = /<(code|option|pre|bdi|script|svg)\b[\s\S]*?<\/\1>/g

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' }

/** The lines of a page that people read: of its main part, without what is quoted. */
const linesOf = (html: string): ReadonlyArray<string> =>
  (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html)
    .replaceAll(quoted, "…").replaceAll(/[ \n]+/g, " ").replaceAll(inline, "").replaceAll(/<[^>]*>/g, "\n")
    .replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? "")
    .split("\n").map((line) => line.trim()).filter((line) => line !== "")

/** What no line of a page has, by what is wrong with it. */
const faults: ReadonlyArray<readonly [fault: string, pattern: RegExp]> = [
  ["a provider's ID", /(?<![\w./-])(?:chainflip|near-intents|relay|thorchain|maya)(?![\w./-])/],
  ["one of many", /(?<![\d.,:−-])1 (?!(?:has|is|was|ms)\b)[a-z]+[^su\W]s\b/],
  ["a call of the API", /\b(?:GET|POST|PUT|PATCH|DELETE) \//],
  ["a percent sign without a space that holds", /\d ?%(?![0-9A-F])/],
]

/** The lines of a page that break a rule of its words, each with the rule. */
export const wrongSentences = (html: string): ReadonlyArray<string> =>
  linesOf(html).flatMap((line) =>
    faults.flatMap(([fault, pattern]) => pattern.test(line) ? [`${fault}: ${line.slice(0, 200)}`] : [])
  )
