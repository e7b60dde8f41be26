/** The vocabulary: assets, exact amounts, prices, addresses, quotes, swaps, errors. */
export * from "#domain/accounts/Account.ts"
export * from "#domain/chains/Address.ts"
export * from "#domain/money/Amount.ts"
export * from "#domain/chains/Asset.ts"
export * from "#domain/operations/Audit.ts"
export * from "#domain/money/Bps.ts"
export * from "#domain/chains/Chain.ts"
export * from "#domain/swaps/Channel.ts"
export * from "#domain/money/Commission.ts"
export * from "#domain/money/Decimal.ts"
export * from "#domain/quotes/ExactOutput.ts"
export * from "#domain/money/Fee.ts"
export * from "#domain/swaps/Idempotency.ts"
export * from "#domain/Issues.ts"
export * from "#domain/swaps/Journal.ts"
export * from "#domain/JsonText.ts"
export * from "#domain/accounts/Key.ts"
export * from "#domain/operations/NodeCall.ts"
export * from "#domain/Page.ts"
export * from "#domain/money/Price.ts"
export * from "#domain/ProblemCode.ts"
export * from "#domain/ProviderError.ts"
export * from "#domain/ProviderName.ts"
export * from "#domain/reasonFacts.ts"
export * from "#domain/operations/ProviderSwitch.ts"
export * from "#domain/quotes/Quote.ts"
export * from "#domain/RequestRules.ts"
export * from "#domain/accounts/Route.ts"
export * from "#domain/swaps/Start.ts"
export * from "#domain/StoreError.ts"
export * from "#domain/swaps/Swap.ts"
export * from "#domain/swaps/SwapEvent.ts"
export * from "#domain/swaps/SwapRecord.ts"
export * from "#domain/swaps/SwapRequest.ts"
export * from "#domain/Time.ts"
export * from "#domain/operations/Treasury.ts"
export * from "#domain/swaps/VaultSwap.ts"
export * from "#domain/accounts/Webhook.ts"
export * from "#domain/storable.ts"
export * from "#domain/swaps/payment/Payable.ts"
export * from "#domain/swaps/payment/Payment.ts"
export { accountText } from "#domain/chains/address/accountBytes.ts"
export * from "#domain/chains/payload/abi.ts"

// Names before 2.0, which end with 3.0.
export {
  /** @deprecated It is called `RequestOrigin`. */
  type RequestOrigin as Passage,
} from "#domain/accounts/Account.ts"
export {
  /** @deprecated It is called `AmountInput`. */
  type AmountInput as AmountWish,
} from "#domain/RequestRules.ts"
export {
  /** @deprecated It is called `StartInput`. */
  StartInput as StartWish,
} from "#domain/swaps/Start.ts"
export {
  /** @deprecated It is called `reasonFacts`; `tells` is `rankOf`. */
  reasonFacts as consequences,
} from "#domain/reasonFacts.ts"
