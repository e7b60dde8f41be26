import { Schema } from "effect"
import { NativeAmount } from "../../../domain/Amount.ts"
import { vaultAddress } from "../../engine/identifiers.ts"
import type { RequestedSwap } from "../../engine/Command.ts"
import { HexInput, NumberOrHexInput, U16 } from "../decode.ts"
import { HexBytes, RefundParams, swapEnd, swapExtras, swapHead, toRefund } from "../swapParams.ts"

/** The parameters of `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */

/** 32 bytes at most. */
const Seed = HexBytes.check(Schema.isMaxLength(2 + 2 * 32, { expected: "at most 32 bytes" }))

/** An oracle limit in a payload is a byte. */
const U8 = U16.check(
  Schema.isBetween({ minimum: 0, maximum: 255 }, { expected: "an unsigned 8-bit integer" }),
)

const Refund = Schema.Struct({ ...RefundParams.fields, max_oracle_price_slippage: Schema.optionalKey(U8) })

const amounts = { input_amount: NumberOrHexInput, refund_parameters: Refund }

/** What depends on the source chain. */
const Extra = Schema.Union([
  Schema.Struct({
    chain: Schema.Literal("Bitcoin"),
    min_output_amount: HexInput.pipe(Schema.decodeTo(NativeAmount)),
    retry_duration: U16,
    max_oracle_price_slippage: Schema.optionalKey(U8),
  }),
  Schema.Struct({ chain: Schema.Literals(["Ethereum", "Arbitrum", "Bsc"]), ...amounts }),
  Schema.Struct({ chain: Schema.Literal("Tron"), ...amounts }),
  Schema.Struct({
    chain: Schema.Literal("Solana"),
    from: Schema.String,
    seed: Seed,
    ...amounts,
    from_token_account: Schema.optionalKey(Schema.String),
  }),
])
export type Extra = typeof Extra.Type

/** In their order. */
export const EncodeParams = Schema.Struct({ ...swapHead, extra_parameters: Extra, ...swapExtras, ...swapEnd })
export type EncodeParams = typeof EncodeParams.Type

/** Where refunds of a Bitcoin transaction go only its change says, which nobody knows yet. */
const changeNotKnown = vaultAddress("Bitcoin")

/** The price limit of all but Bitcoin's payloads, which have one on the whole output instead. */
export const refundOf = (extra: Extra): RequestedSwap["refund"] =>
  extra.chain === "Bitcoin"
    ? {
      retryDurationBlocks: extra.retry_duration,
      refundAddress: changeNotKnown,
      minimumPriceX128: 0n,
      ...(extra.max_oracle_price_slippage === undefined
        ? {}
        : { maximumOraclePriceSlippageBps: extra.max_oracle_price_slippage }),
    }
    : toRefund(extra.refund_parameters)
