import { Effect, Result, Schema } from "effect"
import { SwitchBody } from "../api/Providers.ts"
import { type Faults, wrong } from "../domain/Faults.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { SwitchChange } from "../domain/ProviderSwitch.ts"
import { alreadyFaulty } from "../domain/RequestRules.ts"
import { accept } from "./accept.ts"
import { bodyMembers } from "./rawParameters.ts"
import { parameterReader } from "./readParameters.ts"

const read = parameterReader(
  SwitchBody.mapFields(({ enabled, reason, ...fields }) => ({
    ...fields,
    enabled: Schema.optionalKey(enabled),
    reason: Schema.optionalKey(reason),
  })),
  ["enabled", "reason"],
)

type Wish = ReturnType<typeof read>["values"]

/** Following a swap goes by its channel; which assets it has makes no difference. */
const change = (
  platform: ProviderName,
  { operation, asset, enabled, reason }: Wish,
): Result.Result<SwitchChange, Faults> => {
  if (operation === "status" && asset !== undefined) {
    return Result.fail(wrong("asset", "cannot be switched for status, which is the same for all assets"))
  }
  // Their absence has been said where they were read.
  if (enabled === undefined || reason === undefined) return alreadyFaulty
  return Result.succeed({
    platform,
    ...(operation === undefined ? {} : { operation }),
    ...(asset === undefined ? {} : { asset }),
    enabled,
    reason,
  })
}

/** What a body wants switched of a provider. */
export const readSwitch = (platform: ProviderName) =>
  Effect.flatMap(bodyMembers, (raw) => {
    const { values, faults } = read(raw)
    return accept([faults], change(platform, values))
  })
