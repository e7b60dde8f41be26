/**
 * The sandbox's network: one deterministic, synchronous state machine on virtual time. Nothing in it reads
 * a clock, draws a random number or does I/O; the seed and the commands with their times decide everything.
 *
 * ```ts
 * const network = Network.make({ seed: "demo", time })
 * const opened = Network.openChannel(network, command) // or Network.apply(network, command)
 * Network.advance(network, later)
 * const record = Network.swapOfChannel(network, id)
 * ```
 */
export { addressPatterns, vaultAddress } from "./addresses.ts"
export { apply } from "./apply.ts"
export { openChannel } from "./channels.ts"
export { control } from "./controls.ts"
export { sendDeposit } from "./deposits.ts"
export { Command, Control, Deposit, OpenChannel, RequestedSwap, VaultSwap } from "./Command.ts"
export { brokerAccount, intermediateAsset } from "./constants.ts"
export { advance } from "./advance.ts"
export * from "./queries.ts"
export { quote } from "./quote.ts"
export { rate } from "./rate.ts"
export * from "./Refusal.ts"
export { make } from "./make.ts"
export type { Network } from "./State.ts"
export { registerAffiliate, sendVaultSwap, vaultSwapFault } from "./vaultSwaps.ts"
export * from "./View.ts"
