import { Match } from "effect"
import type { EpochMillis } from "../../domain/Time.ts"
import { repay } from "./boost.ts"
import { boostDeposit, creditDeposit } from "./deposits.ts"
import { broadcast, witnessEgress } from "./egress.ts"
import { passTime } from "./passTime.ts"
import type { Event, Network } from "./State.ts"
import { executeChunk } from "./swaps.ts"

const occur = (network: Network, event: Event): void =>
  Match.valueTags(event, {
    CreditDeposit: ({ deposit }) => creditDeposit(network, deposit),
    BoostDeposit: ({ deposit }) => boostDeposit(network, deposit),
    RepayBoost: ({ loans }) => repay(loans),
    ExecuteChunk: ({ request }) => executeChunk(network, request),
    Broadcast: ({ payment }) => broadcast(network, payment),
    WitnessEgress: ({ payment }) => witnessEgress(network, payment),
  })

/** Lets all blocks up to a time pass; everything that falls due in them happens, each thing at its own block. */
export const advance = (network: Network, to: EpochMillis): void =>
  passTime(network, to, (event) => occur(network, event))
