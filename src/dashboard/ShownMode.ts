import { Context } from "effect"
import type { Mode } from "../config/Setting.ts"

/** The mode of the process: pages say where no money moves. */
export const ShownMode = Context.Reference<Mode>("swap-broker/dashboard/ShownMode", {
  defaultValue: () => "live",
})
