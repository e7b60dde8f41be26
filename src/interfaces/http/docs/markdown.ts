import { lexer, type MarkedToken, type Token, type Tokens } from "marked"
import { type Html, html } from "../../pages/html.ts"

/*
 * Markdown is read by marked, which knows its corners: tables, code in lists, code in code. It is written by `html`, in
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
  name === "th" ? html`<th scope="col">${several(tokens)}</th>` : html`<td>${several(tokens)}</td>`

const tableOf = ({ header, rows }: Tokens.Table): Html =>
  html`
    <div class="scroll" tabindex="0">
      <table>
        <thead>
          <tr>${header.map((head) => cell("th", head))}</tr>
        </thead>
        <tbody>${rows.map((row) => html`<tr>${row.map((data) => cell("td", data))}</tr>`)}</tbody>
      </table>
    </div>
  `

const listOf = ({ items, ordered }: Tokens.List): Html => {
  const inside = items.map(({ tokens }) => html`<li>${several(tokens)}</li>`)
  return ordered ? html`<ol>${inside}</ol>` : html`<ul>${inside}</ul>`
}

/** Lines of code, which keys can scroll. They are many on a page, so they are no landmarks. */
export const codeBlock = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`

const one = (token: Token): Html => {
  if (!isKnown(token)) return html`${token.raw}`
  switch (token.type) {
    case "code":
      return codeBlock(token.text)
    case "codespan":
      return html`<code>${token.text}</code>`
    case "escape":
      return html`${token.text}`
    case "em":
      return html`<i>${several(token.tokens)}</i>`
    case "heading":
      return html`<h3>${several(token.tokens)}</h3>`
    case "list":
      return listOf(token)
    case "paragraph":
      return html`<p>${several(token.tokens)}</p>`
    case "space":
      return html`
      `
    case "strong":
      return html`<b>${several(token.tokens)}</b>`
    case "table":
      return tableOf(token)
    case "text":
      return token.tokens === undefined ? html`${token.text}` : html`${several(token.tokens)}`
  }
}

/** A text of the document: paragraphs, lists, tables and code. */
export const markdown = (text: string): Html => html`${several(lexer(text))}`

/** A text of the document within a sentence or a cell. */
export const inlineMarkdown = (text: string): Html =>
  html`${
    lexer(text).map((token) =>
      isKnown(token) && token.type === "paragraph" ? several(token.tokens) : [one(token)]
    )
      .flat()
  }`
