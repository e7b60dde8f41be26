import { Duration, Effect } from "effect"
import { inPageOrder } from "#infrastructure/config/pageOrder.ts"
import { readOnly } from "#infrastructure/config/read.ts"
import type { Variable } from "#infrastructure/config/Setting.ts"
import { httpSettings } from "#interfaces/requests/settings.ts"
import { drainMillis } from "#infrastructure/platform/serve.ts"
import { everySetting } from "#settings.ts"

/** What the texts say of the service, taken from where the service has it. */
export interface Facts {
  /** Every setting, each once, in the order of `infrastructure/config/settings.md`. */
  readonly settings: ReadonlyArray<Variable>
  readonly port: number
  /** How long a supervisor waits for the end after the signal, in seconds, before it kills. */
  readonly graceSeconds: number
}

/** The time for what the service does after its last request, such as giving back what it was about to look up. */
const afterwards = Duration.seconds(10)

const graceOf = (drainDelay: Duration.Duration): number =>
  Math.ceil([drainDelay, Duration.millis(drainMillis), afterwards].reduce(
    (seconds, part) => seconds + Duration.toSeconds(part),
    0,
  ))

/** The facts, with the port and the drain of the settings that are set. Fails with `SettingsWrong`. */
export const facts = Effect.map(readOnly(httpSettings), ({ drainDelay, port }): Facts => ({
  settings: inPageOrder(everySetting.variables),
  port,
  graceSeconds: graceOf(drainDelay),
}))
