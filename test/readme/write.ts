import { section, settingsTable } from "./settingsTable.ts"

/** `deno task readme`: writes the README's table of settings anew. */
const path = new URL("../../README.md", import.meta.url)
const readme = await Deno.readTextFile(path)
const block = (inside: string) => `<!-- settings -->\n${inside}<!-- /settings -->`
await Deno.writeTextFile(
  path,
  readme.replace(block(section(readme, "settings")), block(`${settingsTable}\n`)),
)
