import { Context } from "effect"
import type { Mode } from "#infrastructure/config/Setting.ts"
import type { Html } from "./jsx-runtime.ts"
import { pill } from "./parts.tsx"

/** The mode that pages show. `mixed`: sandbox mode with a provider that is not simulated, at which real money may move. */
export type ShownMode = Mode | "mixed"

/** The mode of a process whose enabled providers `real` are not simulated. */
export const shownMode = (mode: Mode, real: ReadonlyArray<unknown>): ShownMode =>
  mode === "sandbox" && real.length > 0 ? "mixed" : mode

/** The mode of the process: pages say where no money moves. */
export const CurrentMode = Context.Reference<ShownMode>("swap-broker/pages/ShownMode", {
  defaultValue: () => "live",
})

/** What each mode is called. */
const modeTitles: Readonly<Record<ShownMode, string>> = {
  live: "Live",
  sandbox: "Sandbox: no money moves",
  mixed: "Sandbox: real money may move",
}

/** The mode, so that nobody takes a page of the sandbox for one of the money. */
export const modePill = (mode: ShownMode): Html => {
  const [word, rest] = modeTitles[mode].split(":")
  return pill(
    <>{word}{rest !== undefined && <span class="rest">:{rest}</span>}</>,
    mode === "live" ? "good" : "warn",
  )
}
