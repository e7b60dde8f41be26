import * as P from "micro-packed"
import type { Chain } from "../Chain.ts"
import { addressLength, addressVariant, chainNumber } from "./contractNumbers.ts"
import { bytes } from "./scale.ts"

/** The members of the event for payments on a chain, without those before them. */
const coderOf = (chain: Chain) => {
  const length = addressLength(chain)
  return P.struct({
    account: P.bytes(32),
    chain: P.magic(P.U8, chainNumber(chain)),
    number: P.U64LE,
    asset: P.U8,
    amount: P.U128LE,
    fee: P.U128LE,
    place: P.magic(P.U8, addressVariant(chain)),
    destination: length === undefined ? bytes : P.bytes(length),
  })
}

/** The state chain's event that a withdrawal was ordered (chainflip/wire.md 2.8). Amounts in native units. */
export interface WithdrawalEvent {
  /** The public key of the account that withdraws. */
  readonly account: Uint8Array
  /** The number of the payment among those of its chain. */
  readonly number: bigint
  /** The asset's number (`contractNumbers`). */
  readonly asset: number
  readonly amount: bigint
  readonly fee: bigint
  readonly destination: Uint8Array
}

export const encodeWithdrawalEvent = (chain: Chain, event: WithdrawalEvent): Uint8Array =>
  coderOf(chain).encode(event)

const isAt = (text: Uint8Array, part: Uint8Array, place: number): boolean =>
  part.every((byte, index) => text[place + index] === byte)

/** An account's withdrawals in a block's events, found by its bytes, as prefixes vary by runtime. */
export const findWithdrawalEvents = (
  chain: Chain,
  account: Uint8Array,
  events: Uint8Array,
): ReadonlyArray<WithdrawalEvent> => {
  const coder = coderOf(chain)
  const found: Array<WithdrawalEvent> = []
  for (let place = 0; place + account.length <= events.length; place++) {
    if (!isAt(events, account, place)) continue
    try {
      found.push(coder.decode(events.subarray(place), { allowUnreadBytes: true }))
    } catch {
      // Another event about the account.
    }
  }
  return found
}
