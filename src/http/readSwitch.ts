import { Effect, Result, Schema } from "effect"
import { SwitchBody } from "../api/Providers.ts"
import type { Issues } from "../domain/Issues.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { type SwitchChange, switchIssues } from "../domain/ProviderSwitch.ts"
import { alreadyTold } from "../domain/RequestRules.ts"
import { accept } from "./accept.ts"
import { keptTextIssues } from "./keptTextIssues.ts"
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

const change = (
  platform: ProviderName,
  { operation, asset, enabled, reason }: Wish,
): Result.Result<SwitchChange, Issues> => {
  // Their absence has been said where they were read.
  if (enabled === undefined || reason === undefined) return alreadyTold
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
  Effect.gen(function* () {
    const { values, issues } = read(yield* bodyMembers)
    const kept = yield* keptTextIssues("reason", values.reason)
    return yield* accept([issues, switchIssues(values), kept], change(platform, values))
  })
