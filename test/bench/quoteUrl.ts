/** A quote through two pools, with a boost quote and, beside it, one in chunks. */
export const quoteUrl = (service: URL, amount: string): URL =>
  new URL(`/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=${amount}`, service)
