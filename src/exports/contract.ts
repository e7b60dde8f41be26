/** The contract: endpoints and bodies as schemas, which validate and document at once. */
export * from "#api/Api.ts"
export * from "#api/QuoteBodies.ts"
export * from "#api/Quotes.ts"
export * from "#api/shape.ts"
export * from "#api/Swap.ts"
export * from "#api/SwapRecord.ts"
export * from "#api/TxPayload.ts"
