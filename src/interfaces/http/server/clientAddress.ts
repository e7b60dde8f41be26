import { type AddressBlock, isWithin, networkOf, parseAddress } from "#infrastructure/platform/IpAddress.ts"

/**
 * Tells where a request comes from, as limits count it (`networkOf`). `peer` is the address that connected,
 * `forwardedFor` the value of `X-Forwarded-For`.
 */
export type ClientAddress = (peer: string, forwardedFor: string | null) => string

/**
 * Believes the header only as far as the operator's own proxies wrote it. Each proxy appends the address that
 * connected to it, so the header is read from its end up to the first address that is no trusted proxy: everything
 * before may be made up.
 */
export const clientAddress = (trustedProxies: ReadonlyArray<AddressBlock>): ClientAddress => {
  const isTrusted = isWithin(trustedProxies)
  return (peer, forwardedFor) => {
    let client = parseAddress(peer) ?? peer
    if (forwardedFor === null || !isTrusted(client)) return networkOf(client)
    for (const hop of forwardedFor.split(",").reverse()) {
      if (!isTrusted(client)) break
      const named = parseAddress(hop.trim())
      if (named === undefined) break
      client = named
    }
    return networkOf(client)
  }
}
