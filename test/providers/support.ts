/** What suites of providers ask for most, by one name. */
export { TestClock } from "effect/testing"
export { recordedOf } from "./recorded.ts"
export { channelsOf } from "#test/support/channelsOf.ts"
export { collectLogs } from "#test/support/collectLogs.ts"
export { assert, describe, it, layer } from "#test/support/it.ts"
export { paid, statusIn, statusWithDeposit, swapRequest } from "#test/support/swap.ts"
export { toStatus } from "#test/support/toStatus.ts"
export { vaultSwapRequest } from "#test/support/vaultSwap.ts"
