import { Match, type Result } from "effect"
import { openChannel } from "./channels.ts"
import type { Command } from "./Command.ts"
import { control } from "./controls.ts"
import { sendDeposit } from "./deposits.ts"
import { registerAffiliate, sendVaultSwap } from "./vaultSwaps.ts"
import type { CommandRefusal } from "./Refusal.ts"
import type { Network } from "./State.ts"
import type { Outcome } from "./View.ts"

/**
 * Carries out a command at the network's present time. One that is refused changes nothing. Keeping every
 * accepted command with its time, and applying them again at those times, rebuilds the network.
 */
export const apply = (network: Network, command: Command): Result.Result<Outcome, CommandRefusal> =>
  Match.value(command).pipe(
    Match.withReturnType<Result.Result<Outcome, CommandRefusal>>(),
    Match.tag("OpenChannel", (request) => openChannel(network, request)),
    Match.tag("Deposit", (deposit) => sendDeposit(network, deposit)),
    Match.tag("VaultSwap", (swap) => sendVaultSwap(network, swap)),
    Match.tag("RegisterAffiliate", (affiliate) => registerAffiliate(network, affiliate)),
    Match.orElse((turned) => control(network, turned)),
  )
