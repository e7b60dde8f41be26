/** The pair of `quoteUrl`, with the members that the service asks for; the native amount comes after it. */
export const quotePath =
  "/v2/quote?srcChain=Bitcoin&srcAsset=BTC&destChain=Ethereum&destAsset=ETH&brokerCommissionBps=0" +
  "&isVaultSwap=false&isOnChain=false&dcaEnabled=true&dcaV2Enabled=true&amount="
