import { Option } from "effect"
import type { ChangeKind } from "../domain/Journal.ts"
import type { SwapStatus } from "../domain/Swap.ts"
import type { SwapEventType } from "../domain/SwapEvent.ts"
import { hasRefunded, isLaterSwap } from "./Progress.ts"

const isExpired = ({ depositChannel }: SwapStatus): boolean => depositChannel?.isExpired === true

/** Everything went back: what the contract calls completed (decision 23) has an event of its own. */
const isRefund = (status: SwapStatus): boolean =>
  status.state === "completed" && status.refundEgress !== undefined && status.swapEgress === undefined

const stateEvent = (status: SwapStatus): SwapEventType =>
  isRefund(status) ? "swap.refunded" : `swap.${status.state}`

/** Whether a swap comes into a state: it had another one, or it is another swap of the same channel. */
export const entersState = (known: SwapStatus, found: SwapStatus): boolean =>
  known.state !== found.state || isLaterSwap(known, found)

/** Whether the channel of a swap has expired since. */
const expires = (known: SwapStatus, found: SwapStatus): boolean => !isExpired(known) && isExpired(found)

/** How one status came after another. */
export const kindOfChange = (known: SwapStatus, found: SwapStatus): ChangeKind =>
  expires(known, found) ? "expired" : "changed"

/** A swap that failed can have its deposit sent back later, which its account waits for. */
const goesBack = (known: Option.Option<SwapStatus>, found: SwapStatus): boolean =>
  found.state === "failed" && hasRefunded(found) &&
  !Option.exists(known, (known) => known.state === "failed" && hasRefunded(known))

/** What an account is told when one status follows another, or is the first. */
export const eventsBetween = (
  known: Option.Option<SwapStatus>,
  found: SwapStatus,
): ReadonlyArray<SwapEventType> => [
  ...(Option.isNone(known) || entersState(known.value, found) ? [stateEvent(found)] : []),
  ...(goesBack(known, found) ? ["swap.refunded" as const] : []),
  ...(Option.exists(known, (known) => expires(known, found)) ? ["channel.expired" as const] : []),
]
