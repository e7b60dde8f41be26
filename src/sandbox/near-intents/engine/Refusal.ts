/** Why there is no quote and no order. Nothing has changed. */
export type RequestRefusal =
  /** The token is not in the catalogue, or the same on both sides. */
  | { readonly _tag: "InvalidToken"; readonly member: "tokenIn" | "tokenOut" }
  | { readonly _tag: "InvalidAddress"; readonly member: "recipient" | "refundTo" }
  | { readonly _tag: "AppFeesTooHigh" }
  /** `minimum` in smallest units of the origin asset. */
  | { readonly _tag: "AmountTooLow"; readonly minimum: bigint }
  | { readonly _tag: "NoLiquidity" }

/** No order has this deposit address. */
export interface UnknownOrder {
  readonly _tag: "UnknownOrder"
  readonly address: string
}
