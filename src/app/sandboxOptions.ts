import { Option } from "effect"
import type { Settings } from "../Config.ts"
import type { SandboxOptions } from "../sandbox/Sandbox.ts"

/** The sandbox of the settings, listening where the caller says. */
export const sandboxOptions = (
  settings: Settings,
  place: Pick<SandboxOptions, "hostname" | "port">,
): SandboxOptions => ({
  ...place,
  speed: settings.sandboxSpeed,
  seed: settings.sandboxSeed,
  dataDir: settings.dataDir,
  ...Option.match(settings.sandboxGenesis, { onNone: () => ({}), onSome: (genesis) => ({ genesis }) }),
})
