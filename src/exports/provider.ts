/** The parts that a provider is written with: the port, its definition and settings, and helpers for its wire. */
export * from "#infrastructure/config/kinds.ts"
export * from "#infrastructure/config/Setting.ts"
export * from "#infrastructure/platform/currentMillis.ts"
export * from "#infrastructure/platform/spread.ts"
export * from "#providers/Capabilities.ts"
export * from "#providers/definition.ts"
export * from "#providers/operations.ts"
export * from "#providers/Provider.ts"
export * from "#providers/Registry.ts"
export * from "#providers/Treasury.ts"
export * from "#providers/upstream/coordinates.ts"
export * from "#providers/upstream/decode.ts"
export * from "#providers/upstream/depositCost.ts"
export {
  beforeOpening,
  failAs,
  messageOf,
  refusalText,
  statusReason,
  unopened,
  upstreamText,
  type WireCall,
  withLookupTimeout,
} from "#providers/upstream/failures.ts"
export * from "#providers/upstream/kept.ts"
export * from "#providers/upstream/orderRecord.ts"
export * from "#providers/upstream/prices.ts"
export * from "#providers/upstream/rest.ts"
export * from "#providers/upstream/transport.ts"
export * from "#providers/upstream/values.ts"
