import { Schema } from "effect"
import { AssetId } from "./Asset.ts"
import { issueAbout, type Issues, noIssues } from "./Issues.ts"
import { ProviderName } from "./ProviderName.ts"
import { EpochMillis } from "./Time.ts"

/** The operations that can be switched each by itself. */
export const SwitchOperation = Schema.Literals(["quote", "open", "encode", "status", "node"])
export type SwitchOperation = typeof SwitchOperation.Type

/** What a switch is about, and how it shall stand. */
const change = {
  platform: ProviderName,
  /** Absent: quotes, openings, payloads and node calls. Following open swaps is switched only by its own name. */
  operation: Schema.optionalKey(SwitchOperation),
  /** Absent: every asset. */
  asset: Schema.optionalKey(AssetId),
  enabled: Schema.Boolean,
  /** Why, in words of the operator; callers read it. */
  reason: Schema.NonEmptyString,
}

/** What the operator wants changed of a provider: its kill switch. */
export const SwitchChange = Schema.Struct(change)
export type SwitchChange = typeof SwitchChange.Type

/**
 * What is wrong with what a change is about: following a swap goes by its channel, and which assets it has makes
 * no difference.
 */
export const switchIssues = ({ operation, asset }: Pick<SwitchChange, "operation" | "asset">): Issues =>
  operation === "status" && asset !== undefined
    ? issueAbout("asset", "cannot be switched for status, which is the same for all assets")
    : noIssues

/** A change that was made, by whom and when. */
export const ProviderSwitch = Schema.Struct({
  ...change,
  /** Name of the account. */
  changedBy: Schema.String,
  changedAt: EpochMillis,
})
export type ProviderSwitch = typeof ProviderSwitch.Type
