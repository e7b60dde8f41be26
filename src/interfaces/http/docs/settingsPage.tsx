import { Context } from "effect"
import type { Variable } from "#infrastructure/config/Setting.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { table } from "../../pages/table.tsx"
import { inlineMarkdown } from "./markdown.tsx"

/** The settings that the page lists. */
export const ShownSettings = Context.Reference<ReadonlyArray<Variable>>("swap-broker/http/ShownSettings", {
  defaultValue: () => [],
})

/** All settings: names, defaults and meanings, never a value. */
export const settingsTable = (variables: ReadonlyArray<Variable>): ReadonlyArray<Html> => [
  <p>
    Settings are environment variables. A wrong one stops the start, with every fault named at once. Any{" "}
    <code>NAME</code> but a path can be given as{" "}
    <code>NAME_FILE</code>, the path of a file that holds its value.
  </p>,
  table({
    caption: "Settings",
    columns: [
      ["Name", ({ name }) => <code>{name}</code>, "a"],
      ["Default", ({ unset }) => inlineMarkdown(unset)],
      ["Meaning", ({ meaning }) => inlineMarkdown(meaning), "all"],
    ],
    rows: [...new Map(variables.map((variable) => [JSON.stringify(variable), variable])).values()],
    empty: "There are none.",
  }),
]
