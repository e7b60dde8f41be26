import { everySetting } from "#settings.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|")

const rows = new Set(
  everySetting.variables.map(({ name, meaning, unset }) =>
    `| \`${name}\` | ${cell(unset)} | ${cell(meaning)} |`
  ),
)

/** Where all settings are listed. */
export const settingsPlace = new URL("../../src/infrastructure/config/settings.md", import.meta.url)

/** The list of all settings, made of their descriptions. */
export const settingsDocument = `# Settings

Settings are environment variables. A wrong one stops the start, with every fault named at once. Any \`NAME\` but a path
can be given as \`NAME_FILE\`, the path of a file that holds its value. This page is made of their descriptions in the code
(\`deno task readme\`).

| name | default | meaning |
|---|---|---|
${[...rows].join("\n")}
`
