import { Result } from "effect"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { issueAbout, type Issues } from "#domain/Issues.ts"
import type { VaultSwapPayload } from "#domain/swaps/VaultSwap.ts"
import { vaultAddress } from "../../engine/identifiers.ts"
import type { VaultSwap } from "../../engine/Command.ts"
import { decodeBitcoin } from "./bitcoin.ts"
import { decodeEvm } from "./evm.ts"
import { decodeSolana } from "./solana.ts"
import { decodeTron } from "./tron.ts"
import type { Affiliate } from "../../engine/State.ts"

export interface Transaction {
  readonly payload: VaultSwapPayload
  /** The amount of an asset that the transaction moves, if the control gives one. */
  readonly amountOf: (asset: AssetId) => Result.Result<NativeAmount | undefined, Issues>
  readonly changeAddress: string | undefined
}

/** The address of the change if the control gives none. */
const anyChange = vaultAddress("Bitcoin", "change")

type Decoded = Result.Result<Omit<VaultSwap, "_tag">, Issues>

const unreadable = (sentence: string): Issues => issueAbout("payload", `cannot be sent: ${sentence}`)

const decodePayment = (
  payload: Extract<VaultSwapPayload, { readonly _tag: "bitcoin" }>,
  { amountOf, changeAddress }: Transaction,
  registered: ReadonlyArray<Affiliate>,
): Decoded =>
  Result.gen(function* () {
    const amount = (yield* amountOf("btc.btc")) ?? payload.amountNative
    const request = yield* Result.mapError(
      decodeBitcoin(payload, amount, changeAddress ?? anyChange, registered),
      unreadable,
    )
    return { ...request, amount }
  })

type Call = Exclude<VaultSwapPayload, { readonly _tag: "bitcoin" | "xrpl" }>

/** Whether the transaction itself carries its amount, and not a call in its payload. */
const isCoin = (payload: Call): boolean =>
  payload._tag !== "solana" && payload.sourceTokenAddress === undefined

const decodeOther = (
  payload: Call,
  { amountOf, changeAddress }: Transaction,
  registered: ReadonlyArray<Affiliate>,
): Decoded =>
  Result.gen(function* () {
    if (changeAddress !== undefined) {
      return yield* Result.fail(issueAbout("changeAddress", "is for transactions on Bitcoin alone"))
    }
    const decode = payload._tag === "solana"
      ? decodeSolana(payload, registered)
      : payload._tag === "tron"
      ? decodeTron(payload, registered)
      : decodeEvm(payload, registered)
    const swap = yield* Result.mapError(decode, unreadable)
    const amount = (yield* amountOf(swap.sourceAsset)) ?? swap.amount
    return amount === swap.amount || isCoin(payload) ? { ...swap, amount } : yield* Result.fail(
      issueAbout("amount", `must be the ${swap.amount} native units that the payload moves`),
    )
  })

/** The swap that a transaction asks for, or why the transaction could not be sent. */
export const decodeTransaction = (
  transaction: Transaction,
  registered: ReadonlyArray<Affiliate>,
): Result.Result<VaultSwap, Issues> => {
  const { payload } = transaction
  if (payload._tag === "xrpl") return Result.fail(unreadable("no vault takes payments on the XRP Ledger"))
  const decoded = payload._tag === "bitcoin"
    ? decodePayment(payload, transaction, registered)
    : decodeOther(payload, transaction, registered)
  return Result.map(decoded, (swap) => ({ _tag: "VaultSwap", ...swap }))
}
