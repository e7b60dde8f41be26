import { BigDecimal, Result } from "effect"
import { decode } from "../upstream/decode.ts"
import { impactPercent } from "../upstream/prices.ts"
import { Decimal } from "../upstream/values.ts"
import { type Charged, sumOf } from "./fees.ts"

/** The figures of an answer that tell what the upstream thinks they are worth. */
interface Worth {
  readonly amountInUsd?: unknown
  readonly amountOutUsd?: unknown
  readonly amountOut: bigint
  readonly withdrawFee?: bigint
  readonly charged: Charged
}

const dollarPlaces = 18

const dollarsOf = (member: string, value: unknown): bigint =>
  Result.match(decode(Decimal, value, ["quote", member]), {
    onFailure: () => 0n,
    onSuccess: (dollars) => BigDecimal.scale(dollars, dollarPlaces).value,
  })

/** The impact on the price, by the upstream's prices of the amounts; the withdrawal fee and the commission count as paid out. */
export const impactOf = (
  { amountInUsd, amountOut, amountOutUsd, charged, withdrawFee }: Worth,
): BigDecimal.BigDecimal | undefined => {
  const [worth, out] = [dollarsOf("amountInUsd", amountInUsd), dollarsOf("amountOutUsd", amountOutUsd)]
  return amountOut === 0n || out === 0n ? undefined : impactPercent(
    worth * BigInt(10_000 - sumOf(charged.received) - sumOf(charged.kept)) / 10_000n,
    out * (amountOut + (withdrawFee ?? 0n)) / amountOut,
  )
}
