import { inPageOrder, rowsOf } from "#infrastructure/config/pageOrder.ts"
import { everySetting } from "#settings.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|")

/** One table per group of the settings that are tuning, or are not. */
const tables = (isTuning: boolean): string => {
  const rows = rowsOf(inPageOrder(everySetting.variables)).filter((row) => row.isTuning === isTuning)
  return [...Map.groupBy(rows, ({ group = "" }) => group)].map(([group, rows]) =>
    `## ${group}\n\n| name | default | meaning |\n|---|---|---|\n${
      rows.map(({ name, meaning, unset }) => `| \`${name}\` | ${cell(unset)} | ${cell(meaning)} |`).join("\n")
    }\n`
  ).join("\n")
}

const place = (name: string) => new URL(`../../src/infrastructure/config/${name}.md`, import.meta.url)
const link = (name: string) => `[${name}.md](${name}.md)`

/** The pages of settings, made of their descriptions. */
export const settingsPages = [{
  place: place("settings"),
  document: `# Settings

The settings that an operator chooses. ${link("tuning")} lists all others; their defaults suit most operators.

Settings are environment variables. If one is invalid, the service does not start, and names every invalid setting at
once. Any \`NAME\` can be read from a file: set \`NAME_FILE\` to its path. Settings that are paths have no such form. The
start warns about variables that are nearly settings. This page is generated (\`deno task readme\`).

${tables(false)}`,
}, {
  place: place("tuning"),
  document: `# Tuning

Settings whose defaults suit most operators. ${link("settings")} lists those to choose first, and says how
settings are read. This page is generated (\`deno task readme\`).

${tables(true)}`,
}]
