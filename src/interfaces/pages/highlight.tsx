import { type Html } from "./jsx-runtime.ts"

const js =
  "async|await|const|let|export|default|for|function|if|import|from|new|return|throw|of|typeof|undefined"

/** The words that each language is known by. JSON has none. */
const words: Readonly<Record<string, string>> = {
  js,
  ts: js,
  python: "and|as|def|except|for|from|if|import|in|is|lambda|None|not|or|return|try|with",
  sh: "call|curl|echo|export|head|openssl|printf|sed|tail|tr|xxd",
  json: "true|false|null",
}

const strings = String.raw`"(?:\\[\s\S]|[^"\\\n])*"|'[^'\n]*'|` + "`[^`]*`"

/** The kinds of parts that are coloured, in the order of the groups below: comment, key, text, word, number. */
const kinds = ["c", "k", "s", "w", "n"] as const

const patternOf = (language: string): RegExp => {
  const comment = language === "js" || language === "ts"
    ? String.raw`\/\/.*|\/\*[\s\S]*?\*\/`
    : String.raw`(?<=^|\s)#.*`
  const key = language === "json" ? String.raw`"[^"\n]*"(?=:)` : "(?!)"
  const word = String.raw`(?<![\w-])(?:${words[language] ?? "(?!)"})(?![\w-])`
  const number = String.raw`(?<![\w.:/-])\d+(?:\.\d+)?(?![\w.:/-])`
  return new RegExp(
    `(${language === "json" ? "(?!)" : comment})|(${key})|(${strings})|(${word})|(${number})`,
    "gm",
  )
}

/** Code with its parts in elements by their kind, which the style sheet colours; none of long code, which they double. */
export const highlighted = (text: string, language: string): Html | string => {
  if (words[language] === undefined || text.length > 8_000) return text
  const parts: Array<Html | string> = []
  let end = 0
  for (const match of text.matchAll(patternOf(language))) {
    const kind = kinds.find((_, index) => match[index + 1] !== undefined)
    parts.push(text.slice(end, match.index), <i class={kind}>{match[0]}</i>)
    end = match.index + match[0].length
  }
  return <>{[...parts, text.slice(end)]}</>
}
