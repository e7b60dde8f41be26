import { Option } from "effect"
import { settings } from "../../src/settings.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|")

const rows = Object.values(settings).map(({ name, meaning, defaultText, defaultNote }) => {
  const value = Option.match(defaultText, {
    onNone: () => defaultNote ?? "unset",
    onSome: (text) => `\`${text}\``,
  })
  return `| \`${name}\` | ${cell(value)} | ${cell(meaning)} |`
})

/** The README's table of settings, made of their descriptions. */
export const settingsTable = ["| name | default | meaning |", "|---|---|---|", ...rows].join("\n")

/** What stands between two markers of the README. */
export const section = (readme: string, name: string): string => {
  const [, rest = ""] = readme.split(`<!-- ${name} -->\n`)
  const [inside = ""] = rest.split(`<!-- /${name} -->`)
  return inside
}
