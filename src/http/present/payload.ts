import type { BitcoinPayloadBody } from "../../api/TxPayload.ts"
import { seconds } from "../../api/shape.ts"
import { toHuman } from "../../domain/Amount.ts"
import type { VaultSwapRequest } from "../../domain/VaultSwap.ts"
import type { HandedOutPayload } from "../../swapping/VaultSwaps.ts"

/** What every payload comes with. */
export type PayloadTerms = Pick<
  typeof BitcoinPayloadBody.Type,
  "platform" | "expiresAt" | "minimumDeposit" | "minimumDepositNative" | "estimatedDurationSeconds"
>

/** What the sender of a payload has to know of it. */
export const presentTerms = (
  { estimatedDuration, expiresAt, minimumDeposit, platform }: HandedOutPayload,
  { sourceAsset }: Pick<VaultSwapRequest, "sourceAsset">,
): PayloadTerms => ({
  platform,
  expiresAt,
  minimumDeposit: toHuman(sourceAsset, minimumDeposit),
  minimumDepositNative: minimumDeposit,
  estimatedDurationSeconds: seconds(estimatedDuration),
})
