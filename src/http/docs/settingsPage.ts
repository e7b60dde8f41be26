import { Context } from "effect"
import type { Variable } from "../../config/Setting.ts"

/** The settings that the page lists. */
export const ShownSettings = Context.Reference<ReadonlyArray<Variable>>("swap-broker/http/ShownSettings", {
  defaultValue: () => [],
})

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** One line of Markdown as HTML. Code is the only markup in it. */
const line = (markdown: string): string => escaped(markdown).replace(/`([^`]*)`/g, "<code>$1</code>")

/** The page of all settings: names, defaults and meanings, never a value. */
export const settingsPage = (variables: ReadonlyArray<Variable>): string => {
  const rows = new Set(
    variables.map(({ name, meaning, unset }) =>
      `<tr><td><code>${name}</code></td><td>${line(unset)}</td><td>${line(meaning)}</td></tr>`
    ),
  )
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Swap Broker: settings</title>
    <link rel="icon" href="data:,">
    <style>
      body { font-family: sans-serif; margin: 2rem; } td, th { padding: .3rem .6rem; text-align: left; vertical-align: top; }
    </style>
  </head>
  <body>
    <h1>Settings</h1>
    <p>Settings are environment variables. A wrong one stops the start, with every fault named at once. Any <code>NAME</code>
    but a path can be given as <code>NAME_FILE</code>, the path of a file that holds its value.</p>
    <table>
      <tr><th>name</th><th>default</th><th>meaning</th></tr>
      ${[...rows].join("\n      ")}
    </table>
  </body>
</html>
`
}
