import { type AddressBlock, isWithin, networkOf, parseAddress } from "../../platform/IpAddress.ts"

/**
 * Where a request comes from, as limits count it (`networkOf`): `peer` is who connected, `forwardedFor` what
 * its `X-Forwarded-For` says.
 */
export type ClientAddress = (peer: string, forwardedFor: string | null) => string

/**
 * Believes the header only as far as proxies of the operator's own wrote it: each writes down, at the end, who
 * connected to it. So it is read from there, until somebody is named who is no such proxy: before that,
 * everything may be made up.
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
