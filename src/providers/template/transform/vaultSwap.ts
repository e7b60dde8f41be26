import { BigDecimal, Result } from "effect"
import { checkAddress } from "../../../domain/Address.ts"
import { noAmount, toHuman } from "../../../domain/Amount.ts"
import { Network } from "../../../domain/Chain.ts"
import { Price } from "../../../domain/Price.ts"
import { MalformedBody } from "../../../domain/ProviderError.ts"
import type { SwapState } from "../../../domain/Swap.ts"
import type { VaultSwapRequest } from "../../../domain/VaultSwap.ts"
import type { EncodedPayload } from "../../../domain/VaultSwapPayload.ts"
import type { PayloadBody } from "../client.ts"
import type { WirePayload, WireVaultSwap } from "../wire.ts"
import { toOrderBody } from "./opening.ts"
import { toDurations, totalOf } from "./quote.ts"
import { type ReadStatus, states, toParts, unknownState, unpaid } from "./status.ts"

const malformed = (detail: string) => Result.fail(new MalformedBody({ detail, reached: true }))

/** The body of `POST /v1/payloads`. */
export const toPayloadBody = (request: VaultSwapRequest): PayloadBody => ({
  ...toOrderBody(request, request.amount),
  retryBlocks: request.retryDurationBlocks,
})

/** Reads the answer of `POST /v1/payloads`: nobody signs a call before it is known to move what was asked for. */
export const readPayload = (
  { to, data, value, ...terms }: WirePayload,
  { amount }: VaultSwapRequest,
): Result.Result<EncodedPayload, MalformedBody> => {
  if (Result.isFailure(checkAddress("Ethereum", Network.literals, to))) {
    return malformed("to: expected an address of Ethereum")
  }
  if (value !== amount) return malformed(`value: expected ${amount}, got ${value}`)
  return Result.succeed({
    payload: { network: "Ethereum", to, calldata: data, value },
    mark: terms.memo,
    expiresAt: terms.expiresAt,
    minimumDeposit: terms.minimum,
    estimatedDuration: totalOf(toDurations(terms.seconds)),
  })
}

/** The price that the least output makes of the amount that it is for. */
const limitOf = ({ amount, from, minimumOut, to }: WireVaultSwap): Price =>
  Price.make(BigDecimal.divideUnsafe(toHuman(to, minimumOut), toHuman(from, amount)))

/** Reads the answer of `GET /v1/transactions/{hash}`; `last` is the state that was known, or the first one. */
export const readVaultSwap = (
  wire: WireVaultSwap,
  last: SwapState,
): Result.Result<ReadStatus, MalformedBody> => {
  const found = states.get(wire.status)
  const state = found ?? last
  const detail = wire.amount === noAmount ? "amount: expected more than nothing" : unpaid(wire, state)
  if (detail !== undefined) return malformed(detail)
  return Result.succeed({
    status: {
      state,
      sourceAsset: wire.from,
      destinationAsset: wire.to,
      destinationAddress: wire.recipient,
      fees: [],
      brokers: [{ account: wire.commission.account, commissionBps: wire.commission.bps }],
      fillOrKill: {
        retryDurationBlocks: wire.retryBlocks,
        refundAddress: wire.refundTo,
        minimumPrice: limitOf(wire),
      },
      ...toParts(wire),
    },
    notices: found === undefined ? [unknownState(wire.status, last)] : [],
  })
}
