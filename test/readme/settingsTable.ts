import type { Variable } from "#infrastructure/config/Setting.ts"
import { inPageOrder, rowsOf, unsetText } from "#infrastructure/config/pageOrder.ts"
import { everySetting } from "#settings.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|")
const row = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(" | ")} |`
const variables = rowsOf(inPageOrder(everySetting.variables))

type Column = readonly [heading: string, cell: (variable: Variable) => string]

/** The form of a value, short where the page says once what all such values are. */
const form = (expected: string): string =>
  expected
    .replace(
      /^a duration (?:from (.+) to|of at most) (.+?)(?:, such as [^,]+)?(, or 0)?$/,
      (_, from, to, none) => `duration, ${from === undefined ? "up to" : `${from} to`} ${to}${none ?? ""}`,
    )
    .replace(/^a number from (\S+) to (\S+)$/, "$1 to $2")
    .replace(/^a URL that begins with http:\/\/ or https:\/\/$/, "HTTP URL")
    .replace(/^32 random bytes in base64, as `[^`]+` prints them/, "random key")

/** Documents are named as they lie in src. */
const linked = (text: string): string => text.replaceAll(/`(\S+\.md)`/g, "[$1](../../$1)")

const columns: ReadonlyArray<Column> = [
  ["name", ({ name }) => `\`${name}\``],
  ["default", unsetText],
  [
    "meaning",
    ({ expected, meaning, name }) =>
      `${linked(meaning)}.<br>Value: ${form(expected)}<a id="${name.replace("_<CHAIN>", "")}"></a>`,
  ],
]

const table = (rows: ReadonlyArray<Variable>): string =>
  [
    row(columns.map(([heading]) => heading)),
    `|${"---|".repeat(columns.length)}`,
    ...rows.map((variable) => row(columns.map(([, cell]) => cell(variable)))),
  ].join("\n")

/** What the settings of a group have in common. */
const introductions: Readonly<Record<string, string>> = {
  "Calls to providers":
    "A *deadline* is for a request with all its attempts, a *timeout* for one attempt. A *bulkhead* is the highest number of\n" +
    "calls in progress at one provider. A *circuit breaker* pauses an operation after repeated failures, and then tries again.\n\n",
  "Webhooks":
    "An *attempt* is one request to the customer's URL. A *delivery* is one event with all its attempts.\n\n",
}

/** One table per group of the settings that are tuning, or are not. */
const tables = (isTuning: boolean): string =>
  [...Map.groupBy(variables.filter((one) => one.isTuning === isTuning), ({ group = "" }) => group)]
    .map(([group, rows]) => `## ${group}\n\n${isTuning ? introductions[group] ?? "" : ""}${table(rows)}\n`)
    .join("\n")

/** Links to the tables of a page. */
const contents = (isTuning: boolean): string =>
  [...new Set(variables.filter((one) => one.isTuning === isTuning).map(({ group = "" }) => group))]
    .map((group) => `[${group}](#${group.toLowerCase().replaceAll(/[^\w ]/g, "").replaceAll(" ", "-")})`)
    .join(" · ")

const link = (name: string, text = `${name}.md`, at = "") => `[${text}](${name}.md${at})`
const place = (name: string) => new URL(`../../src/infrastructure/config/${name}.md`, import.meta.url)

/** The pages of settings, made of their descriptions. */
export const settingsPages = [{
  place: place("settings"),
  document: `# Settings

Settings are environment variables. In the sandbox no setting is required. \`cli deploy env\` prints a file of all settings
(${linked("`running.md`")} says how \`cli\` is run). ${
    link("tuning")
  } lists the settings whose defaults suit most operators.

${contents(false)}

## Set these first

Before real money moves, set these five. \`cli doctor\` checks them, and says what else to set.

| | setting | why |
|---|---|---|
| 1 | \`MODE=live\` | Without it, the service simulates all providers whose URLs you leave unset |
| 2 | \`BOOTSTRAP_API_KEY\` | Without it, live mode has no account to sign in with. Make a key: \`openssl rand -hex 24\` |
| 3 | \`PUBLIC_URL\` | Links for customers and payers begin with it |
| 4 | \`DATABASE_URL\`, or a \`DATA_DIR\` that you back up | The records lead to money in flight |
| 5 | The settings of at least one provider, from [Chainflip](#chainflip) to [Maya Protocol](#maya-protocol) | A provider is on when its **required** settings are set |

Then set your commission (\`BOOTSTRAP_COMMISSION_BPS\`, 0 by default), the account for commission at each provider,
[your addresses](#your-addresses) to withdraw it to, and [keys](#keys), without which secrets are less safe.

## How settings are read

- If a setting is invalid, the service does not start. It names every invalid setting at once.
- To read \`NAME\` from a file, set \`NAME_FILE\` to its path: \`RELAY_KEY_FILE=/run/secrets/relay-key\`.
- If neither is set, the service reads the file \`NAME\` in the folder \`CREDENTIALS_DIRECTORY\`. systemd sets that folder
  (\`LoadCredential\`); in a container, set it to \`/run/secrets\`. Settings that are paths are read from variables only.
- A customer has an **account**. On the payer's page the account is the merchant: the settings \`MERCHANT_*\` are for accounts
  without values of their own.
- The service warns about variables whose names are nearly settings. An empty variable counts as unset.
- A **duration** is a number and a unit: \`millis\`, \`seconds\`, \`minutes\`, \`hours\` or \`days\`, such as \`2.5 seconds\`.
- An **HTTP URL** begins with http:// or https://. A **random key** has 32 random bytes in base64, as
  \`cli deploy key NAME\` or \`openssl rand -base64 32\` prints them.

The default holds in both modes unless the sandbox has its own. This page is generated (\`deno task readme\`).

${tables(false)}
## Tuning settings

Their defaults suit most operators. ${link("tuning")} has them all:
${variables.filter(({ isTuning }) => isTuning).map(({ name }) => `\`${name}\``).join(" · ")}
`,
}, {
  place: place("tuning"),
  document: `# Tuning

The defaults of these settings suit most operators. ${
    link("settings")
  } lists the settings to choose first, and
says ${
    link("settings", "how settings are read", "#how-settings-are-read")
  }. This page is generated (\`deno task readme\`).

${contents(true)}

${tables(true)}`,
}]
