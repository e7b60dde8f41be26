import type { Variable } from "#infrastructure/config/Setting.ts"
import { inPageOrder, rowsOf, unsetText } from "#infrastructure/config/pageOrder.ts"
import { everySetting } from "#settings.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|")
const row = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(" | ")} |`
const variables = rowsOf(inPageOrder(everySetting.variables))

type Column = readonly [heading: string, cell: (variable: Variable) => string]

const name: Column = ["name", ({ name }) => `\`${name}\``]
const meaning: Column = ["meaning", ({ expected, meaning }) => `${meaning}.<br>Value: ${expected}`]

const table = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<Variable>): string =>
  [
    row(columns.map(([heading]) => heading)),
    `|${"---|".repeat(columns.length)}`,
    ...rows.map((variable) => row(columns.map(([, cell]) => cell(variable)))),
  ].join("\n")

/** What the settings of a group have in common. */
const introductions: Readonly<Record<string, string>> = {
  "Calls to providers":
    "A *deadline* is for a request with all its attempts, a *timeout* for one attempt. A *bulkhead* is the number of calls\n" +
    "in progress at one provider. A *circuit breaker* pauses an operation after repeated failures, and then tries again.\n\n",
  "Webhooks":
    "An *attempt* is one request to the customer's URL. A *delivery* is one event with all its attempts.\n\n",
}

/** One table per group of the settings that are tuning, or are not. */
const tables = (isTuning: boolean, columns: ReadonlyArray<Column>): string =>
  [...Map.groupBy(variables.filter((one) => one.isTuning === isTuning), ({ group = "" }) => group)]
    .map(([group, rows]) =>
      `## ${group}\n\n${isTuning ? introductions[group] ?? "" : ""}${table(columns, rows)}\n`
    ).join("\n")

/** Links to the tables of a page. */
const contents = (isTuning: boolean): string =>
  [...new Set(variables.filter((one) => one.isTuning === isTuning).map(({ group = "" }) => group))]
    .map((group) => `[${group}](#${group.toLowerCase().replaceAll(/[^\w ]/g, "").replaceAll(" ", "-")})`)
    .join(" · ")

const link = (name: string) => `[${name}.md](${name}.md)`
const place = (name: string) => new URL(`../../src/infrastructure/config/${name}.md`, import.meta.url)

/** The pages of settings, made of their descriptions. */
export const settingsPages = [{
  place: place("settings"),
  document: `# Settings

Settings are environment variables. In the sandbox no setting is required. \`deno task cli deploy env\` prints a file of
all settings. ${link("tuning")} lists the settings whose defaults suit most operators.

${contents(false)}

## Set these first

Before real money moves, set these five. \`deno task cli doctor\` checks them, and says what else to set.

| | setting | why |
|---|---|---|
| 1 | \`MODE=live\` | Without it, the service simulates the networks |
| 2 | \`BOOTSTRAP_API_KEY\` | Without it, there is no account to sign in with. Make a key: \`openssl rand -hex 24\` |
| 3 | \`PUBLIC_URL\` | Links for customers and payers begin with it |
| 4 | \`DATABASE_URL\`, or a \`DATA_DIR\` that you back up | The records lead to money in flight |
| 5 | The settings of at least one provider, from [Chainflip](#chainflip) to [Maya Protocol](#maya-protocol) | A provider is on when its **required** settings are set |

Then set [your addresses](#your-addresses) and [keys](#keys): without them you earn nothing, and secrets are less safe.

## How settings are read

- If a setting is invalid, the service does not start. It names every invalid setting at once.
- To read \`NAME\` from a file, set \`NAME_FILE\` to its path. Settings that are paths have no such form.
- The service warns about variables whose names are nearly settings.
- An empty variable counts as unset. This page is generated (\`deno task readme\`).

${
    tables(false, [
      name,
      ["sandbox default", ({ unset }) => unset.sandbox],
      ["live default", ({ unset: { live, sandbox } }) => live === sandbox ? "same" : live],
      meaning,
    ])
  }`,
}, {
  place: place("tuning"),
  document: `# Tuning

The defaults of these settings suit most operators. ${
    link("settings")
  } lists the settings to choose first, and
says how settings are read. This page is generated (\`deno task readme\`).

${contents(true)}

${tables(true, [name, ["default", unsetText], meaning])}`,
}]
