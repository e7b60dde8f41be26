import { Context } from "effect"
import type { Variable } from "#infrastructure/config/Setting.ts"
import { unsetText } from "#infrastructure/config/pageOrder.ts"
import { type Html } from "../../pages/jsx-runtime.ts"
import { table } from "../../pages/parts.tsx"
import { inlineMarkdown } from "./markdown.tsx"

/** The settings that the page lists. */
export const ShownSettings = Context.Reference<ReadonlyArray<Variable>>("swap-broker/http/ShownSettings", {
  defaultValue: () => [],
})

const part = (heading: string, rows: ReadonlyArray<Variable>): ReadonlyArray<Html> => [
  <h2>{heading}</h2>,
  table({
    caption: heading,
    columns: [
      ["Name", ({ name }) => <code id={name}>{name}</code>, "a"],
      ["Default", (variable) => inlineMarkdown(unsetText(variable))],
      ["Meaning", ({ expected, meaning }) => inlineMarkdown(`${meaning}. Value: ${expected}`), "all"],
    ],
    rows,
    empty: "There are none.",
  }),
]

/** All settings: names, defaults, meanings and forms, never a value. */
export const settingsTable = (variables: ReadonlyArray<Variable>): ReadonlyArray<Html> => [
  <p>
    Settings are environment variables. If one is invalid, the service does not start and names every fault.
    To read <code>NAME</code> from a file, set <code>NAME_FILE</code>{" "}
    to its path. Settings that are paths have no such form. A duration is a number and <code>millis</code>,
    {" "}
    <code>seconds</code>, <code>minutes</code>, <code>hours</code> or <code>days</code>.
  </p>,
  ...part("Settings to choose", variables.filter(({ isTuning }) => !isTuning)),
  ...part("Tuning", variables.filter(({ isTuning }) => isTuning)),
]
