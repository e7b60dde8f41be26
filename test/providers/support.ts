/** What suites of providers ask for most, by one name. */
export { TestClock } from "effect/testing"
export { readBeside, recordedOf } from "./recorded.ts"
export { channelsOf } from "../support/channelsOf.ts"
export { collectLogs } from "../support/collectLogs.ts"
export { assert, describe, it, layer } from "../support/it.ts"
export { paid, statusIn, statusWithDeposit, swapRequest } from "../support/swap.ts"
export { toStatus } from "../support/toStatus.ts"
export { vaultSwapRequest } from "../support/vaultSwap.ts"
