import { Struct } from "effect"
import type {
  Boost,
  Deposit,
  Egress,
  Execution,
  Failure,
  FillOrKillParameters,
  SwapProgress,
} from "../../../domain/Swap.ts"
import type {
  WireBoost,
  WireDeposit,
  WireEgress,
  WireFailure,
  WireFillOrKill,
  WireProgress,
} from "../wire/swap.ts"
import { spread } from "../../../platform/spread.ts"

// The wire's members and the domain's mostly share their names; what differs is renamed here. Absent stays
// absent all the way.

const toFailure = ({ reason, ...failure }: WireFailure): Failure => ({
  ...failure,
  reason: { code: reason.name ?? reason.code ?? "Unknown", message: reason.message },
})

const withFailure = <A extends { readonly failure?: WireFailure }>({ failure, ...rest }: A) => ({
  ...rest,
  ...spread(failure, (failure) => ({ failure: toFailure(failure) })),
})

/** The deposit as seen on the source chain. */
export const toDeposit = (wire: WireDeposit): Deposit =>
  Struct.renameKeys(withFailure(wire), {
    txRef: "transactionReference",
    txConfirmations: "transactionConfirmations",
  })

/** EgressInfo: a payout, a refund or a fallback. */
export const toEgress = (wire: WireEgress): Egress =>
  Struct.renameKeys(withFailure(wire), { txRef: "transactionReference" })

/** What became of the boost. */
export const toBoost = (wire: WireBoost): Boost =>
  Struct.renameKeys(wire, { maxBoostFeeBps: "maximumBoostFeeBps" })

/** The price limit and where the deposit goes back to. */
export const toFillOrKill = (wire: WireFillOrKill): FillOrKillParameters =>
  Struct.renameKeys(wire, {
    minPrice: "minimumPrice",
    maxOraclePriceSlippage: "maximumOraclePriceSlippageBps",
  })

const toExecution = ({ regular, dca }: WireProgress): Execution | undefined => {
  if (regular !== undefined) return { _tag: "regular", chunk: regular }
  return dca === undefined ? undefined : { _tag: "dca", ...dca }
}

/** The totals, with the only chunk or the chunks of a DCA swap; neither after a failed deposit. */
export const toProgress = (wire: WireProgress): SwapProgress => {
  return {
    ...Struct.omit(wire, ["regular", "dca"]),
    ...spread(toExecution(wire), (execution) => ({ execution })),
  }
}
