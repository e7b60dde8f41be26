import { Schema } from "effect"
import { AssetId } from "../chains/Asset.ts"
import { issueAbout, type Issues, noIssues } from "../Issues.ts"
import { ProviderName } from "../ProviderName.ts"
import { EpochMillis } from "../Time.ts"

export const SwitchOperation = Schema.Literals(["quote", "open", "encode", "status", "node"])
export type SwitchOperation = typeof SwitchOperation.Type

/** The scope of a switch, and the position it shall have. */
const change = {
  platform: ProviderName,
  /** Absent: quotes, openings, payloads and node calls. Following open swaps is switched only by its own name. */
  operation: Schema.optionalKey(SwitchOperation),
  /** Absent: every asset. */
  asset: Schema.optionalKey(AssetId),
  enabled: Schema.Boolean,
  /** The reason, in the operator's words; callers read it. */
  reason: Schema.NonEmptyString,
}

/** A change of a provider's kill switch, as the operator asks for it. */
export const SwitchChange = Schema.Struct(change)
export type SwitchChange = typeof SwitchChange.Type

/** The issues of a change's scope: a swap is followed by its channel, so its assets make no difference. */
export const switchIssues = ({ operation, asset }: Pick<SwitchChange, "operation" | "asset">): Issues =>
  operation === "status" && asset !== undefined
    ? issueAbout("asset", "cannot be switched for status, which is the same for all assets")
    : noIssues

/** A change of a switch that was made, with its author and time. */
export const ProviderSwitch = Schema.Struct({
  ...change,
  /** The name of the account. */
  changedBy: Schema.String,
  changedAt: EpochMillis,
})
export type ProviderSwitch = typeof ProviderSwitch.Type
