import { lexer, type MarkedToken, type Token, type Tokens } from "marked"
import { type Html, nothing } from "../../pages/jsx-runtime.ts"

/*
 * Markdown is read by marked, which knows its corners: tables, code in lists, code in code. It is written as JSX, in
 * which no text becomes a tag, so that the document may quote whatever it likes.
 */

/** What the texts of the document are made of. Any other token is shown as it was written. */
const kinds = [
  "code",
  "codespan",
  "em",
  "escape",
  "heading",
  "list",
  "paragraph",
  "space",
  "strong",
  "table",
  "text",
] as const
type KnownToken = Extract<MarkedToken, { readonly type: (typeof kinds)[number] }>

const isKnown = (token: Token): token is KnownToken => kinds.some((kind) => kind === token.type)

const several = (tokens: ReadonlyArray<Token> = []): ReadonlyArray<Html> => tokens.map(one)

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

/** Lines of code, which keys can scroll. They are many on a page, so they are no landmarks. */
export const codeBlock = (text: string): Html => <pre tabindex="0"><code>{text}</code></pre>

const one = (token: Token): Html => {
  if (!isKnown(token)) return <>{token.raw}</>
  switch (token.type) {
    case "code":
      return codeBlock(token.text)
    case "codespan":
      return <code>{token.text}</code>
    case "escape":
      return <>{token.text}</>
    case "em":
      return <i>{several(token.tokens)}</i>
    case "heading":
      return <h3>{several(token.tokens)}</h3>
    case "list":
      return listOf(token)
    case "paragraph":
      return <p>{several(token.tokens)}</p>
    case "space":
      return nothing
    case "strong":
      return <b>{several(token.tokens)}</b>
    case "table":
      return tableOf(token)
    case "text":
      return token.tokens === undefined ? <>{token.text}</> : <>{several(token.tokens)}</>
  }
}

/** A text of the document: paragraphs, lists, tables and code. */
export const markdown = (text: string): Html => <>{several(lexer(text))}</>

/** A text of the document within a sentence or a cell. */
export const inlineMarkdown = (text: string): Html => (
  <>
    {lexer(text).map((token) =>
      isKnown(token) && token.type === "paragraph" ? several(token.tokens) : [one(token)]
    )
      .flat()}
  </>
)
