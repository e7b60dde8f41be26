import type { FeeBody } from "../Quotes.ts"
import { toHuman } from "../../domain/Amount.ts"
import type { Fee } from "../../domain/Fee.ts"

/** A fee in both forms of its amount (decision 19). */
export const presentFee = ({ type, asset, amount }: Fee): typeof FeeBody.Type => ({
  type,
  asset,
  amount: toHuman(asset, amount),
  amountNative: amount,
})
