/** The parts that a provider is written with: the port, its definition and settings, and helpers for its wire. */
export * from "#infrastructure/config/kinds.ts"
export * from "#infrastructure/config/Setting.ts"
export * from "#infrastructure/platform/currentMillis.ts"
export * from "#infrastructure/platform/optionalMembers.ts"
export * from "#providers/Capabilities.ts"
export * from "#providers/definition.ts"
export * from "#providers/operations.ts"
export * from "#providers/Provider.ts"
export * from "#providers/Registry.ts"
export * from "#providers/upstream/openedOrder.ts"
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
export * from "#providers/upstream/refreshed.ts"
export { type OpenedOrder, toOpenedChannel } from "#providers/upstream/openedOrder.ts"
export * from "#providers/upstream/orderRecord.ts"
export * from "#providers/upstream/prices.ts"
export * from "#providers/upstream/restClient.ts"
export * from "#providers/upstream/transport.ts"
export * from "#providers/upstream/values.ts"
export { againstRecord } from "#providers/upstream/witness.ts"

// Names before 2.0, which end with 3.0.
export {
  /** @deprecated It is called `FoundSetting`. */
  type FoundSetting as Found,
} from "#infrastructure/config/Setting.ts"
export {
  /** @deprecated It is called `optionalMembers`. */
  optionalMembers as spread,
} from "#infrastructure/platform/optionalMembers.ts"
export {
  /** @deprecated It is called `ProviderOptions`. */
  type ProviderOptions as Surroundings,
  /** @deprecated It is called `UpstreamUrl`. */
  type UpstreamUrl as Place,
} from "#providers/definition.ts"
export {
  /** @deprecated It is called `makeRefreshed`. */
  makeRefreshed as makeKept,
  /** @deprecated It is called `Refreshed`. */
  type Refreshed as Kept,
} from "#providers/upstream/refreshed.ts"
export {
  /** @deprecated It is called `WrittenNumber`. */
  type WrittenNumber as Written,
} from "#providers/upstream/values.ts"
