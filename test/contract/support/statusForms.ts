import { assert } from "@effect/vitest"
import { assertTwins, nativeAt } from "./assets.ts"
import { at, type Json, listAt, textAt } from "./Json.ts"
import {
  amount,
  assertMembers,
  assetId,
  blockIndex,
  boolean,
  digits,
  integer,
  list,
  moment,
  object,
  text,
} from "./members.ts"

/** Members of `status` that every record has. */
export const common = {
  state: text,
  sourceAsset: assetId,
  destinationAsset: assetId,
  destinationAddress: text,
  depositChannel: object,
  sourceChainRequiredBlockConfirmations: integer,
  fees: list,
  brokers: list,
  fillOrKillParams: object,
  ...moment("lastStateChainUpdateAt"),
}

/** Members of `depositChannel`. */
export const depositChannel = {
  id: (value: Json) => typeof value === "string" && /^[0-9]+-[A-Z][a-z]+-[0-9]+$/.test(value),
  ...moment("createdAt"),
  brokerCommissionBps: integer,
  depositAddress: text,
  sourceChainExpiryBlock: digits,
  ...moment("estimatedExpiryTime", "estimatedExpiryDate"),
  isExpired: boolean,
  openedThroughBackend: boolean,
  affiliateBrokers: list,
  fillOrKillParams: object,
}

/** A chunk of two legs that has been executed. */
export const chunk = {
  ...amount("inputAmount"),
  ...amount("intermediateAmount"),
  ...amount("outputAmount"),
  ...moment("scheduledAt"),
  scheduledBlockIndex: blockIndex,
  ...moment("executedAt"),
  executedBlockIndex: blockIndex,
  retryCount: integer,
}

/** A payment that is on its way. */
export const scheduledEgress = {
  ...amount("amount"),
  ...moment("scheduledAt"),
  scheduledBlockIndex: blockIndex,
}

/** A payment that has arrived. */
export const egress = {
  ...scheduledEgress,
  transactionReference: text,
  ...moment("witnessedAt"),
  witnessedBlockIndex: blockIndex,
}

/** A failure of a deposit or an egress, and the same time beside it. */
export const assertFailureParts = (json: Json, mode: string, code: string): void => {
  const failed = { ...moment("failedAt"), failedBlockIndex: blockIndex }
  assertMembers(json, { ...failed, failure: object })
  const failure = at(json, "failure")
  assertMembers(failure, { ...failed, mode: (value) => value === mode, reason: object })
  assertMembers(at(failure, "reason"), { code: (value) => value === code, message: text })
  assert.deepStrictEqual(at(failure, "failedAt"), at(json, "failedAt"))
}

/** The types of a record's fees, in order. */
export const feeTypesOf = (status: Json): ReadonlyArray<string> =>
  listAt(status, "fees").map((fee) => textAt(fee, "type"))

/** The totals of `swap`, each with its twin; what was swapped and what remains is what came in. */
export const assertSwapTotals = (status: Json): void => {
  const swap = at(status, "swap")
  const source = textAt(status, "sourceAsset")
  assertTwins(swap, {
    originalInputAmount: source,
    remainingInputAmount: source,
    swappedInputAmount: source,
    swappedIntermediateAmount: "usdc.eth",
    swappedOutputAmount: textAt(status, "destinationAsset"),
  })
  assert.strictEqual(
    nativeAt(swap, "remainingInputAmountNative") + nativeAt(swap, "swappedInputAmountNative"),
    nativeAt(swap, "originalInputAmountNative"),
  )
}
