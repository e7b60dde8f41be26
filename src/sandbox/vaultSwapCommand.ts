import { Match, Result } from "effect"
import { fault, type Faults } from "../domain/Faults.ts"
import type { VaultSwapCommand } from "../domain/SandboxVaultSwap.ts"
import { decodeTransaction } from "./chainflip/vault/decode.ts"
import { givenAmount } from "./controlCommands.ts"
import type { VaultSwap } from "./engine/Command.ts"
import type { VaultSwapRefusal } from "./engine/Refusal.ts"
import type { Network } from "./engine/State.ts"

/** The vault swap that is meant. */
export const toVaultSwap = (network: Network, command: VaultSwapCommand): Result.Result<VaultSwap, Faults> =>
  decodeTransaction({
    payload: command.payload,
    amountOf: (asset) => givenAmount(command, asset),
    changeAddress: command.changeAddress,
  }, network.affiliates)

/** Why the network does not take it, in terms of the body. */
export const vaultSwapFaults = (refusal: VaultSwapRefusal): Faults =>
  "pallet" in refusal
    ? fault(refusal._tag === "InvalidRefundAddress" ? "changeAddress" : "payload", refusal.docs)
    : Match.valueTags(refusal, {
      ZeroAmount: () => fault("amount", "A transaction has to move more than nothing"),
      NoVault: ({ chain }) => fault("payload", `There is no vault on ${chain}`),
      TooManyAffiliates: () => fault("payload", "The payload names too many affiliates"),
      TooManyChannels: () => fault("payload", "Too many channels are open"),
      InvalidAffiliateAccount: ({ account }) => fault("payload", `The payload names no account: ${account}`),
      InvalidBps: ({ bps }) => fault("payload", `The payload has a share of ${bps} bps`),
    })
