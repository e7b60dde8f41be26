import { lexer, type MarkedToken, type Token, type Tokens } from "marked"
import { slugOf } from "#api/document/guides.ts"
import { type Html, nothing, pathBelow, withFragment } from "../../pages/jsx-runtime.ts"
import { codeOf } from "./code.tsx"

/*
 * Markdown is read by marked, which knows its corners: tables, code in lists, code in code. It is written as JSX, in
 * which no text becomes a tag, so that the document may quote whatever it likes.
 */

/** What the texts of the document are made of. Any other token is shown as it was written. */
const kinds = "code codespan em escape heading link list paragraph space strong table text".split(" ")

const isKnown = (token: Token): token is MarkedToken => kinds.includes(token.type)

const isCode = (token: Token | undefined): token is Tokens.Code =>
  token !== undefined && isKnown(token) && token.type === "code"

/** The language of code, and its title where one stands behind it. */
const headOf = ({ lang = "" }: Tokens.Code): readonly [language: string, title: string] => {
  const [language = "", ...title] = lang.split(" ")
  return [language, title.join(" ")]
}

/** Whether code is a program, of which others beside it are the same in other languages. */
const isProgram = (token: Token | undefined): token is Tokens.Code =>
  isCode(token) && /^(?:sh|js|ts|python)$/.test(token.lang ?? "")

/** Tokens as JSX. Programs of different languages that stand side by side are one sample, of which one language is shown. */
const several = (tokens: ReadonlyArray<Token> = []): ReadonlyArray<Html> => {
  const read = tokens.filter(({ type }) => type !== "space")
  return read.map((token, index) => {
    if (!isCode(token)) return one(token)
    if (isProgram(token) && isProgram(read[index - 1])) return nothing
    const after = read.slice(index)
    const end = isProgram(token) ? after.findIndex((next) => !isProgram(next)) : 1
    const samples = after.slice(0, end === -1 ? undefined : end).filter(isCode)
    const [, title] = headOf(token)
    return codeOf(
      samples.map((sample) => ({ language: headOf(sample)[0], source: sample.text })),
      `lang-${index}`,
      title === "" ? undefined : <>{title}</>,
    )
  })
}

const cell = (name: "th" | "td", { tokens }: Tokens.TableCell): Html =>
  name === "th" ? <th scope="col">{several(tokens)}</th> : <td>{several(tokens)}</td>

const tableOf = ({ header, rows }: Tokens.Table): Html => (
  <div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>{header.map((head) => cell("th", head))}</tr>
      </thead>
      <tbody>{rows.map((row) => <tr>{row.map((data) => cell("td", data))}</tr>)}</tbody>
    </table>
  </div>
)

const listOf = ({ items, ordered }: Tokens.List): Html => {
  const inside = items.map(({ tokens }) => <li>{several(tokens)}</li>)
  return ordered ? <ol>{inside}</ol> : <ul>{inside}</ul>
}

/** A heading. That of a part of a guide has an anchor. */
const headingOf = ({ depth, text, tokens }: Tokens.Heading): Html => {
  if (depth > 2) return <h3>{several(tokens)}</h3>
  const id = slugOf(text)
  return (
    <h2 id={id}>
      <a class="q" href={`#${id}`}>{several(tokens)}</a>
    </h2>
  )
}

/** A link to another page of this service; of one to elsewhere its text alone. */
const linkOf = ({ href, tokens }: Tokens.Link): Html => {
  const [place = "", id] = href.split("#")
  const to = place.startsWith("/") ? pathBelow("", place) : undefined
  if (to === undefined) return <>{several(tokens)}</>
  return <a href={id === undefined ? to : withFragment(to, id)}>{several(tokens)}</a>
}

const one = (token: Token): Html => {
  if (!isKnown(token)) return <>{token.raw}</>
  switch (token.type) {
    case "codespan":
      return <code>{token.text}</code>
    case "escape":
      return <>{token.text}</>
    case "em":
      return <i>{several(token.tokens)}</i>
    case "heading":
      return headingOf(token)
    case "link":
      return linkOf(token)
    case "list":
      return listOf(token)
    case "paragraph":
      return <p>{several(token.tokens)}</p>
    case "strong":
      return <b>{several(token.tokens)}</b>
    case "table":
      return tableOf(token)
    case "text":
      return token.tokens === undefined ? <>{token.text}</> : <>{several(token.tokens)}</>
    default:
      return nothing
  }
}

/** A text of the document: paragraphs, lists, tables and code. */
export const markdown = (text: string): Html => <>{several(lexer(text))}</>

/** A text of the document in one line, without its signs but for those of code, where these are wanted. */
export const plain = (text: string, keepsCode = false): string =>
  text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(
    /`|\*\*|^#+ /gm,
    (sign) => keepsCode && sign === "`" ? sign : "",
  )
    .replaceAll(/\s+/g, " ").trim()

/** A part of a text under a heading; what stands before the first has no title. */
export interface Part {
  readonly title: string
  readonly text: string
}

/** The parts of a text, by its headings. */
export const partsOf = (text: string): ReadonlyArray<Part> => {
  const [first = "", ...others] = text.split(/^## /m)
  return [
    { title: "", text: first },
    ...others.map((part) => {
      const [title = ""] = part.split("\n", 1)
      return { title, text: part.slice(title.length) }
    }),
  ]
}

/** A text of the document within a sentence or a cell. */
export const inlineMarkdown = (text: string): Html => (
  <>
    {lexer(text).map((token) =>
      isKnown(token) && token.type === "paragraph" ? several(token.tokens) : [one(token)]
    )
      .flat()}
  </>
)
