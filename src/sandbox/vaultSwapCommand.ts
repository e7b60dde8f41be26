import { Match, Result } from "effect"
import { type Issues, issueWith } from "../domain/Issues.ts"
import type { VaultSwapCommand } from "../domain/SandboxVaultSwap.ts"
import { decodeTransaction } from "./chainflip/vault/decode.ts"
import { givenAmount } from "./controlCommands.ts"
import type { VaultSwap } from "./engine/Command.ts"
import type { VaultSwapRefusal } from "./engine/Refusal.ts"
import type { Network } from "./engine/State.ts"

/** The vault swap that is meant. */
export const toVaultSwap = (network: Network, command: VaultSwapCommand): Result.Result<VaultSwap, Issues> =>
  decodeTransaction({
    payload: command.payload,
    amountOf: (asset) => givenAmount(command, asset),
    changeAddress: command.changeAddress,
  }, network.affiliates)

/** Why the network does not take it, in terms of the body. */
export const vaultSwapIssues = (refusal: VaultSwapRefusal): Issues =>
  "pallet" in refusal
    ? issueWith(refusal._tag === "InvalidRefundAddress" ? "changeAddress" : "payload", refusal.docs)
    : Match.valueTags(refusal, {
      ZeroAmount: () => issueWith("amount", "A transaction has to move more than nothing"),
      NoVault: ({ chain }) => issueWith("payload", `There is no vault on ${chain}`),
      TooManyAffiliates: () => issueWith("payload", "The payload names too many affiliates"),
      TooManyChannels: () => issueWith("payload", "Too many channels are open"),
      InvalidAffiliateAccount: ({ account }) =>
        issueWith("payload", `The payload names no account: ${account}`),
      InvalidBps: ({ bps }) => issueWith("payload", `The payload has a share of ${bps} bps`),
    })
